extension Array<UInt8> {
    /// Adds a number's bytes, the lowest first.
    @inlinable
    package mutating func append<Number: FixedWidthInteger>(littleEndian number: Number) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }

    /// Reads a number whose lowest byte stands at `offset`.
    ///
    /// - Precondition: All of its bytes are there.
    @inlinable
    package func littleEndian<Number: FixedWidthInteger & BitwiseCopyable>(_: Number.Type, at offset: Int) -> Number {
        withUnsafeBytes { Number(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: Number.self)) }
    }
}

extension Array where Element: FixedWidthInteger & BitwiseCopyable {
    /// Numbers that stand in bytes one after the other, little-endian.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - offset: Where the first number begins.
    ///   - count: How many there are.
    /// - Precondition: There are so many.
    /// - Complexity: O(count), a copy.
    @inlinable
    package init(littleEndian bytes: [UInt8], from offset: Int = 0, count: Int) {
        let size = MemoryLayout<Element>.size
        precondition(offset >= 0 && count >= 0 && offset + count * size <= bytes.count, "there are not so many bytes")
        self.init(unsafeUninitializedCapacity: count) { numbers, filled in
            bytes.withUnsafeBytes { bytes in
                UnsafeMutableRawBufferPointer(numbers).copyMemory(
                    from: UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count * size]))
            }
            filled = count
            #if _endian(big)
            for position in 0..<count { numbers[position] = Element(littleEndian: numbers[position]) }
            #endif
        }
    }
}
