/// Takes the parts of a date off its text, one after another.
struct DateCursor {
    private let bytes: UnsafeRawBufferPointer
    private var position = 0

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    var isAtEnd: Bool { position == bytes.count }

    /// A number of exactly so many digits.
    mutating func number(digits: Int) -> Int? {
        guard position + digits <= bytes.count else { return nil }
        var value = 0
        for byte in bytes[position..<(position + digits)] {
            guard byte.isDigit else { return nil }
            value = value * 10 + Int(byte - UInt8(ascii: "0"))
        }
        position += digits
        return value
    }

    /// The next character if it is one of these.
    mutating func take(oneOf characters: Unicode.Scalar...) -> Unicode.Scalar? {
        guard position < bytes.count else { return nil }
        let character = Unicode.Scalar(bytes[position])
        guard characters.contains(character) else { return nil }
        position += 1
        return character
    }

    /// A fraction of a second of one digit or more, cut to milliseconds.
    mutating func milliseconds() -> Int? {
        var value = 0
        var digitCount = 0
        while position < bytes.count, bytes[position].isDigit {
            if digitCount < 3 { value = value * 10 + Int(bytes[position] - UInt8(ascii: "0")) }
            digitCount += 1
            position += 1
        }
        guard digitCount > 0 else { return nil }
        for _ in digitCount..<max(3, digitCount) { value *= 10 }
        return value
    }

    /// `Z`, `+01:00` or `+0100`, in minutes; `-00:00` is unknown.
    mutating func offset() -> (minutes: Int, isUnknown: Bool)? {
        guard let sign = take(oneOf: "Z", "z", "+", "-") else { return nil }
        guard sign == "+" || sign == "-" else { return (0, false) }
        guard let hours = number(digits: 2), hours < 24 else { return nil }
        _ = take(oneOf: ":")
        guard let minutes = number(digits: 2), minutes < 60 else { return nil }
        let offset = hours * 60 + minutes
        return sign == "-" ? (-offset, offset == 0) : (offset, false)
    }
}
