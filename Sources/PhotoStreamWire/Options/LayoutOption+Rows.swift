import PhotoStreamLayout
import PhotoStreamModel

/// The table of the options. A new option needs a case of ``LayoutOption``, its row here, the property that stores its
/// value, and its use in ``LayoutOptionValues/key()``.
extension LayoutOption {
    /// The row of an option.
    private struct Row {
        let kind: Kind
        let range: ClosedRange<Double>?
        let valueName: String?
        /// Evaluated only for the help and for the description of the interface.
        let summary: () -> String

        init(
            _ kind: Kind, in range: ClosedRange<Double>? = nil, named valueName: String? = nil,
            about summary: @autoclosure @escaping () -> String
        ) {
            (self.kind, self.valueName, self.summary) = (kind, valueName, summary)
            if case .number = kind { self.range = range ?? LayoutRange.length } else { self.range = range }
        }
    }

    /// The type of its values.
    package var kind: Kind { row.kind }

    /// The range of its numbers; `nil` if its values are not numbers.
    package var range: ClosedRange<Double>? { row.range }

    /// The placeholder of the value in the help; `nil` for the option's own name, and for options without a value.
    public var valueName: String? { row.valueName }

    /// The description of the option, which names other options as on a command line.
    public var summary: String { row.summary() }

