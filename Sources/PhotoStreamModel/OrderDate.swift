/// The date of a photo's place in the order, to its smallest known unit.
///
/// Sections by date group by it.
///
/// A date known only as 1866 is not 1 January 1866: it sorts directly next to that day, and has a section of its own.
/// Each value packs into 22 bits: days of the years 1 to 9999, months, years, no date, no order by date.
public struct OrderDate: Hashable, Sendable {
    /// The smallest known unit of a date.
    public enum Unit: String, Hashable, Sendable {
        /// A day.
        case day
        /// A month with an unknown day.
        case month
        /// A year with an unknown month.
        case year
    }

    /// The date of a photo without one.
    @inlinable public static var undated: OrderDate { OrderDate(packed: 0) }
    /// Every place in a stream in manual order: dates neither order it nor divide it into sections.
    public static let unordered = OrderDate(packed: 1 << 22 - 1)

    /// The accepted days, since 1 January 1970: those of the years 1 to 9999.
    @inlinable public static var days: ClosedRange<Int> { -719_162...2_932_896 }

    /// The packed value of 1 January 1970; days count from 1 January of the year 1, which is 1.
    @inlinable static var dayBias: Int { 719_163 }
    /// The bias of months, which count from January of the year 0.
    private static let monthBias = 3_700_000
    /// The bias of years.
    private static let yearBias = 3_900_000

    /// The packed date, below 2^22.
    @usableFromInline package let packed: UInt32

    /// Wraps a value of ``packed``.
    @inlinable
    package init(packed: UInt32) {
        self.packed = packed
    }

    /// Creates the date of a known day.
    ///
    /// - Parameter day: Days since 1 January 1970; the result is `nil` outside ``days``.
    @inlinable
    public init?(day: Int) {
        guard Self.days.contains(day) else { return nil }
        self.init(packed: UInt32(day + Self.dayBias))
    }

    /// Creates a date with an unknown day; `nil` outside the years 1 to 9999.
    public init?(year: Int, month: Int) {
        guard (1...9_999).contains(year), (1...12).contains(month) else { return nil }
        self.init(packed: UInt32(year * 12 + month - 1 + Self.monthBias))
    }

    /// Creates a date with an unknown month; `nil` outside the years 1 to 9999.
    public init?(year: Int) {
        guard (1...9_999).contains(year) else { return nil }
        self.init(packed: UInt32(year + Self.yearBias))
    }

    /// Creates the date of four times the local milliseconds plus a precision: see ``StreamOrder/orderTime(of:)``.
    ///
    /// A precision counts only at the start of its unit, so that equal dates are contiguous for any number. Times
    /// outside the years 1 to 9999 are clamped.
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

    /// The smallest known unit; `nil` without a date.
    public var unit: Unit? {
        switch Int(packed) {
        case 1..<Self.monthBias: .day
        case Self.monthBias..<Self.yearBias: .month
        case Self.yearBias..<Self.yearBias + 10_000: .year
        default: nil
        }
    }

    /// The day itself, or the first day of the month or year; `nil` without a date.
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

    /// The known digits: `1866`, `1866-03`, `1866-03-01`; `nil` without a date.
    public var digits: String? {
        guard let unit, let day = firstDay?.description else { return nil }
        switch unit {
        case .day: return day
        case .month: return String(day.dropLast(3))
        case .year: return String(day.dropLast(6))
        }
    }
}
