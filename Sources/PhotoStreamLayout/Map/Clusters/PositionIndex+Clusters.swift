import PhotoStreamModel

extension PositionIndex {
    /// The number of entries below which a range is not divided further.
    private static let shortLength = 16

    /// Calls `body` for the entries in cells of a grid, in runs that lie in one cell.
    ///
    /// Divides the range of all entries by the first bit that differs between its first and its last place, until a
    /// part lies outside all cells, in one of them, or is short. So each step visits a rectangle that contains entries.
    ///
    /// - Parameters:
    ///   - cells: The cells.
    ///   - grid: The grid.
    ///   - body: Receives a cell and consecutive entries in it. A cell may have several runs.
    /// - Complexity: O(log entries) for each rectangle that the edges of cells cross: at most the entries near edges.
    @inline(__always)
    func forEachRun(
        in cells: ClusterGrid.Cells, of grid: ClusterGrid, _ body: (ClusterGrid.Cell, Range<Int>) -> Void
    ) {
        let box = grid.box(of: cells)
        var pending = [places.indices]
        while let entries = pending.popLast() {
            guard let last = entries.last else { continue }
            let (low, high) = Self.corners(from: places[entries.lowerBound], to: places[last])
            guard low.x <= box.maxX, box.minX <= high.x, low.y <= box.maxY, box.minY <= high.y else { continue }
            let (cell, other) = (grid.cell(x: low.x, y: low.y), grid.cell(x: high.x, y: high.y))
            if cell == other {
                body(cell, entries)
            } else if entries.count <= Self.shortLength {
                forEachRun(ofShort: entries, from: cell, to: other, in: box, of: grid, body)
            } else {
                let middle = middle(of: entries)
                pending.append(middle..<entries.upperBound)
                pending.append(entries.lowerBound..<middle)
            }
        }
    }

    /// Calls `body` for the entries of a short range that lie in a box, all between two cells.
    @inline(__always)
    private func forEachRun(
        ofShort entries: Range<Int>, from low: ClusterGrid.Cell, to high: ClusterGrid.Cell, in box: WorldBox,
        of grid: ClusterGrid, _ body: (ClusterGrid.Cell, Range<Int>) -> Void
    ) {
        // Nearly always at most two columns and two rows, which a comparison tells apart faster than a division.
        let isNarrow = high.column - low.column <= 1 && high.row - low.row <= 1
        let nextX = grid.firstCoordinate(ofNumber: Int64(low.column) + 1)
        let nextY = grid.firstCoordinate(ofNumber: Int64(low.row) + 1)
        @inline(__always)
        func cell(x: UInt32, y: UInt32) -> ClusterGrid.Cell {
            guard isNarrow else { return grid.cell(x: x, y: y) }
            return ClusterGrid.Cell(
                column: UInt64(x) < nextX ? low.column : low.column + 1, row: UInt64(y) < nextY ? low.row : low.row + 1)
        }
        var run: (cell: ClusterGrid.Cell, first: Int)?
        for entry in entries {
            let (x, y) = (places[entry].x, places[entry].y)
            let isInside = box.minX <= x && x <= box.maxX && box.minY <= y && y <= box.maxY
            let cell = isInside ? cell(x: x, y: y) : nil
            guard run?.cell != cell else { continue }
            if let run { body(run.cell, run.first..<entry) }
            run = cell.map { ($0, entry) }
        }
        if let run { body(run.cell, run.first..<entries.upperBound) }
    }

    /// The corners of the smallest rectangle that contains two places and every place between them.
    @inline(__always)
    private static func corners(from first: ZOrder, to last: ZOrder) -> (low: ZOrder, high: ZOrder) {
        let difference = first.code ^ last.code
        // All bits from the first that differs on.
        let free = difference == 0 ? 0 : UInt64.max >> UInt64(difference.leadingZeroBitCount)
        return (ZOrder(code: first.code & ~free), ZOrder(code: first.code | free))
    }

