#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension UnsafeRawBufferPointer {
    /// Returns a range as a buffer that begins at offset 0.
    @inline(__always)
    func slice(_ range: Range<Int>) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: self[range])
    }

    /// Returns the offset of the first `byte` at or after `start`.
    @inline(__always)
    func firstOffset(of byte: UInt8, from start: Int = 0) -> Int? {
        guard start < count, let base = baseAddress, let found = memchr(base + start, Int32(byte), count - start) else {
            return nil
        }
        return UnsafeRawPointer(found) - base
    }

    /// Whether the bytes are equal.
    @inline(__always)
    func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
        guard count == other.count else { return false }
        guard let left = baseAddress, let right = other.baseAddress, count > 0 else { return true }
        return memcmp(left, right, count) == 0
    }

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
    var trimmedBlanks: UnsafeRawBufferPointer {
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

extension UnsafeRawBufferPointer {
    /// The first invalid sequence, including overlong forms and surrogates; `nil` for valid text.
    ///
    /// Source: The Unicode Standard 15, table 3-7, "Well-Formed UTF-8 Byte Sequences".
    var firstUTF8Fault: UTF8Fault? {
        var offset = 0
        while offset < count {
            // Most text is ASCII: eight bytes at a time while no high bit is set.
            while offset + 8 <= count,
                loadUnaligned(fromByteOffset: offset, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
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
