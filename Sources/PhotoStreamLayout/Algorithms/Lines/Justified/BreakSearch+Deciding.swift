extension BreakSearch {
    /// Decides the first half, rounded up, of the lines on the cheapest path to the last item, and restarts after them.
    mutating func decideHalf() {
        var path: [Int] = []
        var position = breakCount - 1
        while position != root {
            path.append(position)
            position = Int(breaks[position].parent)
        }
        guard !decide(to: path[path.count / 2], areBound: true) else { return }
        front = breaks[root].front
        restart()
    }

    /// Decides the lines that all open paths share.
    ///
    /// - Returns: Whether the search restarts before a breakout.
    mutating func decideShared() -> Bool {
        var shared: Int?
        for start in firstStart..<breakCount where breaks[start].cost < .infinity {
            var (first, second) = (shared ?? start, start)
            while first != second {
                if first > second { first = Int(breaks[first].parent) } else { second = Int(breaks[second].parent) }
            }
            shared = first
        }
        return decide(to: shared ?? root)
    }

    /// Decides the lines from the root to a break, which becomes the root, or to the first break before a breakout, at
    /// which the search restarts.
    ///
    /// - Parameters:
    ///   - last: The break.
    ///   - areBound: Whether the lines after the first are bound.
    /// - Returns: Whether the search restarts before a breakout.
    mutating func decide(to last: Int, areBound: Bool = false) -> Bool {
        var path: [Int] = []
        var position = last
        while position != root {
            path.append(position)
            position = Int(breaks[position].parent)
        }
        for (number, next) in path.reversed().enumerated() {
            append(rule.line(from: breaks[root], to: breaks[next].front, isBound: areBound && number > 0))
            root = next
            guard breaks[root].position == front.position || !isBreakout(at: breaks[root].position) else {
                front = breaks[root].front
                restart()
                return true
            }
        }
        rebaseCosts()
        return false
    }

    /// Rebases all costs on the cheapest path once they grow large, so that `Double` stays exact.
    mutating func rebaseCosts() {
        var least = Double.infinity
        for start in firstStart..<breakCount { least = min(least, breaks[start].cost) }
        guard least >= 0x1p32, least < .infinity else { return }
        for start in firstStart..<breakCount { breaks[start].cost -= least }
    }

    /// Decides lines if possible, drops breaks on no open path, and grows the buffer if it is still half full.
    mutating func makeRoom() {
        guard !decideShared() else { return }
        let open = [root] + openBreaks()
        var places = [Int32](repeating: 0, count: breakCount - root)
        for (place, position) in open.enumerated() {
            places[position - root] = Int32(place)
            breaks[place] = breaks[position]
            if place > 0 { breaks[place].parent = places[Int(breaks[place].parent) - root] }
        }
        breaks[0].parent = 0
        firstStart = open.firstIndex { $0 >= firstStart } ?? open.count
        (root, breakCount) = (0, open.count)
        if breakCount > breaks.count / 2 { breaks += breaks }
    }

    /// The breaks on open paths in order, without the root.
    private func openBreaks() -> [Int] {
        var isOpen = [Bool](repeating: false, count: breakCount - root)
        for position in (root + 1..<max(breakCount, root + 1)).reversed() {
            let isStart = position >= firstStart && breaks[position].cost < .infinity
            guard isStart || isOpen[position - root] else { continue }
            isOpen[position - root] = true
            isOpen[Int(breaks[position].parent) - root] = true
        }
        return isOpen.indices.dropFirst().filter { isOpen[$0] }.map { $0 + root }
    }
}
