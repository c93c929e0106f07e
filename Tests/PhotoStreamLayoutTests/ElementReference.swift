import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

/// All elements of a layout in the order of an answer, computed only from the frames of its items.
///
/// Sections end at the end of their items, lines are items that lie next to each other; no element is queried.
struct ElementReference {
    private(set) var elements: [LayoutAttributes] = []
    /// The extents of the sections along the scroll axis.
    private(set) var sections: [Range<Int64>] = []
    private let configuration: LayoutConfiguration
    private let contentExtent: Int64
    private let visible: Range<Int64>?
    /// In a map, the end of the world's section, which reserves room for absent items.
    private let worldEnd: Int64?
    /// The level of headers and footers.
    private let boundaryLevel: Int

    /// Makes the elements.
    ///
    /// - Parameters:
    ///   - world: The layout.
    ///   - visible: The rectangle that pinned headers and footers stay in.
    init(_ world: ElementWorld, visible: PixelRect? = nil) {
        configuration = world.configuration
        let size = world.snapshot.directory.contentSize
        contentExtent = world.isHorizontal ? size.width : size.height
        self.visible = visible.map { world.along($0) }
        var (worldEnd, boundaryLevel) = (Int64?.none, 3)
        if case .map(let map) = configuration.algorithm {
            worldEnd = world.pixels(Double(256 << map.zoom)) + world.pixels(map.itemSize.height)
            boundaryLevel = 2_147_483_647
        }
        (self.worldEnd, self.boundaryLevel) = (worldEnd, boundaryLevel)
        let insets = configuration.contentInset
        var origin = world.pixels(world.isHorizontal ? insets.left : insets.top)
        let items = world.items
        var first = 0
        for (section, length) in world.sectionLengths.enumerated() {
            origin = add(section, first, Array(items[first..<first + length]), origin: origin, world)
            first += length
        }
    }

    /// Adds the elements of a section.
    ///
    /// - Returns: The end of the section.
    private mutating func add(
        _ section: Int, _ first: Int, _ items: [LayoutAttributes], origin: Int64, _ world: ElementWorld
    ) -> Int64 {
        let parameters = configuration.sections
        let inset = parameters.inset
        let header = world.pixels(parameters.headerReferenceSize)
        let footer = world.pixels(parameters.footerReferenceSize)
        let start = origin + header + world.pixels(world.isHorizontal ? inset.left : inset.top)
        let shown = items.filter { !$0.isHidden }
        let worldEnd = section == 0 ? worldEnd.map { start + $0 } : nil
        let itemsEnd = worldEnd ?? shown.map { world.along($0.frame).upperBound }.max() ?? start
        let end = itemsEnd + world.pixels(world.isHorizontal ? inset.right : inset.bottom) + footer
        sections.append(origin..<end)
        let isVisible = visible.map { $0.lowerBound < end && origin < $0.upperBound && !$0.isEmpty } ?? false
        func band(_ kind: ElementKind, _ range: Range<Int64>, _ zIndex: Int) {
            guard !range.isEmpty else { return }
            elements.append(
                LayoutAttributes(
                    elementKind: kind, index: first, indexPath: IndexPath(section: section, item: 0),
                    frame: world.rect(range, world.contentAcross), zIndex: zIndex))
        }
        if parameters.hasBackground { band(.sectionBackground, origin..<end, -1) }
        var headerStart = origin
        if header > 0, parameters.headersPinToVisibleBounds, isVisible, let visible, visible.lowerBound > origin {
            headerStart = min(visible.lowerBound, end - footer - header)
        }
        band(.sectionHeader, headerStart..<headerStart + header, boundaryLevel)
        for item in shown {
            elements.append(item)
            if let badge = badge(item.frame, world) {
                elements.append(
                    LayoutAttributes(
                        elementKind: .badge, index: item.index, indexPath: item.indexPath, frame: badge,
                        zIndex: worldEnd == nil ? 2 : item.zIndex))
            }
        }
        for (line, gap) in gaps(shown, world) {
            elements.append(
                LayoutAttributes(
                    elementKind: .separator, index: first + line, indexPath: IndexPath(section: section, item: line),
                    frame: world.rect(gap, world.itemsAcross), zIndex: 1))
        }
        var footerStart = end - footer
        if parameters.footersPinToVisibleBounds, isVisible, let visible, visible.upperBound < end {
            footerStart = max(visible.upperBound - footer, headerStart + header)
        }
        band(.sectionFooter, footerStart..<footerStart + footer, boundaryLevel)
        return end
    }

