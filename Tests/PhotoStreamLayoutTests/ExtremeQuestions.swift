import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamTestSupport

/// A layout that is queried at the ends of all numbers.
struct ExtremeQuestions {
    /// The number of queries so far.
    private(set) var count = 0
    /// The mistakes that were found in answers.
    private(set) var faults: [String] = []
    private let snapshot: LayoutSnapshot
    private let key: LayoutKey
    private let shown: [LayoutAttributes]

    init(_ snapshot: LayoutSnapshot) {
        self.snapshot = snapshot
        key = snapshot.directory.engine.key
        shown = (0..<snapshot.itemCount).compactMap { snapshot.attributes(forItemAt: $0) }.filter { !$0.isHidden }
    }

    /// Device pixels around every border: of the content, of the clamped range, of numbers.
    private static func coordinates(_ extent: Int64) -> [Int64] {
        let powers = [31, 53, 58, 60, 61, 62].map { Int64(1) << $0 }
        return [0, -1, extent / 2, extent - 1, extent, .min, .min + 1, .max - 1, .max]
            + powers.flatMap { [$0, -$0, $0 - 1] }
    }

    private static let points: [Double] = [
        0, -0.0, 1e19, -1e19, 0x1p60, 0x1p61, 0x1p63, -0x1p63, .greatestFiniteMagnitude, -.greatestFiniteMagnitude,
        .leastNonzeroMagnitude,
    ]
    private static let refused: [Double] = [.nan, .infinity, -.infinity]

    /// Queries some of the places, drawn at random, or all of them.
    ///
    /// - Parameters:
    ///   - share: One in `share` queries is run.
    ///   - random: The source of the draws.
    mutating func ask(oneIn share: Int, using random: inout SplitMix64) {
        let size = snapshot.directory.contentSize
        let (across, along) = (Self.coordinates(size.width), Self.coordinates(size.height))
        for x in across {
            for y in along where share == 1 || random.oneIn(share) {
                ask(at: PixelPoint(x: x, y: y))
                ask(in: PixelRect(x: x, y: y, width: random.element(of: across), height: random.element(of: along)))
            }
        }
        for x in Self.points {
            for y in Self.points where share == 1 || random.oneIn(share) {
                askInPoints(x, y, random.element(of: Self.points), random.element(of: Self.points))
            }
        }
        for value in Self.refused { askForRefusal(value, random.element(of: Self.points)) }
        askByPosition(using: &random)
        askForPages(limit: random.element(of: [1, 7]))
    }

    /// Whether a pixel is beyond all content.
    private func isFar(_ point: PixelPoint) -> Bool { [point.x, point.y].contains { $0.magnitude >= 1 << 58 } }

    private mutating func ask(at point: PixelPoint) {
        count += 4
        let path = snapshot.indexPath(at: point)
        if isFar(point), path != nil { faults.append("an item at \(point)") }
        let place = snapshot.insertionIndexPath(for: point)
        if place.section < 0 || place.item < 0 { faults.append("\(place) for \(point)") }
        for snapping in [ScrollSnapping.lineStarts, .itemCenters] {
            let viewport = PixelExtent(width: point.y, height: point.x)
            let offset = snapshot.targetContentOffset(
                forProposed: point, velocity: Double(point.x), viewport: viewport, snapping: snapping)
            if offset.x < 0 || offset.y < 0 { faults.append("rest at \(offset) for \(point)") }
        }
    }

    private mutating func ask(in rect: PixelRect) {
        count += 6
        let items = snapshot.items(in: rect)
        if items.contains(where: { !$0.frame.intersects(rect) }) { faults.append("an item outside \(rect)") }
        let expected = shown.filter { $0.frame.intersects(rect) }
        if items != expected.sorted(by: { $0.index < $1.index }) {
            faults.append("\(items.count) items in \(rect), not \(expected.count)")
        }
        let visible = PixelRect(x: rect.y, y: rect.x, width: rect.height, height: rect.width)
        let first = IndexPath(section: Int(clamping: rect.width >> 62), item: Int(clamping: rect.height))
        _ = snapshot.attributes(in: rect, visibleBounds: visible, from: first, limit: 3)
        _ = snapshot.attributes(in: rect)
        _ = snapshot.attributes(
            forSupplementary: .sectionHeader, at: IndexPath(section: 0, item: 0), visibleBounds: rect)
        if var anchor = snapshot.scrollAnchor(in: rect) {
            anchor.distance = rect.x
            _ = snapshot.contentOffset(for: anchor, index: anchor.index, viewport: rect.height)
        }
        let unchanged = ItemMapping([], itemCount: snapshot.itemCount)
        _ = LayoutUpdates(from: snapshot, to: snapshot, with: unchanged, in: rect, now: visible)
    }

    private mutating func askInPoints(_ x: Double, _ y: Double, _ width: Double, _ height: Double) {
        count += 2
        let rect = Rect(x: x, y: y, width: width.magnitude, height: height.magnitude)
        guard let pixel = try? key.displayScale.pixel(holding: Point(x: x, y: y)) else {
            return faults.append("no pixel at \(x), \(y)")
        }
        if (try? snapshot.attributes(in: rect, visibleBounds: rect)) == nil { faults.append("refused: \(rect)") }
        _ = snapshot.indexPath(at: pixel)
    }

    private mutating func askForRefusal(_ value: Double, _ other: Double) {
        count += 2
        if (try? key.displayScale.pixel(holding: Point(x: other, y: value))) != nil { faults.append("\(value)") }
        if (try? snapshot.attributes(in: Rect(x: other, y: 0, width: value, height: 1))) != nil {
            faults.append("\(value)")
        }
    }

    private mutating func askByPosition(using random: inout SplitMix64) {
        for index in [Int.min, -1, 0, snapshot.itemCount, .max] {
            count += 4
            _ = snapshot.attributes(forItemAt: index)
            _ = snapshot.attributes(forItemAt: IndexPath(section: random.element(of: [0, .max]), item: index))
            _ = snapshot.attributes(forDecoration: .separator, at: IndexPath(section: 0, item: index))
            _ = snapshot.frames(from: index, count: random.element(of: [.min, 0, 3, .max]))
        }
        count += 1
        let places = snapshot.scrubberPlaces(random.element(of: [-1, 0, 1, 9]))
        if places.contains(where: { $0.offset < 0 }) { faults.append("\(places)") }
    }

    /// The chain of pages, whose frames are the layout's.
    private mutating func askForPages(limit: Int) {
        let engine = snapshot.directory.engine
        guard !engine.foldsBackward, snapshot.itemCount > 0 else { return }
        var metrics: [ItemMetrics] = []
        for position in snapshot.directory.chunks.indices {
            let chunk = snapshot.placedChunk(at: position).metrics
            metrics += (0..<chunk.count).map { chunk[$0] }
        }
        var cursor = engine.firstCursor(contentExtent: snapshot.directory.contentExtent)
        var frames: [PixelRect] = []
        while frames.count < metrics.count {
            count += 1
            let rest = PackedMetrics(metrics[frames.count...])
            guard let page = engine.page(after: cursor, rest, isEnd: true, limit: limit), !page.items.isEmpty,
                let next = try? engine.cursor(decoding: page.next.encoded)
            else { return faults.append("no page after \(frames.count)") }
            frames += page.items.map(\.frame)
            cursor = next
        }
        let whole = shown.sorted { $0.index < $1.index }.map(\.frame)
        if frames.filter({ $0.width > 0 }) != whole { faults.append("pages of \(limit) are not the layout") }
    }
}
