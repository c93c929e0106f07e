import Foundation
import PhotoStreamModel

/// A parser of capture times: RFC 3339 and its shorter forms, the EXIF form, years, dates without separators, and
/// seconds or milliseconds since 1970.
struct CaptureTimeReader {
    /// The zone of local times without an offset.
    let zone: CaptureZone?

    /// Numbers from here on (the year 5138 in seconds) are milliseconds since 1970; smaller ones are seconds.
    private static let firstMilliseconds: Int64 = 100_000_000_000

    /// Parses a time; returns `nil` if the text is not a time.
    ///
    /// - Throws: ``ModelError`` for an ambiguous number.
    func time(_ text: Bytes) throws(ModelError) -> CaptureTime? {
        let bytes = text.trimmedBlanks
        if let number = Self.wholeNumber(bytes) { return try time(number, isYear: bytes.count == 4) }
        if let time = try Self.decimalSeconds(bytes) { return time }
        var cursor = DateCursor(bytes)
        guard let year = cursor.number(digits: 4), year >= 1 else { return nil }
        guard let separator = cursor.take(oneOf: "-", ":"), let month = cursor.number(digits: 2) else { return nil }
        guard let firstDay = CivilDate(year: year, month: month, day: 1) else { return nil }
        guard !cursor.isAtEnd else { return Self.date(firstDay, precision: .month) }
        guard cursor.take(oneOf: separator) != nil, let day = cursor.number(digits: 2) else { return nil }
        guard let date = CivilDate(year: year, month: month, day: day) else { return nil }
        guard !cursor.isAtEnd else { return Self.date(date, precision: .day) }
        guard cursor.take(oneOf: "T", "t", " ") != nil else { return nil }
        return clock(&cursor, on: date)
    }

    private func clock(_ cursor: inout DateCursor, on date: CivilDate) -> CaptureTime? {
        guard let hour = cursor.number(digits: 2), hour < 24, cursor.take(oneOf: ":") != nil,
            let minute = cursor.number(digits: 2), minute < 60
        else { return nil }
        var precision = CaptureTime.Precision.minute
        var second = 0
        var fraction = 0
        if cursor.take(oneOf: ":") != nil {
            guard let read = cursor.number(digits: 2), read <= 60 else { return nil }
            // A leap second does not exist in milliseconds since 1970; it counts as the second before it.
            second = min(read, 59)
            precision = .second
            if cursor.take(oneOf: ".") != nil {
                guard let read = cursor.milliseconds() else { return nil }
                fraction = read
                precision = .millisecond
            }
        }
        let ofDay = Int64(((hour * 60 + minute) * 60 + second) * 1_000 + fraction)
        let local = Int64(date.daysSince1970) * 86_400_000 + ofDay
        guard !cursor.isAtEnd else { return time(local: local, precision: precision) }
        _ = cursor.take(oneOf: " ")
        guard let offset = cursor.offset(), cursor.isAtEnd else { return nil }
        let instant = local - Int64(offset.minutes) * 60_000
        // RFC 3339, 4.3: -00:00 is a UTC time with an unknown local offset.
        return try? CaptureTime(
            milliseconds: instant,
            utcOffsetMinutes: offset.isUnknown ? nil : offset.minutes,
            precision: precision
        )
    }

    private func time(local: Int64, precision: CaptureTime.Precision) -> CaptureTime? {
        guard let zone else {
            return try? CaptureTime(milliseconds: local, utcOffsetMinutes: nil, precision: precision)
        }
        let (instant, offset) = zone.resolve(localMilliseconds: local)
        return try? CaptureTime(milliseconds: instant, utcOffsetMinutes: offset, precision: precision)
    }

    private static func date(_ date: CivilDate, precision: CaptureTime.Precision) -> CaptureTime? {
        let milliseconds = Int64(date.daysSince1970) * 86_400_000
        return try? CaptureTime(milliseconds: milliseconds, utcOffsetMinutes: nil, precision: precision)
    }