    private func badge(_ frame: PixelRect, _ world: ElementWorld) -> PixelRect? {
        let (width, height) = (
            world.pixels(configuration.badgeSize.width), world.pixels(configuration.badgeSize.height)
        )
        guard width > 0, height > 0 else { return nil }
        var badge = PixelRect(x: frame.x, y: frame.y, width: min(width, frame.width), height: min(height, frame.height))
        if configuration.layoutDirection == .leftToRight { badge.x = frame.maxX - badge.width }
        return badge
    }

    /// The separators of a section along the scroll axis, each with the position in the section of the item after it.
    private func gaps(_ items: [LayoutAttributes], _ world: ElementWorld) -> [(Int, Range<Int64>)] {
        let thickness = world.pixels(configuration.sections.separatorThickness)
        guard thickness > 0, world.hasLines else { return [] }
        return world.lines(items).reduce(into: (gaps: [(Int, Range<Int64>)](), end: Int64?.none)) { found, line in
            let top = line.map { world.along($0.frame).lowerBound }.min() ?? 0
            if let end = found.end {
                // Rounded down, even if the separator is thicker than the gap.
                let rest = top - end - thickness
                let start = end + (rest >= 0 ? rest / 2 : -((1 - rest) / 2))
                found.gaps.append((line[0].indexPath.item, start..<start + thickness))
            }
            found.end = line.map { world.along($0.frame).upperBound }.max()
        }.gaps
    }
}

/// A layout with the values that a reference needs.
struct ElementWorld {
    let configuration: LayoutConfiguration
    let snapshot: LayoutSnapshot
    let sectionLengths: [Int]
    /// Every item, one question each, by its index path.
    let items: [LayoutAttributes]
    /// Their frames.
    let frames: [PixelRect]

    /// A layout of drawn photos with all kinds of elements.
    ///
    /// - Parameters:
    ///   - family: The algorithm.
    ///   - axes: Its directions.
    ///   - random: The source of everything else.
    /// - Throws: The engine's error about the configuration.
    init(_ family: LayoutFamily, _ axes: SampleAxes, using random: inout SplitMix64) throws {
        func points(_ greatest: Int) -> Double {
            random.oneIn(3) ? 0 : Double(random.int(in: 0...greatest * 4)) / 4
        }
        var configuration = LayoutConfiguration.sample(family, axes, using: &random)
        configuration.sections.separatorThickness = points(random.element(of: [4, 60]))
        configuration.sections.headersPinToVisibleBounds = random.oneIn(2)
        configuration.sections.footersPinToVisibleBounds = random.oneIn(2)
        configuration.badgeSize = Size(width: points(30), height: points(20))
        let count = random.int(in: 0...random.element(of: [5, 60, 300]))
        let items = SampleMetrics.dated(SampleMetrics.mixed(count, using: &random), using: &random)
        var lengths: [Int]?
        if family != .map, random.oneIn(2) {
            var drawn: [Int] = []
            while drawn.reduce(0, +) < count {
                drawn.append(
                    min(count - drawn.reduce(0, +), random.int(in: 0...random.element(of: [1, 3, 80]))))
            }
            lengths = drawn + Array(repeating: 0, count: random.int(in: 0...2))
        }
        try self.init(configuration, items, sectionLengths: lengths)
    }

