public import PhotoStreamModel

/// A stream laid out in memory: an immutable layout that answers every query.
///
/// For apps without a database; the service answers from stored chunks with the same functions.
///
///     let key = try LayoutKey(LayoutConfiguration(containerLength: 1200))
///     let snapshot = LayoutSnapshot(key, sizes: sizes)
///     let visible = try snapshot.attributes(in: Rect(x: 0, y: 0, width: 1200, height: 900))
public struct LayoutSnapshot: LayoutSource, Sendable {
    /// The number of photos per chunk, if a layout reads any of their metrics.
    public static let chunkCapacity = 2_048

    /// The index of chunks and sections.
    public let directory: LayoutDirectory
    private let chunks: [PlacedChunk]

    /// Lays out photos with sizes only, without captions and dates.
    ///
    /// - Complexity: The same as ``init(_:items:)``.
    public init(_ key: LayoutKey, sizes: some Sequence<PixelSize>) {
        self.init(key, metrics: PackedMetrics(sizes: sizes))
    }

    /// Lays out photos, given their metrics in stream order.
    ///
    /// - Complexity: O(items). In addition to the metrics, a masonry takes 4 bytes per item (8 if a chunk is longer
    ///   than 32 bits allow), lines take 16 bytes each, cells of one size nothing, a placement rule 32 bytes per item.
    public init(_ key: LayoutKey, items: some Sequence<ItemMetrics>) {
        self.init(key, metrics: PackedMetrics(items))
    }

    /// Lays out photos whose metrics are already packed.
    ///
    /// - Parameters:
    ///   - key: The configuration.
    ///   - metrics: The photos' metrics in stream order.
    ///   - sectionLengths: The number of photos in each section, empty ones included; replaces the key's sections by
    ///     date.
    /// - Precondition: The lengths are not negative and their sum is the number of photos; a map takes none.
    /// - Complexity: O(items).
    public init(_ key: LayoutKey, metrics: PackedMetrics, sectionLengths: [Int]? = nil) {
        let engine = LayoutEngine(key)
        precondition(!engine.isMap || sectionLengths == nil, LayoutError.sectionLengthsOfMap.description)
        let sections = sectionLengths.map { engine.foldedSections($0, itemCount: metrics.count) }
        var directory = LayoutDirectory(engine)
        var chunks: [PlacedChunk] = []
        var state = engine.initialState
        var (folded, placed) = (0, 0)
        // A layout that reads no metrics places all photos in one run.
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
        directory.finish(ending, positions: engine.hasClusters ? .indexing([metrics]) : nil)
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

// The queries of every source, specialized for this one: see LayoutDirectory+Items.swift.
extension LayoutSnapshot {
    /// The attributes of the item at a position in stream order; `nil` outside the stream.
    ///
    /// - Complexity: O(log chunks).
    public func attributes(forItemAt index: Int) -> LayoutAttributes? {
        guard let position = directory.chunk(placing: index) else { return nil }
        let first = directory.chunks[position].placed.lowerBound
        return directory.attributes(at: index - first, of: chunks[position], placedBy: position)
    }

    /// The frame of one item, which is faster than its attributes.
    ///
    /// - Parameter index: Its position in stream order.
    /// - Returns: The whole cell in device pixels; `nil` outside the stream and for a hidden item.
    /// - Complexity: O(log chunks).
    public func frame(forItemAt index: Int) -> PixelRect? {
        guard let position = directory.chunk(placing: index) else { return nil }
        return directory.frame(ofItem: index, of: chunks[position], placedBy: position)
    }

    /// Calls `body` with the index and the frame of every item that meets a rectangle, in stream order, until it
    /// returns `false`: the cheapest query.
    ///
    /// - Parameters:
    ///   - rect: In device pixels of content space.
    ///   - first: Items before this position are skipped.
    ///   - body: Receives an item's position in stream order and its frame in device pixels; returns whether to
    ///     continue.
    /// - Complexity: O(log items + result); for chunks whose tops may decrease (round robin, spans or a tolerance),
    ///   O(items / 64), plus each 64 items whose box meets the rectangle.
    public func forEachItem(in rect: PixelRect, from first: Int = 0, _ body: (Int, PixelRect) -> Bool) {
        directory.forEachItem(in: rect, from: first, chunkAt: { chunks[$0] }, body)
    }

    /// The attributes of the items that meet a rectangle, in stream order.
    ///
    /// - Parameters:
    ///   - rect: In device pixels of content space.
    ///   - first: Items before this position are skipped.
    ///   - limit: The maximum number of items.
    /// - Returns: Each item once, even if the rectangle covers several chunks.
    /// - Complexity: The same as ``forEachItem(in:from:_:)``.
    public func items(in rect: PixelRect, from first: Int = 0, limit: Int = .max) -> [LayoutAttributes] {
        directory.items(in: rect, from: first, limit: limit) { chunks[$0] }
    }

    /// The attributes of every item that meets a rectangle, in stream order.
    ///
    /// - Parameter rect: In points of content space, half-open; an empty one meets nothing, a huge one is clamped.
    /// - Returns: Each item once.
    /// - Throws: ``LayoutError/invalidRect(_:)`` for NaN, infinite or negative values.
    /// - Complexity: The same as ``forEachItem(in:from:_:)``.
    public func items(in rect: Rect) throws(LayoutError) -> [LayoutAttributes] {
        items(in: try directory.engine.key.displayScale.pixels(covering: rect))
    }
}
