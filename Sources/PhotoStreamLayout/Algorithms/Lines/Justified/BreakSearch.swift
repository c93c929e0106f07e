/// The search for the optimal breaks of a section, item by item; what they are says ``BreakRule``.
///
/// Each item ends a line on some best way, so the breaks are a tree: from a break to the one at which its line begins,
/// and so on to the root, the last break that all open ways lead over. What lies before the root is decided. While
/// every open way has more than ``lineLimit`` lines after it, the first line of the cheapest is decided (of equal ones
/// that with fewer lines, then that to the earlier break) and the ways without it are given up. So a section of up to
/// that many lines is the global optimum.
///
/// So that little is to be remembered: where more than ``breakLimit`` breaks are on open ways then, all lines of the
/// cheapest are decided, and the search begins again after them. Only lines of dozens of items lead to so many.
///
/// So that no item takes long, whatever the options: when more than ``openBreakLimit`` breaks are on open ways, or more
/// than ``openItemLimit`` items lie after the root, ways are given up as well, see ``bound()``. Only breakouts in lines
/// of dozens of items and lines of more than 120 items lead to so many.
///
/// Nearly all items are added by a loop that only looks at lines between the minimum and the maximum: see
/// ``BreakLoop``. All else is here.
struct BreakSearch {
    /// Lines that may be open on every way.
    static let lineLimit: Int32 = 32
    /// Breaks that may be on open ways when some were given up.
    static let breakLimit = 320
    /// Breaks that may be on open ways after any item, without the root.
    static let openBreakLimit = 1_024
    /// Items that may lie after the root.
    static let openItemLimit = 4_096

    let rule: BreakRule
    /// Lines that are decided, until they are taken.
    var decided: [DecidedLine] = []
    /// The items that the search goes past, from position 0 on, as in ``OpenBreaks/items``.
    private let items: [UInt64]
    var front = BreakFront()
    /// The breaks in their order, those of one item by turn; room for more after.
    var breaks = [OpenBreak](repeating: OpenBreak(), count: 512)
    var breakCount = 1
    var root = 0
    /// No line begins at a break before this.
    var firstStart = 0
    // As in OpenBreaks, from position 0 on.
    var settledEnd: Int32
    var keptEnd: Int32
    private var decidedEnd: Int32
    var kept: ArraySlice<KeptBreak>
    /// The best lines to the front.
    private var ways: [Way] = []

    /// The best line to a break.
    private struct Way {
        var turn: Int32
        var cost: Double
        var start: Int
    }

    init(_ kernel: JustifiedRule, from open: OpenBreaks, items: [UInt64]) {
        rule = BreakRule(kernel)
        self.items = items
        breaks[0].turn = Int32(clamping: open.line.closedLines)
        settledEnd = Int32(clamping: open.settledCount)
        keptEnd = Int32(clamping: open.keptCount)
        decidedEnd = Int32(clamping: open.decidedCount)
        kept = open.kept[...]
    }

    /// Begins a section.
    mutating func begin() {
        breaks[0] = OpenBreak(at: front)
        (breakCount, root, firstStart) = (1, 0, 0)
        (settledEnd, keptEnd, decidedEnd) = (front.position, front.position, front.position)
        kept = []
    }

    /// Goes past the next items.
    ///
    /// - Parameter end: The position after the last of them.
    /// - Complexity: O(items × items of a line); for each item at most O(``openBreakLimit``).
    mutating func add(through end: Int) {
        while front.position < end {
            if rule.hasFastLoop, front.position >= keptEnd {
                addFitting(through: end)
                guard front.position < end else { break }
            }
            addAny(items[Int(front.position)])
            if breakCount >= breaks.count - 1 { makeRoom() }
            bound()
            narrow()
        }
    }

    /// Decides all lines of a section but its last; then nothing is open.
    ///
    /// - Returns: The last line, or `nil` where there are no items.
    mutating func finish() -> DecidedLine? {
        guard front.position > breaks[root].position else { return nil }
        var last: (cost: Double, start: Int)?
        for start in firstStart..<breakCount where breaks[start].position < front.position {
            guard breaks[start].cost < .infinity else { continue }
            let cost = breaks[start].cost + rule.lastCost(from: breaks[start], to: front)
            if last.map({ cost < $0.cost }) ?? true { last = (cost, start) }
        }
        guard let start = last?.start else {
            // What is kept are the breaks of other items.
            beginAnew(at: root)
            return finish()
        }
        decide(to: start)
        let line = rule.line(from: breaks[start], to: front, isLast: true)
        begin()
        return line
    }

