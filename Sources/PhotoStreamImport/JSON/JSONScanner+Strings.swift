import PhotoStreamModel

extension JSONScanner {
    /// Skips a string from its opening quote, and returns whether it contains escapes.
    ///
    /// Escapes are validated.
    @inline(__always)
    mutating func skipString() throws(JSONProblem) -> Bool {
        let stop = bytes.offsetOfStringStop(from: offset + 1)
        guard stop < bytes.count, bytes[stop] == .quote else { return try skipRestOfString(from: stop) }
        move(to: stop + 1)
        return false
    }

    private mutating func skipRestOfString(from start: Int) throws(JSONProblem) -> Bool {
        var stop = start
        var hasEscapes = false
        while stop < bytes.count {
            switch bytes[stop] {
            case .quote:
                move(to: stop + 1)
                return hasEscapes
            case .backslash:
                hasEscapes = true
                stop = bytes.offsetOfStringStop(from: try endOfEscape(at: stop))
            default: throw JSONProblem(kind: .controlCharacter, offset: stop)
            }
        }
        throw JSONProblem(kind: .endsEarly, offset: bytes.count)
    }

    private func endOfEscape(at start: Int) throws(JSONProblem) -> Int {
        guard start + 1 < bytes.count else { throw JSONProblem(kind: .endsEarly, offset: bytes.count) }
        guard bytes[start + 1] == UInt8(ascii: "u") else {
            guard #""\/bfnrt"#.utf8.contains(bytes[start + 1]) else {
                throw JSONProblem(kind: .badEscape, offset: start)
            }
            return start + 2
        }
        let unit = try codeUnit(at: start)
        guard unit & 0xF800 == 0xD800 else { return start + 6 }
        guard unit < 0xDC00 else { throw JSONProblem(kind: .loneSurrogate, offset: start) }
        guard start + 7 < bytes.count else { throw JSONProblem(kind: .endsEarly, offset: bytes.count) }
        guard bytes[start + 6] == .backslash, bytes[start + 7] == UInt8(ascii: "u"),
            try codeUnit(at: start + 6) & 0xFC00 == 0xDC00
        else { throw JSONProblem(kind: .loneSurrogate, offset: start) }
        return start + 12
    }

    private func codeUnit(at start: Int) throws(JSONProblem) -> UInt32 {
        var unit: UInt32 = 0
        for offset in (start + 2)..<(start + 6) {
            guard offset < bytes.count else { throw JSONProblem(kind: .endsEarly, offset: bytes.count) }
            guard let digit = bytes[offset].hexDigitValue else { throw JSONProblem(kind: .badEscape, offset: start) }
            unit = unit << 4 | UInt32(digit)
        }
        return unit
    }
}

extension Bytes {
    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highBits: UInt64 = 0x8080_8080_8080_8080

    /// Returns the offset of the first quote, backslash or control character, or the count.
    ///
    /// Reads eight bytes at a time. Source of the test for a zero byte: Alan Mycroft, comp.arch, 1987.
    @inline(__always)
    func offsetOfStringStop(from start: Int) -> Int {
        var offset = start
        while offset + 8 <= count {
            let word = word(at: offset)
            let quotes = word ^ (Self.ones &* UInt64(UInt8.quote))
            let backslashes = word ^ (Self.ones &* UInt64(UInt8.backslash))
            let hits =
                ((quotes &- Self.ones) & ~quotes | (backslashes &- Self.ones) & ~backslashes
                    | (word &- Self.ones &* 0x20) & ~word) & Self.highBits
            if hits != 0 { return offset + hits.trailingZeroBitCount / 8 }
            offset += 8
        }
        while offset < count {
            let byte = self[offset]
            if byte == .quote || byte == .backslash || byte < 0x20 { break }
            offset += 1
        }
        return offset
    }

    /// Returns the offset of the first quote or backslash, or the count.
    func offsetOfQuoteOrBackslash(from start: Int) -> Int {
        var offset = offsetOfStringStop(from: start)
        while offset < count, self[offset] != .quote, self[offset] != .backslash {
            offset = offsetOfStringStop(from: offset + 1)
        }
        return offset
    }
}
