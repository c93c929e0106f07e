extension Array<UInt8> {
    /// Appends a number's bytes, lowest first.
    @inlinable
    package mutating func append<Number: FixedWidthInteger>(littleEndian number: Number) {
        unsafe Swift.withUnsafeBytes(of: number.littleEndian) { unsafe append(contentsOf: $0) }
    }

    /// Reads the number whose lowest byte is at `offset`.
    ///
    /// - Precondition: All of its bytes are within bounds.
    @inlinable
    package func littleEndian<Number: FixedWidthInteger & BitwiseCopyable>(_: Number.Type, at offset: Int) -> Number {
        precondition(
            offset >= 0 && offset <= count - MemoryLayout<Number>.size, "the number ends after the end of the bytes")
        return unsafe withUnsafeBytes {
            unsafe Number(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: Number.self))
        }
    }
}

extension Array where Element: FixedWidthInteger & BitwiseCopyable {
    /// Copies consecutive little-endian numbers from bytes.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - offset: The offset of the first number.
    ///   - count: The number of numbers.
    /// - Precondition: `bytes` contains that many numbers.
    /// - Complexity: O(count).
    @inlinable
    package init(littleEndian bytes: [UInt8], from offset: Int = 0, count: Int) {
        let size = MemoryLayout<Element>.size
        precondition(
            offset >= 0 && count >= 0 && offset + count * size <= bytes.count, "the numbers end after the bytes")
        unsafe self.init(unsafeUninitializedCapacity: count) { numbers, filled in
            unsafe bytes.withUnsafeBytes { bytes in
                unsafe UnsafeMutableRawBufferPointer(numbers).copyMemory(
                    from: UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count * size]))
            }
            filled = count
            #if _endian(big)
            for position in 0..<count { numbers[position] = Element(littleEndian: numbers[position]) }
            #endif
        }
    }
}

extension Int {
    /// Returns the digits of a number that is not negative, after zeros if there are fewer than `width`.
    package func padded(to width: Int) -> String {
        let digits = String(self)
        return String(repeating: "0", count: Swift.max(0, width - digits.count)) + digits
    }
}

extension Double {
    /// Parses a decimal number, or `inf` or `nan`.
    ///
    /// Unlike the standard library, it rejects hexadecimal numbers and a NUL.
    package init?(decimal text: some StringProtocol) {
        guard !text.utf8.contains(where: { [0, UInt8(ascii: "x"), UInt8(ascii: "X")].contains($0) }) else { return nil }
        self.init(text)
    }
}
