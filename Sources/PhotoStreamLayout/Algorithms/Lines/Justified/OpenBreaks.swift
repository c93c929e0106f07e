/// The state of optimal breaks between two items: the items that are not decided, and the breaks that were given up.
///
/// The search itself is not kept. It begins again at the last break that is decided, the root, which all open ways lead
/// over, and reads the items after it a second time; so a cursor, whose reader gets those items again, needs none of
/// them. The second search finds what the first did, since each break's best way leads over the root and is still the
/// best among fewer ways. That holds for given-up breaks only if they are left out again: then what is kept is known.
struct OpenBreaks: LineState {
    /// The empty line at the root.
    var line = OpenLine()
    /// The items after it, where the next run does not get them: twice the ratio, and one where it has a caption.
    var items: [UInt64] = []
    /// The count of items after which the first search stood, so no way is given up before it.
    var settledCount = 0
    /// The count of items from the root after which only kept breaks remain.
    var keptCount = 0
    /// The count of items from the root after which all lines are decided: those between kept breaks.
    var decidedCount = 0
    /// The kept breaks in their order.
    var kept: [KeptBreak] = []
}

/// A break on an open way.
struct KeptBreak: Hashable, Sendable {
    /// Items before it, from the root.
    var position: Int
    /// As ``OpenBreak/turn``.
    var turn: Int
}

extension OpenBreaks {
    var pendingCount: Int { items.count }

    /// The breaks without the items, which a cursor's reader gets again.
    var withoutPending: OpenBreaks {
        var breaks = self
        breaks.items = []
        return breaks
    }

    /// The same, where lines after the root are decided that the first search placed already.
    ///
    /// - Parameters:
    ///   - line: The empty line at the root.
    ///   - itemCounts: The items of each of these lines.
    ///   - rest: The breaks that were open after them; `nil` where the section ends with them.
    ///   - period: Every *n*th line is a breakout; 0 for never.
    init(line: OpenLine, decided itemCounts: some Sequence<Int>, _ rest: OpenBreaks?, period: Int) {
        self.line = line
        var (position, turn) = (0, line.closedLines)
        for count in itemCounts {
            position += count
            turn = period > 0 ? (turn + 1) % period : 0
            kept.append(KeptBreak(position: position, turn: turn))
        }
        // Where a section ends, nothing ends its last line but that.
        if rest == nil { _ = kept.popLast() }
        settledCount = position + (rest?.settledCount ?? 0)
        keptCount = position + (rest?.keptCount ?? 0)
        decidedCount = (kept.last?.position ?? 0) + (rest?.decidedCount ?? 0)
        kept += (rest?.kept ?? []).map { KeptBreak(position: position + $0.position, turn: $0.turn) }
    }

    /// The open breaks when the next line is decided.
    ///
    /// - Parameters:
    ///   - itemCount: The items of that line.
    ///   - line: The empty line after it.
    /// - Returns: The same, from there on.
    func behind(itemCount: Int, _ line: OpenLine) -> OpenBreaks {
        var next = OpenBreaks(line: line)
        next.settledCount = max(0, settledCount - itemCount)
        next.keptCount = max(0, keptCount - itemCount)
        next.decidedCount = max(0, decidedCount - itemCount)
        next.kept = kept.lazy.filter { $0.position > itemCount }
            .map { KeptBreak(position: $0.position - itemCount, turn: $0.turn) }
        return next
    }

    /// Adds it as bytes, all variable-length integers.
    func encode(into bytes: inout [UInt8]) {
        for value in [
            Int(line.previousExtent), line.closedLines, items.count, settledCount, keptCount, decidedCount, kept.count,
        ] {
            bytes.appendVariableLength(UInt64(value))
        }
        for item in items { bytes.appendVariableLength(item) }
        var position = 0
        for item in kept {
            bytes.appendVariableLength(UInt64(item.position - position))
            bytes.appendVariableLength(UInt64(item.turn))
            position = item.position
        }
    }

    /// Takes breaks off the front of bytes.
    ///
    /// - Throws: ``LayoutError/invalidState`` when they are none.
    init(decoding rest: inout ArraySlice<UInt8>) throws(LayoutError) {
        line.previousExtent = Int64(try rest.popNumber(through: 1 << 40))
        line.closedLines = try rest.popNumber(through: 1_000_000)
        let itemCount = try rest.popNumber(through: rest.count)
        settledCount = try rest.popNumber(through: 1 << 28)
        keptCount = try rest.popNumber(through: settledCount)
        decidedCount = try rest.popNumber(through: keptCount)
        let keptBreaks = try rest.popNumber(through: rest.count)
        guard itemCount <= settledCount else { throw .invalidState }
        for _ in 0..<itemCount {
            let item = UInt64(try rest.popNumber(through: 1 << 44))
            guard item > 1 else { throw .invalidState }
            items.append(item)
        }
        var position = 0
        for _ in 0..<keptBreaks {
            position += try rest.popNumber(through: keptCount)
            kept.append(KeptBreak(position: position, turn: try rest.popNumber(through: 1_000_000)))
        }
        guard position <= keptCount else { throw .invalidState }
    }
}

extension ArraySlice<UInt8> {
    /// Takes an integer up to a limit off the front.
    fileprivate mutating func popNumber(through limit: Int) throws(LayoutError) -> Int {
        guard let value = popVariableLength(), value <= UInt64(limit) else { throw .invalidState }
        return Int(value)
    }
}
