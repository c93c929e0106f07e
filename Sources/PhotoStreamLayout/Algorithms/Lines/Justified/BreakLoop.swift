/// The inner loop of a search for breaks: items at which only lines end that fit.
///
/// The longer a line, the lower: so of the starts, in their order, the first have become too low, the last are still
/// too high, and only the lines from those between have to be compared. Forced lines matter only where none of these is
/// on a way without a forced line.
struct BreakLoop {
    let rule: BreakRule
    var front: BreakFront
    var breakCount: Int
    var firstStart: Int

    /// Goes past items.
    ///
    /// - Parameters:
    ///   - items: The items of the search.
    ///   - end: The position after the last.
    ///   - breaks: The breaks, with room for more.
    /// - Returns: Whether an item can be next, where there is one; `false` where any line may matter to it.
    @inline(never)
    mutating func run(
        _ items: UnsafeBufferPointer<UInt64>, through end: Int, breaks: inout UnsafeMutableBufferPointer<OpenBreak>
    ) -> Bool {
        var (now, first, count) = (front, firstStart, breakCount)
        defer { (front, firstStart, breakCount) = (now, first, count) }
        var fittingEnd = first
        while now.position < end {
            var next = now
            next.take(items[Int(now.position)], by: rule)
            while fittingEnd < count, !isTooHigh(from: breaks[fittingEnd], to: next) {
                let start = breaks[fittingEnd]
                // A forced line, unless the line fitted without its last item.
                if isTooLow(from: start, to: next), start.position == now.position || isTooHigh(from: start, to: now) {
                    return false
                }
                fittingEnd &+= 1
            }
            var start = first
            while start < fittingEnd,
                isTooLow(from: breaks[start], to: next) || isTooLong(from: breaks[start], to: next)
            { start &+= 1 }
            guard start < fittingEnd else { return false }
            var (best, cost) = (start, Double.infinity)
            for position in start..<fittingEnd {
                let item = breaks[position]
                let extent = BreakRule.extent(filling: item.room(to: next, rule), next.ratios &- item.ratios)
                let sum = item.cost + (extent - rule.target) * (extent - rule.target)
                best = sum < cost ? position : best
                cost = sum < cost ? sum : cost
            }
            guard cost < BreakRule.penalty else { return false }
            (now, first) = (next, start)
            breaks[count] = OpenBreak(at: now)
            breaks[count].cost = cost + BreakRule.line
            breaks[count].parent = Int32(truncatingIfNeeded: best)
            count &+= 1
            if count == breaks.count { return true }
        }
        return true
    }

    /// Whether a line is lower than the minimum.
    @inline(__always)
    private func isTooLow(from start: OpenBreak, to end: BreakFront) -> Bool {
        // Both are below 2^62: without its last item the line was not too low.
        2 &* start.room(to: end, rule) < rule.leastQuotient &* (end.ratios &- start.ratios)
    }

    /// Whether a line is higher than the maximum, where it was without its last item.
    @inline(__always)
    private func isTooHigh(from start: OpenBreak, to end: BreakFront) -> Bool {
        2 &* start.room(to: end, rule) >= rule.greatestQuotient &* (end.ratios &- start.ratios)
    }

    /// Whether a line does not leave a pixel to each item.
    @inline(__always)
    private func isTooLong(from start: OpenBreak, to end: BreakFront) -> Bool {
        start.room(to: end, rule) >> 32 < Int64(end.position &- start.position)
    }
}
