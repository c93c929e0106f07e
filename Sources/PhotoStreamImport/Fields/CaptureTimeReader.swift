import PhotoStreamModel

/// Reads capture times: RFC 3339 and its shorter forms, EXIF's form, years, dates without separators, and seconds and
/// milliseconds since 1970.
struct CaptureTimeReader {
    /// The zone of local times without an offset.
    let zone: CaptureZone?

    /// Seconds since 1970 stay below this; from it on (year 5138) a number counts milliseconds.
    private static let firstMilliseconds: Int64 = 100_000_000_000

    /// Returns the time that a text means, or `nil` if it is not a time.
    ///
    /// - Throws: ``ModelError`` for a number that may be one of several things.
    func time(_ text: UnsafeRawBufferPointer) throws(ModelError) -> CaptureTime? {
        let bytes = text.trimmedBlanks
        if let number = Self.wholeNumber(bytes) { return try time(number, isYear: bytes.count == 4) }
        if let time = try Self.decimalSeconds(bytes) { return time }
        var cursor = DateCursor(bytes)
        guard let year = cursor.number(digits: 4), year >= 1 else { return nil }
        guard let separator = cursor.take(oneOf: "-", ":"), let month = cursor.number(digits: 2) else { return nil }
        guard let firstDay = CivilDate(year: year, month: month, day: 1) else { return nil }
        guard !cursor.isAtEnd else { return Self.date(firstDay, .month) }
        guard cursor.take(oneOf: separator) != nil, let day = cursor.number(digits: 2) else { return nil }
        guard let date = CivilDate(year: year, month: month, day: day) else { return nil }
        guard !cursor.isAtEnd else { return Self.date(date, .day) }
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
            // A leap second has no place on the time line: it is the one before it.
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
        guard !cursor.isAtEnd else { return time(local: local, precision) }
        _ = cursor.take(oneOf: " ")
        guard let offset = cursor.offset(), cursor.isAtEnd else { return nil }
        let instant = local - Int64(offset.minutes) * 60_000
        // RFC 3339, 4.3: -00:00 is a time in UTC of which the local offset is unknown.
        return try? CaptureTime(
            milliseconds: instant,
            utcOffsetMinutes: offset.isUnknown ? nil : offset.minutes,
            precision: precision
        )
    }

    private func time(local: Int64, _ precision: CaptureTime.Precision) -> CaptureTime? {
        guard let zone else {
            return try? CaptureTime(milliseconds: local, utcOffsetMinutes: nil, precision: precision)
        }
        let (instant, offset) = zone.resolve(localMilliseconds: local)
        return try? CaptureTime(milliseconds: instant, utcOffsetMinutes: offset, precision: precision)
    }

    private static func date(_ date: CivilDate, _ precision: CaptureTime.Precision) -> CaptureTime? {
        let milliseconds = Int64(date.daysSince1970) * 86_400_000
        return try? CaptureTime(milliseconds: milliseconds, utcOffsetMinutes: nil, precision: precision)
    }

    /// Four digits are always a year, so that EXIF's `0000` is not a moment in 1970.
    private func time(_ number: Int64, isYear: Bool) throws(ModelError) -> CaptureTime? {
        if isYear && number >= 0 || (1...9_999).contains(number) {
            guard let date = CivilDate(year: Int(number), month: 1, day: 1) else { return nil }
            return Self.date(date, .year)
        }
        switch try CompactDate(number) {
        case .day(let date): return Self.date(date, .day)
        case .second(let local): return time(local: local, .second)
        case nil: break
        }
        let isSeconds = number.magnitude < Self.firstMilliseconds.magnitude
        return try? CaptureTime(
            milliseconds: isSeconds ? number * 1_000 : number,
            utcOffsetMinutes: 0,
            precision: isSeconds ? .second : .millisecond
        )
    }

    /// Seconds since 1970 with a fraction, of which milliseconds are kept.
    private static func decimalSeconds(_ bytes: UnsafeRawBufferPointer) throws(ModelError) -> CaptureTime? {
        guard let point = bytes.firstIndex(of: UInt8(ascii: ".")),
            let seconds = wholeNumber(UnsafeRawBufferPointer(rebasing: bytes[..<point])),
            (10_000..<firstMilliseconds.magnitude).contains(seconds.magnitude)
        else { return nil }
        var cursor = DateCursor(UnsafeRawBufferPointer(rebasing: bytes[(point + 1)...]))
        guard let fraction = cursor.milliseconds(), cursor.isAtEnd else { return nil }
        try CompactDate.checkIsNotDayNumber(seconds)
        let milliseconds = seconds * 1_000 + Int64(seconds < 0 ? -fraction : fraction)
        return try? CaptureTime(milliseconds: milliseconds, utcOffsetMinutes: 0, precision: .millisecond)
    }

    /// A number of digits with a sign at most, and zeros behind a point, as tables that hold floats write years.
    private static func wholeNumber(_ bytes: UnsafeRawBufferPointer) -> Int64? {
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
