import PhotoStreamModel

extension LayoutEngine {
    /// Hands the frames of a whole line's items to `body`, until it says to stop.
    func forEachFrame(
        in line: LineRecord, _ items: PackedMetrics, base: Int64, _ body: (Int, AxisFrame) -> Bool
    ) -> Bool {
        var progress = LineProgress()
        return forEachFrame(in: line, totals(items), from: &progress, items, base: base, body)
    }

    /// Hands the frames of a line's next items to `body`, until it says to stop.
    ///
    /// - Parameters:
    ///   - line: The line.
    ///   - totals: What all of its items come to.
    ///   - progress: The items that are left out, from the first; goes on with each that is handed out.
    ///   - items: The metrics of the items behind those.
    ///   - base: The base of its run.
    ///   - body: Takes a position among `items` and the cell's frame; answers whether to go on.
    /// - Returns: Whether `body` never said to stop.
    /// - Complexity: O(items).
    func forEachFrame(
        in line: LineRecord, _ totals: LineTotals, from progress: inout LineProgress, _ items: PackedMetrics,
        base: Int64, _ body: (Int, AxisFrame) -> Bool
    ) -> Bool {
        switch kernel {
        case .flow(let flow): flow.forEachFrame(in: line, totals, from: &progress, items, base: base, body)
        case .justified(let justified):
            justified.forEachFrame(in: line, totals, from: &progress, items, base: base, body)
        case .masonry, .uniform, .map, .custom: preconditionFailure("a layout without lines")
        }
    }

    /// What the places of a line's items depend on.
    func totals(_ items: PackedMetrics) -> LineTotals {
        switch kernel {
        case .flow(let flow): flow.totals(items)
        case .justified(let justified): justified.totals(items)
        case .masonry, .uniform, .map, .custom: preconditionFailure("a layout without lines")
        }
    }

    /// How much room a line takes along the scroll axis, in device pixels.
    func thickness(of line: LineRecord) -> Int64 {
        guard case .justified(let justified) = kernel else { return Int64(line.extent) }
        return justified.thickness(Int64(line.extent), captionCount: line.flags.contains(.caption) ? 1 : 0)
    }

    /// What the algorithm remembers when a line is closed and the next has not begun.
    ///
    /// - Parameters:
    ///   - line: The line.
    ///   - totals: What its items come to.
    ///   - state: What the algorithm remembered when the line was empty.
    /// - Returns: The state, in which nothing is pending.
    func state(behind line: LineRecord, _ totals: LineTotals, from state: AlgorithmState) -> AlgorithmState {
        guard case .justified(let justified) = kernel, !line.flags.contains(.hidden) else {
            return initialState.algorithm
        }
        func next(_ open: OpenLine) -> OpenLine {
            justified.open(behind: Int64(line.extent), totals.count, totals.length, from: open)
        }
        switch state {
        case .line(let open): return .line(next(open))
        case .breaks(let breaks): return .breaks(breaks.behind(itemCount: totals.count, next(breaks.line)))
        case .masonry, .cells, .map, .custom: preconditionFailure("a layout without lines")
        }
    }
}

extension LayoutEngine {
    /// Every so manieth line is a breakout; 0 for never.
    var breakoutPeriod: Int {
        if case .justified(let justified) = kernel { justified.parameters.breakoutEvery } else { 0 }
    }
}

extension AlgorithmState {
    /// Whether a line of the section is closed, as far as a layout asks.
    var hasClosedLine: Bool {
        switch self {
        case .line(let line): line.previousExtent > 0
        case .breaks(let breaks): breaks.line.previousExtent > 0
        case .masonry, .cells, .map, .custom: false
        }
    }
}
