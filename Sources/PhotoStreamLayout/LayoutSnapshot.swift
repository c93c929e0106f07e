public import PhotoStreamModel

/// A stream laid out in memory: an immutable answer to every question about where its photos stand.
///
/// For a library's user without a database; the service answers from stored chunks by the same functions.
///
///     let key = try LayoutKey(LayoutConfiguration(containerWidth: 1200))
///     let snapshot = LayoutSnapshot(key, items: sizes.map { ItemMetrics(pixelSize: $0) })
///     let visible = try snapshot.attributes(in: Rect(x: 0, y: 0, width: 1200, height: 900))
public struct LayoutSnapshot: Sendable {
    /// Photos to a chunk.
    public static let chunkCapacity = 2_048

    /// Where the chunks stand.
    public let directory: ChunkDirectory
    private let chunks: [PlacedChunk]

    /// Lays out photos.
    ///
    /// - Parameters:
    ///   - key: The configuration.
    ///   - items: The photos' metrics in stream order.
    /// - Complexity: O(items); about 4 to 8 bytes an item beside the metrics.
    public init(_ key: LayoutKey, items: some Sequence<ItemMetrics>) {
        self.init(key, metrics: PackedMetrics(items))
    }

    /// Lays out photos whose metrics are packed already.
    public init(_ key: LayoutKey, metrics: PackedMetrics) {
        let layout = MasonryLayout(key)
        var directory = ChunkDirectory(layout)
        var chunks: [PlacedChunk] = []
        var state = layout.initialState
        for start in stride(from: 0, to: metrics.count, by: Self.chunkCapacity) {
            let end = min(start + Self.chunkCapacity, metrics.count)
            let part = metrics[start..<end]
            let placement = layout.place(part, from: state)
            directory.append(
                count: part.count, advance: placement.advance, extent: placement.extent,
                longestItem: placement.longestItem)
            chunks.append(PlacedChunk(metrics: part, frames: placement.frames))
            state = placement.exitState
        }
        self.directory = directory
        self.chunks = chunks
    }

    /// How many photos there are.
    public var itemCount: Int { directory.itemCount }

    /// The extent of the whole layout, insets included, in points.
    public var contentSize: Size { directory.layout.key.displayScale.points(directory.contentSize) }

    /// The attributes of every item that meets a rectangle, in stream order.
    ///
    /// - Parameter rect: In points of content space, half-open; an empty one meets nothing, a huge one is clamped.
    /// - Returns: Each item once, however many chunks the rectangle touches.
    /// - Throws: ``LayoutError/invalidRect(_:)`` for NaN, infinite or negative values.
    /// - Complexity: O(log items + result) for shortest column; round robin filters the chunks that the rectangle
    ///   touches.
    public func attributes(in rect: Rect) throws(LayoutError) -> [LayoutAttributes] {
        let pixels = try directory.layout.key.displayScale.pixels(covering: rect)
        var result: [LayoutAttributes] = []
        for position in directory.chunks(meeting: pixels) {
            _ = directory.layout.forEachItem(in: pixels, of: chunks[position], directory.entries[position]) {
                result.append($0)
                return true
            }
        }
        return result
    }

    /// The attributes of one item.
    ///
    /// - Parameter index: Its position in stream order.
    /// - Returns: `nil` outside the stream.
    /// - Complexity: O(log chunks).
    public func attributes(forItemAt index: Int) -> LayoutAttributes? {
        guard let position = directory.chunk(containing: index) else { return nil }
        let entry = directory.entries[position]
        return directory.layout.attributes(at: index - entry.firstIndex, of: chunks[position], entry)
    }
}
