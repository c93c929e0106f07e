import PhotoStreamModel

/// The lines of a run that are closed, and the one that is open: common to all layouts in lines.
struct LineRun {
    var frames = LineFrames()
    var open: OpenLine
    /// The place where the open line begins, from the run's base, in device pixels.
    var top: Int64
    /// Whether the open section has an item.
    var hasItems: Bool
    let lineSpacing: Int64
    private(set) var leastTop: Int64?
    private(set) var greatestEnd: Int64 = 0
    private(set) var thickestLine: Int64 = 0

    /// Begins a run whose photos are about three to a line or more; growing would copy all lines that are there.
    init(_ fold: ChunkFold, from line: OpenLine) {
        open = line
        hasItems = fold.hasItems
        lineSpacing = fold.lineSpacing
        // The origin lies one line spacing below the base.
        top = fold.lineSpacing
        frames.lines.reserveCapacity(fold.items.count / 3)
    }

    mutating func openSection(at origin: Int64) {
        (top, hasItems, open) = (origin, false, OpenLine())
    }

    /// The place where the items of the section end when no line is open.
    var sectionEnd: Int64 { hasItems ? top - lineSpacing : top }

    /// Closes the open line.
    ///
    /// - Parameters:
    ///   - extent: What its record holds.
    ///   - thickness: How much room it takes along the scroll axis, captions included.
    ///   - flags: What is special about it.
    @inline(__always)
    mutating func close(extent: Int64, thickness: Int64, flags: LineRecord.Flags) {
        frames.append(top: top, extent: extent, itemCount: open.count, flags: flags)
        if leastTop == nil { leastTop = top }
        thickestLine = max(thickestLine, thickness)
        greatestEnd = top + thickness
        top += thickness + lineSpacing
    }

    /// Closes the open line without giving it any room.
    mutating func hideLine(at end: Int64) {
        frames.append(top: end, extent: 0, itemCount: open.count, flags: [.last, .hidden])
        if leastTop == nil { leastTop = end }
        greatestEnd = end
        open = OpenLine()
    }

    func result<State: LineState>(_ state: State) -> PlacementResult<State, LineFrames> {
        PlacementResult(
            state: state, hasItems: hasItems, origin: top, placedCount: frames.itemCount, frames: frames,
            leastTop: leastTop ?? top, greatestEnd: leastTop == nil ? top : greatestEnd, longestItem: thickestLine)
    }
}
