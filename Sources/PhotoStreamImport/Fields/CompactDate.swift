import PhotoStreamModel

/// A date that is written as a number, such as 20261121 or 20261121083853.
///
/// Such numbers lie among those that count seconds or milliseconds since 1970. Eight digits would be a moment of the years
/// 1970 to 1973 and 14 digits one after 2286, so they are taken for the date that they spell. Numbers of 5, 6, 8 and 12
/// digits that photos may well have in several meanings are refused rather than guessed.
enum CompactDate {
    /// A day: `20261121`.
    case day(CivilDate)
    /// A second of local time, in milliseconds since 1970: `20261121083853`.
    case second(Int64)

    /// The years of dates that are written as numbers.
    private static let years = 1_000...2_199
    /// The years of dates whose parts stand in another order, or that may also be milliseconds.
    private static let likelyYears = 1_800...2_199

    /// Returns the date that a number spells, or `nil` if it spells none.
    ///
    /// - Throws: ``ModelError`` if it may be something else just as well.
    init?(_ number: Int64) throws(ModelError) {
        let number = Int(number)
        switch number {
        case 10_000_000...99_999_999:
            let (first, middle, last) = (number / 1_000_000, number / 10_000 % 100, number % 10_000)
            if let date = Self.date(number, years: Self.years) {
                self = .day(date)
            } else if Self.likelyYears.contains(last),
                Self.isDay(first, middle, last) || Self.isDay(middle, first, last)
            {
                throw Self.ambiguous(number, "a day or seconds since 1970", "2026-11-21")
            } else {
                return nil
            }
        case 10_000_000_000_000...99_999_999_999_999:
            guard let date = Self.date(number / 1_000_000, years: Self.years),
                let second = Self.second(hour: number / 10_000 % 100, number / 100 % 100, number % 100)
            else { return nil }
            self = .second((Int64(date.daysSince1970) * 86_400 + Int64(second)) * 1_000)
        case 100_000_000_000...999_999_999_999:
            guard Self.date(number / 10_000, years: Self.likelyYears) != nil,
                Self.second(hour: number / 100 % 100, number % 100, 0) != nil
            else { return nil }
            throw Self.ambiguous(number, "a date and time or milliseconds since 1970", "2026-11-21T08:38")
        case 100_000...999_999:
            let (first, middle, last) = (number / 10_000, number / 100 % 100, number % 100)
            guard
                Self.likelyYears.contains(number / 100) && (1...12).contains(last) || Self.isDay(last, middle, first)
                    || Self.isDay(first, middle, last) || Self.isDay(middle, first, last)
            else { return nil }
            throw Self.ambiguous(number, "a month, a day or seconds since 1970", "2026-11")
        default:
            try Self.checkIsNotDayNumber(Int64(number))
            return nil
        }
    }

    /// Checks that a number is not one that spreadsheets count days with: 20,000 to 59,999, the years 1954 to 2064.
    ///
    /// - Throws: ``ModelError`` if it is.
    static func checkIsNotDayNumber(_ number: Int64) throws(ModelError) {
        guard (20_000...59_999).contains(number) else { return }
        throw ambiguous(Int(number), "the day number of a spreadsheet or seconds since 1970", "2026-11-21")
    }

    private static func date(_ number: Int, years: ClosedRange<Int>) -> CivilDate? {
        guard years.contains(number / 10_000) else { return nil }
        return CivilDate(year: number / 10_000, month: number / 100 % 100, day: number % 100)
    }

    /// Whether there is such a day; years of two digits are those of a leap year if they can be.
    private static func isDay(_ day: Int, _ month: Int, _ year: Int) -> Bool {
        CivilDate(year: year < 100 ? 2_000 + year : year, month: month, day: day) != nil
    }

    private static func second(hour: Int, _ minute: Int, _ second: Int) -> Int? {
        guard hour < 24, minute < 60, second < 60 else { return nil }
        return (hour * 60 + minute) * 60 + second
    }

    private static func ambiguous(_ number: Int, _ meanings: String, _ example: String) -> ModelError {
        ModelError("\(number) may be \(meanings); write it as \(example)")
    }
}
