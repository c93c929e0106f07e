import PhotoStreamModel

/// Masonry: items of one width in columns, each under the one before it in its column.
struct MasonryKernel: Hashable, Sendable {
    let columns: MasonryColumns
    let columnChoice: MasonryParameters.ColumnChoice
    let lineSpacing: Int64
    let extents: MasonryExtents
    /// The low bits of a packed frame that hold the column.
    let columnBits: Int

    init(_ key: LayoutKey, _ masonry: LayoutKey.Masonry) {
        columns = MasonryColumns(key, count: masonry.columnCount)
        columnChoice = masonry.columnChoice
        lineSpacing = key.lineSpacing
        extents = MasonryExtents(key, narrowWidth: columns.narrowWidth)
        columnBits = Int.bitWidth - (masonry.columnCount - 1).leadingZeroBitCount
    }

    /// Whether tops never fall from one item to the next, so that they can be searched.
    var topsAreMonotone: Bool { columnChoice == .shortest }

    func run(
        _ items: PackedMetrics, from state: LayoutState, _ borders: SectionBorders, _ bands: SectionBands
    ) -> MasonryRun {
        MasonryRun(self, items, from: state, sectionCount: borders.starts.count, bands)
    }

    /// The frame of a placed item along and across the scroll axis.
    ///
    /// - Parameters:
    ///   - packed: Its number in its chunk's frames.
    ///   - item: Its metrics.
    ///   - base: The base of its chunk's run.
    /// - Returns: The whole cell, picture and caption.
    /// - Complexity: O(1).
    @inline(__always)
    func frame(_ packed: UInt64, of item: ItemMetrics, base: Int64) -> AxisFrame {
        let column = Int(truncatingIfNeeded: packed & (1 << UInt64(columnBits) - 1))
        let width = columns.width(of: column)
        return AxisFrame(
            along: base + top(packed), across: columns.x(of: column), alongExtent: extents.extent(of: item, in: width),
            acrossExtent: width)
    }

    /// The top of a placed item below its run's base.
    @inline(__always)
    func top(_ packed: UInt64) -> Int64 {
        Int64(truncatingIfNeeded: packed >> UInt64(columnBits))
    }
}

/// How long an item is along the scroll axis in a column of some width.
///
/// A caption lies under its picture: where content scrolls down it adds to the cell's extent, where it scrolls sideways
/// it takes from the lane's width before the picture's extent is computed.
struct MasonryExtents: Hashable, Sendable {
    let captionExtent: Int64
    let isHorizontal: Bool

    init(_ key: LayoutKey, narrowWidth: Int64) {
        isHorizontal = key.scrollDirection == .horizontal
        // A caption that takes from the lane leaves a pixel of it to the picture.
        captionExtent = isHorizontal ? min(key.captionExtent, narrowWidth - 1) : key.captionExtent
    }

    /// The extent of a whole cell, at least one pixel for its picture.
    @inline(__always)
    func extent(of item: ItemMetrics, in width: Int64) -> Int64 {
        let caption = item.hasCaption ? captionExtent : 0
        let (along, across) =
            isHorizontal
            ? (item.pixelSize.width, item.pixelSize.height) : (item.pixelSize.height, item.pixelSize.width)
        let picture = isHorizontal ? max(1, width - caption) : width
        let ratio = Double(picture) * Double(along) / Double(across)
        // The product is below 2^53, so it is exact, and the quotient, with half a pixel more, lies further from any whole
        // number that it does not hit than a rounding error reaches: this is exact rounding of the true ratio, half up.
        return max(1, Int64(ratio + 0.5)) + (isHorizontal ? 0 : caption)
    }
}
