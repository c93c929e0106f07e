import PhotoStreamModel

// As bytes: eight for each photo, little-endian.
extension PackedMetrics {
    var encoded: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(8 * count)
        for word in words { bytes.append(littleEndian: word) }
        return bytes
    }

    /// - Returns: `nil` when the bytes do not hold so many metrics.
    init?(decoding bytes: [UInt8], count: Int) {
        guard bytes.count == 8 * count else { return nil }
        self.init(words: (0..<count).map { bytes.littleEndian(UInt64.self, at: 8 * $0) })
    }
}
