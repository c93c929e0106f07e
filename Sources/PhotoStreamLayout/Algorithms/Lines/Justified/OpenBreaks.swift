/// The state of optimal breaks between two items: the items that are not decided.
///
/// The search itself is not stored. It restarts at the root, the last decided break, and reads the items after it
/// again; a cursor stores none of them, because its reader receives them again. The second search finds the same breaks
/// as the first, because all open paths pass the root: each break's best path is still the best among fewer paths. So
/// the state depends on the items after the root and the number of lines before it only.
struct OpenBreaks: LineState {
    /// The empty line at the root.
    var line = OpenLine()
    /// The items after it, unless the next run receives them: twice the ratio, plus one for a caption.
    var items: [UInt64] = []
    /// The item counts of the lines that were decided together with the line before them; see ``BreakSearch``.
    ///
    /// In a cursor they begin after its page; the search does not find them again, because it would read further.
    var bound: [Int] = []

    /// The maximum number of bound lines: half the lines of ``BreakSearch/itemLimit`` items, without the first.
    private static let greatestBoundCount = BreakSearch.itemLimit / 2

    var pendingCount: Int { items.count }
    var content: StateContent { .breaks(self) }

    /// The state without the items, which a cursor's reader receives again.
    var withoutPending: OpenBreaks {
        var breaks = self
        breaks.items = []
        return breaks
    }
}

extension OpenBreaks {
    /// Appends the state as bytes, all variable-length integers.
    func encode(into bytes: inout [UInt8]) {
        for value in [Int(line.previousExtent), line.closedLines, items.count, bound.count] {
            bytes.appendVariableLength(UInt64(value))
        }
        for item in items { bytes.appendVariableLength(item) }
        for count in bound { bytes.appendVariableLength(UInt64(count)) }
    }

    /// Reads a state from the start of bytes.
    ///
    /// - Throws: ``LayoutError/invalidState`` if the bytes are not a state.
    init(decoding rest: inout ArraySlice<UInt8>) throws(LayoutError) {
        line.previousExtent = Int64(try rest.popNumber(through: 1 << 40))
        line.closedLines = try rest.popNumber(through: 1_000_000)
        let itemCount = try rest.popNumber(through: BreakSearch.itemLimit)
        let boundCount = try rest.popNumber(through: Self.greatestBoundCount)
        for _ in 0..<itemCount {
            let item = UInt64(try rest.popNumber(through: 1 << 44))
            guard item > 1 else { throw .invalidState }
            items.append(item)
        }
        for _ in 0..<boundCount {
            let count = try rest.popNumber(through: BreakSearch.itemLimit)
            guard count > 0 else { throw .invalidState }
            bound.append(count)
        }
    }
}

extension ArraySlice<UInt8> {
    /// Reads an integer up to a limit from the start.
    fileprivate mutating func popNumber(through limit: Int) throws(LayoutError) -> Int {
        guard let value = popVariableLength(), value <= UInt64(limit) else { throw .invalidState }
        return Int(value)
    }
}
