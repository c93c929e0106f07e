/// The line and column of an offset in a source.
struct TextPosition: Equatable {
    private(set) var line = 1
    private(set) var column = 1
    /// Whether the last byte was a CR: an LF that follows belongs to the same line ending.
    private var endedInCarriageReturn = false

    /// Advances over bytes of the source.
    mutating func advance(over bytes: Bytes) {
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

    /// Advances over a whole line, including its line ending, without scanning it.
    mutating func advance(overLine bytes: Bytes) {
        // The LF of a CR LF whose CR has been counted does not end a second line.
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
    /// Whether it is a continuation byte of UTF-8.
    @inline(__always)
    var isContinuation: Bool { self & 0xC0 == 0x80 }
}
