/// An exact decimal number of any length.
struct DecimalNumber: Equatable {
    /// The reason why a text is not a number.
    enum Failure: Error {
        /// The text is `NaN`.
        case notANumber
        /// The text is `Infinity`.
        case infinite
        /// The text is something else.
        case unreadable
    }

    let isNegative: Bool
    /// The digits, 0 to 9, without leading or trailing zeros; empty for zero.
    private let digits: [UInt8]
    /// The power of ten that the digits, read as an integer, are multiplied by.
    private let exponent: Int

    /// Parses `12`, `-0.5`, `.5` or `1e3`, with optional white space around it.
    init(_ text: Bytes) throws(Failure) {
        let bytes = text.trimmedBlanks
        var offset = 0
        var isNegative = false
        if let first = bytes.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") {
            isNegative = first == UInt8(ascii: "-")
            offset = 1
        }
        var digits: [UInt8] = []
        var exponent = 0
        var digitCount = 0
        var isAfterPoint = false
        while offset < bytes.count {
            let byte = bytes[offset]
            if byte.isDigit {
                digitCount += 1
                if isAfterPoint { exponent -= 1 }
                if byte != UInt8(ascii: "0") || !digits.isEmpty { digits.append(byte - UInt8(ascii: "0")) }
            } else if byte == UInt8(ascii: "."), !isAfterPoint {
                isAfterPoint = true
            } else {
                break
            }
            offset += 1
        }
        guard digitCount > 0 else { throw Self.failure(bytes.slice(offset..<bytes.count)) }
        if offset < bytes.count {
            guard bytes[offset] | 0x20 == UInt8(ascii: "e"), let power = Self.power(bytes, from: offset + 1) else {
                throw .unreadable
            }
            exponent += power
        }
        while digits.last == 0 {
            digits.removeLast()
            exponent += 1
        }
        self.isNegative = isNegative
        self.digits = digits
        self.exponent = digits.isEmpty ? 0 : exponent
    }

    /// Creates a positive integer.
    init(_ number: Int) {
        isNegative = false
        digits = String(number).utf8.map { $0 - UInt8(ascii: "0") }
        exponent = 0
    }

    var isZero: Bool { digits.isEmpty }
    /// Whether the fraction is zero.
    var isWhole: Bool { exponent >= 0 }
    /// The number of digits after the point.
    var decimalPlaces: Int { max(0, -exponent) }
    /// The number of digits before the point; negative if the fraction begins with zeros.
    var wholeDigits: Int { digits.count + exponent }

    /// Returns the absolute value times a power of ten, rounded half away from zero; `nil` from 10^17 on.
    func scaled(byPowerOfTen power: Int) -> Int? {
        guard wholeDigits + power <= 17 else { return nil }
        let kept = min(digits.count, max(0, wholeDigits + power))
        var value = digits[..<kept].reduce(0) { $0 * 10 + Int($1) }
        for _ in 0..<max(0, exponent + power) where value > 0 { value *= 10 }
        let isRoundedUp = wholeDigits + power >= 0 && kept < digits.count && digits[kept] >= 5
        return value + (isRoundedUp ? 1 : 0)
    }

    /// Whether the absolute value exceeds an integer of at most 16 digits.
    func exceeds(_ limit: Int) -> Bool {
        guard wholeDigits <= 16 else { return true }
        let whole = digits[..<min(digits.count, max(0, wholeDigits))].reduce(0) { $0 * 10 + Int($1) }
        let value = (0..<max(0, exponent)).reduce(whole) { product, _ in product * 10 }
        return value > limit || (value == limit && !isWhole)
    }

    private static func power(_ bytes: Bytes, from start: Int) -> Int? {
        var offset = start
        var isNegative = false
        if offset < bytes.count, bytes[offset] == UInt8(ascii: "-") || bytes[offset] == UInt8(ascii: "+") {
            isNegative = bytes[offset] == UInt8(ascii: "-")
            offset += 1
        }
        guard offset < bytes.count else { return nil }
        var power = 0
        for byte in bytes[offset...] {
            guard byte.isDigit else { return nil }
            // Larger exponents change nothing: the number is already out of any range.
            power = min(power * 10 + Int(byte - UInt8(ascii: "0")), 1_000_000_000)
        }
        return isNegative ? -power : power
    }

    private static func failure(_ word: Bytes) -> Failure {
        switch String(decoding: word, as: UTF8.self).lowercased() {
        case "nan": .notANumber
        case "inf", "infinity": .infinite
        default: .unreadable
        }
    }
}
