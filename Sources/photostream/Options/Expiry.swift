import ArgumentParser
import PhotoStreamModel
import PhotoStreamService

/// A time of expiry: some minutes, hours or days from now, or the end of a day in UTC.
enum Expiry: Equatable {
    case after(milliseconds: Int64)
    case endOf(CivilDate)

    private static let units: [Character: Int64] = ["m": 60_000, "h": 3_600_000, "d": 86_400_000]
    /// A hundred years, in milliseconds.
    private static let longest: Int64 = 36_525 * 86_400_000

    /// Reads `30m`, `12h`, `90d` or `2027-01-31`.
    ///
    /// - Throws: `ValidationError` for any other text.
    init(_ text: String) throws {
        if let milliseconds = Self.milliseconds(text) {
            self = .after(milliseconds: milliseconds)
            return
        }
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, parts.map(\.utf8.count) == [4, 2, 2],
            let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2]),
            let date = CivilDate(year: year, month: month, day: day)
        else {
            throw ValidationError(
                "\"\(text)\" is not a time such as 30m, 12h, 90d (at most 100 years) or a day such as 2027-01-31")
        }
        self = .endOf(date)
    }

    /// Reads a duration such as `30m`, `12h` or `90d`, in milliseconds; `nil` for any other text.
    private static func milliseconds(_ text: String) -> Int64? {
        guard let unit = text.last.flatMap({ units[$0] }), let count = Int64(text.dropLast()), count > 0,
            case let (milliseconds, hasOverflow) = count.multipliedReportingOverflow(by: unit), !hasOverflow,
            milliseconds <= longest
        else { return nil }
        return milliseconds
    }

    /// Reads a duration such as `30m`, `12h` or `90d`, in milliseconds.
    ///
    /// - Throws: `ValidationError` for any other text.
    static func duration(_ text: String) throws -> Int64 {
        guard let milliseconds = milliseconds(text) else {
            throw ValidationError("\"\(text)\" is not a duration such as 30m, 12h or 90d (at most 100 years)")
        }
        return milliseconds
    }

    /// Returns the text of a stored time, in a list.
    static func text(_ milliseconds: Int64?, isOver: Bool) -> String {
        guard let milliseconds else { return "never" }
        return Moment.text(milliseconds) + (isOver ? " (over)" : "")
    }

    /// The time in milliseconds since 1970.
    func milliseconds(now: Int64) -> Int64 {
        switch self {
        case .after(let milliseconds): now + milliseconds
        case .endOf(let date): Int64(date.daysSince1970 + 1) * 86_400_000
        }
    }
}
