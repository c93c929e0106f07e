/// Finds the optimal line breaks of a section, item by item.
///
/// See ``BreakRule`` for the costs. Each item ends a line on some best path, so the breaks are a tree: from a break to
/// the one at which its line begins, and so on to the root, the last decided break. A break is *open* while a line may
/// still begin at it. Three rules decide lines:
///
/// 1. Lines that all open paths share are decided, because no item after them can change them.
/// 2. If an item comes while ``itemLimit`` items follow the root, the first half of the lines of the cheapest path to
///    the item before it, rounded up, are decided first.
/// 3. If the next line should be a breakout, and the item after the decided lines is not higher than wide, the breakout
///    is decided, too. After a breakout, and after lines that the second rule decided, the search restarts as at the
///    start of a section.
///
/// So the decided lines depend on the items after the root only, regardless of where runs begin and end, and without
/// breakouts a section of up to ``itemLimit`` items is the global optimum. All lines of the second rule except the
/// first are *bound*: a search that begins between them would read further and might decide others.
///
/// Nearly all items are added by ``BreakLoop``, which only compares lines between the minimum and the maximum.
struct BreakSearch {
    /// The maximum number of items that follow the root.
    static let itemLimit = 1_024

    let rule: BreakRule
    /// The lines that are decided and have not been taken.
    var decided: [DecidedLine] = []
    /// The items to search, as in ``OpenBreaks/items``.
    let items: [UInt64]
    var front = BreakFront()
    /// The breaks in order, one after each item; the rest of the array is spare.
    var breaks = [OpenBreak](repeating: OpenBreak(), count: 512)
    var breakCount = 1
    var root = 0
    /// The first break at which a line may begin.
    var firstStart = 0
    /// The same as ``OpenBreaks/bound``; while it is not empty, the root is the only break.
    private(set) var bound: ArraySlice<Int>
    /// The number of decided lines of the section, modulo the period of breakouts.
    var turn: Int

    init(_ kernel: JustifiedRule, from open: OpenBreaks, items: [UInt64]) {
        rule = BreakRule(kernel)
        self.items = items
        turn = open.line.closedLines
        bound = open.bound[...]
    }

    /// Begins a section.
    mutating func begin() {
        restart()
        (turn, bound) = (0, [])
    }

    /// Begins a search at the front.
    mutating func restart() {
        breaks[0] = OpenBreak(at: front)
        (breakCount, root, firstStart) = (1, 0, 0)
    }

    /// Adds the next items before `end`.
    ///
    /// - Complexity: O(items × items of a line).
    mutating func add(through end: Int) {
        while front.position < end {
            let openCount = Int(front.position - breaks[root].position)
            if !bound.isEmpty {
                addBound(through: end)
            } else if openCount == 0, isBreakout(at: front.position) {
                front.take(items[Int(front.position)], by: rule)
                append(rule.line(from: breaks[root], to: front, isBreakout: true))
                restart()
            } else if openCount >= Self.itemLimit {
                if !decideShared(), Int(front.position - breaks[root].position) >= Self.itemLimit { decideHalf() }
            } else if !addFitting(through: end) {
                addAny(items[Int(front.position)])
                if breakCount == breaks.count { makeRoom() }
            }
        }
    }

    /// Decides all lines of a section except its last; afterwards nothing is open.
    ///
    /// - Returns: The last line, or `nil` if it is a breakout or there are no items.
    mutating func finish() -> DecidedLine? {
        let end = Int(front.position)
        while front.position > breaks[root].position {
            var (last, least) = (firstStart, Double.infinity)
            for start in firstStart..<breakCount where breaks[start].position < front.position {
                let cost = breaks[start].cost + rule.lastCost(from: breaks[start], to: front)
                if cost < least { (last, least) = (start, cost) }
            }
            if !decide(to: last) {
                let line = rule.line(from: breaks[root], to: front, isLast: true)
                begin()
                return line
            }
            add(through: end)
        }
        begin()
        return nil
    }

    /// Returns the state from which another search continues, without the line at the root.
    mutating func open() -> OpenBreaks {
        let end = Int(front.position)
        while decideShared() { add(through: end) }
        var open = OpenBreaks()
        open.items = Array(items[Int(breaks[root].position)..<end])
        open.bound = Array(bound)
        return open
    }
}

extension BreakSearch {
    /// Whether the item at a position is a breakout if the decided lines end before it.
    func isBreakout(at position: Int32) -> Bool {
        rule.period > 0 && turn == rule.period - 1 && items[Int(position)] >> 1 >= RatioUnit.one
    }

    /// Appends a decided line.
    mutating func append(_ line: DecidedLine) {
        decided.append(line)
        turn = turn + 1 < rule.period ? turn + 1 : 0
    }

    /// Adds items of the first bound line, or ends it if another item follows.
    private mutating func addBound(through end: Int) {
        let lineEnd = Int(breaks[root].position) + (bound.first ?? 0)
        guard Int(front.position) == lineEnd else {
            for position in Int(front.position)..<min(end, lineEnd) { front.take(items[position], by: rule) }
            return
        }
        append(rule.line(from: breaks[root], to: front, isBound: true))
        restart()
        bound.removeFirst()
    }

    /// Adds items while only lines within the bounds matter.
    ///
    /// - Returns: Whether the next item, if any, can be added like this.
    private mutating func addFitting(through end: Int) -> Bool {
        guard rule.hasFastLoop else { return false }
        let greatestEnd = Int(breaks[root].position) + Self.itemLimit
        var loop = BreakLoop(rule: rule, front: front, breakCount: breakCount, firstStart: firstStart)
        let isUsual = items.withUnsafeBufferPointer { items in
            breaks.withUnsafeMutableBufferPointer { loop.run(items, through: min(end, greatestEnd), breaks: &$0) }
        }
        (front, breakCount, firstStart) = (loop.front, loop.breakCount, loop.firstStart)
        // A decided break before a breakout restarts the search.
        if breakCount == breaks.count { makeRoom() }
        return isUsual
    }

    /// Adds an item of any kind.
    private mutating func addAny(_ item: UInt64) {
        let before = front
        front.take(item, by: rule)
        var (best, least) = (firstStart, Double.infinity)
        for start in firstStart..<breakCount where breaks[start].cost < .infinity {
            guard let cost = rule.cost(from: breaks[start], to: front, before) else {
                breaks[start].cost = .infinity
                continue
            }
            if breaks[start].cost + cost < least { (best, least) = (start, breaks[start].cost + cost) }
        }
        while breaks[firstStart].cost == .infinity { firstStart += 1 }
        breaks[breakCount] = OpenBreak(at: front)
        breaks[breakCount].cost = least + BreakRule.line
        breaks[breakCount].parent = Int32(best)
        breakCount += 1
        if least >= BreakRule.penalty { rebaseCosts() }
    }
}

/// A line that is decided.
struct DecidedLine {
    let itemCount: Int
    let ratios: Int64
    let captionCount: Int
    /// Whether the line is a breakout.
    let isBreakout: Bool
    /// Whether the section ends before the line is full.
    let isWidow: Bool
    /// Whether it was decided together with the line before it.
    let isBound: Bool
}