    /// The first entry of a range whose place has the first bit set that differs between the first place and the last.
    @inline(__always)
    private func middle(of entries: Range<Int>) -> Int {
        let difference = places[entries.lowerBound].code ^ places[entries.upperBound - 1].code
        let bit = UInt64(1) << UInt64(63 - difference.leadingZeroBitCount)
        var (low, high) = (entries.lowerBound + 1, entries.upperBound - 1)
        while low < high {
            let middle = low + (high - low) / 2
            if places[middle].code & bit != 0 { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

/// A cluster: the photos of a map in one cell.
struct ClusterEntry {
    /// The number of its photos.
    var count = 0
    /// Its first photo, and the box around all.
    var summary = PlaceSummary()

    @inline(__always)
    mutating func add(_ entries: Range<Int>, of index: PositionIndex) {
        count += entries.count
        index.add(entries, to: &summary)
    }
}

extension PositionIndex {
    /// The clusters of cells, in stream order of their first photos.
    ///
    /// - Complexity: That of ``forEachRun(in:of:_:)``, and sorting the clusters.
    func clusters(in cells: ClusterGrid.Cells, of grid: ClusterGrid) -> [ClusterEntry] {
        var clusters: [ClusterEntry] = []
        var numbers = ClusterNumbers(cells)
        // Most runs are in the cell of the run before.
        var last: (cell: ClusterGrid.Cell, number: Int)?
        forEachRun(in: cells, of: grid) { cell, entries in
            if let last, last.cell == cell {
                clusters[last.number].add(entries, of: self)
                return
            }
            let number = numbers[cell] ?? clusters.count
            if number == clusters.count {
                numbers[cell] = number
                clusters.append(ClusterEntry())
            }
            clusters[number].add(entries, of: self)
            last = (cell, number)
        }
        return clusters.sorted { $0.summary.photo < $1.summary.photo }
    }

    /// The cluster of a cell; `nil` if the cell is empty.
    func cluster(in cell: ClusterGrid.Cell, of grid: ClusterGrid) -> ClusterEntry? {
        var cluster = ClusterEntry()
        forEachRun(in: ClusterGrid.Cells(cell), of: grid) { _, entries in cluster.add(entries, of: self) }
        return cluster.count > 0 ? cluster : nil
    }

    /// The first photos of a cell from one on, in stream order.
    ///
    /// - Parameters:
    ///   - cell: The cell.
    ///   - grid: The grid.
    ///   - first: Photos before this position in stream order are left out.
    ///   - limit: The maximum number of photos.
    /// - Returns: Positions in stream order, ascending.
    /// - Complexity: O(photos of the cell + limit · log limit); the memory of twice the limit.
    func photos(in cell: ClusterGrid.Cell, of grid: ClusterGrid, from first: Int, limit: Int) -> [Int] {
        var found: [UInt32] = []
        var greatest = UInt32.max
        forEachRun(in: ClusterGrid.Cells(cell), of: grid) { _, entries in
            for photo in photos[entries] where Int(photo) >= first && photo < greatest {
                found.append(photo)
                guard found.count == 2 * limit else { continue }
                found.sort()
                found.removeLast(limit)
                greatest = found.last ?? .max
            }
        }
        return found.sorted().prefix(limit).map(Int.init)
    }
}

/// The numbers of clusters by their cells: a table for the cells of a screen, otherwise a dictionary.
private struct ClusterNumbers {
    private static let greatestTable = 4_096

    private let cells: ClusterGrid.Cells
    private var table: [Int32] = []
    private var others: [ClusterGrid.Cell: Int] = [:]

    init(_ cells: ClusterGrid.Cells) {
        self.cells = cells
        let count = cells.columns.count * cells.rows.count
        if count <= Self.greatestTable { table = [Int32](repeating: -1, count: count) }
    }

    /// The number of a cell's cluster; `nil` if it has none yet.
    subscript(cell: ClusterGrid.Cell) -> Int? {
        get {
            guard !table.isEmpty else { return others[cell] }
            let number = table[place(of: cell)]
            return number < 0 ? nil : Int(number)
        }
        set {
            if table.isEmpty { others[cell] = newValue } else { table[place(of: cell)] = Int32(newValue ?? -1) }
        }
    }

    private func place(of cell: ClusterGrid.Cell) -> Int {
        Int(cell.row - cells.rows.lowerBound) * cells.columns.count + Int(cell.column - cells.columns.lowerBound)
    }
}

extension ClusterGrid.Cells {
    /// One cell.
    init(_ cell: ClusterGrid.Cell) {
        self.init(columns: cell.column...cell.column, rows: cell.row...cell.row)
    }
}
