/// The escape sequences of addresses: a percent sign and two hexadecimal digits stand for a byte.
///
/// Texts are bytes here, as they are to SQLite and to file systems. Foundation's decoders drop a U+FEFF at the beginning of a
/// text, so that two ids have one address, and Swift's strings take a sign and a combining mark after it for one character.
///
/// Source: RFC 3986, section 2.
package enum PercentEscapes {
    /// Returns a text without its escape sequences.
    ///
    /// - Parameters:
    ///   - text: The text, as an address has it.
    ///   - plusIsSpace: Whether a plus sign stands for a space, as in queries.
    ///   - isRefused: Whether an escaped byte makes the text invalid.
    /// - Returns: The text; `nil` if a sequence is incomplete or refused, or the bytes are not UTF-8.
    /// - Complexity: O(bytes).
    package static func decoded(
        _ text: some StringProtocol, plusIsSpace: Bool = false, refusing isRefused: (UInt8) -> Bool = { _ in false }
    ) -> String? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        var encoded = text.utf8.makeIterator()
        while let byte = encoded.next() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = encoded.next()?.hexDigitValue, let low = encoded.next()?.hexDigitValue else {
                    return nil
                }
                guard !isRefused(high << 4 | low) else { return nil }
                bytes.append(high << 4 | low)
            case UInt8(ascii: "+") where plusIsSpace: bytes.append(UInt8(ascii: " "))
            default: bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    /// Returns a text as one segment of a path, or as a value of a query: every byte other than those of unreserved characters
    /// is escaped.
    ///
    /// Source: RFC 3986, section 2.3.
    package static func encoded(_ text: String) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if isUnreserved(byte) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static let digits = Array("0123456789ABCDEF".utf8)

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
