import PhotoStreamModel

/// The checksum of a row of a derived table: 64 bits over its key and all of its values.
///
/// A row with a wrong checksum is ignored and rebuilt from the photos. A change of a single number is always detected;
/// other changes go undetected once in 2^64 times. The checksum protects against damage and against other programs'
/// writes, but not against a writer that computes checksums too.
///
/// Each number takes one step of XXH64; each text or blob takes a whole XXH64 with the sum so far as its seed.
/// Source: Yann Collet, "xxHash fast digest algorithm", version 0.1.1, `doc/xxhash_spec.md` of xxHash 0.8.
package struct RowChecksum {
    /// The kind of a row.
    ///
    /// The checksum of one kind is never valid for another.
    enum Kind: UInt64 {
        case streamIndex = 1
        case chunk, chunkMetrics, chunkRowIDs, chunkPositions, layout, layoutChunk, layoutFrames, wordIndex,
            chunkAttributes
    }

    private var sum: UInt64

    /// Starts the checksum of a row.
    init(_ kind: Kind) {
        sum = kind.rawValue &* XXH64.prime5
    }

    /// The checksum of the added values, as stored.
    var value: Int64 { Int64(bitPattern: XXH64.avalanche(sum)) }

    /// Adds a number.
    mutating func add(_ number: Int64) {
        sum = XXH64.adding(UInt64(bitPattern: number), to: sum)
    }

    /// Adds a number or `nil`.
    mutating func add(optional number: Int64?) {
        add(number == nil ? 0 : 1)
        add(number ?? 0)
    }

    /// Adds bytes and their count.
    mutating func add(_ bytes: [UInt8]) {
        sum = unsafe bytes.withUnsafeBytes { unsafe XXH64.hash($0, seed: sum) }
    }

    /// Adds a text.
    mutating func add(_ text: String) {
        add(Array(text.utf8))
    }
}

/// XXH64, a 64-bit hash that reads 32 bytes at a time.
enum XXH64 {
    private static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
    private static let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
    private static let prime3: UInt64 = 0x1656_67B1_9E37_79F9
    private static let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
    static let prime5: UInt64 = 0x27D4_EB2F_1656_67C5

    /// Returns the hash of some bytes.
    static func hash(_ bytes: UnsafeRawBufferPointer, seed: UInt64) -> UInt64 {
        var (sum, offset) = (seed &+ prime5, 0)
        if bytes.count >= 32 {
            var lanes = (seed &+ prime1 &+ prime2, seed &+ prime2, seed, seed &- prime1)
            while offset + 32 <= bytes.count {
                lanes.0 = unsafe round(lanes.0, adding: word(of: bytes, at: offset))
                lanes.1 = unsafe round(lanes.1, adding: word(of: bytes, at: offset + 8))
                lanes.2 = unsafe round(lanes.2, adding: word(of: bytes, at: offset + 16))
                lanes.3 = unsafe round(lanes.3, adding: word(of: bytes, at: offset + 24))
                offset += 32
            }
            sum =
                rotated(lanes.0, by: 1) &+ rotated(lanes.1, by: 7) &+ rotated(lanes.2, by: 12)
                &+ rotated(lanes.3, by: 18)
            for lane in [lanes.0, lanes.1, lanes.2, lanes.3] {
                sum = (sum ^ round(0, adding: lane)) &* prime1 &+ prime4
            }
        }
        sum &+= UInt64(bytes.count)
        while offset + 8 <= bytes.count {
            sum = unsafe adding(word(of: bytes, at: offset), to: sum)
            offset += 8
        }
        if offset + 4 <= bytes.count {
            let half = unsafe UInt64(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
            sum = rotated(sum ^ half &* prime1, by: 23) &* prime2 &+ prime3
            offset += 4
        }
        while offset < bytes.count {
            sum = unsafe rotated(sum ^ UInt64(bytes[offset]) &* prime5, by: 11) &* prime1
            offset += 1
        }
        return avalanche(sum)
    }

    /// Adds eight bytes.
    @inline(__always)
    static func adding(_ word: UInt64, to sum: UInt64) -> UInt64 {
        rotated(sum ^ round(0, adding: word), by: 27) &* prime1 &+ prime4
    }

    /// Spreads each bit over all of them.
    static func avalanche(_ sum: UInt64) -> UInt64 {
        var sum = (sum ^ sum >> 33) &* prime2
        sum = (sum ^ sum >> 29) &* prime3
        return sum ^ sum >> 32
    }

    @inline(__always)
    private static func round(_ lane: UInt64, adding word: UInt64) -> UInt64 {
        rotated(lane &+ word &* prime2, by: 31) &* prime1
    }

    @inline(__always)
    private static func rotated(_ number: UInt64, by count: UInt64) -> UInt64 {
        number << count | number >> (64 - count)
    }

    @inline(__always)
    private static func word(of bytes: UnsafeRawBufferPointer, at offset: Int) -> UInt64 {
        unsafe UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
}
