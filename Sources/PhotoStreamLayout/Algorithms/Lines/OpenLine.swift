/// The state of a layout in lines between two items: the line that is not full yet.
///
/// Its items are not placed before it is closed, by whichever run does that; what that run needs of them is here.
struct OpenLine: LineState {
    /// The number of items that wait in it.
    var count = 0
    /// The sum of what its items take of the line: device pixels in a flow, ratios in a justified layout.
    var length: UInt64 = 0
    /// The number of them that have a caption.
    var captionCount = 0
    /// The greatest extent of a picture along the scroll axis, and that of a picture with a caption, in device pixels;
    /// flow only.
    var thickest: Int64 = 0
    var thickestWithCaption: Int64 = 0
    /// The picture's extent in the line before, in device pixels, or 0 for none; justified only.
    var previousExtent: Int64 = 0
    /// The number of closed lines of the section, as far as that matters; justified only.
    var closedLines = 0

    /// An empty line at the start of a section.
    init() {}

    var line: OpenLine { self }
    var pendingCount: Int { count }

    /// The empty line that the open one was.
    var withoutPending: OpenLine {
        var line = OpenLine()
        (line.previousExtent, line.closedLines) = (previousExtent, closedLines)
        return line
    }

    /// Adds it as bytes.
    func encode(into bytes: inout [UInt8]) {
        for value in [
            UInt64(count), length, UInt64(captionCount), UInt64(thickest), UInt64(thickestWithCaption),
            UInt64(previousExtent), UInt64(closedLines),
        ] {
            bytes.appendVariableLength(value)
        }
    }

    /// Takes a line off the front of bytes.
    ///
    /// - Throws: ``LayoutError/invalidState`` when they are none.
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
