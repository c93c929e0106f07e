import PhotoStreamModel

/// Where the next byte of a JSON text goes, in memory that is long enough.
struct JSONPosition {
    private let buffer: UnsafeMutableBufferPointer<UInt8>
    /// How many bytes are before it.
    private(set) var offset: Int

    init(buffer: UnsafeMutableBufferPointer<UInt8>, offset: Int) {
        self.buffer = buffer
        self.offset = offset
    }

    mutating func put(_ byte: UInt8) {
        buffer[offset] = byte
        offset += 1
    }

    mutating func put(_ bytes: UnsafeBufferPointer<UInt8>) {
        offset = buffer[offset...].update(fromContentsOf: bytes)
    }

    mutating func put(_ time: CaptureTime) {
        offset += time.write(to: UnsafeMutableBufferPointer(rebasing: buffer[offset...]))
    }

    /// Writes a number with at least so many digits.
    mutating func put(_ number: UInt64, places: Int) {
        var (length, rest) = (1, number / 10)
        while rest > 0 || length < places {
            length += 1
            rest /= 10
        }
        rest = number
        for place in stride(from: offset + length - 1, through: offset, by: -1) {
            buffer[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
        offset += length
    }

    /// Moves the last bytes on and writes one before them.
    mutating func insert(_ byte: UInt8, beforeLast count: Int) {
        for place in stride(from: offset, to: offset - count, by: -1) { buffer[place] = buffer[place - 1] }
        buffer[offset - count] = byte
        offset += 1
    }

    /// The position behind a string between quotes, with what RFC 8259 asks to be escaped.
    func putting(_ characters: UnsafeBufferPointer<UInt8>, afterComma hasComma: Bool) -> JSONPosition {
        var next = self
        if hasComma { next.put(UInt8(ascii: ",")) }
        next.put(UInt8(ascii: "\""))
        if characters.contains(where: Self.isEscaped) {
            for byte in characters { next.putEscaped(byte) }
        } else {
            next.put(characters)
        }
        next.put(UInt8(ascii: "\""))
        return next
    }

    private static func isEscaped(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private mutating func putEscaped(_ byte: UInt8) {
        guard Self.isEscaped(byte) else { return put(byte) }
        put(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\n"): put(UInt8(ascii: "n"))
        case UInt8(ascii: "\r"): put(UInt8(ascii: "r"))
        case UInt8(ascii: "\t"): put(UInt8(ascii: "t"))
        case ..<0x20:
            put(UInt8(ascii: "u"))
            put(UInt64(byte >> 4), places: 3)
            put(Self.hexadecimal[Int(byte & 0xF)])
        default: put(byte)
        }
    }

    private static let hexadecimal = Array("0123456789abcdef".utf8)
}
