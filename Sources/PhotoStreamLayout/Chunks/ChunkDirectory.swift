/// Where the chunks of a laid-out stream begin and end: all that is needed to find the few that a question touches.
///
/// Holds some tens of bytes a chunk, no items. Origins are prefix sums of advances, so nothing has to be rewritten when
/// a chunk above grows; Int64 holds 10 million photos of the greatest extent a thousand times over.
public struct ChunkDirectory: Hashable, Sendable {
    /// One chunk's place.
    public struct Entry: Hashable, Sendable {
        /// The position of its first photo in stream order, from 0.
        public let firstIndex: Int
        /// How many photos it has.
        public let count: Int
        /// The origin of the state before it, in device pixels of content space.
        public let origin: Int64
        /// From the origin to the end of its lowest item.
        public let extent: Int64
        /// No item of it is longer than this.
        public let longestItem: Int64
        /// The greatest end of any item up to and with this chunk: unlike ends, it never falls.
        let greatestEnd: Int64
    }

    /// The layout that placed the chunks.
    public let layout: MasonryLayout
    /// The chunks in stream order.
    public private(set) var entries: [Entry] = []
    /// How many photos there are.
    public private(set) var itemCount = 0
    /// The origin of the state behind the last chunk, in device pixels of content space.
    public private(set) var endOrigin: Int64

    /// A directory without chunks.
    public init(_ layout: MasonryLayout) {
        self.layout = layout
        endOrigin = layout.key.contentInset.top
    }

    /// Adds the chunk behind the last.
    ///
    /// - Parameters:
    ///   - count: Its photos.
    ///   - advance: From its origin to the next one's.
    ///   - extent: From its origin to the end of its lowest item.
    ///   - longestItem: No item of it is longer than this.
    public mutating func append(count: Int, advance: Int64, extent: Int64, longestItem: Int64) {
        let end = max(entries.last?.greatestEnd ?? 0, count > 0 ? endOrigin + extent : 0)
        entries.append(
            Entry(
                firstIndex: itemCount, count: count, origin: endOrigin, extent: extent, longestItem: longestItem,
                greatestEnd: end))
        itemCount += count
        endOrigin += advance
    }

    /// The extent of the whole layout, insets included, in device pixels.
    ///
    /// Exact, never an estimate. An empty stream's is its insets alone.
    public var contentSize: PixelExtent {
        let inset = layout.key.contentInset
        let end = max(entries.last?.greatestEnd ?? inset.top, inset.top)
        return PixelExtent(width: layout.key.containerWidth, height: end + inset.bottom)
    }

    /// The chunk that holds a photo.
    ///
    /// - Parameter index: The photo's position in stream order.
    /// - Returns: The position in ``entries``, or `nil` outside the stream.
    /// - Complexity: O(log chunks).
    public func chunk(containing index: Int) -> Int? {
        guard index >= 0, index < itemCount else { return nil }
        return entries.partitioningIndex { $0.firstIndex > index } - 1
    }

    /// The chunks of which an item may meet a rectangle, in order.
    ///
    /// Searches what is monotone only: origins, and the greatest end so far; never ends themselves.
    /// - Complexity: O(log chunks + result).
    public func chunks(meeting rect: PixelRect) -> Range<Int> {
        guard rect.width > 0, rect.height > 0 else { return 0..<0 }
        let first = entries.partitioningIndex { $0.greatestEnd > rect.y }
        let end = entries.partitioningIndex { $0.origin >= rect.maxY }
        return first..<max(first, end)
    }
}

extension RandomAccessCollection where Index == Int {
    /// The first position from which on `predicate` holds, where it holds nowhere before it; `endIndex` for none.
    ///
    /// - Complexity: O(log n).
    @inlinable
    func partitioningIndex(where predicate: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if predicate(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