    /// Four digits are always a year, so the `0000` of EXIF is not a time in 1970.
    private func time(_ number: Int64, isYear: Bool) throws(ModelError) -> CaptureTime? {
        if isYear && number >= 0 || (1...9_999).contains(number) {
            guard let date = CivilDate(year: Int(number), month: 1, day: 1) else { return nil }
            return Self.date(date, precision: .year)
        }
        if let time = try compactDate(Int(number)) { return time }
        let isSeconds = number.magnitude < Self.firstMilliseconds.magnitude
        return try? CaptureTime(
            milliseconds: isSeconds ? number * 1_000 : number,
            utcOffsetMinutes: 0,
            precision: isSeconds ? .second : .millisecond
        )
    }

    /// Parses seconds since 1970 with a fraction, which is truncated to milliseconds.
    private static func decimalSeconds(_ bytes: Bytes) throws(ModelError) -> CaptureTime? {
        guard let point = bytes.firstIndex(of: UInt8(ascii: ".")),
            let seconds = wholeNumber(bytes.slice(0..<point)),
            (10_000..<firstMilliseconds.magnitude).contains(seconds.magnitude)
        else { return nil }
        var cursor = DateCursor(bytes.slice(point + 1..<bytes.count))
        guard let fraction = cursor.milliseconds(), cursor.isAtEnd else { return nil }
        try checkIsNotDayNumber(Int(seconds))
        let milliseconds = seconds * 1_000 + Int64(seconds < 0 ? -fraction : fraction)
        return try? CaptureTime(milliseconds: milliseconds, utcOffsetMinutes: 0, precision: .millisecond)
    }

    /// Parses an integer with an optional sign and an optional fraction of zeros, as tables of floats write years.
    private static func wholeNumber(_ bytes: Bytes) -> Int64? {
        let isNegative = bytes.first == UInt8(ascii: "-")
        var offset = isNegative ? 1 : 0
        let first = offset
        var value: Int64 = 0
        while offset < bytes.count, bytes[offset].isDigit {
            guard offset - first < 18 else { return nil }
            value = value * 10 + Int64(bytes[offset] - UInt8(ascii: "0"))
            offset += 1
        }
        guard offset > first else { return nil }
        if offset < bytes.count, bytes[offset] == UInt8(ascii: "."), offset + 1 < bytes.count {
            offset += 1
            while offset < bytes.count, bytes[offset] == UInt8(ascii: "0") { offset += 1 }
        }
        return offset == bytes.count ? (isNegative ? -value : value) : nil
    }
}

extension CaptureTimeReader {
    /// The years accepted in numbers.
    private static let years = 1_000...2_199
    /// The accepted years if the parts may be in another order, or the number may be milliseconds.
    private static let likelyYears = 1_800...2_199

    /// Reads a date written as a number, such as 20261121 or 20261121083853; `nil` if it is not one.
    ///
    /// Such numbers overlap with seconds and milliseconds since 1970. As a timestamp, eight digits would fall in 1970 to
    /// 1973 and 14 digits after 2286, so they are read as dates. Numbers of 5, 6, 8 and 12 digits that are plausible in
    /// several meanings are rejected, not guessed.
    ///
    /// - Throws: ``ModelError`` if the number is ambiguous.
    private func compactDate(_ number: Int) throws(ModelError) -> CaptureTime? {
        switch number {
        case 10_000_000...99_999_999:
            if let date = Self.date(number, years: Self.years) { return Self.date(date, precision: .day) }
            let (first, middle, last) = (number / 1_000_000, number / 10_000 % 100, number % 10_000)
            guard Self.likelyYears.contains(last),
                Self.isDay(first, month: middle, year: last) || Self.isDay(middle, month: first, year: last)
            else { return nil }
            throw Self.ambiguous(number, meanings: "a day or seconds since 1970", example: "2026-11-21")
        case 10_000_000_000_000...99_999_999_999_999:
            guard let date = Self.date(number / 1_000_000, years: Self.years),
                let second = Self.second(hour: number / 10_000 % 100, minute: number / 100 % 100, second: number % 100)
            else { return nil }
            return time(local: (Int64(date.daysSince1970) * 86_400 + Int64(second)) * 1_000, precision: .second)
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
            try Self.checkIsNotDayNumber(number)
            return nil
        }
    }

