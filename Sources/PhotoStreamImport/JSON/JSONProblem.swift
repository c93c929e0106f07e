/// The reason why bytes are not valid JSON, and its offset.
struct JSONProblem: Error, Equatable {
    enum Kind: Equatable {
        case endsEarly
        case notAnObject
        case textAfterRecord
        case tooDeep
        case expectedKey
        case expectedColon
        case expectedCommaOrBrace
        case expectedCommaOrBracket
        case badNumber
        case badLiteral
        case badEscape
        case loneSurrogate
        case controlCharacter
    }

    /// The maximum nesting depth.
    static let maximumDepth = 512

    let kind: Kind
    /// The offset in the record's bytes.
    let offset: Int

    /// Returns the reason as a clause.
    ///
    /// `bytes` is the record, or the value that `noun` names.
    func reason(in bytes: Bytes, calledA noun: String = "record") -> String {
        switch kind {
        case .endsEarly: "the JSON ends early"
        case .notAnObject:
            "the \(noun) is \(Self.nameOfValue(at: offset, in: bytes)), not an object" + guess(bytes)
        case .textAfterRecord: "text follows the \(noun): \(Self.shown(at: offset, in: bytes))"
        case .tooDeep: "the \(noun) is nested deeper than \(Self.maximumDepth) levels"
        case .expectedKey: "a key in quotes is expected, not \(Self.shown(at: offset, in: bytes))"
        case .expectedColon: "a colon is expected after the key, not \(Self.shown(at: offset, in: bytes))"
        case .expectedCommaOrBrace: "a comma or } is expected, not \(Self.shown(at: offset, in: bytes))"
        case .expectedCommaOrBracket: "a comma or ] is expected, not \(Self.shown(at: offset, in: bytes))"
        case .badNumber: "\(Self.shown(at: offset, in: bytes)) is not a JSON number"
        case .badLiteral: "\(Self.shown(at: offset, in: bytes)) is not a JSON value" + guess(bytes)
        case .badEscape: "\(Self.shown(at: offset, in: bytes)) is not a JSON escape"
        case .loneSurrogate: "the escape \(Self.shown(at: offset, in: bytes, limit: 6)) is half of a surrogate pair"
        case .controlCharacter: "a string contains the unescaped control character U+\(Self.hex(bytes[offset]))"
        }
    }

    /// Returns a hint if a record that is not an object looks like a row.
    private func guess(_ bytes: Bytes) -> String {
        guard offset == bytes.firstNonBlankOffset, let first = bytes.trimmedBlanks.first,
            first != UInt8(ascii: "["), bytes.trimmedBlanks.firstOffset(of: UInt8(ascii: "\t")) != nil
        else { return "" }
        return "; it contains tabs, so it may be TSV"
    }

    /// Returns the name of a valid value, judged by its first byte.
    private static func nameOfValue(at offset: Int, in bytes: Bytes) -> String {
        switch bytes[offset] {
        case UInt8(ascii: "["): "an array"
        case .quote: "a string"
        case UInt8(ascii: "t"): "true"
        case UInt8(ascii: "f"): "false"
        case UInt8(ascii: "n"): "null"
        default: "a number"
        }
    }

    /// Returns the text at an offset, up to the next bracket, comma or blank.
    private static func shown(at offset: Int, in bytes: Bytes, limit: Int = 20) -> String {
        var end = offset + 1
        while end < bytes.count, end < offset + limit, !isStop(bytes[end]) { end += 1 }
        while end < bytes.count, bytes[end].isContinuation { end += 1 }
        return "\"" + String(decoding: bytes[offset..<end], as: UTF8.self) + "\""
    }

    private static func isStop(_ byte: UInt8) -> Bool {
        byte.isBlank || byte < 0x20 || #",:"[]{}"#.utf8.contains(byte)
    }

    private static func hex(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16, uppercase: true)
        return String(repeating: "0", count: 4 - digits.count) + digits
    }
}
