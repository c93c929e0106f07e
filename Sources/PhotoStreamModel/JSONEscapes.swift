/// The escape sequences of texts in JSON.
///
/// Source: RFC 8259, section 7.
package enum JSONEscapes {
    /// Returns a text without its escape sequences.
    ///
    /// Not by Foundation, whose decoders drop a U+FEFF at the beginning of a text.
    ///
    /// - Parameter written: The bytes between the quotation marks.
    /// - Returns: The text; `nil` if a sequence is unknown or incomplete, half of a surrogate pair is alone, a control character
    ///   or a quotation mark is not escaped, or the bytes are not UTF-8.
    /// - Complexity: O(bytes).
    package static func decoded(_ written: some Collection<UInt8>) -> String? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(written.count)
        var rest = written.makeIterator()
        while let byte = rest.next() {
            guard byte >= 0x20, byte != UInt8(ascii: "\"") else { return nil }
            guard byte == UInt8(ascii: "\\") else {
                bytes.append(byte)
                continue
            }
            guard let sign = rest.next() else { return nil }
            if sign == UInt8(ascii: "u") {
                guard let scalar = scalar(&rest), let encoded = UTF8.encode(scalar) else { return nil }
                bytes += encoded
            } else {
                guard let character = characters[sign] else { return nil }
                bytes.append(character)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    /// The bytes that single letters and signs stand for.
    private static let characters: [UInt8: UInt8] = [
        UInt8(ascii: "\""): UInt8(ascii: "\""), UInt8(ascii: "\\"): UInt8(ascii: "\\"),
        UInt8(ascii: "/"): UInt8(ascii: "/"), UInt8(ascii: "b"): 0x08, UInt8(ascii: "f"): 0x0C,
        UInt8(ascii: "n"): 0x0A, UInt8(ascii: "r"): 0x0D, UInt8(ascii: "t"): 0x09,
    ]

    /// Reads the digits after `\u`, and the second half of a pair.
    private static func scalar(_ bytes: inout some IteratorProtocol<UInt8>) -> Unicode.Scalar? {
        guard let first = codeUnit(&bytes) else { return nil }
        guard first & 0xFC00 == 0xD800 else { return Unicode.Scalar(first) }
        guard bytes.next() == UInt8(ascii: "\\"), bytes.next() == UInt8(ascii: "u"), let second = codeUnit(&bytes),
            second & 0xFC00 == 0xDC00
        else { return nil }
        return Unicode.Scalar(0x1_0000 + (first & 0x3FF) << 10 + second & 0x3FF)
    }

    private static func codeUnit(_ bytes: inout some IteratorProtocol<UInt8>) -> UInt32? {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = bytes.next(), let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else {
                return nil
            }
            value = value << 4 | UInt32(digit)
        }
        return value
    }
}
