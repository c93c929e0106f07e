#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Borrowed bytes of a source.
///
///     let count = text.withBytes { bytes in bytes.trimmedBlanks.count }
///
/// Every access checks its bounds, in release builds too: the bytes come from anywhere, and so do the offsets that a
/// parser derives from them. Only this type reads the memory. It must not leave the closure or outlive the buffer that
/// lends it; a `Span`, whose lifetime the compiler would check, cannot be a property of a parser yet.
@safe
struct Bytes: RandomAccessCollection {
    private let memory: UnsafeRawBufferPointer

    /// No bytes.
    static var none: Bytes { unsafe Bytes(UnsafeRawBufferPointer(start: nil, count: 0)) }

    /// Borrows memory.
    @unsafe
    init(_ memory: UnsafeRawBufferPointer) {
        unsafe self.memory = memory
    }

    @inline(__always)
    var count: Int { unsafe memory.count }
    var startIndex: Int { 0 }
    @inline(__always)
    var endIndex: Int { count }

    /// The byte at an offset.
    ///
    /// - Precondition: The offset is less than the count.
    @inline(__always)
    subscript(offset: Int) -> UInt8 {
        // As unsigned numbers, negative offsets are too large.
        precondition(UInt(bitPattern: offset) < UInt(bitPattern: count), "an offset is after the end of the bytes")
        return unsafe memory[offset]
    }

    /// Eight bytes as a little-endian number.
    ///
    /// - Precondition: There are eight bytes from the offset on.
    @inline(__always)
    func word(at offset: Int) -> UInt64 {
        precondition(offset >= 0 && offset <= count - 8, "a word ends after the end of the bytes")
        return unsafe UInt64(littleEndian: memory.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    /// Returns a range as bytes that begin at offset 0.
    ///
    /// - Precondition: The range lies within the bytes.
    @inline(__always)
    func slice(_ range: Range<Int>) -> Bytes {
        precondition(range.lowerBound >= 0 && range.upperBound <= count, "a range ends after the end of the bytes")
        return unsafe Bytes(UnsafeRawBufferPointer(rebasing: memory[range]))
    }

    /// Returns the offset of the first `byte` at or after `start`.
    @inline(__always)
    func firstOffset(of byte: UInt8, from start: Int = 0) -> Int? {
        precondition(start >= 0, "an offset is negative")
        guard start < count, let base = unsafe memory.baseAddress,
            let found = unsafe memchr(base + start, Int32(byte), count - start)
        else { return nil }
        return unsafe UnsafeRawPointer(found) - base
    }

    /// Lends the bytes to the standard library, which makes strings of them.
    func withContiguousStorageIfAvailable<Result>(
        _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
    ) rethrows -> Result? {
        try unsafe memory.withMemoryRebound(to: UInt8.self, body)
    }
}

extension [UInt8] {
    /// Lends the bytes to a closure, which must not keep them.
    @inline(__always)
    func withBytes<Result, Failure>(_ body: (Bytes) throws(Failure) -> Result) throws(Failure) -> Result {
        try unsafe withUnsafeBufferPointer { bytes throws(Failure) in
            try unsafe body(Bytes(UnsafeRawBufferPointer(bytes)))
        }
    }
}

extension Bytes {
    /// The offset of the first byte that is not ASCII white space (space, tab, LF, CR).
    @inline(__always)
    var firstNonBlankOffset: Int? {
        var offset = 0
        while offset < count {
            if !self[offset].isBlank { return offset }
            offset += 1
        }
        return nil
    }

    /// The bytes without leading and trailing ASCII white space.
    var trimmedBlanks: Bytes {
        guard let first = firstNonBlankOffset else { return slice(0..<0) }
        var end = count
        while self[end - 1].isBlank { end -= 1 }
        return slice(first..<end)
    }
}

extension UInt8 {
    static let lineFeed = UInt8(ascii: "\n")
    static let carriageReturn = UInt8(ascii: "\r")
    static let quote = UInt8(ascii: "\"")
    static let backslash = UInt8(ascii: "\\")

    /// Whether it is JSON white space.
    @inline(__always)
    var isBlank: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }

    /// Whether it is `0` to `9`.
    @inline(__always)
    var isDigit: Bool { self &- 0x30 < 10 }
}

/// The first invalid UTF-8 sequence.
struct UTF8Fault: Equatable {
    /// The offset of the invalid sequence.
    let offset: Int
    /// Whether the bytes end within a sequence that is valid so far.
    let isCut: Bool
}

extension Bytes {
    /// The first invalid sequence, including overlong forms and surrogates; `nil` for valid text.
    ///
    /// Source: The Unicode Standard 15, table 3-7, "Well-Formed UTF-8 Byte Sequences".
    var firstUTF8Fault: UTF8Fault? {
        var offset = 0
        while offset < count {
            // Most text is ASCII: eight bytes at a time while no high bit is set.
            while offset + 8 <= count,
                word(at: offset) & 0x8080_8080_8080_8080 == 0
            {
                offset += 8
            }
            guard offset < count else { return nil }
            guard self[offset] >= 0x80 else {
                offset += 1
                continue
            }
            switch sequenceLength(at: offset) {
            case .valid(let length): offset += length
            case .invalid: return UTF8Fault(offset: offset, isCut: false)
            case .cut: return UTF8Fault(offset: offset, isCut: true)
            }
        }
        return nil
    }

    private enum Sequence {
        case valid(Int)
        case invalid
        case cut
    }

    private func sequenceLength(at offset: Int) -> Sequence {
        let lead = self[offset]
        let length: Int
        var second: ClosedRange<UInt8> = 0x80...0xBF
        switch lead {
        case 0xC2...0xDF: length = 2
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: length = 3
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        case 0xF1...0xF3: length = 4
        default: return .invalid
        }
        for step in 1..<length {
            guard offset + step < count else { return .cut }
            let byte = self[offset + step]
            guard step == 1 ? second.contains(byte) : byte.isContinuation else { return .invalid }
        }
        return .valid(length)
    }
}
