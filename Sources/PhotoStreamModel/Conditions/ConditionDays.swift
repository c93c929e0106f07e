/// Days of the calendar: a fixed range, or the last days, weeks, months or years.
///
/// Texts are those of ranges with `2021-05-17`, `2021-05` and `2021` as their values, and `last-30d`, `last-2w`,
/// `last-6m` and `last-1y`.
public enum ConditionDays: Hashable, Sendable {
    /// A unit of time.
    public enum Unit: Character, CaseIterable, Sendable {
        case day = "d"
        case week = "w"
        case month = "m"
        case year = "y"
    }

    /// The days of a range, counted from 1 January 1970.
    case between(ConditionRange)
    /// The last `count` units, today included, and all later days: clocks at other places may be a day ahead.
    case last(count: Int, unit: Unit)

    /// The greatest number of units.
    static let maximumCount = 9_999

    /// Reads a text; `nil` if it is not one of days of the years 1 to 9999.
    init?(_ text: String) {
        if let last = Self.last(text) {
            self = last
        } else {
            guard let range = ConditionRange(text, within: OrderDate.days, bounds: Self.days) else { return nil }
            self = .between(range)
        }
    }

    private static func last(_ text: String) -> ConditionDays? {
        let text = text.lowercased()
        guard text.hasPrefix("last-"), let letter = text.last, let unit = Unit(rawValue: letter) else { return nil }
        let digits = text.dropFirst("last-".count).dropLast()
        guard let count = FixedDecimal.value(digits, places: 0), (1...maximumCount).contains(count),
            !digits.utf8.contains(UInt8(ascii: "."))
        else { return nil }
        return .last(count: count, unit: unit)
    }

    /// Returns the days of a date such as `2021`, `2021-05` or `2021-05-17`.
    private static func days(of date: Substring) -> ClosedRange<Int>? {
        let parts = date.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        let areDigits = parts.joined().allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard areDigits, (1...3).contains(parts.count), parts[0].count == 4,
            parts.dropFirst().allSatisfy({ $0.count == 2 })
        else { return nil }
        let numbers = parts.compactMap { Int(Substring($0)) }
        guard numbers.count == parts.count, numbers[0] > 0 else { return nil }
        return CivilDate.days(
            ofYear: numbers[0], month: numbers.count > 1 ? numbers[1] : nil, day: numbers.count > 2 ? numbers[2] : nil)
    }

    /// Whether the days depend on the current day.
    var dependsOnClock: Bool {
        if case .last = self { true } else { false }
    }

    /// Returns the days as a range.
    ///
    /// - Parameter today: The current day.
    /// - Returns: The range; it has no last day if it depends on the clock.
    package func range(today: CivilDate) -> ConditionRange {
        switch self {
        case .between(let range): return range
        case .last(let count, let unit):
            let first =
                switch unit {
                case .day: today.daysSince1970 - count + 1
                case .week: today.daysSince1970 - count * 7 + 1
                case .month: today.day(monthsBefore: count) + 1
                case .year: today.day(monthsBefore: count * 12) + 1
                }
            return ConditionRange(lower: max(first, OrderDate.days.lowerBound), upper: nil)
        }
    }

    /// The text, with years and months instead of their days if possible.
    var canonicalText: String {
        switch self {
        case .last(let count, let unit): return "last-\(count)\(unit.rawValue)"
        case .between(let range):
            if let lower = range.lower, let upper = range.upper {
                let date = CivilDate(daysSince1970: lower)
                for (month, day) in [(nil, nil), (date.month, nil), (date.month, date.day)] as [(Int?, Int?)] {
                    guard CivilDate.days(ofYear: date.year, month: month, day: day) == lower...upper else { continue }
                    return Self.digits(date, month: month, day: day)
                }
            }
            return (range.lower.map { Self.shortest($0, as: \.lowerBound) } ?? "") + ".."
                + (range.upper.map { Self.shortest($0, as: \.upperBound) } ?? "")
        }
    }

    /// Returns the shortest date that begins, or ends, with a day.
    private static func shortest(_ day: Int, as end: KeyPath<ClosedRange<Int>, Int>) -> String {
        let date = CivilDate(daysSince1970: day)
        for month in [nil, date.month]
        where CivilDate.days(ofYear: date.year, month: month, day: nil)?[keyPath: end] == day {
            return digits(date, month: month, day: nil)
        }
        return date.description
    }

    private static func digits(_ date: CivilDate, month: Int?, day: Int?) -> String {
        ([date.year.padded(to: 4)] + [month, day].compactMap { $0?.padded(to: 2) }).joined(separator: "-")
    }
}

extension CivilDate {
    /// Returns the days of a year, of a month or one day, counted from 1 January 1970; `nil` if there is none such.
    static func days(ofYear year: Int, month: Int?, day: Int?) -> ClosedRange<Int>? {
        guard let first = CivilDate(year: year, month: month ?? 1, day: day ?? 1)?.daysSince1970 else { return nil }
        guard day == nil else { return first...first }
        let next = month.map { $0 < 12 ? (year, $0 + 1) : (year + 1, 1) } ?? (year + 1, 1)
        guard let end = CivilDate(year: next.0, month: next.1, day: 1)?.daysSince1970 else { return nil }
        return first...(end - 1)
    }

    /// Returns the same day of an earlier month, or the last day of that month if it is shorter, counted from 1 January 1970.
    func day(monthsBefore count: Int) -> Int {
        let months = year * 12 + month - 1 - count
        let (year, month) = (months >= 0 ? months / 12 : (months - 11) / 12, ((months % 12) + 12) % 12 + 1)
        guard let days = Self.days(ofYear: year, month: month, day: nil) else { return OrderDate.days.lowerBound }
        return min(days.lowerBound + day - 1, days.upperBound)
    }

    /// The days that a capture time may mean, counted from 1 January 1970: all of a year if nothing more is known.
    package static func days(of time: CaptureTime) -> ClosedRange<Int> {
        let day = Int(time.localMilliseconds.quotientAndRemainderFlooring(dividingBy: 86_400_000).quotient)
        let date = CivilDate(daysSince1970: day)
        let known =
            switch time.precision {
            case .year: days(ofYear: date.year, month: nil, day: nil)
            case .month: days(ofYear: date.year, month: date.month, day: nil)
            case .day, .minute, .second, .millisecond: day...day
            }
        return known ?? day...day
    }
}
