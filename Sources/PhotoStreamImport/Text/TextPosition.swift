/// A line and a column that follow the bytes of a source.
struct TextPosition: Equatable {
    private(set) var line = 1
    private(set) var column = 1
    /// A CR was the last byte: an LF that follows belongs to the same line end.
    private var endedInCarriageReturn = false

    /// Steps over bytes of the source.
    mutating func advance(over bytes: UnsafeRawBufferPointer) {
        if endedInCarriageReturn || bytes.firstOffset(of: .carriageReturn) != nil {
            for byte in bytes { advance(over: byte) }
            return
        }
        var lineStart = 0
        while let lineFeed = bytes.firstOffset(of: .lineFeed, from: lineStart) {
            line += 1
            column = 1
            lineStart = lineFeed + 1
        }
        for byte in bytes[lineStart...] where !byte.isContinuation { column += 1 }
    }

    /// Steps over one whole line with its line end, without looking at it.
    mutating func advance(overLine bytes: UnsafeRawBufferPointer) {
        // The LF of a CR that was stepped over already ends no second line.
        guard !endedInCarriageReturn else { return advance(over: bytes) }
        line += 1
        column = 1
    }

    private mutating func advance(over byte: UInt8) {
        if byte == .lineFeed {
            if !endedInCarriageReturn { line += 1 }
            column = 1
        } else if byte == .carriageReturn {
            line += 1
            column = 1
        } else if !byte.isContinuation {
            column += 1
        }
        endedInCarriageReturn = byte == .carriageReturn
    }
}

extension UInt8 {
    /// Whether it is the second or a later byte of a scalar in UTF-8.
    @inline(__always)
    var isContinuation: Bool { self & 0xC0 == 0x80 }
}
