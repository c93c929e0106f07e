import PhotoStreamModel

/// The grid of cells that divides the photos of a map into clusters.
///
/// Its cells are squares of one side from the world's north-western corner on. The cells at its eastern and southern edges
/// may extend beyond the world.
///
///     |<-- cell -->|<-- cell -->|<-- cell -->|
///     |<------------ world ----------->|
struct ClusterGrid: Hashable {
    /// The side of the world in device pixels, at most 2^31.
    let worldExtent: Int64
    /// The side of a cell in device pixels.
    let side: Int64
    /// The size of every item, which fits into a cell.
    let item: PixelExtent

    /// A cell.
    struct Cell: Hashable {
        /// The number of cells west of it.
        let column: UInt32
        /// The number of cells north of it.
        let row: UInt32
    }

    /// A rectangle of cells, ends included.
    struct Cells: Hashable {
        let columns: ClosedRange<UInt32>
        let rows: ClosedRange<UInt32>
    }

    /// The number of cells along each side of the grid.
    var count: Int64 { (worldExtent + side - 1) / side }

    /// The side of the whole grid in device pixels.
    var extent: Int64 { count * side }

    /// The cells of the whole grid.
    var all: Cells {
        let last = UInt32(count - 1)
        return Cells(columns: 0...last, rows: 0...last)
    }

    /// The device pixel of the world that contains a coordinate.
    @inline(__always)
    func pixel(_ coordinate: UInt32) -> Int64 { Int64((UInt64(coordinate) * UInt64(worldExtent)) >> 32) }

    /// The cell of a position.
    @inline(__always)
    func cell(x: UInt32, y: UInt32) -> Cell {
        // Numbers of 32 bits are divided in half the time.
        let (pixelX, pixelY) = (UInt32(truncatingIfNeeded: pixel(x)), UInt32(truncatingIfNeeded: pixel(y)))
        let side = UInt32(truncatingIfNeeded: side)
        return Cell(column: pixelX / side, row: pixelY / side)
    }

    /// The cell that contains a device pixel, from the world's north-western corner; `nil` outside the grid.
    func cell(ofPixelX x: Int64, y: Int64) -> Cell? {
        guard (0..<extent).contains(x), (0..<extent).contains(y) else { return nil }
        return Cell(column: UInt32(x / side), row: UInt32(y / side))
    }

    /// The cells that meet ranges of device pixels, from the world's north-western corner; `nil` if there are none.
    func cells(meetingX x: Range<Int64>, y: Range<Int64>) -> Cells? {
        guard let columns = numbers(meeting: x), let rows = numbers(meeting: y) else { return nil }
        return Cells(columns: columns, rows: rows)
    }

    private func numbers(meeting range: Range<Int64>) -> ClosedRange<UInt32>? {
        let range = range.clamped(to: 0..<extent)
        return range.isEmpty ? nil : UInt32(range.lowerBound / side)...UInt32((range.upperBound - 1) / side)
    }

    /// The positions in cells, which can be compared without a division.
    func box(of cells: Cells) -> WorldBox {
        let (x, y) = (coordinates(of: cells.columns), coordinates(of: cells.rows))
        return WorldBox(minX: x.lowerBound, maxX: x.upperBound, minY: y.lowerBound, maxY: y.upperBound)
    }

    private func coordinates(of numbers: ClosedRange<UInt32>) -> ClosedRange<UInt32> {
        let end = firstCoordinate(ofNumber: Int64(numbers.upperBound) + 1)
        return UInt32(firstCoordinate(ofNumber: Int64(numbers.lowerBound)))...UInt32(end - 1)
    }

    /// The first coordinate of a column or row; 2^32 after the last.
    @inline(__always)
    func firstCoordinate(ofNumber number: Int64) -> UInt64 {
        // The first coordinate of a pixel is rounded up; beyond the world there are none.
        let pixel = min(number * side, worldExtent)
        return (UInt64(pixel) << 32 + UInt64(worldExtent) - 1) / UInt64(worldExtent)
    }

    /// The top left corner of the item of a cell's cluster, in device pixels from the world's: its middle is at the first
    /// photo, unless it would extend beyond the cell.
    func corner(ofItemAt place: ZOrder) -> (x: Int64, y: Int64) {
        (corner(pixel(place.x), extent: item.width), corner(pixel(place.y), extent: item.height))
    }

    private func corner(_ middle: Int64, extent: Int64) -> Int64 {
        let start = middle - middle % side
        return min(max(middle - extent / 2, start), start + side - extent)
    }
}
