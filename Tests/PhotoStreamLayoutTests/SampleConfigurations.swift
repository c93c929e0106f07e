import PhotoStreamModel
import PhotoStreamTestSupport

@testable import PhotoStreamLayout

extension LayoutConfiguration {
    /// Column counts around every threshold of the engine: sorted registers up to 8, then a tree over powers of two.
    static let columnCounts = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 16, 31, 32, 64, 127, 128]
    /// Display scales in use and at the ends of the range; all are sums of two powers of two.
    static let displayScales = [0.5, 1, 1.5, 2, 3, 8]

    /// A vertical masonry of one section with odd widths, spacings, insets and captions.
    static func sample(
        columnCount: Int, columnChoice: MasonryParameters.ColumnChoice, using random: inout SplitMix64
    ) -> LayoutConfiguration {
        var configuration = frame(columnCount: columnCount, scale: nil, using: &random)
        configuration.algorithm = .masonry(
            MasonryParameters(columns: .count(columnCount), columnChoice: columnChoice))
        return configuration
    }

    /// A vertical masonry of any column count and choice.
    static func sample(using random: inout SplitMix64) -> LayoutConfiguration {
        let count = random.element(of: columnCounts)
        let choice = random.element(of: MasonryParameters.ColumnChoice.allCases)
        return sample(columnCount: count, columnChoice: choice, using: &random)
    }

    /// A masonry at scale 1 without insets.
    static func masonry(
        _ columnCount: Int, width: Double, choice: MasonryParameters.ColumnChoice = .shortest, scale: Double = 1,
        spacing: Double = 0, caption: Double = 0
    ) -> LayoutConfiguration {
        LayoutConfiguration(
            containerLength: width, displayScale: scale, interitemSpacing: spacing, lineSpacing: spacing,
            captionExtent: caption,
            algorithm: .masonry(MasonryParameters(columns: .count(columnCount), columnChoice: choice)))
    }

    /// A configuration of a family, with sections, in any direction.
    ///
    /// - Parameters:
    ///   - family: The algorithm and its variant.
    ///   - axes: Scroll and layout direction; a map always scrolls down.
    ///   - scale: The display scale.
    ///   - random: The source of everything else.
    /// - Returns: One that the engine accepts.
    static func sample(
        _ family: LayoutFamily, _ axes: SampleAxes = SampleAxes(), scale: Double? = nil, using random: inout SplitMix64
    ) -> LayoutConfiguration {
        let axes = family == .map ? SampleAxes(scroll: .vertical, layout: axes.layout) : axes
        let columnCount = random.oneIn(3) ? random.element(of: columnCounts) : random.int(in: 1...6)
        var configuration = frame(columnCount: columnCount, scale: scale, using: &random)
        configuration.scrollDirection = axes.scroll
        configuration.layoutDirection = axes.layout
        if axes.scroll == .horizontal {
            let inset = configuration.contentInset
            configuration.contentInset = EdgeInsets(
                top: inset.left, left: inset.top, bottom: inset.right, right: inset.bottom)
        }
        configuration.sections = sections(using: &random)
        let inset = configuration.sections.inset
        configuration.containerLength +=
            axes.scroll == .vertical ? inset.left + inset.right : inset.top + inset.bottom
        configuration.algorithm = family.algorithm(columnCount: columnCount, using: &random)
        if family == .map { configuration.sections.sectioning = .none }
        return configuration
    }

    /// A configuration apart from its algorithm: vertical, without sections, with room for that many columns.
    private static func frame(
        columnCount: Int, scale: Double?, using random: inout SplitMix64
    ) -> LayoutConfiguration {
        // Quarter points, so that lengths lie on ties and next to them.
        func points(_ greatest: Int) -> Double { Double(random.int(in: 0...greatest * 4)) / 4 }
        let hasMargins = !random.oneIn(4)
        let drawn = random.element(of: displayScales)
        let spacing = hasMargins ? points(12) : 0
        let inset =
            hasMargins
            ? EdgeInsets(top: points(40), left: points(30), bottom: points(40), right: points(30)) : .zero
        let needed = Double(columnCount - 1) * (spacing + 1) + inset.left + inset.right + Double(columnCount) * 4 + 4
        return LayoutConfiguration(
            containerLength: needed + points(random.element(of: [1, 300, 3_000])),
            displayScale: scale ?? drawn,
            contentInset: inset,
            interitemSpacing: spacing,
            lineSpacing: random.oneIn(4) ? 0 : points(20),
            captionExtent: random.oneIn(4) ? 0 : points(60))
    }

    private static func sections(using random: inout SplitMix64) -> SectionParameters {
        func points(_ greatest: Int) -> Double {
            random.oneIn(3) ? 0 : Double(random.int(in: 0...greatest * 4)) / 4
        }
        return SectionParameters(
            sectioning: random.element(of: Sectioning.allCases),
            inset: EdgeInsets(top: points(10), left: points(10), bottom: points(10), right: points(10)),
            headerReferenceSize: points(50), footerReferenceSize: points(30), hasBackground: random.oneIn(2))
    }
}

/// An algorithm with those of its parameters that lead to different code.
enum LayoutFamily: String, CaseIterable, Sendable {
    case shortestColumn, roundRobin, spanningMasonry, masonryFromEnd
    case uniformFlow, flowOfHeight, flowOfOwnSizes, justified, optimal, grid, map

    /// Those whose sections are runs of the stream: all but the map.
    static let runs = allCases.filter { $0 != .map }

