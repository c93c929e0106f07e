import PhotoStreamModel

/// A date written as a number, such as 20261121 or 20261121083853.
///
/// Such numbers overlap with seconds and milliseconds since 1970. As a timestamp, eight digits would fall in 1970 to
/// 1973 and 14 digits after 2286, so they are read as dates. Numbers of 5, 6, 8 and 12 digits that are plausible in
/// several meanings are rejected, not guessed.
enum CompactDate {
    /// A day: `20261121`.
    case day(CivilDate)
    /// A second of local time, in milliseconds since 1970: `20261121083853`.
    case second(Int64)

    /// The years accepted in numbers.
    private static let years = 1_000...2_199
    /// The years accepted where the parts may be in another order, or where the number may be milliseconds.
    private static let likelyYears = 1_800...2_199

    /// Reads a number as a date; `nil` if it is not one.
    ///
    /// - Throws: ``ModelError`` if the number is ambiguous.
    init?(_ number: Int64) throws(ModelError) {
        let number = Int(number)
        switch number {
        case 10_000_000...99_999_999:
            let (first, middle, last) = (number / 1_000_000, number / 10_000 % 100, number % 10_000)
            if let date = Self.date(number, years: Self.years) {
                self = .day(date)
            } else if Self.likelyYears.contains(last),
                Self.isDay(first, month: middle, year: last) || Self.isDay(middle, month: first, year: last)
            {
                throw Self.ambiguous(number, meanings: "a day or seconds since 1970", example: "2026-11-21")
            } else {
                return nil
            }
        case 10_000_000_000_000...99_999_999_999_999:
            guard let date = Self.date(number / 1_000_000, years: Self.years),
                let second = Self.second(hour: number / 10_000 % 100, minute: number / 100 % 100, second: number % 100)
            else { return nil }
            self = .second((Int64(date.daysSince1970) * 86_400 + Int64(second)) * 1_000)
        case 100_000_000_000...999_999_999_999:
            guard Self.date(number / 10_000, years: Self.likelyYears) != nil,
                Self.second(hour: number / 100 % 100, minute: number % 100, second: 0) != nil
            else { return nil }
            throw Self.ambiguous(
                number, meanings: "a date and time or milliseconds since 1970", example: "2026-11-21T08:38")
        case 100_000...999_999:
            let (first, middle, last) = (number / 10_000, number / 100 % 100, number % 100)
            guard
                Self.likelyYears.contains(number / 100) && (1...12).contains(last)
                    || Self.isDay(last, month: middle, year: first)
                    || Self.isDay(first, month: middle, year: last) || Self.isDay(middle, month: first, year: last)
            else { return nil }
            throw Self.ambiguous(number, meanings: "a month, a day or seconds since 1970", example: "2026-11")
        default:
            try Self.checkIsNotDayNumber(Int64(number))
            return nil
        }
    }

    /// Checks that a number is not likely to be a spreadsheet's day number: 20,000 to 59,999, the years 1954 to 2064.
    ///
    /// - Throws: ``ModelError`` if it is likely to be one.
    static func checkIsNotDayNumber(_ number: Int64) throws(ModelError) {
        guard (20_000...59_999).contains(number) else { return }
        throw ambiguous(
            Int(number), meanings: "the day number of a spreadsheet or seconds since 1970", example: "2026-11-21")
    }

    private static func date(_ number: Int, years: ClosedRange<Int>) -> CivilDate? {
        guard years.contains(number / 10_000) else { return nil }
        return CivilDate(year: number / 10_000, month: number / 100 % 100, day: number % 100)
    }

    /// Whether the day exists.
    ///
    /// A two-digit year counts as a leap year if it can be one.
    private static func isDay(_ day: Int, month: Int, year: Int) -> Bool {
        CivilDate(year: year < 100 ? 2_000 + year : year, month: month, day: day) != nil
    }

    private static func second(hour: Int, minute: Int, second: Int) -> Int? {
        guard hour < 24, minute < 60, second < 60 else { return nil }
        return (hour * 60 + minute) * 60 + second
    }

    private static func ambiguous(_ number: Int, meanings: String, example: String) -> ModelError {
        ModelError("\(number) may be \(meanings); write it as \(example)")
    }
}
