public import PhotoStreamModel

/// A stream laid out in memory: an immutable answer to every question about where its photos stand.
///
/// For a library's user without a database; the service answers from stored chunks by the same functions.
///
///     let key = try LayoutKey(LayoutConfiguration(containerLength: 1200))
///     let snapshot = LayoutSnapshot(key, sizes: sizes)
///     let visible = try snapshot.attributes(in: Rect(x: 0, y: 0, width: 1200, height: 900))
public struct LayoutSnapshot: LayoutSource, Sendable {
    /// Photos to a chunk, where a layout reads anything of them.
    public static let chunkCapacity = 2_048

    /// The index of chunks and sections.
    public let directory: LayoutDirectory
    private let chunks: [PlacedChunk]

    /// Lays out photos of which nothing but the size is known: neither captions nor dates.
    ///
    /// - Parameters:
    ///   - key: The configuration.
    ///   - sizes: The photos' sizes in stream order.
    /// - Complexity: As ``init(_:items:)``.
    public init(_ key: LayoutKey, sizes: some Sequence<PixelSize>) {
        self.init(key, metrics: PackedMetrics(sizes: sizes))
    }

    /// Lays out photos.
    ///
    /// - Parameters:
    ///   - key: The configuration.
    ///   - items: The photos' metrics in stream order.
    /// - Complexity: O(items). In addition to the metrics a masonry takes 4 bytes an item (8 where a chunk is longer than
    ///   32 bits hold), lines take 16 bytes each, cells of one size nothing, a placement rule 32 bytes an item.
    public init(_ key: LayoutKey, items: some Sequence<ItemMetrics>) {
        self.init(key, metrics: PackedMetrics(items))
    }

    /// Lays out photos whose metrics are packed already.
    ///
    /// - Parameters:
    ///   - key: The configuration.
    ///   - metrics: The photos' metrics in stream order.
    ///   - sectionLengths: The count of photos in each section, empty ones included; instead of what the key says of
    ///     dates.
    /// - Precondition: The lengths are not negative and add up to the photos; a map takes none.
    /// - Complexity: O(items).
    public init(_ key: LayoutKey, metrics: PackedMetrics, sectionLengths: [Int]? = nil) {
        let engine = LayoutEngine(key)
        precondition(!engine.isMap || sectionLengths == nil, LayoutError.sectionLengthsOfMap.description)
        let sections = sectionLengths.map { engine.foldedSections($0, itemCount: metrics.count) }
        var directory = LayoutDirectory(engine)
        var chunks: [PlacedChunk] = []
        var state = engine.initialState
        var (folded, placed) = (0, 0)
        // A layout that reads nothing of its photos places all of them in one run.
        let capacity = engine.readsMetrics ? Self.chunkCapacity : max(1, metrics.count)
        for position in engine.foldOrder(ofChunks: (metrics.count + capacity - 1) / capacity) {
            let start = position * capacity
            let range = start..<min(start + capacity, metrics.count)
            let run = folded..<folded + range.count
            let placement =
                sections.map {
                    engine.place(metrics[range], borders: SectionBorders($0, run: run, isLast: false), from: state)
                }
                ?? engine.place(metrics[range], from: state)
            directory.append(count: range.count, extents: placement.extents, sections: placement.sections)
            // A layout that folds backward leaves nothing open.
            let first = engine.foldsBackward ? start : placed
            let count = placement.extents.placedCount
            chunks.append(PlacedChunk(metrics: metrics[first..<first + count], frames: placement.frames))
            (folded, placed, state) = (run.upperBound, placed + count, placement.exitState)
        }
        if engine.foldsBackward { chunks.reverse() }
        let behind = metrics.count..<metrics.count
        let ending =
            sections.map { engine.close(state, borders: SectionBorders($0, run: behind, isLast: true)) }
            ?? engine.close(state)
        directory.finish(ending)
        chunks.append(PlacedChunk(metrics: metrics[placed..<metrics.count], frames: ending.frames))
        self.directory = directory
        self.chunks = chunks
    }

    /// The number of photos.
    public var itemCount: Int { directory.itemCount }

    /// The extent of the whole layout, insets included, in points.
    public var contentSize: Size { directory.engine.key.displayScale.points(directory.contentSize) }

    /// The photos and frames that the run of a chunk placed.
    public func placedChunk(at position: Int) -> PlacedChunk { chunks[position] }
}

// What every source can be asked, compiled for this one: see LayoutDirectory+Items.swift.
extension LayoutSnapshot {
    /// The attributes of one item.
    ///
    /// - Parameter index: Its position in stream order.
    /// - Returns: `nil` outside the stream.
    /// - Complexity: O(log chunks).
    public func attributes(forItemAt index: Int) -> LayoutAttributes? {
        guard let position = directory.chunk(placing: index) else { return nil }
        let first = directory.chunks[position].placed.lowerBound
        return directory.attributes(at: index - first, of: chunks[position], placedBy: position)
    }

    /// The frame of one item: less than its attributes, and faster.
    ///
    /// - Parameter index: Its position in stream order.
    /// - Returns: The whole cell in device pixels; `nil` outside the stream and for an item that is left out.
    /// - Complexity: O(log chunks).
    public func frame(forItemAt index: Int) -> PixelRect? {
        guard let position = directory.chunk(placing: index) else { return nil }
        return directory.frame(ofItem: index, of: chunks[position], placedBy: position)
    }

    /// Hands the index and the frame of every item that meets a rectangle to `body`, in stream order, until it says to
    /// stop: the cheapest way to ask.
    ///
    /// - Parameters:
    ///   - rect: In device pixels of content space.
    ///   - first: Items before this position are left out.
    ///   - body: Takes an item's position in stream order and its frame in device pixels; returns whether to go on.
    /// - Complexity: O(log items + result); of chunks whose tops may fall (in turn, with spans or a tolerance) O(items
    ///   / 64) and all items of each 64 among which one may meet the rectangle.
    public func forEachItem(in rect: PixelRect, from first: Int = 0, _ body: (Int, PixelRect) -> Bool) {
        directory.forEachItem(in: rect, from: first, chunkAt: { chunks[$0] }, body)
    }

    /// The attributes of the items that meet a rectangle, in stream order.
    ///
    /// - Parameters:
    ///   - rect: In device pixels of content space.
    ///   - first: Items before this position are left out.
    ///   - limit: The most that are answered: the first.
    /// - Returns: Each item once, however many chunks the rectangle touches.
    /// - Complexity: As ``forEachItem(in:from:_:)``.
    public func items(in rect: PixelRect, from first: Int = 0, limit: Int = .max) -> [LayoutAttributes] {
        directory.items(in: rect, from: first, limit: limit) { chunks[$0] }
    }

    /// The attributes of every item that meets a rectangle, in stream order.
    ///
    /// - Parameter rect: In points of content space, half-open; an empty one meets nothing, a huge one is clamped.
    /// - Returns: Each item once.
    /// - Throws: ``LayoutError/invalidRect(_:)`` for NaN, infinite or negative values.
    /// - Complexity: As ``forEachItem(in:from:_:)``.
    public func items(in rect: Rect) throws(LayoutError) -> [LayoutAttributes] {
        items(in: try directory.engine.key.displayScale.pixels(covering: rect))
    }
}