    private var row: Row {
        switch self {
        case .width:
            Row(
                .number(\.width), in: LayoutRange.containerLength, named: "w",
                about: "The width to fill, in points, insets included.")
        case .height:
            Row(
                .number(\.height), in: LayoutRange.containerLength, named: "h",
                about: "The height to fill where content scrolls horizontally, in points.")
        case .algorithm:
            Row(
                .choice(LayoutOptionChoice(\.algorithm)), named: "name",
                about:
                    "The layout; options named after another one are refused. (default: \(AlgorithmName.standard.rawValue))"
            )
        case .columns:
            Row(
                .count(\.columns), in: LayoutRange.columnCount.asNumbers, named: "n",
                about:
                    "Masonry and grid: how many columns, \(LayoutRange.columnCount.asNumbers.text). (default: \(Defaults.columns))"
            )
        case .minimumColumnWidth:
            Row(
                .number(\.minimumColumnWidth), in: LayoutRange.containerLength, named: "w",
                about: "Masonry and grid, instead of --columns: as many as fit at this width or more.")
        case .columnChoice:
            Row(
                .choice(LayoutOptionChoice(\.columnChoice)), named: "rule",
                about:
                    "Masonry: the column that takes the next photo. (default: \(Defaults.masonry.columnChoice.rawValue))"
            )
        case .orderTolerance:
            Row(
                .number(\.orderTolerance), named: "points",
                about: """
                    Masonry: the first column in reading order takes the next photo if it ends at most this far below the \
                    shortest. (default: \(Defaults.masonry.orderTolerance.text))
                    """)
        case .spanWiderThan:
            Row(
                .number(\.spanWiderThan), in: LayoutRange.ratio, named: "ratio",
                about: """
                    Masonry: photos whose width is more than this many times their height take two columns. (default: none)
                    """)
        case .anchor:
            Row(
                .choice(LayoutOptionChoice(\.anchor)), named: "edge",
                about: """
                    Masonry: the side from which photos are packed; packed from the end, a photo inserted before all others \
                    does not move them relative to each other. (default: \(Defaults.masonry.anchor.rawValue))
                    """)
        case .aspectRatio:
            Row(
                .number(\.aspectRatio), in: LayoutRange.ratio, named: "r",
                about: "Grid: a picture's width divided by its height. (default: \(Defaults.grid.aspectRatio.text))")
        case .itemSize:
            Row(
                .size(\.itemSize), named: "w,h",
                about: """
                    Flow and map: the size of every picture, \(LayoutRange.itemLength.text) points. (default: \
                    \(Defaults.flowItem); of a map \(Defaults.map.itemSize.text))
                    """)
        case .itemHeight:
            Row(
                .number(\.itemHeight), in: LayoutRange.itemLength, named: "h",
                about: "Flow, instead of --item-size: one height in points, the width from the ratio.")
        case .ownSizes:
            Row(
                .flag(\.ownSizes),
                about: "Flow, instead of --item-size: each picture's own size, one point per pixel.")
        case .targetLineHeight:
            Row(
                .number(\.targetLineHeight), in: LayoutRange.itemLength, named: "h",
                about:
                    "Justified: the height that lines should have, in points. (default: \(Defaults.justified.targetLineHeight.text))"
            )
        case .tolerance:
            Row(
                .number(\.tolerance), in: LayoutRange.tolerance, named: "t",
                about: """
                    Justified: the accepted distance of a line from the target height, as a fraction of it, \(LayoutRange.tolerance.text). \
                    (default: \(Defaults.justified.tolerance.text))
                    """)
        case .minimumLineHeight:
            Row(
                .number(\.minimumLineHeight), in: LayoutRange.itemLength, named: "h",
                about: "Justified: the minimum height of lines, in points. (default: half the target)")
        case .maximumLineHeight:
            Row(
                .number(\.maximumLineHeight), in: LayoutRange.itemLength, named: "h",
                about: "Justified: the maximum height of lines, in points. (default: twice the target)")
        case .widows:
            Row(
                .choice(LayoutOptionChoice(\.widows)), named: "policy",
                about:
                    "Justified: the treatment of a section's last line if it is not full. (default: \(Defaults.justified.widows.rawValue))"
            )
        case .breaks:
            Row(
                .choice(LayoutOptionChoice(\.breaks)),
                about: "Justified: how photos are divided into lines. (default: \(Defaults.justified.breaks.rawValue))")
        case .breakoutEvery:
            Row(
                .count(\.breakoutEvery), in: LayoutRange.breakoutEvery.asNumbers, named: "n",
                about: """
                    Justified: every nth line of a section is a single photo, unless its height exceeds its width. (default: \
                    \(Defaults.justified.breakoutEvery), never)
                    """)
        case .zoom:
            Row(
                .count(\.zoom), in: LayoutRange.zoom.asNumbers, named: "z",
                about: """
                    Map: the size of the world, \(LayoutRange.zoom.asNumbers.text); its side has 256 points at 0 and doubles with each step. (default: \
                    \(Defaults.map.zoom))
                    """)
        case .cluster:
            Row(
                .number(\.cluster), in: LayoutRange.cluster, named: "n",
                about: """
                    Map: photos in one cell of a grid of this side in points, \(LayoutRange.cluster.text), are one cluster, shown as \
                    its first photo. (default: none)
                    """)
        case .interitemSpacing:
            Row(
                .number(\.interitemSpacing), named: "s",
                about: """
                    The space between columns, or the minimum between photos of a line, in points. (default: \(Defaults.shared.interitemSpacing.text))
                    """)
        case .lineSpacing:
            Row(
                .number(\.lineSpacing), named: "s",
                about: """
                    The space between lines, or between photos of a column, in points. (default: \
                    \(Defaults.shared.lineSpacing.text))
                    """)
        case .contentInset:
            Row(
                .insets(\.contentInset), named: "t,l,b,r",
                about: "The margin around all content, in points. (default: \(Defaults.shared.contentInset.text))")
        case .cellPadding:
            // Spacings are twice the padding.
            Row(
                .number(\.cellPadding), in: LayoutRange.length.lowerBound...LayoutRange.length.upperBound / 2,
                named: "p",
                about: """
                    Instead of inset and spacings: a margin around every photo and around all of them, in points.
                    """)
        case .displayScale:
            Row(
                .number(\.displayScale), in: DisplayScale.range, named: "k",
                about:
                    "Device pixels in a point, \(DisplayScale.range.text). (default: \(Defaults.shared.displayScale.text))"
            )
        case .captionExtent:
            Row(
                .number(\.captionExtent), named: "e",
                about: """
                    The height of captions, under the photos that have one, in points. (default: \
                    \(Defaults.shared.captionExtent.text))
                    """)
        case .badgeSize:
            Row(
                .size(\.badgeSize), named: "w,h",
                about: "The size of the badge in the trailing top corner of every photo, in points. (default: none)")
        case .scrollDirection:
            Row(
                .choice(LayoutOptionChoice(\.scrollDirection)), named: "axis",
                about: "The axis along which content grows. (default: \(Defaults.shared.scrollDirection.rawValue))")
        case .layoutDirection:
            Row(
                .choice(LayoutOptionChoice(\.layoutDirection)), named: "way",
                about: """
                    The reading direction; right-to-left is the mirror image. (default: \
                    \(Defaults.shared.layoutDirection.rawValue))
                    """)
        case .sectionBy:
            Row(
                .choice(LayoutOptionChoice(\.sectionBy)), named: "unit",
                about:
                    "The unit of sections; without it, there is one section. (default: \(Defaults.shared.sections.sectioning.rawValue))"
            )
        case .sectionInset:
            Row(
                .insets(\.sectionInset), named: "t,l,b,r",
                about:
                    "The margin around a section's photos, in points. (default: \(Defaults.shared.sections.inset.text))"
            )
        case .headerSize:
            Row(
                .number(\.headerSize), named: "e",
                about: """
                    A section header's extent along the scroll axis, in points. (default: \
                    \(Defaults.shared.sections.headerReferenceSize.text))
                    """)
        case .footerSize:
            Row(
                .number(\.footerSize), named: "e",
                about: """
                    A section footer's extent along the scroll axis, in points. (default: \
                    \(Defaults.shared.sections.footerReferenceSize.text))
                    """)
        case .pinHeaders:
            Row(
                .flag(\.pinHeaders),
                about: "Keep headers in the requested rectangle while their section is in it.")
        case .pinFooters:
            Row(
                .flag(\.pinFooters),
                about: "Keep footers in the requested rectangle while their section is in it.")
        case .sectionBackground:
            Row(
                .flag(\.sectionBackground),
                about: "Add a background to each section.")
        case .separatorThickness:
            Row(
                .number(\.separatorThickness), named: "e",
                about: """
                    Not masonry, not map: the thickness of the separators between lines, in points. (default: \
                    \(Defaults.shared.sections.separatorThickness.text))
                    """)
        case .layoutKey:
            Row(
                .key, named: "key",
                about: "Instead of all layout options: the layout key of an earlier answer.")
        }
    }
}

/// The values of absent options, which are the defaults of the parameters.
private enum Defaults {
    static let shared = LayoutConfiguration(containerLength: 1)
    static let masonry = MasonryParameters()
    static let grid = GridParameters()
    static let justified = JustifiedParameters()
    static let map = MapParameters()

    static var columns: String {
        if case .count(let count) = masonry.columns { String(count) } else { "none" }
    }

    static var flowItem: String {
        if case .uniform(let size) = FlowParameters().itemSize { size.text } else { "none" }
    }
}

extension Double {
    /// The number, without a fraction if it is whole.
    fileprivate var text: String { self == rounded() ? String(Int(self)) : String(self) }
}

extension ClosedRange<Double> {
    fileprivate var text: String { "\(lowerBound.text) to \(upperBound.text)" }
}

extension Size {
    fileprivate var text: String { "\(width.text),\(height.text)" }
}

extension EdgeInsets {
    fileprivate var text: String { [top, left, bottom, right].map(\.text).joined(separator: ",") }
}
