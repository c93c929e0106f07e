import PhotoStreamModel

/// The length of a picture across the scroll axis for each pixel of extent along it, in units of 2^-32, to the nearest,
/// ties to even.
///
/// A sum of ratios is exact, whatever the order, and below 2^53 for every line that can be: 800,000 pixels of container
/// at the least extent of one. So every quotient that a layout takes of it in `Double` rounds as the true one does.
enum RatioUnit {
    static let one: UInt64 = 1 << 32

    /// The ratio of an item from its packed word.
    ///
    /// - Parameters:
    ///   - across: The side across the scroll axis, 1 to 1,000,000.
    ///   - along: The side along it, 1 to 1,000,000.
    /// - Returns: The ratio, at least 1.
    @inline(__always)
    static func ratio(across: UInt64, along: UInt64) -> UInt64 {
        let width = Double(bitPattern: 0x4330_0000_0000_0000 | across) - 0x1p52
        let height = Double(bitPattern: 0x4330_0000_0000_0000 | along) - 0x1p52
        // Below 2^52, so adding 2^52 rounds to a whole number, whose bits are the low ones of the mantissa.
        return (width * 0x1p32 / height + 0x1p52).bitPattern & (1 << 52 - 1)
    }
}

/// The ratios of a run of photos.
struct Ratios {
    private(set) var values: [UInt64]

    @inline(never)
    init(_ items: PackedMetrics, isHorizontal: Bool) {
        let mask = PackedMetrics.sideMask
        let sideBits = UInt64(PackedMetrics.sideBitCount)
        let (acrossShift, alongShift) = isHorizontal ? (sideBits, 0) : (0, sideBits)
        values = [UInt64](unsafeUninitializedCapacity: items.count) { values, count in
            items.words.withUnsafeBufferPointer { words in
                for index in words.indices {
                    values[index] = RatioUnit.ratio(
                        across: words[index] &>> acrossShift & mask, along: words[index] &>> alongShift & mask)
                }
            }
            count = items.count
        }
    }
}
