extension Array<UInt8> {
    /// Adds a number's bytes, the lowest first.
    package mutating func append<Number: FixedWidthInteger>(littleEndian number: Number) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }

    /// Reads a number whose lowest byte stands at `offset`.
    ///
    /// - Precondition: All of its bytes are there.
    package func littleEndian<Number: FixedWidthInteger & BitwiseCopyable>(_: Number.Type, at offset: Int) -> Number {
        withUnsafeBytes { Number(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: Number.self)) }
    }
}
