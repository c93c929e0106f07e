/// The date of a photo's place in the order, to the unit that is known: what sections by date are made of.
///
/// A date known only as 1866 is not 1 January 1866: its place in the order lies directly beyond that day's, and so does its
/// section. One number of 22 bits holds each: days of the years 1 to 9999, months, years, no date, no order by dates.
public struct OrderDate: Hashable, Sendable {
    /// The smallest unit that is known.
    public enum Unit: String, Hashable, Sendable {
        /// A day.
        case day
        /// A month of which the day is unknown.
        case month
        /// A year of which the month is unknown.
        case year
    }

    /// The place of a photo without a date.
    @inlinable public static var undated: OrderDate { OrderDate(packed: 0) }
    /// Any place in a stream in manual order: dates do not make the order there, and so make no sections.
    public static let unordered = OrderDate(packed: 1 << 22 - 1)

    /// Days that are kept, since 1 January 1970: those of the years 1 to 9999.
    @inlinable public static var days: ClosedRange<Int> { -719_162...2_932_896 }

    /// What makes a day of 1970 one of the year 1, counted from 1.
    @inlinable static var dayBias: Int { 719_163 }
    /// What is added to a month, counted from January of the year 0.
    private static let monthBias = 3_700_000
    /// What is added to a year.
    private static let yearBias = 3_900_000

    /// The date as packed metrics hold it, below 2^22.
    @usableFromInline package let packed: UInt32

    /// Wraps what ``packed`` gave.
    @inlinable
    package init(packed: UInt32) {
        self.packed = packed
    }

    /// A day.
    ///
    /// - Parameter day: Days since 1 January 1970; `nil` outside ``days``.
    @inlinable
    public init?(day: Int) {
        guard Self.days.contains(day) else { return nil }
        self.init(packed: UInt32(day + Self.dayBias))
    }

    /// A month of which the day is unknown; `nil` for one that is not in the years 1 to 9999.
    public init?(year: Int, month: Int) {
        guard (1...9_999).contains(year), (1...12).contains(month) else { return nil }
        self.init(packed: UInt32(year * 12 + month - 1 + Self.monthBias))
    }

    /// A year of which the month is unknown; `nil` outside 1 to 9999.
    public init?(year: Int) {
        guard (1...9_999).contains(year) else { return nil }
        self.init(packed: UInt32(year + Self.yearBias))
    }

    /// The date of four times the local milliseconds plus a precision: see ``StreamOrder/orderTime(of:)``.
    ///
    /// A precision counts only where its unit begins, so that the places of each date follow each other whatever the number
    /// is. What lies outside the years 1 to 9999 is taken for the nearest date in them.
    init(dateTime value: Int64) {
        let (milliseconds, precision) = value.quotientAndRemainderFlooring(dividingBy: 4)
        let (day, ofDay) = milliseconds.quotientAndRemainderFlooring(dividingBy: 86_400_000)
        guard day >= Int64(Self.days.lowerBound) else {
            self.init(packed: UInt32(1 + Self.yearBias))
            return
        }
        let known = Int(min(day, Int64(Self.days.upperBound)))
        self.init(packed: UInt32(known + Self.dayBias))
        guard ofDay == 0, precision < 2, day == known else { return }
        let date = CivilDate(daysSince1970: known)
        guard date.day == 1 else { return }
        self.init(
            packed: UInt32(
                precision == 0 && date.month == 1
                    ? date.year + Self.yearBias : date.year * 12 + date.month - 1 + Self.monthBias))
    }

    /// The unit that is known; `nil` without a date.
    public var unit: Unit? {
        switch Int(packed) {
        case 1..<Self.monthBias: .day
        case Self.monthBias..<Self.yearBias: .month
        case Self.yearBias..<Self.yearBias + 10_000: .year
        default: nil
        }
    }

    /// The date, or the first day of the month or year; `nil` without a date.
    public var firstDay: CivilDate? {
        let number = Int(packed)
        switch unit {
        case .day: return CivilDate(daysSince1970: number - Self.dayBias)
        case .month:
            let month = number - Self.monthBias
            return CivilDate(year: month / 12, month: month % 12 + 1, day: 1)
        case .year: return CivilDate(year: number - Self.yearBias, month: 1, day: 1)
        case nil: return nil
        }
    }

    /// The known digits only: `1866`, `1866-03`, `1866-03-01`; `nil` without a date.
    public var digits: String? {
        guard let unit, let day = firstDay?.description else { return nil }
        switch unit {
        case .day: return day
        case .month: return String(day.dropLast(3))
        case .year: return String(day.dropLast(6))
        }
    }
}
