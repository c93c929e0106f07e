import PhotoStreamModel

/// The address of the next byte of a JSON text, in memory that its caller has reserved.
struct JSONPosition {
    private(set) var address: UnsafeMutablePointer<UInt8>

    init(_ address: UnsafeMutablePointer<UInt8>) {
        self.address = address
    }

    mutating func put(_ byte: UInt8) {
        address.pointee = byte
        address += 1
    }

    mutating func put(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let start = bytes.baseAddress else { return }
        address.update(from: start, count: bytes.count)
        address += bytes.count
    }

    mutating func put(_ time: CaptureTime) {
        address += time.write(to: UnsafeMutableBufferPointer(start: address, count: CaptureTime.maximumByteCount))
    }

    /// Writes a number with at least `places` digits, 20 at most.
    mutating func put(_ number: UInt64, places: Int) {
        var (length, bound): (Int, UInt64) = (1, 10)
        while length < 20, length < places || number >= bound {
            length += 1
            bound &*= 10
        }
        var (rest, place) = (number, length)
        while place > 1 {
            let (quotient, pair) = rest.quotientAndRemainder(dividingBy: 100)
            rest = quotient
            place -= 2
            let (tens, ones) = UInt8(truncatingIfNeeded: pair).quotientAndRemainder(dividingBy: 10)
            address[place] = UInt8(ascii: "0") &+ tens
            address[place + 1] = UInt8(ascii: "0") &+ ones
        }
        if place == 1 { address[0] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest) }
        address += length
    }

    /// Inserts a byte before the last ones.
    mutating func insert(_ byte: UInt8, beforeLast count: Int) {
        for place in 0..<count { address[-place] = address[-place - 1] }
        address[-count] = byte
        address += 1
    }

    /// Writes a string between quotes, escaped as RFC 8259 requires.
    mutating func putString(_ characters: UnsafeBufferPointer<UInt8>) {
        put(UInt8(ascii: "\""))
        if characters.contains(where: Self.isEscaped) {
            for byte in characters { putEscaped(byte) }
        } else {
            put(characters)
        }
        put(UInt8(ascii: "\""))
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
