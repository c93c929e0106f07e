/// The inner loop of a search for breaks, for items at which only lines within the bounds end.
///
/// The longer a line, the lower it is. So the first of the possible starts, in order, are too low and the last ones too
/// high, and only the lines from those in between have to be compared. Forced lines matter only if none of these is on
/// a path without a forced line.
struct BreakLoop {
    let rule: BreakRule
    var front: BreakFront
    var breakCount: Int
    var firstStart: Int

    /// Adds the items before `end`; `breaks` needs room for as many more.
    ///
    /// - Returns: Whether the next item, if any, can be added like this; `false` if any line may matter to it.
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
                // A forced line, unless the line was within the bounds without its last item.
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
        // Both are below 2^62, because the line was not too low without its last item.
        2 &* start.room(to: end, rule) < rule.leastQuotient &* (end.ratios &- start.ratios)
    }

    /// Whether a line is higher than the maximum, if it was without its last item.
    @inline(__always)
    private func isTooHigh(from start: OpenBreak, to end: BreakFront) -> Bool {
        2 &* start.room(to: end, rule) >= rule.greatestQuotient &* (end.ratios &- start.ratios)
    }

    /// Whether a line has less than a pixel for each item.
    @inline(__always)
    private func isTooLong(from start: OpenBreak, to end: BreakFront) -> Bool {
        start.room(to: end, rule) >> 32 < Int64(end.position &- start.position)
    }
}
