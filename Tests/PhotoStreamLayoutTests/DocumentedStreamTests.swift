import Foundation
import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

/// Layouts of every kind against what is computed from their pages alone, to the pixel: frames, elements, pinned headers
/// and rectangles.
///
/// `DOCUMENTED_LAYOUTS` sets the number of random layouts of each algorithm, `DOCUMENTED_SEED` the first seed.
@Suite struct DocumentedStreamTests {
    enum Family: String, CaseIterable, Sendable {
        case masonry, grid, flow, greedy, optimal, map
    }

    private static let environment = ProcessInfo.processInfo.environment
    private static let layoutCount = environment["DOCUMENTED_LAYOUTS"].flatMap { UInt64($0) } ?? 60
    private static let firstSeed = environment["DOCUMENTED_SEED"].flatMap { UInt64($0) } ?? 1

    @Test(arguments: Family.allCases)
    func `frames, elements and rectangles are what the pages say`(family: Family) throws {
        var compared = 0
        for seed in Self.firstSeed..<Self.firstSeed + Self.layoutCount {
            var random = SplitMix64(seed: seed &* 977)
            let configuration = Self.configuration(family, using: &random)
            // Columns without a pixel each are refused.
            guard let key = try? LayoutKey(configuration) else { continue }
            let items = Self.items(family, using: &random)
            let documented = try #require(DocumentedLayout(configuration, items: items))
            let layout = LayoutSnapshot(key, items: items)
            let name = "\(family), seed \(seed), \(key), \(items.count) photos"
            guard layout.shownFrames == documented.frames else {
                let pairs = zip(layout.shownFrames, documented.frames).enumerated()
                Issue.record("\(name): \(pairs.first { $1.0 != $1.1 }.debugDescription)")
                continue
            }
            #expect(layout.directory.contentExtent == documented.extent, "\(name)")
            compareElements(layout, documented, name)
            for _ in 0..<4 { compare(layout, documented, in: Self.rect(layout, using: &random), name) }
            compared += 1
        }
        #expect(compared > Self.layoutCount / 2)
    }

    private func compareElements(_ layout: LayoutSnapshot, _ documented: DocumentedLayout, _ name: String) {
        let everything = PixelRect(x: -1 << 40, y: -1 << 40, width: 1 << 41, height: 1 << 41)
        let found = layout.attributes(in: everything).attributes.filter { $0.elementKind != .item }
        var expected = documented.elements.filter { ![.sectionHeader, .sectionFooter].contains($0.kind) }
        let (first, end) = (Int64(-1 << 40), Int64(1 << 40))
        for section in layout.directory.sections.indices {
            let path = IndexPath(section: section, item: 0)
            // Bounds that hold everything pin nothing.
            if let frame = documented.header(of: section, visible: first..<end) {
                expected.insert(DocumentedLayout.Element(kind: .sectionHeader, indexPath: path, frame: frame))
            }
            if let frame = documented.footer(of: section, visible: first..<end) {
                expected.insert(DocumentedLayout.Element(kind: .sectionFooter, indexPath: path, frame: frame))
            }
        }
        let elements = Set(
            found.map { DocumentedLayout.Element(kind: $0.elementKind, indexPath: $0.indexPath, frame: $0.frame) })
        let difference = elements.symmetricDifference(expected)
        #expect(difference.isEmpty && found.count == elements.count, "\(name): \(difference.prefix(4))")
    }

    /// Compares the photos that meet a rectangle, and pinned headers and footers in it.
    private func compare(
        _ layout: LayoutSnapshot, _ documented: DocumentedLayout, in rect: PixelRect, _ name: String
    ) {
        func meets(_ frame: PixelRect) -> Bool {
            frame.x < rect.x + rect.width && rect.x < frame.x + frame.width && frame.y < rect.y + rect.height
                && rect.y < frame.y + frame.height
        }
        let shown = documented.frames.indices.filter { documented.frames[$0].map(meets) ?? false }
        var found: [Int] = []
        layout.forEachItem(in: rect) { index, _ in
            found.append(index)
            return true
        }
        #expect(found.sorted() == shown, "\(name): \(rect)")
        let isSideways = layout.directory.engine.key.scrollDirection == .horizontal
        let visible = isSideways ? rect.x..<rect.x + rect.width : rect.y..<rect.y + rect.height
        for section in layout.directory.sections.indices {
            let path = IndexPath(section: section, item: 0)
            let header = layout.attributes(forSupplementary: .sectionHeader, at: path, visibleBounds: rect)?.frame
            #expect(header == documented.header(of: section, visible: visible), "\(name): header \(section), \(rect)")
            let footer = layout.attributes(forSupplementary: .sectionFooter, at: path, visibleBounds: rect)?.frame
            #expect(footer == documented.footer(of: section, visible: visible), "\(name): footer \(section), \(rect)")
        }
    }

