/// When a photo was taken, as exactly as its source knew.
public struct CaptureTime: Hashable, Sendable, CustomStringConvertible {
    /// The smallest unit that the source gave.
    public enum Precision: UInt8, Sendable, Comparable {
        case year = 0
        case month = 1
        case day = 2
        case minute = 3
        case second = 4
        case millisecond = 5

        /// Whether one says less than the other.
        public static func < (left: Precision, right: Precision) -> Bool { left.rawValue < right.rawValue }
    }

    /// Local times that are accepted: years 1 to 9999, in milliseconds since 1970.
    public static let localRange: ClosedRange<Int64> = -62_135_596_800_000...253_402_300_799_999
    /// Offsets that are accepted, in minutes.
    public static let offsetRange: ClosedRange<Int> = -1_080...1_080

    /// Milliseconds since 1970 in UTC; where the offset is unknown it counts as 0.
    public let milliseconds: Int64
    /// Minutes that the local clock was ahead of UTC, or `nil` where the source did not say.
    public let utcOffsetMinutes: Int?
    /// The smallest unit that is known; units below it are zero (or the first month or day) in ``milliseconds``.
    public let precision: Precision

    /// Creates a time from a UTC instant.
    ///
    /// - Throws: ``ModelError`` when the local year is not 1 to 9999 or the offset is over 18 hours.
    public init(milliseconds: Int64, utcOffsetMinutes: Int?, precision: Precision) throws(ModelError) {
        let offset = utcOffsetMinutes ?? 0
        guard Self.offsetRange.contains(offset) else {
            throw ModelError("UTC offset of \(offset) minutes is too large")
        }
        let (local, overflow) = milliseconds.addingReportingOverflow(Int64(offset) * 60_000)
        guard !overflow, Self.localRange.contains(local) else {
            throw ModelError("time \(milliseconds) is outside the years 1 to 9999")
        }
        self.milliseconds = milliseconds
        self.utcOffsetMinutes = utcOffsetMinutes
        self.precision = precision
    }

    /// Milliseconds since 1970 as the wall clock beside the camera showed them: the order time of a photo.
    public var localMilliseconds: Int64 { milliseconds + Int64(utcOffsetMinutes ?? 0) * 60_000 }

    /// The known digits only, as RFC 3339 writes them: `1894`, `1994-07`, `2026-11-21`, `2026-11-21T08:38:53+01:00`.
    ///
    /// Hours and minutes carry the offset where it is known and nothing where it is not.
    public var description: String {
        let (days, millisecondsOfDay) = localMilliseconds.quotientAndRemainderFlooring(dividingBy: 86_400_000)
        let date = CivilDate(daysSince1970: Int(days))
        var text = padded(date.year, 4)
        if precision >= .month { text += "-" + padded(date.month, 2) }
        if precision >= .day { text += "-" + padded(date.day, 2) }
        guard precision >= .minute else { return text }
        let time = Int(millisecondsOfDay)
        text += "T" + padded(time / 3_600_000, 2) + ":" + padded(time / 60_000 % 60, 2)
        if precision >= .second { text += ":" + padded(time / 1_000 % 60, 2) }
        if precision >= .millisecond { text += "." + padded(time % 1_000, 3) }
        return text + offsetText
    }

    private var offsetText: String {
        guard let minutes = utcOffsetMinutes else { return "" }
        guard minutes != 0 else { return "Z" }
        return (minutes < 0 ? "-" : "+") + padded(abs(minutes) / 60, 2) + ":" + padded(abs(minutes) % 60, 2)
    }

    private func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

extension Int64 {
    /// Division that rounds down, so that the remainder is never negative.
    func quotientAndRemainderFlooring(dividingBy divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
