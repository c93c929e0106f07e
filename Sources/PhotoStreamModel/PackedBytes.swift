/// A packed place in a stack.
@usableFromInline
@safe package struct PackedStackPlace {
    /// The name of the stack.
    @usableFromInline package let stack: UnsafeBufferPointer<UInt8>
    /// The rank.
    @usableFromInline package let rank: Int
    /// The reason for which the photo is in the stack.
    @usableFromInline package let kind: StackKind

    @inlinable
    init(stack: UnsafeBufferPointer<UInt8>, rank: Int, kind: StackKind) {
        unsafe self.stack = unsafe stack
        (self.rank, self.kind) = (rank, kind)
    }
}

/// A sequence of packed texts.
@usableFromInline
package struct PackedTexts: @unsafe Sequence, @unsafe IteratorProtocol {
    @usableFromInline var left: Int
    @usableFromInline var rest: PackedBytes

    @inlinable
    init(count: Int, _ rest: PackedBytes) {
        (left, self.rest) = (count, rest)
    }

    /// Whether no text is left.
    @inlinable package var isEmpty: Bool { left == 0 }

    @inlinable
    package mutating func next() -> UnsafeBufferPointer<UInt8>? {
        guard left > 0 else { return nil }
        left -= 1
        return unsafe rest.text()
    }
}

/// A reader of packed bytes.
///
/// ``PackedPhoto/append(_:to:)`` wrote the bytes in this process; they never come from a file. Each read checks its
/// bounds.
@usableFromInline
@safe struct PackedBytes {
    @usableFromInline let bytes: UnsafeRawBufferPointer
    @usableFromInline var offset = 0

    @inlinable
    init(_ bytes: UnsafeRawBufferPointer) {
        unsafe self.bytes = bytes
    }

    @inlinable
    mutating func number<Number: FixedWidthInteger & BitwiseCopyable>(_: Number.Type) -> Number {
        // Unlike the buffer, a span also checks its bounds in release builds.
        let number = unsafe Number(
            littleEndian: bytes.bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: Number.self))
        offset += MemoryLayout<Number>.size
        return number
    }

    @inlinable
    mutating func count() -> Int {
        let short = number(UInt8.self)
        return short < 255 ? Int(short) : Int(number(UInt32.self))
    }

    @inlinable
    mutating func text() -> UnsafeBufferPointer<UInt8> {
        let length = count()
        unsafe precondition(length <= bytes.count - offset, "a text ends after the end of the photo")
        let text = unsafe UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + length])
        offset += length
        return unsafe text.assumingMemoryBound(to: UInt8.self)
    }
}

// All of them borrow memory for the duration of a closure.
@available(*, unavailable) extension PackedStackPlace: Sendable {}
@available(*, unavailable) extension PackedTexts: Sendable {}
@available(*, unavailable) extension PackedBytes: Sendable {}
