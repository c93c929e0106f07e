/// A range of whole numbers, both ends included; an end that is `nil` is open.
///
/// Texts of ranges are `4`, `2..4`, `2..`, `..4`, `>4`, `>=4`, `<4` and `<=4`.
public struct ConditionRange: Hashable, Sendable {
    /// The least number.
    public let lower: Int?
    /// The greatest number.
    public let upper: Int?

    /// Creates a range; at least one of the ends is given.
    init(lower: Int?, upper: Int?) {
        (self.lower, self.upper) = (lower, upper)
    }

    /// Whether the range contains a number.
    public func contains(_ number: Int) -> Bool {
        (lower.map { $0 <= number } ?? true) && (upper.map { number <= $0 } ?? true)
    }

    /// Whether the range contains all numbers of another one.
    func contains(_ numbers: ClosedRange<Int>) -> Bool {
        contains(numbers.lowerBound) && contains(numbers.upperBound)
    }

    /// Reads the text of a range; `nil` if it is not one, or if no accepted number is in it.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - limits: The accepted numbers.
    ///   - bounds: Returns the numbers that the text of a single value covers, such as the days of a year; `nil` if it is
    ///     not a value. They may lie outside the limits.
    init?(_ text: String, within limits: ClosedRange<Int>, bounds: (Substring) -> ClosedRange<Int>?) {
        if let sign = ["<=", ">=", "<", ">"].first(where: text.hasPrefix) {
            guard let value = bounds(text.dropFirst(sign.count)), limits.overlaps(value) else { return nil }
            switch sign {
            case "<=": self.init(lower: nil, upper: value.upperBound)
            case ">=": self.init(lower: value.lowerBound, upper: nil)
            case "<": self.init(lower: nil, upper: value.lowerBound - 1)
            default: self.init(lower: value.upperBound + 1, upper: nil)
            }
        } else if let (first, last) = Self.ends(of: text) {
            guard !first.isEmpty || !last.isEmpty else { return nil }
            let (lower, upper) = (bounds(first), bounds(last))
            guard first.isEmpty == (lower == nil), last.isEmpty == (upper == nil) else { return nil }
            guard [lower, upper].compactMap(\.self).allSatisfy(limits.overlaps) else { return nil }
            self.init(lower: lower?.lowerBound, upper: upper?.upperBound)
        } else {
            guard let value = bounds(text[...]), limits.overlaps(value) else { return nil }
            self.init(lower: value.lowerBound, upper: value.upperBound)
        }
        guard (lower ?? limits.lowerBound) <= (upper ?? limits.upperBound) else { return nil }
    }

    /// Returns the parts of a text before and after its first two dots; `nil` if it has none.
    private static func ends(of text: String) -> (Substring, Substring)? {
        guard let dots = text.firstRange(of: "..") else { return nil }
        return (text[..<dots.lowerBound], text[dots.upperBound...])
    }

    /// The text of the range, with the texts of its ends.
    func canonicalText(of number: (Int) -> String) -> String {
        if let lower, lower == upper { return number(lower) }
        return "\(lower.map(number) ?? "")..\(upper.map(number) ?? "")"
    }
}

/// Decimal numbers with a fixed number of places, as whole numbers of their last place.
enum FixedDecimal {
    /// Reads a number such as `-47.37`; further places are rounded, half away from zero.
    ///
    /// - Parameters:
    ///   - text: A sign or none, up to 9 digits, and up to 20 places after a point.
    ///   - places: The number of places.
    /// - Returns: The number times 10 to the power of the places; `nil` if the text is not a number.
    static func value(_ text: some StringProtocol, places: Int) -> Int? {
        var digits = text.utf8[...]
        let isNegative = digits.first == UInt8(ascii: "-")
        if isNegative { digits = digits.dropFirst() }
        let parts = digits.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        let decimals = parts.count == 1 ? [] : Array(parts[1])
        guard let whole = parts.first, (1...9).contains(whole.count), decimals.count <= 20,
            parts.count == 1 || !decimals.isEmpty
        else { return nil }
        var number = 0
        for byte in Array(whole) + decimals {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
        }
        for byte in Array(whole) + decimals.prefix(places) { number = number * 10 + Int(byte - UInt8(ascii: "0")) }
        for _ in decimals.count..<max(places, decimals.count) { number *= 10 }
        if decimals.count > places, decimals[places] >= UInt8(ascii: "5") { number += 1 }
        return isNegative ? -number : number
    }

    /// Returns the shortest text of a number.
    static func text(_ number: Int, places: Int) -> String {
        var (rest, places) = (number.magnitude, places)
        while places > 0, rest % 10 == 0 { (rest, places) = (rest / 10, places - 1) }
        let digits = String(rest)
        let padded = String(repeating: "0", count: max(0, places + 1 - digits.utf8.count)) + digits
        let text = places == 0 ? padded : "\(padded.dropLast(places)).\(padded.suffix(places))"
        return number < 0 ? "-\(text)" : text
    }
}
