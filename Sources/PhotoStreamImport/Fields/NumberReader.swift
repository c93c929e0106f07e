import PhotoStreamModel

/// A parser of the numbers of photos: a decimal such as `1.78` and, of a number with decimal places, also a fraction
/// such as `1/250`, either of them with the unit that programs print, such as `4.2 mm`.
enum NumberReader {
    /// Returns a number in units of its last decimal place, rounded to the nearest, half away from zero.
    ///
    /// A number without decimal places must be whole.
    ///
    /// - Throws: ``ModelError`` that names the number and its range, for any other text and for a number out of range.
    static func number(_ bytes: Bytes, as kind: PhotoNumber) throws(ModelError) -> Int {
        let trimmed = bytes.trimmedBlanks
        guard let value = value(withoutUnit(trimmed, of: kind), as: kind), kind.range.contains(value) else {
            throw kind.problem(of: String(decoding: trimmed, as: UTF8.self).shortened)
        }
        return value
    }

    private static func value(_ bytes: Bytes, as kind: PhotoNumber) -> Int? {
        if let slash = bytes.firstOffset(of: UInt8(ascii: "/")), !kind.isWhole {
            return quotient(of: bytes.slice(0..<slash), by: bytes.slice(slash + 1..<bytes.count), as: kind)
        }
        guard let number = try? DecimalNumber(bytes), number.isWhole || !kind.isWhole,
            let size = number.scaled(byPowerOfTen: kind.decimalPlaces)
        else { return nil }
        return number.isNegative ? -size : size
    }

    /// Returns the quotient of two whole numbers; `nil` if either is negative.
    private static func quotient(of dividend: Bytes, by divisor: Bytes, as kind: PhotoNumber) -> Int? {
        guard let top = try? DecimalNumber(dividend), let bottom = try? DecimalNumber(divisor),
            top.isWhole, bottom.isWhole, !top.isNegative, !bottom.isNegative, !bottom.isZero,
            let scaled = top.scaled(byPowerOfTen: kind.decimalPlaces), let parts = bottom.scaled(byPowerOfTen: 0)
        else { return nil }
        // Both are less than 10^17, so that no sum overflows.
        return (2 * scaled + parts) / (2 * parts)
    }

    private static func withoutUnit(_ bytes: Bytes, of kind: PhotoNumber) -> Bytes {
        let unit = kind.unit.utf8
        guard !unit.isEmpty, bytes.count > unit.count,
            bytes.slice(bytes.count - unit.count..<bytes.count).elementsEqual(unit)
        else { return bytes }
        return bytes.slice(0..<bytes.count - unit.count).trimmedBlanks
    }
}
