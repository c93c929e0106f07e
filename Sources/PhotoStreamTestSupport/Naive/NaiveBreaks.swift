import PhotoStreamLayout

/// A naive reference of optimal breaks: each path is stored from its start, costs are integers, and short sections try
/// every division.
struct NaiveBreaks {
    let parameters: JustifiedParameters
    let target: Int64
    let lowest: Int64
    let highest: Int64
    /// Whether a last line counts as full.
    let isFull: (ArraySlice<NaiveJustifiedItem>) -> Bool
    /// The room for some items; may be negative.
    let room: (ArraySlice<NaiveJustifiedItem>) -> Int64
    /// The maximum number of items after the last decided break.
    let limit: Int

    /// The maximum number of items for which every division is tried.
    static let exhaustiveCount = 9
    /// The square of a pixel of deviation.
    ///
    /// A line costs one; a forced line also costs the penalty.
    private static let pixel: Int128 = 128
    private static let penalty: Int128 = pixel << 40

    /// Returns the ends of a section's lines.
    ///
    /// - Parameter items: All items of the section.
    /// - Returns: The positions after the last item of each line.
    func ends(_ items: [NaiveJustifiedItem]) -> [Int] {
        var found: [Int] = []
        func isNextBreakout(_ start: Int) -> Bool {
            let period = parameters.breakoutEvery
            return period > 0 && found.count % period == period - 1 && items[start].ratio >= 1 << 32
        }
        var start = 0
        while start < items.count {
            // Lines are computed as if there were no breakout, and cut off at the first.
            let lines = isNextBreakout(start) ? [start + 1] : decidedEnds(Array(items[start...])).map { start + $0 }
            for end in lines {
                found.append(end)
                start = end
                if start < items.count, isNextBreakout(start) { break }
            }
        }
        return found
    }

    /// Returns the ends of the first lines, at least one.
    private func decidedEnds(_ items: [NaiveJustifiedItem]) -> [Int] {
        items.count <= Self.exhaustiveCount ? exhaustiveEnds(items) : searchedEnds(items)
    }

    // MARK: Every division

    private func exhaustiveEnds(_ items: [NaiveJustifiedItem]) -> [Int] {
        var best: (cost: Int128, ends: [Int])?
        for borders in 0..<1 << (items.count - 1) {
            let ends = (1..<items.count).filter { borders >> ($0 - 1) & 1 == 1 } + [items.count]
            guard let cost = cost(items, endingAt: ends) else { continue }
            // In a tie, the division with fewer lines wins; then, from the end on, the one whose line begins earlier.
            let isBetter =
                best.map { best in
                    if cost != best.cost { return cost < best.cost }
                    if ends.count != best.ends.count { return ends.count < best.ends.count }
                    return ends.reversed().lexicographicallyPrecedes(best.ends.reversed())
                } ?? true
            if isBetter { best = (cost, ends) }
        }
        guard let best else { preconditionFailure("a line of each item is a way") }
        return best.ends
    }

    /// Returns the deviation of a division; `nil` if one of its lines is not allowed.
    private func cost(_ items: [NaiveJustifiedItem], endingAt ends: [Int]) -> Int128? {
        var (start, sum): (Int, Int128) = (0, 0)
        for end in ends {
            let line = items[start..<end]
            guard let cost = end == items.count ? lastCost(line) : cost(line) else { return nil }
            // Without the cost of the line itself.
            sum += cost - 1
            start = end
        }
        return sum
    }

    // MARK: Long sections

    /// The best path to a break, from the last decided one on.
    private struct Way {
        var breaks = [0]
        var cost: Int128 = 0

        var end: Int { breaks[breaks.count - 1] }
    }

    private func searchedEnds(_ items: [NaiveJustifiedItem]) -> [Int] {
        var (ways, decided) = ([Way()], [Int]())
        for end in items.indices {
            if end - ways[0].breaks[0] >= limit {
                let last = ways[ways.count - 1].breaks
                return decided + last[1...last.count / 2]
            }
            ways = next(ways, items: items, to: end + 1)
            let shared = sharedCount(ways)
            decided += ways[0].breaks[1..<shared]
            ways = ways.map { Way(breaks: Array($0.breaks[(shared - 1)...]), cost: $0.cost) }
        }
        let last = ways.filter { $0.end < items.count }.compactMap { way in
            lastCost(items[way.end...]).map { (way, way.cost + $0) }
        }
        guard let best = last.min(by: { $0.1 < $1.1 }) else { preconditionFailure("a way always leads on") }
        return decided + best.0.breaks.dropFirst() + [items.count]
    }

    /// Returns the paths that stay open after the next item, and the one with a break after it.
    private func next(_ ways: [Way], items: [NaiveJustifiedItem], to end: Int) -> [Way] {
        var open: [Way] = []
        var best: (from: Way, cost: Int128)?
        for way in ways {
            guard let cost = cost(items[way.end..<end]) else { continue }
            open.append(way)
            if best.map({ way.cost + cost < $0.cost }) ?? true { best = (way, way.cost + cost) }
        }
        guard let best else { preconditionFailure("every item ends a line") }
        return open + [Way(breaks: best.from.breaks + [end], cost: best.cost)]
    }

    private func sharedCount(_ ways: [Way]) -> Int {
        ways.dropFirst().reduce(ways[0].breaks.count) { count, way in
            zip(ways[0].breaks, way.breaks).prefix(count).prefix { $0 == $1 }.count
        }
    }

    // MARK: Lines

    /// Returns the cost of a line; `nil` for a line that is not allowed.
    private func cost(_ line: ArraySlice<NaiveJustifiedItem>) -> Int128? {
        guard line.count > 1 else { return cost(height(line)) }
        guard room(line) >= line.count else { return nil }
        guard height(line) >= lowest || height(line.dropLast()) > highest else { return nil }
        return cost(height(line))
    }

    /// Returns the cost of a section's last line.
    private func lastCost(_ line: ArraySlice<NaiveJustifiedItem>) -> Int128? {
        guard let cost = cost(line), !isFull(line) else { return cost(line) }
        return switch parameters.widows {
        case .natural: 1 + Self.pixel * square(max(0, target - height(line)))
        case .justify: height(line) > highest ? self.cost(highest) : cost
        case .hide: 1 + Self.penalty
        }
    }

    private func height(_ line: ArraySlice<NaiveJustifiedItem>) -> Int64 {
        NaiveNumbers.roundedHalfUp(UInt128(room(line)) << 32, over: UInt128(line.reduce(0) { $0 + $1.ratio }))
    }

    private func cost(_ height: Int64) -> Int128 {
        if (lowest...highest).contains(height) { return 1 + Self.pixel * square(height - target) }
        return 1 + Self.penalty + Self.pixel * square(min(1 << 17, abs(height - target)))
    }

    private func square(_ number: Int64) -> Int128 { Int128(number) * Int128(number) }
}
