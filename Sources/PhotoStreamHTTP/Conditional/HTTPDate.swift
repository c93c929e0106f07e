import PhotoStreamModel

/// A time in the format of header fields, to the second.
///
/// Source: RFC 9110, section 5.6.7.
struct HTTPDate: Hashable, Comparable, CustomStringConvertible {
    /// Seconds since 1970.
    let seconds: Int64

    private static let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    private static let secondsPerDay: Int64 = 86_400
    /// From the beginning of 1970 to the end of the year 9999.
    private static let range: ClosedRange<Int64> = 0...253_402_300_799

    /// Creates a time; `nil` outside the years 1970 to 9999.
    init?(seconds: Int64) {
        guard Self.range.contains(seconds) else { return nil }
        self.seconds = seconds
    }

    /// Reads a field in any of the three allowed forms; `nil` for anything else.
    init?(_ text: String) {
        // Sun, 06 Nov 1994 08:49:37 GMT; Sunday, 06-Nov-94 08:49:37 GMT; Sun Nov  6 08:49:37 1994
        let words = text.split { " ,-".contains($0) }
        let date: (day: Substring, month: Substring, year: Substring, time: Substring)
        switch words.count {
        case 6 where words[5] == "GMT": date = (words[1], words[2], words[3], words[4])
        case 5: date = (words[2], words[1], words[4], words[3])
        default: return nil
        }
        let clock = date.time.split(separator: ":", omittingEmptySubsequences: false).map {
            Self.number($0, digits: 2...2)
        }
        guard let month = Self.months.firstIndex(of: String(date.month)),
            let day = Self.number(date.day, digits: 1...2),
            let year = Self.number(date.year, digits: 4...4)
                ?? Self.number(date.year, digits: 2...2).map({ $0 + ($0 < 70 ? 2_000 : 1_900) }),
            let civil = CivilDate(year: year, month: month + 1, day: day), clock.count == 3,
            let hour = clock[0], let minute = clock[1], let second = clock[2],
            hour < 24, minute < 60, second < 61
        else { return nil }
        self.init(seconds: Int64(civil.daysSince1970) * Self.secondsPerDay + Int64(hour * 3_600 + minute * 60 + second))
    }

    static func < (left: HTTPDate, right: HTTPDate) -> Bool { left.seconds < right.seconds }

    var description: String {
        let days = Int(seconds / Self.secondsPerDay)
        let rest = seconds % Self.secondsPerDay
        let civil = CivilDate(daysSince1970: days)
        let clock = [rest / 3_600, rest / 60 % 60, rest % 60].map { Self.digits(of: Int($0), count: 2) }
        let (day, year) = (Self.digits(of: civil.day, count: 2), Self.digits(of: civil.year, count: 4))
        let date = "\(day) \(Self.months[civil.month - 1]) \(year)"
        return "\(Self.weekdays[days % 7]), \(date) \(clock.joined(separator: ":")) GMT"
    }

    private static func number(_ text: Substring, digits: ClosedRange<Int>) -> Int? {
        guard digits.contains(text.utf8.count), text.allSatisfy({ $0.isASCII && $0.isWholeNumber }) else { return nil }
        return Int(text)
    }

    private static func digits(of number: Int, count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }
}
