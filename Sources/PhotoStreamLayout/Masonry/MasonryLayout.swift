public import PhotoStreamModel

/// Masonry as a fold: items of one width in columns, each under the one before it in its column.
///
/// A pure function of (state, item metrics) to (state, frames). Same input, same output, on every platform: extents
/// are computed in `Double` from whole numbers and rounded once, everything else is integers.
public struct MasonryLayout: Hashable, Sendable {
    /// The configuration that it follows.
    public let key: LayoutKey
    /// Where its columns stand.
    public let columns: MasonryColumns
    /// The low bits of a packed frame that hold the column.
    let columnBits: Int

    /// Creates the layout of a key.
    public init(_ key: LayoutKey) {
        self.key = key
        columns = MasonryColumns(key)
        columnBits = Int.bitWidth - (columns.count - 1).leadingZeroBitCount
    }

    /// The state before the first photo; its origin is the top content inset.
    public var initialState: MasonryState { MasonryState(columnCount: columns.count) }

    /// Whether tops never fall from one item to the next, so that they can be searched.
    public var topsAreMonotone: Bool { key.masonry.columnChoice == .shortest }

    /// Places consecutive photos.
    ///
    /// - Parameters:
    ///   - items: The photos behind `state`, in stream order.
    ///   - state: What an earlier call left, or ``initialState``.
    /// - Returns: Frames relative to the origin of `state`, one for each item.
    /// - Complexity: O(items) for up to eight columns, O(items × log columns) for more.
    public func place(_ items: PackedMetrics, from state: MasonryState) -> ChunkPlacement {
        MasonryFold(self, items).run(from: state)
    }

    /// The frame of a placed item.
    ///
    /// - Parameters:
    ///   - packed: Its number in ``ChunkPlacement/frames``.
    ///   - item: Its metrics.
    ///   - origin: The origin of the state before its run, in device pixels of content space.
    /// - Returns: The whole cell, picture and caption.
    /// - Complexity: O(1).
    public func frame(_ packed: UInt64, of item: ItemMetrics, origin: Int64) -> PixelRect {
        let column = Int(truncatingIfNeeded: packed & (1 << UInt64(columnBits) - 1))
        let width = columns.width(of: column)
        return PixelRect(
            x: columns.x(of: column),
            y: origin + top(packed),
            width: width,
            height: columns.itemExtent(of: item, width: width)
        )
    }

    /// The top of a placed item below its run's origin.
    func top(_ packed: UInt64) -> Int64 {
        Int64(truncatingIfNeeded: packed >> UInt64(columnBits))
    }

}