    /// Its parameters, drawn.
    func algorithm(columnCount: Int, using random: inout SplitMix64) -> LayoutConfiguration.Algorithm {
        func points(_ least: Int, _ greatest: Int) -> Double { Double(random.int(in: least * 4...greatest * 4)) / 4 }
        let columns =
            random.oneIn(4) ? ColumnCount.minimumWidth(points(1, 300)) : ColumnCount.count(columnCount)
        return switch self {
        case .shortestColumn: .masonry(MasonryParameters(columns: columns, columnChoice: .shortest))
        case .roundRobin: .masonry(MasonryParameters(columns: columns, columnChoice: .roundRobin))
        case .spanningMasonry:
            .masonry(
                MasonryParameters(
                    columns: columns, columnChoice: random.element(of: [.shortest, .shortest, .roundRobin]),
                    orderTolerance: random.oneIn(2) ? 0 : points(0, random.element(of: [1, 40, 2_000])),
                    spanWiderThan: random.element(of: [nil, 0.001, 0.75, 1, 1.5, 1_000])))
        case .masonryFromEnd: Self.masonryFromEnd(columns, using: &random)
        case .uniformFlow:
            .flow(FlowParameters(itemSize: .uniform(Size(width: points(1, 120), height: points(1, 120)))))
        case .flowOfHeight: .flow(FlowParameters(itemSize: .height(points(1, random.element(of: [4, 60, 300])))))
        case .flowOfOwnSizes: .flow(FlowParameters(itemSize: .own))
        case .justified: .justified(Self.justified(.greedy, using: &random))
        case .optimal: .justified(Self.justified(.optimal, using: &random))
        case .map:
            .map(
                MapParameters(
                    zoom: random.element(of: [0, 0, 1, 2, 3, 7, 20]),
                    itemSize: Size(width: points(1, 60), height: points(1, 60))))
        case .grid:
            .grid(
                GridParameters(
                    columns: columns,
                    aspectRatio: random.element(of: [1, 1.5, 0.75, 0.001, 1_000, 4.0 / 3, 1.6, 16.0 / 9])))
        }
    }

    /// Half of them plain shortest columns, which are searched in another way than the rest.
    private static func masonryFromEnd(
        _ columns: ColumnCount, using random: inout SplitMix64
    ) -> LayoutConfiguration.Algorithm {
        var parameters = MasonryParameters(columns: columns, anchor: .end)
        if random.oneIn(2) {
            parameters.columnChoice = random.element(of: [.shortest, .roundRobin])
            parameters.orderTolerance = random.oneIn(2) ? 0 : Double(random.int(in: 0...80)) / 4
            parameters.spanWiderThan = random.element(of: [nil, 0.75, 1.5])
        }
        return .masonry(parameters)
    }

    private static func justified(
        _ breaks: JustifiedParameters.Breaks, using random: inout SplitMix64
    ) -> JustifiedParameters {
        let target = Double(random.int(in: 4...random.element(of: [20, 200, 1_600]))) / 4
        func part() -> Double { Double(random.int(in: 0...64)) / 64 }
        return JustifiedParameters(
            targetLineHeight: target,
            tolerance: random.element(of: [0, 0.1, 0.15, 0.25, 0.5, 1, part()]),
            minimumLineHeight: random.oneIn(3) ? 1 + (target - 1) * part() : nil,
            maximumLineHeight: random.oneIn(3) ? target * (1 + 2 * part()) : nil,
            widows: random.element(of: JustifiedParameters.WidowPolicy.allCases), breaks: breaks,
            breakoutEvery: random.element(of: [0, 0, 1, 2, 3]))
    }
}

/// Scroll and layout direction.
struct SampleAxes: CustomStringConvertible, Sendable {
    var scroll = ScrollDirection.vertical
    var layout = LayoutDirection.leftToRight

    /// All four pairs.
    static let all = ScrollDirection.allCases.flatMap { scroll in
        LayoutDirection.allCases.map { SampleAxes(scroll: scroll, layout: $0) }
    }

    var description: String { "\(scroll.rawValue), \(layout.rawValue)" }
}

extension LayoutSnapshot {
    /// The frame of every item, one question each.
    var frames: [PixelRect] {
        (0..<itemCount).compactMap { attributes(forItemAt: $0)?.frame }
    }
}

extension PackedFrames {
    /// Every number of a masonry.
    var numbers: [UInt64] {
        if case .masonry(let frames) = content { (0..<frames.count).map { frames[$0] } } else { [] }
    }

    /// Whether the numbers take four bytes each.
    var isNarrow: Bool {
        if case .masonry(.narrow) = content { true } else { false }
    }
}

extension LayoutKey {
    /// The number of columns, in a layout that has some.
    var columnCount: Int? {
        switch algorithm {
        case .masonry(let masonry): masonry.columnCount
        case .grid(let grid): grid.columnCount
        case .flow, .justified, .map, .placed: nil
        }
    }
}

extension LayoutKey.Algorithm {
    /// Whether items are in lines, according to the documents.
    var hasLines: Bool {
        switch self {
        case .masonry, .map: false
        case .flow, .justified, .grid, .placed: true
        }
    }
}

extension ItemMetrics {
    func with(day: Int?) -> ItemMetrics {
        ItemMetrics(pixelSize: pixelSize, hasCaption: hasCaption, orderDay: day, position: position)
    }

    func with(caption: Bool) -> ItemMetrics {
        ItemMetrics(pixelSize: pixelSize, hasCaption: caption, orderDay: orderDay, position: position)
    }

    func with(position: WorldPosition?) -> ItemMetrics {
        ItemMetrics(pixelSize: pixelSize, hasCaption: hasCaption, orderDay: orderDay, position: position)
    }
}

extension PackedMetrics {
    /// Squares.
    static func squares(_ count: Int) -> PackedMetrics {
        PackedMetrics(
            (0..<count).map { _ in ItemMetrics(pixelSize: PixelSize(uncheckedWidth: 7, height: 7)) })
    }
}
