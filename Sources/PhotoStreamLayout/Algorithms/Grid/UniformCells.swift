import PhotoStreamModel

/// Cells of one size in lines of one length: grids, and flows of uniform items.
///
/// An item's place follows from its position in its section, so nothing is folded and nothing stored.
struct UniformCells: Hashable, Sendable {
    /// The most items in a line, at least one.
    let lineLength: Int
    /// The extent of every cell along the scroll axis, caption included.
    let cellExtent: Int64
    /// The caption's part of every cell's height.
    let captionExtent: Int64
    let lineSpacing: Int64
    private let places: Places

    /// The places of cells across the scroll axis.
    private enum Places: Hashable {
        /// In columns that fill the content.
        case columns(MasonryColumns)
        /// With the space that a full line leaves spread between them.
        case spread(UniformSpread)
    }

    init(_ key: LayoutKey, grid: LayoutKey.Grid) {
        lineLength = grid.columnCount
        let columns = MasonryColumns(key, count: grid.columnCount)
        // Where content scrolls sideways the caption's extent was taken from the lane already, but for a pixel.
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

    /// From a line to the next.
    var pitch: Int64 { cellExtent + lineSpacing }

    /// The end of the items of a section, from their origin.
    func extent(ofItems count: Int) -> Int64 {
        count == 0 ? 0 : Int64((count - 1) / lineLength) * pitch + cellExtent
    }

    /// The frame of an item.
    ///
    /// - Parameters:
    ///   - position: Its position in its section.
    ///   - origin: The start of the section's items.
    /// - Returns: The whole cell.
    /// - Complexity: O(1).
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
    /// - Parameters:
    ///   - range: Device pixels from the origin of the section's items.
    ///   - count: The section's items.
    /// - Returns: A range of positions.
    /// - Complexity: O(1).
    func positions(meeting range: Range<Int64>, count: Int) -> Range<Int> {
        guard range.lowerBound < range.upperBound, range.upperBound > 0 else { return 0..<0 }
        let lines = Int64((count + lineLength - 1) / lineLength)
        // A line's spacing belongs to none, so a range that lies in one meets nothing.
        let first = min(max(0, (range.lowerBound + lineSpacing) / pitch), lines)
        let end = min(max(first, (range.upperBound + pitch - 1) / pitch), lines)
        return min(Int(first) * lineLength, count)..<min(Int(end) * lineLength, count)
    }
}

/// Items of one size across the scroll axis: as many as fit, the space that is left over between them.
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
        // One item alone is centred.
        guard lineLength > 1 else { return leading + space / 2 }
        return leading + Int64(column) * itemLength + Int64(column) * space / Int64(lineLength - 1)
    }
}