    /// The state from which another search goes on, but for the line at the root.
    mutating func open() -> OpenBreaks {
        decideShared()
        let start = breaks[root].position
        var open = OpenBreaks()
        open.items = Array(items[Int(start)..<Int(front.position)])
        open.settledCount = Int(max(front.position, settledEnd) - start)
        open.keptCount = Int(max(keptEnd, start) - start)
        open.decidedCount = Int(max(decidedEnd, start) - start)
        if open.keptCount > 0 {
            open.kept = openWays().map { breaks[$0] }.filter { $0.position <= keptEnd }
                .map { KeptBreak(position: Int($0.position - start), turn: Int($0.turn)) }
            open.kept += kept.filter { $0.position > front.position }
                .map { KeptBreak(position: $0.position - Int(start), turn: $0.turn) }
        }
        return open
    }
}

extension BreakSearch {
    /// Begins again at a break, with the items after it and no break kept.
    mutating func beginAnew(at position: Int) {
        let end = front.position
        let start = breaks[position]
        front = start.front
        begin()
        (breaks[0].turn, breaks[0].lineCount) = (start.turn, start.lineCount)
        settledEnd = max(settledEnd, end)
        add(through: Int(end))
    }

    /// Goes past items as far as no line matters that does not fit.
    private mutating func addFitting(through end: Int) {
        while front.position < end {
            var loop = BreakLoop(
                rule: rule, front: front, breakCount: breakCount, firstStart: firstStart,
                mostLines: breaks[root].lineCount + Self.lineLimit, mostBreaks: root + 1 + Self.openBreakLimit)
            let mostItems = Int(breaks[root].position) + Self.openItemLimit + 1
            let isUsual = items.withUnsafeBufferPointer { items in
                breaks.withUnsafeMutableBufferPointer { loop.run(items, through: min(end, mostItems), breaks: &$0) }
            }
            (front, breakCount, firstStart) = (loop.front, loop.breakCount, loop.firstStart)
            guard isUsual else { return }
            if breakCount == breaks.count { makeRoom() }
            bound()
            narrow()
        }
    }

    /// Goes past any item.
    private mutating func addAny(_ item: UInt64) {
        let before = front
        front.take(item, by: rule)
        ways.removeAll(keepingCapacity: true)
        for start in firstStart..<breakCount where breaks[start].cost < .infinity {
            guard let cost = rule.cost(from: breaks[start], to: front, before) else {
                breaks[start].cost = .infinity
                continue
            }
            let turn = rule.period > 0 ? (breaks[start].turn + 1) % Int32(rule.period) : 0
            let way = Way(turn: turn, cost: breaks[start].cost + cost, start: start)
            if let known = ways.firstIndex(where: { $0.turn == turn }) {
                if way.cost < ways[known].cost { ways[known] = way }
            } else {
                ways.append(way)
            }
        }
        while firstStart < breakCount, breaks[firstStart].cost == .infinity { firstStart += 1 }
        ways.sort { $0.turn < $1.turn }
        for way in ways where front.position > keptEnd || isKept(turn: way.turn) {
            append(way)
            if front.position <= decidedEnd { firstStart = breakCount - 1 }
        }
        if firstStart == breakCount { return beginAnew(at: root) }
        if breaks[breakCount - 1].cost >= BreakRule.penalty { rebaseCosts() }
    }

    /// Whether there is to be a break at the front; asked by turn.
    private mutating func isKept(turn: Int32) -> Bool {
        let wanted = KeptBreak(position: Int(front.position), turn: Int(turn))
        while let next = kept.first, (next.position, next.turn) < (wanted.position, wanted.turn) { kept.removeFirst() }
        return kept.first == wanted
    }

    private mutating func append(_ way: Way) {
        var next = OpenBreak(at: front)
        next.cost = way.cost + BreakRule.line
        next.parent = Int32(way.start)
        next.lineCount = breaks[way.start].lineCount + 1
        next.turn = way.turn
        if breakCount == breaks.count { breaks += breaks }
        breaks[breakCount] = next
        breakCount += 1
    }
}

/// A line that is decided.
struct DecidedLine {
    let itemCount: Int
    let ratios: Int64
    let captionCount: Int
    /// Whether it stands alone because it is its turn.
    let isBreakout: Bool
    /// Whether the section ends before it is full.
    let isWidow: Bool
}