    /// Checks that a number is not likely to be a spreadsheet's day number: 20,000 to 59,999, the years 1954 to 2064.
    private static func checkIsNotDayNumber(_ number: Int) throws(ModelError) {
        guard (20_000...59_999).contains(number) else { return }
        throw ambiguous(
            number, meanings: "the day number of a spreadsheet or seconds since 1970", example: "2026-11-21")
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

/// A time zone for local times without an offset.
struct CaptureZone: Sendable {
    private let zone: TimeZone

    init?(name: String) {
        guard let zone = TimeZone(identifier: name) else { return nil }
        self.zone = zone
    }

    /// Converts a local time in milliseconds to UTC, and returns the offset in minutes.
    ///
    /// A time that occurs twice means its first occurrence. A time that the clocks skipped uses the offset from before
    /// the change, so it falls after the gap. Offsets with seconds (local mean times) are rounded to minutes; the local
    /// time stays as written.
    func resolve(localMilliseconds local: Int64) -> (milliseconds: Int64, offsetMinutes: Int) {
        let day: Int64 = 86_400_000
        let before = offsetSeconds(at: local - day)
        let after = offsetSeconds(at: local + day)
        for offset in [before, after] where offsetSeconds(at: local - Int64(offset) * 1_000) == offset {
            let minutes = Int((Double(offset) / 60).rounded())
            return (local - Int64(minutes) * 60_000, minutes)
        }
        let instant = local - Int64(before) * 1_000
        return (instant, offsetSeconds(at: instant) / 60)
    }

    private func offsetSeconds(at milliseconds: Int64) -> Int {
        zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(milliseconds) / 1_000))
    }
}

/// A cursor over the text of a date.
struct DateCursor {
    private let bytes: Bytes
    private var position = 0

    init(_ bytes: Bytes) {
        self.bytes = bytes
    }

    var isAtEnd: Bool { position == bytes.count }

    /// Takes a number with exactly `digits` digits.
    mutating func number(digits: Int) -> Int? {
        guard position + digits <= bytes.count else { return nil }
        var value = 0
        for byte in bytes[position..<(position + digits)] {
            guard byte.isDigit else { return nil }
            value = value * 10 + Int(byte - UInt8(ascii: "0"))
        }
        position += digits
        return value
    }

    /// Takes the next character if it is one of `characters`.
    mutating func take(oneOf characters: Unicode.Scalar...) -> Unicode.Scalar? {
        guard position < bytes.count else { return nil }
        let character = Unicode.Scalar(bytes[position])
        guard characters.contains(character) else { return nil }
        position += 1
        return character
    }

    /// Takes a fraction of a second of at least one digit, truncated to milliseconds.
    mutating func milliseconds() -> Int? {
        var value = 0
        var digitCount = 0
        while position < bytes.count, bytes[position].isDigit {
            if digitCount < 3 { value = value * 10 + Int(bytes[position] - UInt8(ascii: "0")) }
            digitCount += 1
            position += 1
        }
        guard digitCount > 0 else { return nil }
        for _ in digitCount..<max(3, digitCount) { value *= 10 }
        return value
    }

    /// Takes `Z`, `+01:00` or `+0100`, in minutes; `-00:00` is unknown.
    mutating func offset() -> (minutes: Int, isUnknown: Bool)? {
        guard let sign = take(oneOf: "Z", "z", "+", "-") else { return nil }
        guard sign == "+" || sign == "-" else { return (0, false) }
        guard let hours = number(digits: 2), hours < 24 else { return nil }
        _ = take(oneOf: ":")
        guard let minutes = number(digits: 2), minutes < 60 else { return nil }
        let offset = hours * 60 + minutes
        return sign == "-" ? (-offset, offset == 0) : (offset, false)
    }
}
