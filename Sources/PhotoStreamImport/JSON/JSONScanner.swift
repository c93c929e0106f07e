/// A pull parser for one record in valid UTF-8.
///
/// It validates everything that it skips against RFC 8259, and builds nothing.
struct JSONScanner {
    let bytes: Bytes
    /// The offset of the next token, after blanks are skipped.
    private(set) var offset: Int
    /// Values that are nested deeper are rejected.
    private let maximumDepth: Int

    init(_ bytes: Bytes, from offset: Int = 0, maximumDepth: Int = JSONProblem.maximumDepth) {
        self.bytes = bytes
        self.offset = offset
        self.maximumDepth = maximumDepth
    }

    /// Returns the next byte that is not white space, or `nil` at the end.
    @inline(__always)
    mutating func peek() -> UInt8? {
        while offset < bytes.count {
            let byte = bytes[offset]
            if !byte.isBlank { return byte }
            offset += 1
        }
        return nil
    }

    /// Returns the next byte that is not white space.
    @inline(__always)
    mutating func next() throws(JSONProblem) -> UInt8 {
        guard let byte = peek() else { throw JSONProblem(kind: .endsEarly, offset: bytes.count) }
        return byte
    }

    /// Steps over the byte that ``peek()`` returned.
    @inline(__always)
    mutating func step() { offset += 1 }

    func problem(_ kind: JSONProblem.Kind) -> JSONProblem { JSONProblem(kind: kind, offset: offset) }

    /// Skips a value, and returns its kind and range.
    mutating func skipValue(depth: Int) throws(JSONProblem) -> FieldValue {
        let first = try next()
        let start = offset
        let kind: FieldValue.Kind
        switch first {
        case .quote:
            let hasEscapes = try skipString()
            return FieldValue(hasEscapes ? .escapedText : .text, from: start + 1, to: offset - 1)
        case UInt8(ascii: "{"):
            try skipObject(depth: depth)
            kind = .object
        case UInt8(ascii: "["):
            try skipArray(depth: depth)
            kind = .array
        case UInt8(ascii: "t"): kind = try skip("true", as: .true)
        case UInt8(ascii: "f"): kind = try skip("false", as: .false)
        case UInt8(ascii: "n"): kind = try skip("null", as: .null)
        default:
            guard first == UInt8(ascii: "-") || first.isDigit else { throw problem(.badLiteral) }
            try skipNumber()
            kind = .number
        }
        return FieldValue(kind, from: start, to: offset)
    }

    private mutating func skipObject(depth: Int) throws(JSONProblem) {
        try readObject(depth: depth) { scanner, _ throws(JSONProblem) in
            _ = try scanner.skipValue(depth: depth + 1)
        }
    }

    private mutating func skipArray(depth: Int) throws(JSONProblem) {
        try readArray(depth: depth) { scanner throws(JSONProblem) in _ = try scanner.skipValue(depth: depth + 1) }
    }

    /// Reads an object as the only value of the bytes; see ``readObject(depth:member:)``.
    @inline(__always)
    mutating func readOnlyObject(
        member: (inout JSONScanner, FieldValue) throws(JSONProblem) -> Void
    ) throws(JSONProblem) {
        guard try next() == UInt8(ascii: "{") else {
            let start = offset
            _ = try skipValue(depth: 0)
            throw JSONProblem(kind: .notAnObject, offset: start)
        }
        try readObject(depth: 0, member: member)
        guard peek() == nil else { throw problem(.textAfterRecord) }
    }

    /// Reads an object from its opening bracket on.
    ///
    /// Calls `member` with each key, to skip the value after it.
    @inline(__always)
    mutating func readObject(
        depth: Int, member: (inout JSONScanner, FieldValue) throws(JSONProblem) -> Void
    ) throws(JSONProblem) {
        guard depth < maximumDepth else { throw problem(.tooDeep) }
        step()
        guard try next() != UInt8(ascii: "}") else { return step() }
        repeat {
            let key = try skipKey()
            try member(&self, key)
        } while try continues(to: UInt8(ascii: "}"), else: .expectedCommaOrBrace)
    }

    /// Reads an array from its opening bracket on.
    ///
    /// Calls `element` to skip each element.
    @inline(__always)
    mutating func readArray(
        depth: Int, element: (inout JSONScanner) throws(JSONProblem) -> Void
    ) throws(JSONProblem) {
        guard depth < maximumDepth else { throw problem(.tooDeep) }
        step()
        guard try next() != UInt8(ascii: "]") else { return step() }
        repeat { try element(&self) } while try continues(to: UInt8(ascii: "]"), else: .expectedCommaOrBracket)
    }

    /// Skips a key and its colon, and returns the key.
    @inline(__always)
    mutating func skipKey() throws(JSONProblem) -> FieldValue {
        guard try next() == .quote else { throw problem(.expectedKey) }
        let start = offset
        let hasEscapes = try skipString()
        let key = FieldValue(hasEscapes ? .escapedText : .text, from: start + 1, to: offset - 1)
        guard try next() == UInt8(ascii: ":") else { throw problem(.expectedColon) }
        step()
        return key
    }

    /// Skips a comma, or the closing bracket, which ends the loop.
    @inline(__always)
    private mutating func continues(to end: UInt8, else kind: JSONProblem.Kind) throws(JSONProblem) -> Bool {
        let byte = try next()
        guard byte == UInt8(ascii: ",") || byte == end else { throw problem(kind) }
        step()
        return byte != end
    }

    private mutating func skip(_ literal: StaticString, as kind: FieldValue.Kind) throws(JSONProblem) -> FieldValue.Kind
    {
        let start = offset
        for step in 0..<literal.utf8CodeUnitCount {
            guard start + step < bytes.count else { throw JSONProblem(kind: .endsEarly, offset: bytes.count) }
            guard unsafe bytes[start + step] == literal.utf8Start[step] else { throw problem(.badLiteral) }
        }
        offset += literal.utf8CodeUnitCount
        return kind
    }

    private mutating func skipNumber() throws(JSONProblem) {
        let start = offset
        if bytes[offset] == UInt8(ascii: "-") { offset += 1 }
        if offset < bytes.count, bytes[offset] == UInt8(ascii: "0") {
            offset += 1
            if offset < bytes.count, bytes[offset].isDigit {
                throw JSONProblem(kind: .badNumber, offset: start)
            }
        } else {
            try skipDigits(from: start)
        }
        if offset < bytes.count, bytes[offset] == UInt8(ascii: ".") {
            offset += 1
            try skipDigits(from: start)
        }
        if offset < bytes.count, bytes[offset] | 0x20 == UInt8(ascii: "e") {
            offset += 1
            if offset < bytes.count, bytes[offset] == UInt8(ascii: "+") || bytes[offset] == UInt8(ascii: "-") {
                offset += 1
            }
            try skipDigits(from: start)
        }
    }

    private mutating func skipDigits(from start: Int) throws(JSONProblem) {
        let first = offset
        while offset < bytes.count, bytes[offset].isDigit { offset += 1 }
        guard offset > first else {
            throw JSONProblem(
                kind: offset < bytes.count ? .badNumber : .endsEarly, offset: offset < bytes.count ? start : offset)
        }
    }

    /// Moves to another offset.
    @inline(__always)
    mutating func move(to offset: Int) { self.offset = offset }
}
