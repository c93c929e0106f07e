import PhotoStreamModel

/// One run of a masonry whose items may take several columns, or whose columns are chosen with a tolerance.
///
/// An item goes to the first window of columns, as wide as its span, whose highest front lies at most the tolerance
/// below that of the best; with round robin, to the next columns, or to the first ones if it does not fit before the
/// last. All columns of its window end at its end.
struct SpanningMasonryRun: PlacementRun {
    private let kernel: MasonryAlgorithm
    private let items: PackedMetrics
    /// The earliest start of each column's next item, from the run's base.
    private var fronts: [Int64]
    /// The highest front of each window; stored to avoid an allocation per item.
    private var windows: [Int64]
    private var nextColumn: Int
    private var hasItems: Bool
    private var numbers: [UInt64] = []
    private var leastTop: Int64?
    private var longestItem: Int64 = 0
    /// The greatest end of all items, including those of ended sections.
    private var greatestEnd = Int64.min

    init(_ kernel: MasonryAlgorithm, in fold: ChunkFold, from state: MasonryState) {
        self.kernel = kernel
        items = fold.items
        // The origin is one line spacing below the base.
        fronts = state.fronts.map { $0 + kernel.lineSpacing }
        windows = fronts
        nextColumn = state.nextColumn
        hasItems = fold.hasItems
        numbers.reserveCapacity(items.count)
    }

    mutating func openSection(at origin: Int64) {
        for column in fronts.indices { fronts[column] = origin }
        (nextColumn, hasItems) = (0, false)
    }

    mutating func closeSection() -> Int64 {
        hasItems ? (fronts.max() ?? 0) - kernel.lineSpacing : fronts.min() ?? 0
    }

    mutating func place(_ range: Range<Int>) {
        hasItems = true
        if leastTop == nil { leastTop = fronts.min() }
        for index in range { place(items[index]) }
    }

    private mutating func place(_ item: ItemMetrics) {
        let span = kernel.spans.span(of: item)
        let (column, top) = kernel.columnChoice == .shortest ? firstGoodWindow(of: span) : nextWindow(of: span)
        let width = kernel.columns.width(of: span, from: column)
        let extent = kernel.extents.extent(of: item, in: width)
        longestItem = max(longestItem, extent)
        greatestEnd = max(greatestEnd, top + extent)
        for taken in column..<column + span { fronts[taken] = top + extent + kernel.lineSpacing }
        numbers.append(UInt64(top) << UInt64(kernel.columnBits) | UInt64(column))
    }

    /// Returns the first window whose highest front lies at most the tolerance below the lowest of all.
    ///
    /// - Complexity: O(columns × log span).
    private mutating func firstGoodWindow(of span: Int) -> (column: Int, top: Int64) {
        for column in fronts.indices { windows[column] = fronts[column] }
        // Each pass joins two adjacent windows into one of twice as many columns.
        var covered = 1
        while covered < span {
            let step = min(covered, span - covered)
            for column in 0...fronts.count - covered - step {
                windows[column] = max(windows[column], windows[column + step])
            }
            covered += step
        }
        var least = Int64.max
        for column in 0...fronts.count - span { least = min(least, windows[column]) }
        for column in 0...fronts.count - span where windows[column] <= least + kernel.orderTolerance {
            return (column, windows[column])
        }
        return (0, windows[0])
    }

    private mutating func nextWindow(of span: Int) -> (column: Int, top: Int64) {
        let column = nextColumn + span <= fronts.count ? nextColumn : 0
        nextColumn = (column + span) % fronts.count
        return (column, fronts[column..<column + span].max() ?? 0)
    }

    func result() -> PlacementResult<MasonryState, MasonryFrames> {
        let origin = fronts.min() ?? 0
        return PlacementResult(
            state: MasonryState(fronts: fronts.map { $0 - origin }, nextColumn: nextColumn),
            hasItems: hasItems, origin: origin,
            frames: MasonryFrames(numbers, boxedAbove: kernel.boxedBits(items)), leastTop: leastTop ?? origin,
            greatestEnd: numbers.isEmpty ? origin : greatestEnd, longestItem: longestItem)
    }
}