    // MARK: Samples

    private static func rect(_ layout: LayoutSnapshot, using random: inout SplitMix64) -> PixelRect {
        let size = layout.directory.contentSize
        return PixelRect(
            x: Int64(random.int(in: -200...Int(size.width))), y: Int64(random.int(in: -200...Int(size.height))),
            width: Int64(random.int(in: 1...1_500)), height: Int64(random.int(in: 1...1_500)))
    }

    private static func items(_ family: Family, using random: inout SplitMix64) -> [ItemMetrics] {
        let count = random.int(in: 0...random.element(of: [4, 40, 150]))
        let items =
            switch random.int(in: 0...3) {
            case 0: SampleMetrics.mixed(count, using: &random)
            case 1: SampleMetrics.extreme(count, using: &random)
            default: SampleMetrics.realistic(count, using: &random)
            }
        return SampleMetrics.dated(items, using: &random)
    }

    /// A length that is neither a whole number of points nor of pixels.
    private static func part(_ sevenths: Int) -> Double { max(1, Double(sevenths) / 7) }

    private static func configuration(_ family: Family, using random: inout SplitMix64) -> LayoutConfiguration {
        func length(_ greatest: Int) -> Double { random.oneIn(3) ? 0 : Double(random.int(in: 0...greatest)) / 7 }
        func insets(_ greatest: Int) -> EdgeInsets {
            EdgeInsets(top: length(greatest), left: length(greatest), bottom: length(greatest), right: length(greatest))
        }
        let isMap = family == .map
        var configuration = LayoutConfiguration(
            containerLength: part(random.int(in: 700...random.element(of: [900, 4_000, 9_000]))),
            displayScale: random.element(of: [1, 1.5, 2, 3]),
            scrollDirection: random.oneIn(3) && !isMap ? .horizontal : .vertical, contentInset: insets(90),
            interitemSpacing: length(60), lineSpacing: length(80), captionExtent: isMap ? 0 : length(200))
        configuration.layoutDirection = random.oneIn(3) ? .rightToLeft : .leftToRight
        configuration.sections.inset = insets(60)
        configuration.sections.sectioning = random.oneIn(2) && !isMap ? .day : .none
        configuration.sections.headerReferenceSize = length(300)
        configuration.sections.footerReferenceSize = length(200)
        configuration.sections.headersPinToVisibleBounds = random.oneIn(2)
        configuration.sections.footersPinToVisibleBounds = random.oneIn(2)
        configuration.sections.hasBackground = random.oneIn(2)
        if family != .masonry, !isMap { configuration.sections.separatorThickness = length(100) }
        configuration.badgeSize = Size(width: length(200), height: length(200))
        configuration.algorithm = algorithm(family, using: &random)
        return configuration
    }

    private static func algorithm(
        _ family: Family, using random: inout SplitMix64
    ) -> LayoutConfiguration.Algorithm {
        let columns: ColumnCount =
            random.oneIn(2) ? .count(random.int(in: 1...9)) : .minimumWidth(part(random.int(in: 100...2_000)))
        let size = Size(width: part(random.int(in: 7...900)), height: part(random.int(in: 7...900)))
        switch family {
        case .masonry:
            return .masonry(
                MasonryParameters(
                    columns: columns, columnChoice: random.oneIn(3) ? .roundRobin : .shortest,
                    orderTolerance: random.oneIn(2) ? 0 : part(random.int(in: 7...700)),
                    spanWiderThan: random.oneIn(2) ? nil : random.element(of: [0.5, 1, 1.45, 2]),
                    anchor: random.oneIn(3) ? .end : .start))
        case .grid:
            return .grid(
                GridParameters(columns: columns, aspectRatio: random.element(of: [1, 1.5, 2.0 / 3, 0.013, 70])))
        case .flow:
            let sizes: [FlowParameters.ItemSize] = [.uniform(size), .height(size.height), .own]
            return .flow(FlowParameters(itemSize: random.element(of: sizes)))
        case .map: return .map(MapParameters(zoom: random.int(in: 0...20), itemSize: size))
        case .greedy, .optimal:
            let target = part(random.int(in: 40...random.element(of: [90, 500, 1_400])))
            return .justified(
                JustifiedParameters(
                    targetLineHeight: target, tolerance: random.element(of: [0, 0.1, 0.25, 1.0 / 3, 1]),
                    minimumLineHeight: random.oneIn(3) ? max(1, target * 0.7) : nil,
                    maximumLineHeight: random.oneIn(3) ? target * 1.3 : nil,
                    widows: random.element(of: JustifiedParameters.WidowPolicy.allCases),
                    breaks: family == .greedy ? .greedy : .optimal,
                    breakoutEvery: random.element(of: [0, 0, 1, 2, 3, 7])))
        }
    }
}
