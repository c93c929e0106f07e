public import PhotoStreamModel

/// The content of one chunk beside its place: metrics, and the frames that a fold gave them.
public struct PlacedChunk: Hashable, Sendable {
    /// The photos' metrics.
    public let metrics: PackedMetrics
    /// One number for each photo.
    public let frames: PackedFrames

    /// Creates a chunk.
    ///
    /// - Precondition: There are as many frames as metrics.
    public init(metrics: PackedMetrics, frames: PackedFrames) {
        precondition(metrics.count == frames.count, "a chunk has one frame for each photo")
        self.metrics = metrics
        self.frames = frames
    }
}

extension MasonryLayout {
    /// The attributes of one placed item.
    ///
    /// - Parameters:
    ///   - packed: Its number in the frames of its run.
    ///   - item: Its metrics.
    ///   - origin: The origin of the state before its run, in device pixels of content space.
    ///   - index: Its position in stream order.
    /// - Returns: The item's attributes.
    /// - Complexity: O(1).
    public func attributes(_ packed: UInt64, of item: ItemMetrics, origin: Int64, index: Int) -> LayoutAttributes {
        LayoutAttributes(
            index: index,
            indexPath: IndexPath(section: 0, item: index),
            frame: frame(packed, of: item, origin: origin),
            captionExtent: columns.captionExtent(of: item)
        )
    }

    /// The attributes of one item of a chunk.
    ///
    /// - Parameters:
    ///   - position: Its position within the chunk.
    ///   - chunk: The chunk's content.
    ///   - entry: The chunk's place.
    /// - Returns: The item's attributes.
    /// - Complexity: O(1).
    public func attributes(
        at position: Int, of chunk: PlacedChunk, _ entry: ChunkDirectory.Entry
    ) -> LayoutAttributes {
        attributes(
            chunk.frames[position], of: chunk.metrics[position], origin: entry.origin,
            index: entry.firstIndex + position)
    }

    /// Hands every item of a chunk that meets a rectangle to `body`, in stream order, until it says to stop.
    ///
    /// - Parameters:
    ///   - rect: The rectangle in device pixels of content space.
    ///   - chunk: The chunk's content.
    ///   - entry: The chunk's place.
    ///   - body: Takes an item's attributes; answers whether to go on.
    /// - Returns: Whether `body` never said to stop.
    /// - Complexity: O(log items + result) where tops are monotone, else O(items).
    public func forEachItem(
        in rect: PixelRect, of chunk: PlacedChunk, _ entry: ChunkDirectory.Entry, _ body: (LayoutAttributes) -> Bool
    ) -> Bool {
        let tops = 0..<chunk.frames.count
        let (top, bottom) = (rect.y - entry.origin, rect.maxY - entry.origin)
        let isBelow = { (position: Int) in self.top(chunk.frames[position]) > top - entry.longestItem }
        let first = topsAreMonotone ? tops.partitioningIndex(where: isBelow) : 0
        for position in tops[first...] {
            if self.top(chunk.frames[position]) >= bottom {
                if topsAreMonotone { return true }
                continue
            }
            let attributes = attributes(at: position, of: chunk, entry)
            if attributes.frame.intersects(rect), !body(attributes) { return false }
        }
        return true
    }
}
