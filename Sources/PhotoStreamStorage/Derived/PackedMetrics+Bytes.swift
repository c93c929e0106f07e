import PhotoStreamModel

// As bytes: eight for each photo, little-endian; positions apart, eight for each photo or nothing at all.
extension PackedMetrics {
    var encodedPositions: [UInt8] {
        guard positions.contains(where: { $0 != WorldPosition.nowhere }) else { return [] }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(8 * count)
        for position in positions { bytes.append(littleEndian: position) }
        return bytes
    }

    var encoded: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(8 * count)
        for word in words { bytes.append(littleEndian: word) }
        return bytes
    }

    /// Reads metrics; fails when the bytes do not hold so many, or a side is zero, which a layout would divide by.
    ///
    /// - Parameters:
    ///   - bytes: The metrics but for positions.
    ///   - positions: The positions; none where they are not asked for.
    ///   - count: How many photos there are.
    init?(decoding bytes: [UInt8], positions: [UInt8] = [], count: Int) {
        guard bytes.count == 8 * count, positions.isEmpty || positions.count == 8 * count else { return nil }
        self.init(
            words: [UInt64](littleEndian: bytes, count: count),
            positions: [UInt64](littleEndian: positions, count: positions.count / 8))
        let (mask, bits) = (Self.sideMask, UInt64(Self.sideBitCount))
        guard words.allSatisfy({ $0 & mask != 0 && $0 >> bits & mask != 0 }) else { return nil }
    }
}
