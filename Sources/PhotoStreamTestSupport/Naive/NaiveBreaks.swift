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

    /// The maximum number of items for which every division is tried.
    static let exhaustiveCount = 9
    /// The maximum number of open lines on each path.
    private static let lineLimit = 32
    /// The maximum number of breaks on open paths after a reduction.
    private static let breakLimit = 320
    /// The maximum number of breaks on open paths, and of items after the last break that all of them share.
    private static let openBreakLimit = 1_024
    private static let openItemLimit = 4_096
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
        guard !items.isEmpty else { return [] }
        if items.count <= Self.exhaustiveCount { return exhaustiveEnds(items) }
        let ways = openWays(items)
        let last = ways.filter { $0.end < items.count }.compactMap { way in
            lastCost(items[way.end...], turn: way.turn).map { (way, way.cost + $0) }
        }
        guard let best = last.min(by: { $0.1 < $1.1 }) else { preconditionFailure("a way always leads on") }
        return best.0.breaks.dropFirst().map(\.position) + [items.count]
    }

    // MARK: Every division

    private func exhaustiveEnds(_ items: [NaiveJustifiedItem]) -> [Int] {
        var best: (cost: Int128, ends: [Int])?
        for borders in 0..<1 << (items.count - 1) {
            let ends = (1..<items.count).filter { borders >> ($0 - 1) & 1 == 1 } + [items.count]
            guard let cost = cost(items, endingAt: ends) else { continue }
            // Of equal costs, the division with fewer lines wins; then, from the end on, the one whose line begins
            // earlier.
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
        for (position, end) in ends.enumerated() {
            let turn = parameters.breakoutEvery > 0 ? position % parameters.breakoutEvery : 0
            let line = items[start..<end]
            let isLast = end == items.count
            guard let cost = isLast ? lastCost(line, turn: turn) : cost(line, turn: turn) else { return nil }
            // Without the cost of the line itself.
            sum += cost - 1
            start = end
        }
        return sum
    }

    // MARK: Long sections

    private struct Break: Hashable {
        var position = 0
        var turn = 0
    }

    /// The best path to a break.
    private struct Way {
        var breaks = [Break()]
        var cost: Int128 = 0

        var end: Int { breaks[breaks.count - 1].position }
        var turn: Int { breaks[breaks.count - 1].turn }
    }

    /// Returns the open paths after all items.
    private func openWays(_ items: [NaiveJustifiedItem]) -> [Way] {
        var ways = [Way()]
        // The number of breaks that all paths share, and the item after which paths were last dropped.
        var (shared, settled, end) = (1, 0, 1)
        while end <= items.count {
            ways = bounded(next(ways, items: items, to: end), at: end)
            var givesUp = false
            if end > settled, ways.allSatisfy({ $0.breaks.count - shared > Self.lineLimit }) {
                shared = sharedCount(ways)
                while ways.allSatisfy({ $0.breaks.count - shared > Self.lineLimit }) {
                    let first = cheapest(ways).breaks[shared]
                    ways.removeAll { $0.breaks[shared] != first }
                    shared = sharedCount(ways)
                    givesUp = true
                }
            }
            if givesUp, Set(ways.flatMap { $0.breaks[shared...] }).count > Self.breakLimit {
                ways = [cheapest(ways)]
                (shared, settled) = (ways[0].breaks.count, end)
                end = ways[0].end
            }
            end += 1
        }
        return ways
    }

    /// Returns the paths that stay open after the next item, and those with a break after it.
    private func next(_ ways: [Way], items: [NaiveJustifiedItem], to end: Int) -> [Way] {
        var open: [Way] = []
        var found: [Int: (from: Way, cost: Int128)] = [:]
        for way in ways {
            guard let cost = cost(items[way.end..<end], turn: way.turn) else { continue }
            open.append(way)
            let turn = parameters.breakoutEvery > 0 ? (way.turn + 1) % parameters.breakoutEvery : 0
            if found[turn].map({ way.cost + cost < $0.cost }) ?? true { found[turn] = (way, way.cost + cost) }
        }
        for (turn, best) in found.sorted(by: { $0.key < $1.key }) {
            open.append(Way(breaks: best.from.breaks + [Break(position: end, turn: turn)], cost: best.cost))
        }
        return open
    }

    /// Reduces the paths if too many breaks are open: keeps the cheapest to each item and those they lead through, and
    /// of these, the ones that share the first line of the best path to the last item, and so on.
    private func bounded(_ ways: [Way], at end: Int) -> [Way] {
        func isOverfull(_ ways: [Way], limit: Int) -> Bool {
            let shared = sharedCount(ways)
            return end - ways[0].breaks[shared - 1].position > Self.openItemLimit
                || Set(ways.flatMap { $0.breaks[shared...] }).count > limit
        }
        // An upper bound, without comparing breaks.
        let most = max(end, ways.reduce(0) { $0 + $1.breaks.count })
        guard most > Self.openBreakLimit, isOverfull(ways, limit: Self.openBreakLimit) else { return ways }
        var ways = ways
        let ends = Dictionary(grouping: ways, by: \.end)
        let wanted = Set(ends.values.flatMap { cheapest($0).breaks })
        ways.removeAll { !wanted.contains(Break(position: $0.end, turn: $0.turn)) }
        while isOverfull(ways, limit: Self.breakLimit) {
            let (best, shared) = (cheapest(ways.filter { $0.end == end }), sharedCount(ways))
            ways.removeAll { $0.breaks.count <= shared || $0.breaks[shared] != best.breaks[shared] }
        }
        return ways
    }

    private func cheapest(_ ways: [Way]) -> Way {
        ways.reduce(ways[0]) { $1.cost < $0.cost ? $1 : $0 }
    }

    private func sharedCount(_ ways: [Way]) -> Int {
        ways.dropFirst().reduce(ways[0].breaks.count) { count, way in
            zip(ways[0].breaks, way.breaks).prefix(count).prefix { $0 == $1 }.count
        }
    }

    // MARK: Lines

    /// Returns the cost of a line; `nil` for a line that is not allowed.
    private func cost(_ line: ArraySlice<NaiveJustifiedItem>, turn: Int) -> Int128? {
        if isBreakout(line, turn: turn) { return line.count == 1 ? 1 : nil }
        guard line.count > 1 else { return cost(height(line)) }
        guard room(line) >= line.count else { return nil }
        guard height(line) >= lowest || height(line.dropLast()) > highest else { return nil }
        return cost(height(line))
    }

    /// Returns the cost of a section's last line.
    private func lastCost(_ line: ArraySlice<NaiveJustifiedItem>, turn: Int) -> Int128? {
        guard let cost = cost(line, turn: turn), !isBreakout(line, turn: turn), !isFull(line) else {
            return cost(line, turn: turn)
        }
        return switch parameters.widows {
        case .natural: 1 + Self.pixel * square(max(0, target - height(line)))
        case .justify: height(line) > highest ? self.cost(highest) : cost
        case .hide: 1 + Self.penalty
        }
    }

    private func isBreakout(_ line: ArraySlice<NaiveJustifiedItem>, turn: Int) -> Bool {
        parameters.breakoutEvery > 0 && turn == parameters.breakoutEvery - 1
            && line.first.map { $0.ratio >= 1 << 32 } ?? false
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
