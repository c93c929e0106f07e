import PhotoStreamModel

// As bytes: eight for each photo, little-endian.
extension PackedMetrics {
    var encoded: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(8 * count)
        for word in words { bytes.append(littleEndian: word) }
        return bytes
    }

    /// - Returns: `nil` when the bytes do not hold so many metrics, or a side is zero, which a layout would divide by.
    init?(decoding bytes: [UInt8], count: Int) {
        guard bytes.count == 8 * count else { return nil }
        self.init(words: (0..<count).map { bytes.littleEndian(UInt64.self, at: 8 * $0) })
        let (mask, bits) = (Self.sideMask, UInt64(Self.sideBitCount))
        guard words.allSatisfy({ $0 & mask != 0 && $0 >> bits & mask != 0 }) else { return nil }
    }
}
