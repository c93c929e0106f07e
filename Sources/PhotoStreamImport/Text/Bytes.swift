#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension UnsafeRawBufferPointer {
    /// The bytes of a range as a buffer of their own, from offset 0.
    @inline(__always)
    func slice(_ range: Range<Int>) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: self[range])
    }

    /// The offset of the first `byte` at or after `start`.
    @inline(__always)
    func firstOffset(of byte: UInt8, from start: Int = 0) -> Int? {
        guard start < count, let base = baseAddress, let found = memchr(base + start, Int32(byte), count - start) else {
            return nil
        }
        return UnsafeRawPointer(found) - base
    }

    /// Whether both hold the same bytes.
    @inline(__always)
    func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
        guard count == other.count else { return false }
        guard let left = baseAddress, let right = other.baseAddress, count > 0 else { return true }
        return memcmp(left, right, count) == 0
    }

    /// The offset of the first byte that is no ASCII white space (space, tab, LF, CR).
    @inline(__always)
    var firstNonBlankOffset: Int? {
        var offset = 0
        while offset < count {
            if !self[offset].isBlank { return offset }
            offset += 1
        }
        return nil
    }

    /// The bytes without ASCII white space at both ends.
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

    /// Whether it is white space of JSON.
    @inline(__always)
    var isBlank: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }

    /// Whether it is `0` to `9`.
    @inline(__always)
    var isDigit: Bool { self &- 0x30 < 10 }
}
