import PhotoStreamLayout
import PhotoStreamModel

/// Builds a cursor's payload: integers in eight bytes, the lowest first; texts after their length.
struct ByteWriter {
    private(set) var bytes: [UInt8]

    /// Begins with the members of every cursor.
    init(kind: UInt8, streamID: Int64, layoutKey: LayoutKey) {
        bytes = [kind]
        append(streamID)
        let text = layoutKey.description
        append(Int64(text.utf8.count))
        append(Array(text.utf8))
    }

    mutating func append(_ value: Int64) {
        bytes.append(littleEndian: value)
    }

    mutating func append(_ place: OrderKey) {
        append(place.time)
        append(place.rank)
    }

    mutating func append(_ revision: Revision) {
        append(revision.rawValue)
        append(revision.tag ?? 0)
    }

    mutating func append(_ more: [UInt8]) {
        bytes += more
    }
}

/// Parses a cursor's payload; every function returns `nil` if the bytes end early.
struct ByteReader {
    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) {
        rest = bytes[...]
    }

    mutating func byte() -> UInt8? { rest.popFirst() }

    mutating func integer() -> Int64? {
        guard rest.count >= 8 else { return nil }
        defer { rest = rest.dropFirst(8) }
        return Array(rest.prefix(8)).littleEndian(Int64.self, at: 0)
    }

    mutating func orderKey() -> OrderKey? {
        guard let time = integer(), let rank = integer() else { return nil }
        return OrderKey(time: time, rank: rank)
    }

    mutating func revision() -> Revision? {
        guard let number = integer(), let tag = integer() else { return nil }
        return Revision(number, tag: tag)
    }

    mutating func text() -> String? {
        guard let count = integer(), count >= 0, count <= Int64(rest.count) else { return nil }
        defer { rest = rest.dropFirst(Int(count)) }
        return String(decoding: rest.prefix(Int(count)), as: UTF8.self)
    }
}

/// Bytes as text that needs no escape in an address.
///
/// Source: RFC 4648, section 5; without padding.
enum Base64URL {
    /// Writes bytes as text.
    static func encoded(_ bytes: [UInt8]) -> String {
        var characters: [UInt8] = []
        characters.reserveCapacity((bytes.count * 4 + 2) / 3)
        var (bits, bitCount): (UInt32, Int) = (0, 0)
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            bitCount += 8
            while bitCount >= 6 {
                bitCount -= 6
                characters.append(alphabet[Int(bits >> UInt32(bitCount) & 63)])
            }
        }
        if bitCount > 0 { characters.append(alphabet[Int(bits << UInt32(6 - bitCount) & 63)]) }
        return String(decoding: characters, as: UTF8.self)
    }

    /// Reads text.
    ///
    /// - Returns: `nil` for a text that ``encoded(_:)`` never writes, so that different texts are different bytes.
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
        // A whole character that carries no byte, or bits after the last byte, would be another spelling of the same
        // bytes.
        guard bitCount < 6, bits & (1 << UInt32(bitCount) - 1) == 0 else { return nil }
        return bytes
    }

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// The value of each character; 64 for all others.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 64, count: 256)
        for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
        return values
    }()
}
