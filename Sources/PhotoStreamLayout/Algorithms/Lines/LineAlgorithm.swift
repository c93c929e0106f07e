import PhotoStreamModel

/// An algorithm that stands items in lines.
protocol LineKernel {
    /// What the places of a line's items depend on.
    func totals(_ items: PackedMetrics) -> LineTotals

    /// Hands the frames of a line to `body`, until it says to stop.
    ///
    /// - Parameters:
    ///   - line: The line.
    ///   - totals: What its items come to.
    ///   - progress: The items that are left out, from the first; goes on with each that is handed out.
    ///   - items: The metrics of the items behind those.
    ///   - base: The base of its run.
    ///   - body: Takes a position among `items` and the cell's frame; answers whether to go on.
    /// - Returns: Whether `body` never said to stop.
    /// - Complexity: O(items).
    func forEachFrame(
        in line: LineRecord, _ totals: LineTotals, from progress: inout LineProgress, _ items: PackedMetrics,
        base: Int64, _ body: (Int, AxisFrame) -> Bool
    ) -> Bool
}
