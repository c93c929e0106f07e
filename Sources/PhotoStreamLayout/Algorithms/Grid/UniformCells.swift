import PhotoStreamModel

/// Cells of one size in lines of one length: grids, and flows of uniform items.
///
/// An item's frame follows from its position in its section, so nothing is folded or stored.
struct UniformCells: Hashable, Sendable {
    /// The maximum number of items in a line, at least one.
    let lineLength: Int
    /// The extent of every cell along the scroll axis, caption included.
    let cellExtent: Int64
    /// The caption's part of every cell's height.
    let captionExtent: Int64
    let lineSpacing: Int64
    private let places: Places

    /// The positions of cells across the scroll axis.
    private enum Places: Hashable {
        /// In columns that fill the content.
        case columns(MasonryColumns)
        /// Spread over the line, with the remaining space between them.
        case spread(UniformSpread)
    }

    init(_ key: LayoutKey, grid: LayoutKey.Grid) {
        lineLength = grid.columnCount
        let columns = MasonryColumns(key, count: grid.columnCount)
        // If content scrolls sideways, the caption's extent is already taken from the lane, except for one pixel.
        let isVertical = key.scrollDirection == .vertical
        captionExtent = isVertical ? key.captionExtent : min(key.captionExtent, columns.narrowWidth - 1)
        cellExtent = grid.cellExtent + (isVertical ? key.captionExtent : 0)
        lineSpacing = key.lineSpacing
        places = .columns(columns)
    }

    init(_ key: LayoutKey, itemSize size: PixelExtent) {
        let isHorizontal = key.scrollDirection == .horizontal
        let spread = UniformSpread(key, itemLength: isHorizontal ? size.height : size.width)
        lineLength = spread.lineLength
        cellExtent = isHorizontal ? size.width : size.height
        captionExtent = 0
        lineSpacing = key.lineSpacing
        places = .spread(spread)
    }

    /// The distance from a line to the next.
    var pitch: Int64 { cellExtent + lineSpacing }

    /// The distance from the origin of a section's items to their end.
    func extent(ofItems count: Int) -> Int64 {
        count == 0 ? 0 : Int64((count - 1) / lineLength) * pitch + cellExtent
    }

    /// The frame of the whole cell at a position in its section, whose items start at `origin`.
    func frame(at position: Int, origin: Int64) -> AxisFrame {
        let (line, column) = position.quotientAndRemainder(dividingBy: lineLength)
        let along = origin + Int64(line) * pitch
        switch places {
        case .columns(let columns):
            return AxisFrame(
                along: along, across: columns.x(of: column), alongExtent: cellExtent,
                acrossExtent: columns.width(of: column))
        case .spread(let spread):
            return AxisFrame(
                along: along, across: spread.x(of: column), alongExtent: cellExtent, acrossExtent: spread.itemLength)
        }
    }

    /// The positions in a section of the items whose lines meet a range along the scroll axis.
    ///
    /// The range is in device pixels from the origin of the section's items.
    func positions(meeting range: Range<Int64>, count: Int) -> Range<Int> {
        guard range.lowerBound < range.upperBound, range.upperBound > 0 else { return 0..<0 }
        let lines = Int64((count + lineLength - 1) / lineLength)
        // The spacing after a line belongs to no line, so a range that lies within it meets nothing.
        let first = min(max(0, (range.lowerBound + lineSpacing) / pitch), lines)
        let end = min(max(first, (range.upperBound + pitch - 1) / pitch), lines)
        return min(Int(first) * lineLength, count)..<min(Int(end) * lineLength, count)
    }
}

/// The positions across the scroll axis of items of one size: as many as fit, with the remaining space between them.
struct UniformSpread: Hashable, Sendable {
    let lineLength: Int
    let itemLength: Int64
    private let leading: Int64
    private let available: Int64

    init(_ key: LayoutKey, itemLength: Int64) {
        let axes = LayoutAxes(key)
        available = key.availableLength
        self.itemLength = itemLength
        lineLength = Int(max(1, (available + key.interitemSpacing) / (itemLength + key.interitemSpacing)))
        leading = axes.insets(key.contentInset).leading + axes.insets(key.sections.inset).leading
    }

    /// The leading edge of the item at a position of a line.
    func x(of column: Int) -> Int64 {
        let space = max(0, available - Int64(lineLength) * itemLength)
        // A single item is centred.
        guard lineLength > 1 else { return leading + space / 2 }
        return leading + Int64(column) * itemLength + Int64(column) * space / Int64(lineLength - 1)
    }
}
