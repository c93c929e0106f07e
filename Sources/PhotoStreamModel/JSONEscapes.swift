/// The escape sequences of texts in JSON.
///
/// Source: RFC 8259, section 7.
package enum JSONEscapes {
    /// Returns a text without its escape sequences.
    ///
    /// Foundation's decoders would drop a U+FEFF at the beginning of a text.
    ///
    /// - Parameter written: The bytes between the quotation marks.
    /// - Returns: The text; `nil` if a sequence is unknown or incomplete, half of a surrogate pair is alone, a control character
    ///   or a quotation mark is not escaped, or the bytes are not UTF-8.
    /// - Complexity: O(bytes).
    package static func decoded(_ written: some Collection<UInt8>) -> String? {
        decodedBytes(written).flatMap { String(validating: $0, as: UTF8.self) }
    }

    /// Returns the bytes of a text without its escape sequences; `nil` as in ``decoded(_:)``, but for bytes that are not UTF-8.
    @inlinable
    package static func decodedBytes(_ written: some Collection<UInt8>) -> [UInt8]? {
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
                guard let character = character(escapedBy: sign) else { return nil }
                bytes.append(character)
            }
        }
        return bytes
    }

    @usableFromInline
    static func character(escapedBy sign: UInt8) -> UInt8? {
        switch sign {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): sign
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        default: nil
        }
    }

    /// Reads the digits after `\u`, and the second half of a pair.
    @inlinable
    static func scalar(_ bytes: inout some IteratorProtocol<UInt8>) -> Unicode.Scalar? {
        guard let first = codeUnit(&bytes) else { return nil }
        guard first & 0xFC00 == 0xD800 else { return Unicode.Scalar(first) }
        guard bytes.next() == UInt8(ascii: "\\"), bytes.next() == UInt8(ascii: "u"), let second = codeUnit(&bytes),
            second & 0xFC00 == 0xDC00
        else { return nil }
        return Unicode.Scalar(0x1_0000 + (first & 0x3FF) << 10 + second & 0x3FF)
    }

    @inlinable
    static func codeUnit(_ bytes: inout some IteratorProtocol<UInt8>) -> UInt32? {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = bytes.next()?.hexDigitValue else { return nil }
            value = value << 4 | UInt32(digit)
        }
        return value
    }
}

extension UInt8 {
    /// The value of a hexadecimal digit.
    @inlinable package var hexDigitValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
