/// Bytes as text that needs no escape in an address.
///
/// Source: RFC 4648, section 5; without padding.
enum Base64URL {
    /// Writes bytes as text.
    static func encoded(_ bytes: [UInt8]) -> String {
        let count = (bytes.count * 4 + 2) / 3
        return String(unsafeUninitializedCapacity: count) { buffer in
            var (next, bits, bitCount): (Int, UInt32, Int) = (0, 0, 0)
            for byte in bytes {
                bits = bits << 8 | UInt32(byte)
                bitCount += 8
                while bitCount >= 6 {
                    bitCount -= 6
                    buffer[next] = alphabet[Int(bits >> UInt32(bitCount) & 63)]
                    next += 1
                }
            }
            if bitCount > 0 {
                buffer[next] = alphabet[Int(bits << UInt32(6 - bitCount) & 63)]
                next += 1
            }
            return next
        }
    }

    /// Reads text.
    ///
    /// - Returns: `nil` for what ``encoded(_:)`` never writes: so different texts are different bytes.
    static func decoded(_ text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count * 3 / 4)
        var (bits, bitCount): (UInt32, Int) = (0, 0)
        for character in text.utf8 {
            let value = values[Int(character)]
            guard value < 64 else { return nil }
            bits = bits << 6 | UInt32(value)
            bitCount += 6
            if bitCount >= 8 {
                bitCount -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(bitCount)))
            }
        }
        // A whole character that carries no byte, or bits behind the last byte, are another spelling.
        guard bitCount < 6, bits & (1 << UInt32(bitCount) - 1) == 0 else { return nil }
        return bytes
    }

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// What each character stands for; 64 for what is none.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 64, count: 256)
        for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
        return values
    }()
}
