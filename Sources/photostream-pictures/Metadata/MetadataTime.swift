import PhotoStreamModel

/// Times in the notations of metadata.
enum MetadataTime {
    /// Reads a date with an optional time, sub-second and offset, such as `2023:11:04 15:30:12.250+01:00`.
    ///
    /// The date contains `:` or `-`, and a space or `T` precedes the time.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - offset: The offset in a field of its own, such as `+01:00`.
    ///   - fraction: The digits after the second in a field of their own.
    /// - Returns: `nil` for zeros and for times that do not exist.
    static func read(_ text: String, offset: String? = nil, fraction: String? = nil) -> CaptureTime? {
        var digits = DigitScanner(text)
        guard let year = digits.number(4), year > 0 else { return nil }
        var (month, day, milliseconds) = (1, 1, Int64(0))
        var (precision, ownOffset) = (CaptureTime.Precision.year, Int?.none)
        if digits.skip([":", "-"]), let found = digits.number(2) {
            guard found != 0 else { return nil }
            (month, precision) = (found, .month)
            if digits.skip([":", "-"]), let found = digits.number(2) {
                guard found != 0 else { return nil }
                (day, precision) = (found, .day)
                if digits.skip([" ", "T"]), let hour = digits.number(2), digits.skip([":"]),
                    let minute = digits.number(2)
                {
                    guard hour < 24, minute < 60 else { return nil }
                    (milliseconds, precision) = (Int64(hour * 60 + minute) * 60_000, .minute)
                    if digits.skip([":"]), let second = digits.number(2) {
                        guard second <= 60 else { return nil }
                        (milliseconds, precision) = (milliseconds + Int64(min(second, 59)) * 1_000, .second)
                        let part = digits.skip(["."]) ? digits.digits() : fraction
                        if let part = part.flatMap(Self.thousandths) {
                            (milliseconds, precision) = (milliseconds + part, .millisecond)
                        }
                    }
                    ownOffset = Self.offset(digits.rest)
                }
            }
        }
        guard let date = CivilDate(year: year, month: month, day: day) else { return nil }
        let minutes = precision >= .minute ? ownOffset ?? offset.flatMap { Self.offset($0[...]) } : nil
        let local = Int64(date.daysSince1970) * 86_400_000 + milliseconds
        return try? CaptureTime(
            milliseconds: local - Int64(minutes ?? 0) * 60_000, utcOffsetMinutes: minutes, precision: precision)
    }

    /// Returns a local time with the offset implied by a time in UTC, rounded to 15 minutes; unchanged if they are
    /// further apart than time zones are.
    static func adding(offsetFrom utc: CaptureTime, to time: CaptureTime) -> CaptureTime {
        guard time.utcOffsetMinutes == nil, time.precision >= .minute else { return time }
        let minutes = Double(time.milliseconds - utc.milliseconds) / 60_000
        guard abs(minutes) <= 15 * 60 else { return time }
        let offset = Int((minutes / 15).rounded()) * 15
        // The satellites' time must agree within a few minutes, or one of the clocks is wrong.
        guard abs(minutes - Double(offset)) <= 5, (-12 * 60...14 * 60).contains(offset) else { return time }
        let milliseconds = time.milliseconds - Int64(offset) * 60_000
        return (try? CaptureTime(milliseconds: milliseconds, utcOffsetMinutes: offset, precision: time.precision))
            ?? time
    }

    /// Reads `+01:00`, `-0330` or `Z`.
    static func offset(_ text: Substring) -> Int? {
        var digits = DigitScanner(String(text))
        _ = digits.skip([" "])
        if digits.skip(["Z", "z"]) { return 0 }
        let isNegative = digits.skip(["-"])
        guard isNegative || digits.skip(["+"]), let hours = digits.number(2) else { return nil }
        _ = digits.skip([":"])
        let minutes = hours * 60 + (digits.number(2) ?? 0)
        return minutes <= 18 * 60 ? (isNegative ? -minutes : minutes) : nil
    }

    private static func thousandths(_ digits: String) -> Int64? {
        let digits = digits.utf8.prefix { 48...57 ~= $0 }.prefix(3)
        guard !digits.isEmpty else { return nil }
        let value = digits.reduce(Int64(0)) { $0 * 10 + Int64($1 - 48) }
        return value * [100, 10, 1][digits.count - 1]
    }
}

private struct DigitScanner {
    private(set) var rest: Substring

    init(_ text: String) {
        rest = text[...].drop { $0 == " " }
    }

    /// Reads exactly `count` digits.
    mutating func number(_ count: Int) -> Int? {
        let utf8 = rest.utf8.prefix(count)
        guard utf8.count == count, utf8.allSatisfy({ 48...57 ~= $0 }) else { return nil }
        rest = rest[utf8.endIndex...]
        return utf8.reduce(0) { $0 * 10 + Int($1 - 48) }
    }

    /// Reads all digits that follow.
    mutating func digits() -> String {
        let found = rest.prefix { $0.isASCII && $0.isWholeNumber }
        rest = rest[found.endIndex...]
        return String(found)
    }

    mutating func skip(_ characters: Set<Character>) -> Bool {
        guard let first = rest.first, characters.contains(first) else { return false }
        rest.removeFirst()
        return true
    }
}
