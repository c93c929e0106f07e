import PhotoStreamModel

/// The closed lines of a run and the open one, shared by all layouts in lines.
struct LineRun {
    var frames = LineFrames()
    var open: OpenLine
    /// The start of the open line, from the run's base, in device pixels.
    var top: Int64
    /// Whether the open section has an item.
    var hasItems: Bool
    let lineSpacing: Int64
    private(set) var leastTop: Int64?
    private(set) var greatestEnd: Int64 = 0
    private(set) var thickestLine: Int64 = 0

    /// Begins a run; reserves room for three photos to a line, because growing would copy all lines.
    init(_ fold: ChunkFold, from line: OpenLine) {
        open = line
        hasItems = fold.hasItems
        lineSpacing = fold.lineSpacing
        // The origin is one line spacing below the base.
        top = fold.lineSpacing
        frames.lines.reserveCapacity(fold.items.count / 3)
    }

    mutating func openSection(at origin: Int64) {
        (top, hasItems, open) = (origin, false, OpenLine())
    }

    /// The end of the section's items if no line is open.
    var sectionEnd: Int64 { hasItems ? top - lineSpacing : top }

    /// Closes the open line.
    ///
    /// - Parameters:
    ///   - extent: The extent in its record.
    ///   - thickness: Its thickness along the scroll axis, captions included.
    ///   - flags: The flags of its record.
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
            state: state, hasItems: hasItems, origin: top, frames: frames, leastTop: leastTop ?? top,
            greatestEnd: leastTop == nil ? top : greatestEnd, longestItem: thickestLine)
    }
}

/// The state of a layout in lines between two items: the line that is not full yet.
///
/// Its items are placed by the run that closes it, which needs only these sums.
struct OpenLine: LineState {
    /// The number of items in the line.
    var count = 0
    /// The sum of the items' lengths: device pixels in a flow, ratios in a justified layout.
    var length: UInt64 = 0
    /// The number of items with a caption.
    var captionCount = 0
    /// The maximum extent of a picture along the scroll axis, and of a picture with a caption, in device pixels; flow
    /// only.
    var thickest: Int64 = 0
    var thickestWithCaption: Int64 = 0
    /// The extent of the pictures in the line before, in device pixels, or 0 for none; justified only.
    var previousExtent: Int64 = 0
    /// The number of closed lines of the section, modulo the period of breakouts; justified only.
    var closedLines = 0

    /// An empty line at the start of a section.
    init() {}

    var line: OpenLine { self }
    var content: StateContent { .line(self) }
    var pendingCount: Int { count }

    /// The line before its first item.
    var withoutPending: OpenLine {
        var line = OpenLine()
        (line.previousExtent, line.closedLines) = (previousExtent, closedLines)
        return line
    }

    /// Appends the line as bytes.
    func encode(into bytes: inout [UInt8]) {
        for value in [
            UInt64(count), length, UInt64(captionCount), UInt64(thickest), UInt64(thickestWithCaption),
            UInt64(previousExtent), UInt64(closedLines),
        ] {
            bytes.appendVariableLength(value)
        }
    }

    /// Reads a line from the start of bytes.
    ///
    /// - Throws: ``LayoutError/invalidState`` if the bytes are not a line.
    init(decoding rest: inout ArraySlice<UInt8>) throws(LayoutError) {
        var values: [UInt64] = []
        for _ in 0..<7 {
            guard let value = rest.popVariableLength(), value < 1 << 53 else { throw .invalidState }
            values.append(value)
        }
        guard values[0] < 1 << 24, values[2] <= values[0], values[6] <= 1_000_000 else { throw .invalidState }
        (count, length, captionCount) = (Int(values[0]), values[1], Int(values[2]))
        (thickest, thickestWithCaption) = (Int64(values[3]), Int64(values[4]))
        (previousExtent, closedLines) = (Int64(values[5]), Int(values[6]))
    }
}
