// Variable-length integers, seven bits a byte from the lowest, the high bit set on all but the last (LEB128, as in the
// DWARF 4 standard, section 7.6).

extension Array<UInt8> {
    /// Adds an integer; 1 to 10 bytes.
    mutating func appendVariableLength(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(rest))
    }
}

extension Collection<UInt8> where SubSequence == Self {
    /// Takes an integer off the front.
    ///
    /// - Returns: `nil` where the bytes end early or hold more than 63 bits.
    mutating func popVariableLength() -> UInt64? {
        var value: UInt64 = 0
        for shift in stride(from: 0, to: 63, by: 7) {
            guard let byte = popFirst() else { return nil }
            value |= UInt64(byte & 0x7F) << UInt64(shift)
            if byte < 0x80 { return value }
        }
        return nil
    }
}
