import PhotoStreamLayout
import PhotoStreamModel

extension LayoutOption {
    /// The description of the option, which names other options as on a command line.
    public var summary: String {
        switch self {
        case .width: "The width to fill, in points, insets included."
        case .height: "The height to fill where content scrolls horizontally, in points."
        case .algorithm:
            "The layout; options named after another one are refused. (default: \(AlgorithmName.standard.rawValue))"
        case .columns: "Masonry and grid: how many columns, \(range.text). (default: \(Defaults.columns))"
        case .minimumColumnWidth: "Masonry and grid, instead of --columns: as many as fit at this width or more."
        case .columnChoice:
            "Masonry: the column that takes the next photo. (default: \(Defaults.masonry.columnChoice.rawValue))"
        case .orderTolerance:
            """
            Masonry: the first column in reading order takes the next photo if it ends at most this far below the \
            shortest. (default: \(Defaults.masonry.orderTolerance.text))
            """
        case .spanWiderThan:
            """
            Masonry: photos whose width is more than this many times their height take two columns. (default: none)
            """
        case .anchor:
            """
            Masonry: the side from which photos are packed; packed from the end, a photo inserted before all others \
            does not move them relative to each other. (default: \(Defaults.masonry.anchor.rawValue))
            """
        case .aspectRatio: "Grid: a picture's width divided by its height. (default: \(Defaults.grid.aspectRatio.text))"
        case .itemSize:
            """
            Flow and map: the size of every picture, \(LayoutRange.itemLength.text) points. (default: \
            \(Defaults.flowItem); of a map \(Defaults.map.itemSize.text))
            """
        case .itemHeight: "Flow, instead of --item-size: one height in points, the width from the ratio."
        case .ownSizes: "Flow, instead of --item-size: each picture's own size, one point per pixel."
        case .targetLineHeight:
            "Justified: the height that lines should have, in points. (default: \(Defaults.justified.targetLineHeight.text))"
        case .tolerance:
            """
            Justified: the accepted distance of a line from the target height, as a fraction of it, \(range.text). \
            (default: \(Defaults.justified.tolerance.text))
            """
        case .minimumLineHeight: "Justified: the minimum height of lines, in points. (default: half the target)"
        case .maximumLineHeight: "Justified: the maximum height of lines, in points. (default: twice the target)"
        case .widows:
            "Justified: the treatment of a section's last line if it is not full. (default: \(Defaults.justified.widows.rawValue))"
        case .breaks: "Justified: how photos are divided into lines. (default: \(Defaults.justified.breaks.rawValue))"
        case .breakoutEvery:
            """
            Justified: every nth line of a section is a single photo, unless its height exceeds its width. (default: \
            \(Defaults.justified.breakoutEvery), never)
            """
        case .zoom:
            """
            Map: the size of the world, \(range.text); its side has 256 points at 0 and doubles with each step. (default: \
            \(Defaults.map.zoom))
            """
        case .interitemSpacing:
            """
            The space between columns, or the minimum between photos of a line, in points. (default: \(Defaults.shared.interitemSpacing.text))
            """
        case .lineSpacing:
            """
            The space between lines, or between photos of a column, in points. (default: \
            \(Defaults.shared.lineSpacing.text))
            """
        case .contentInset: "The margin around all content, in points. (default: \(Defaults.shared.contentInset.text))"
        case .cellPadding:
            """
            Instead of inset and spacings: a margin around every photo and around all of them, in points.
            """
        case .displayScale: "Device pixels in a point, \(range.text). (default: \(Defaults.shared.displayScale.text))"
        case .captionExtent:
            """
            The height of captions, under the photos that have one, in points. (default: \
            \(Defaults.shared.captionExtent.text))
            """
        case .badgeSize: "The size of the badge in the trailing top corner of every photo, in points. (default: none)"
        case .scrollDirection:
            "The axis along which content grows. (default: \(Defaults.shared.scrollDirection.rawValue))"
        case .layoutDirection:
            """
            The reading direction; right-to-left is the mirror image. (default: \
            \(Defaults.shared.layoutDirection.rawValue))
            """
        case .sectionBy:
            "The unit of sections; without it, there is one section. (default: \(Defaults.shared.sections.sectioning.rawValue))"
        case .sectionInset:
            "The margin around a section's photos, in points. (default: \(Defaults.shared.sections.inset.text))"
        case .headerSize:
            """
            A section header's extent along the scroll axis, in points. (default: \
            \(Defaults.shared.sections.headerReferenceSize.text))
            """
        case .footerSize:
            """
            A section footer's extent along the scroll axis, in points. (default: \
            \(Defaults.shared.sections.footerReferenceSize.text))
            """
        case .pinHeaders: "Keep headers in the requested rectangle while their section is in it."
        case .pinFooters: "Keep footers in the requested rectangle while their section is in it."
        case .sectionBackground: "Add a background to each section."
        case .separatorThickness:
            """
            Not masonry, not map: the thickness of the separators between lines, in points. (default: \
            \(Defaults.shared.sections.separatorThickness.text))
            """
        case .layoutKey: "Instead of all layout options: the layout key of an earlier answer."
        }
    }

    /// The placeholder of the value in the help; `nil` for the option's own name, and for options without a value.
    public var valueName: String? {
        switch self {
        case .width, .minimumColumnWidth: "w"
        case .height, .itemHeight, .targetLineHeight, .minimumLineHeight, .maximumLineHeight: "h"
        case .algorithm: "name"
        case .columns, .breakoutEvery: "n"
        case .columnChoice: "rule"
        case .orderTolerance: "points"
        case .spanWiderThan: "ratio"
        case .anchor: "edge"
        case .aspectRatio: "r"
        case .itemSize, .badgeSize: "w,h"
        case .ownSizes, .breaks, .pinHeaders, .pinFooters, .sectionBackground: nil
        case .tolerance: "t"
        case .widows: "policy"
        case .zoom: "z"
        case .interitemSpacing, .lineSpacing: "s"
        case .contentInset, .sectionInset: "t,l,b,r"
        case .cellPadding: "p"
        case .displayScale: "k"
        case .captionExtent, .headerSize, .footerSize, .separatorThickness: "e"
        case .scrollDirection: "axis"
        case .layoutDirection: "way"
        case .sectionBy: "unit"
        case .layoutKey: "key"
        }
    }
}

/// The values of absent options: those that the parameters have by themselves.
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

extension Optional<ClosedRange<Double>> {
    fileprivate var text: String { map(\.text) ?? "any" }
}

extension Size {
    fileprivate var text: String { "\(width.text),\(height.text)" }
}

extension EdgeInsets {
    fileprivate var text: String { [top, left, bottom, right].map(\.text).joined(separator: ",") }
}
