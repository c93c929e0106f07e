/// The key of a picture's thumbnails: equal for equal files in the same orientation.
///
/// Its text has 22 characters, the base64url alphabet of RFC 4648 without padding.
public struct PictureKey: Hashable, Sendable, CustomStringConvertible {
    /// The number of bytes.
    public static let byteCount = 16

    private let high: UInt64
    private let low: UInt64

    /// Creates a key from its 16 bytes; `nil` for another number of bytes.
    ///
    /// Not generic: a page reads a hundred of them, and other modules would run an unspecialized copy.
    public init?(bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        (high, low) = (number(bytes.prefix(8)), number(bytes.dropFirst(8)))
    }

    /// Reads ``description``; `nil` for any other text.
    public init?(_ text: String) {
        var bits: [UInt8] = []
        bits.reserveCapacity(Self.byteCount)
        var (value, bitCount): (UInt32, UInt32) = (0, 0)
        for character in text.utf8 {
            guard let digit = Self.alphabet.firstIndex(of: character), bits.count < Self.byteCount else { return nil }
            value = value << 6 | UInt32(digit)
            bitCount += 6
            guard bitCount >= 8 else { continue }
            bitCount -= 8
            bits.append(UInt8(truncatingIfNeeded: value >> bitCount))
            value &= 1 << bitCount - 1
        }
        // The last character has four bits too many, which must be 0: each key has one text.
        guard bitCount == 4, value == 0 else { return nil }
        self.init(bytes: bits)
    }

    /// The bytes.
    public var bytes: [UInt8] {
        [high, low].flatMap { number in (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) } }
    }

    /// The text.
    public var description: String {
        var text: [UInt8] = []
        text.reserveCapacity(22)
        var (value, bitCount): (UInt32, UInt32) = (0, 0)
        for byte in bytes + [0] where text.count < 22 {
            value = value << 8 | UInt32(byte)
            bitCount += 8
            while bitCount >= 6, text.count < 22 {
                bitCount -= 6
                text.append(Self.alphabet[Int(value >> bitCount)])
                value &= 1 << bitCount - 1
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
}
