extension BreakSearch {
    /// Decides and gives up what has to be after an item.
    mutating func narrow() {
        guard front.position > settledEnd, hasTooManyLines else { return }
        decideShared()
        var givesUp = false
        while hasTooManyLines {
            giveUp(waysBeside: cheapestStart)
            decideShared()
            givesUp = true
        }
        guard givesUp else { return }
        (keptEnd, kept) = (front.position, [])
        guard breakCount - root > Self.breakLimit, openWays().count > Self.breakLimit else { return }
        let cheapest = cheapestStart
        decide(to: cheapest)
        beginAnew(at: cheapest)
    }

    /// Gives ways up where more is open than may be.
    ///
    /// With breakouts an item ends ways of many turns. Of these only the cheapest to each item stay, and what they lead
    /// over: where no breakout lies on a way, its beginning is the cheapest to the item at which it ends, so nothing is
    /// lost. Then the first line of the best way to the last item is decided and the ways without it are given up,
    /// until at most ``breakLimit`` breaks and ``openItemLimit`` items are open: as many as a cursor holds. The last
    /// item can begin every line that may follow, so a way always leads on.
    mutating func bound() {
        guard isOverfull(Self.openBreakLimit) else { return }
        makeRoom()
        // Of what was counted some may lead nowhere.
        guard isOverfull(Self.openBreakLimit), breaks[breakCount - 1].position == front.position else { return }
        if rule.period > 0 {
            giveUpDearTurns()
            makeRoom()
        }
        while isOverfull(Self.breakLimit) {
            var best = breakCount - 1
            for position in (root..<best).reversed() {
                guard breaks[position].position == front.position else { break }
                if breaks[position].cost <= breaks[best].cost { best = position }
            }
            giveUp(waysBeside: best)
            makeRoom()
        }
        (keptEnd, kept) = (front.position, [])
    }

    /// Whether more is after the root than may be open.
    private func isOverfull(_ limit: Int) -> Bool {
        breakCount - root - 1 > limit || front.position - breaks[root].position > Self.openItemLimit
    }

    /// Decides the lines that all open ways share.
    mutating func decideShared() {
        var shared: Int?
        for start in firstStart..<breakCount where breaks[start].cost < .infinity {
            var (first, second) = (shared ?? start, start)
            while first != second {
                if first > second { first = Int(breaks[first].parent) } else { second = Int(breaks[second].parent) }
            }
            shared = first
        }
        if let shared { decide(to: shared) }
        rebaseCosts()
    }

    /// Decides the lines from the root to a break, which becomes the root.
    mutating func decide(to last: Int) {
        let count = decided.count
        var position = last
        while position != root {
            let parent = Int(breaks[position].parent)
            decided.append(rule.line(from: breaks[parent], to: breaks[position].front))
            position = parent
        }
        decided[count...].reverse()
        root = last
    }

    /// Counts costs from that of the cheapest way on where they are no more small.
    mutating func rebaseCosts() {
        let least = breaks[cheapestStart].cost
        guard least >= 0x1p32 else { return }
        for start in firstStart..<breakCount { breaks[start].cost -= least }
    }

    /// The breaks on open ways in their order, without the root.
    func openWays() -> [Int] {
        var isOpen = [Bool](repeating: false, count: breakCount - root)
        for position in (root + 1..<max(breakCount, root + 1)).reversed() {
            let isStart = position >= firstStart && breaks[position].cost < .infinity
            guard isStart || isOpen[position - root] else { continue }
            isOpen[position - root] = true
            isOpen[Int(breaks[position].parent) - root] = true
        }
        return isOpen.indices.dropFirst().filter { isOpen[$0] }.map { $0 + root }
    }

    /// Leaves only the root and what is on open ways, and makes room where that is still much.
    mutating func makeRoom() {
        decideShared()
        let open = [root] + openWays()
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

    /// Gives up the ways to each item but the cheapest, of equal ones that of the first turn, and those that lead on to
    /// the cheapest of a later item.
    private mutating func giveUpDearTurns() {
        var isKept = [Bool](repeating: false, count: breakCount - root)
        // Breaks of one item stand together.
        var cheapest: Int?
        for start in firstStart..<breakCount where breaks[start].cost < .infinity {
            if let known = cheapest, breaks[known].position == breaks[start].position {
                if breaks[start].cost < breaks[known].cost { cheapest = start }
            } else {
                if let cheapest { isKept[cheapest - root] = true }
                cheapest = start
            }
        }
        if let cheapest { isKept[cheapest - root] = true }
        // A break leads back to one before it.
        for position in (root + 1..<max(breakCount, root + 1)).reversed() where isKept[position - root] {
            isKept[Int(breaks[position].parent) - root] = true
        }
        for start in firstStart..<breakCount where !isKept[start - root] { breaks[start].cost = .infinity }
        while breaks[firstStart].cost == .infinity { firstStart += 1 }
    }

    /// Gives up the ways that do not begin with the first line of one.
    private mutating func giveUp(waysBeside way: Int) {
        let line = firstLine(to: way)
        for start in firstStart..<breakCount where breaks[start].cost < .infinity && firstLine(to: start) != line {
            breaks[start].cost = .infinity
        }
        while breaks[firstStart].cost == .infinity { firstStart += 1 }
    }

    /// The break at the end of the first open line on the way to a break.
    private func firstLine(to position: Int) -> Int {
        var position = position
        while breaks[position].parent != root, position != root { position = Int(breaks[position].parent) }
        return position
    }

    /// Of equal costs the earlier break's; fewer lines cost less.
    private var cheapestStart: Int {
        var cheapest = firstStart
        for start in firstStart..<breakCount where breaks[start].cost < breaks[cheapest].cost { cheapest = start }
        return cheapest
    }

    /// Whether every open way has more lines than may be open.
    private var hasTooManyLines: Bool {
        let most = breaks[root].lineCount + Self.lineLimit
        // The last one settles most of them.
        return (firstStart..<breakCount).reversed()
            .allSatisfy { breaks[$0].lineCount > most || breaks[$0].cost == .infinity }
    }
}
