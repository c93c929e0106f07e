/// Numbers in bytes, always within bounds.
extension [UInt8] {
    /// Returns the unsigned number of `count` bytes (at most 4) at an index, or `nil` beyond the end.
    func number(at index: Int, count: Int, isBigEndian: Bool) -> Int? {
        guard index >= 0, count <= 4, index <= self.count - count else { return nil }
        var value = 0
        for place in 0..<count {
            let byte = self[index + (isBigEndian ? place : count - 1 - place)]
            value = value << 8 | Int(byte)
        }
        return value
    }

    /// Whether the bytes at an index are those of an ASCII text.
    func has(_ text: StaticString, at index: Int) -> Bool {
        let expected = Array(String(describing: text).utf8)
        guard index >= 0, index <= count - expected.count else { return false }
        return self[index..<(index + expected.count)].elementsEqual(expected)
    }
}

/// Bits, the lowest of each byte first, as JPEG XL stores them; zeros after the end are an error.
struct BitReader {
    private let bytes: ArraySlice<UInt8>
    private var position = 0

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
    }

    /// Reads `count` bits, or returns `nil` after the end.
    mutating func bits(_ count: Int) -> Int? {
        var value = 0
        for place in 0..<count {
            let index = bytes.startIndex + position / 8
            guard index < bytes.endIndex else { return nil }
            value |= Int(bytes[index] >> UInt8(position % 8) & 1) << place
            position += 1
        }
        return value
    }
}