    init(_ configuration: LayoutConfiguration, _ items: [ItemMetrics], sectionLengths: [Int]? = nil) throws {
        self.configuration = configuration
        snapshot = LayoutSnapshot(
            try LayoutKey(configuration), metrics: PackedMetrics(items), sectionLengths: sectionLengths)
        var lengths = sectionLengths ?? NaiveSections.lengths(items, by: configuration.sections.sectioning)
        if case .map = configuration.algorithm {
            let located = items.count { $0.position != nil }
            lengths = [located, items.count - located]
        }
        self.sectionLengths = lengths
        var found: [LayoutAttributes] = []
        for (section, length) in lengths.enumerated() {
            for item in 0..<length {
                found.append(try #require(snapshot.attributes(forItemAt: IndexPath(section: section, item: item))))
            }
        }
        (self.items, frames) = (found, found.map(\.frame))
    }

    /// Every item in stream order.
    var itemsInOrder: [LayoutAttributes] { items.sorted { $0.index < $1.index } }

    var isHorizontal: Bool { configuration.scrollDirection == .horizontal }

    var hasLines: Bool { snapshot.directory.engine.key.algorithm.hasLines }

    /// Half away from zero, as the design requires.
    func pixels(_ points: Double) -> Int64 { Int64((points * configuration.displayScale + 0.5).rounded(.down)) }

    /// The extent of a rectangle along the scroll axis, in the direction of reading.
    func along(_ rect: PixelRect) -> Range<Int64> {
        guard isHorizontal else { return rect.y..<rect.maxY }
        guard configuration.layoutDirection == .rightToLeft else { return rect.x..<rect.maxX }
        let extent = snapshot.directory.contentSize.width
        return extent - rect.maxX..<extent - rect.x
    }

    /// The extent of a rectangle across the scroll axis, in the direction of reading.
    func across(_ rect: PixelRect) -> Range<Int64> {
        guard !isHorizontal else { return rect.y..<rect.maxY }
        guard configuration.layoutDirection == .rightToLeft else { return rect.x..<rect.maxX }
        return container - rect.maxX..<container - rect.x
    }

    /// The inverse of both.
    func rect(_ along: Range<Int64>, _ across: Range<Int64>) -> PixelRect {
        let (length, thickness) = (along.upperBound - along.lowerBound, across.upperBound - across.lowerBound)
        let isMirrored = configuration.layoutDirection == .rightToLeft
        if isHorizontal {
            let x = isMirrored ? snapshot.directory.contentSize.width - along.upperBound : along.lowerBound
            return PixelRect(x: x, y: across.lowerBound, width: length, height: thickness)
        }
        let x = isMirrored ? container - across.upperBound : across.lowerBound
        return PixelRect(x: x, y: along.lowerBound, width: thickness, height: length)
    }

    /// Between the content insets.
    var contentAcross: Range<Int64> {
        let inset = configuration.contentInset
        return isHorizontal
            ? pixels(inset.top)..<container - pixels(inset.bottom)
            : pixels(inset.left)..<container - pixels(inset.right)
    }

    /// Between the section insets.
    var itemsAcross: Range<Int64> {
        let (inset, content) = (configuration.sections.inset, contentAcross)
        return isHorizontal
            ? content.lowerBound + pixels(inset.top)..<content.upperBound - pixels(inset.bottom)
            : content.lowerBound + pixels(inset.left)..<content.upperBound - pixels(inset.right)
    }

    private var container: Int64 {
        let size = snapshot.directory.contentSize
        return isHorizontal ? size.height : size.width
    }

    /// The items of a section by lines: an item is in the line of the previous one if they lie side by side.
    func lines(_ items: [LayoutAttributes]) -> [[LayoutAttributes]] {
        items.reduce(into: []) { lines, item in
            if let last = lines.last?.last, along(last.frame).overlaps(along(item.frame)) {
                lines[lines.count - 1].append(item)
            } else {
                lines.append([item])
            }
        }
    }

    /// A rectangle in, next to or around the content.
    func rect(using random: inout SplitMix64) -> PixelRect {
        let size = snapshot.directory.contentSize
        func side(_ extent: Int64) -> (Int64, Int64) {
            let greatest = Int(extent)
            if random.oneIn(4) { return (-1_000, extent + 2_000) }
            let length = random.int(in: 1...max(1, random.element(of: [1, 40, 2_000, greatest])))
            return (Int64(random.int(in: -length...greatest + 10)), Int64(length))
        }
        let ((x, width), (y, height)) = (side(size.width), side(size.height))
        return PixelRect(x: x, y: y, width: width, height: height)
    }
}

/// The first difference between two answers, in a few words: arrays of attributes are too long to be printed.
func difference(_ found: [LayoutAttributes], _ expected: [LayoutAttributes]) -> String? {
    guard found != expected else { return nil }
    let place = zip(found, expected).enumerated().first { $0.element.0 != $0.element.1 }?.offset
    guard let place else { return "\(found.count) elements instead of \(expected.count)" }
    func text(_ element: LayoutAttributes) -> String {
        "\(element.elementKind.name) \(element.index) \(element.indexPath) \(element.frame) at \(element.zIndex)"
    }
    return "at \(place): \(text(found[place])) instead of \(text(expected[place]))"
}
