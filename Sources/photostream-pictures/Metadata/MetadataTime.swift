import PhotoStreamModel

/// Times in the notations of metadata.
enum MetadataTime {
    // A regular expression is only read; its type is not marked as sendable.
    nonisolated(unsafe) private static let timeNotation =
        #/
        \x20*([0-9]{4}) (?: [:\-]([0-9]{2}) (?: [:\-]([0-9]{2})
        (?: [\x20T]([0-9]{2}):([0-9]{2}) (?: : (?: ([0-9]{2}) (?: \.([0-9]*) )? )? )? (.*) )? )? )?
        /#
    nonisolated(unsafe) private static let offsetNotation = #/\x20*(?:[Zz]|([+\-])([0-9]{2}):?([0-9]{2})?)/#

    /// Reads a date with an optional time, sub-second and offset, such as `2023:11:04 15:30:12.250+01:00`.
    ///
    /// The date contains `:` or `-`, and a space or `T` precedes the time.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - offset: The offset in a field of its own, such as `+01:00`.
    ///   - fraction: The digits after the second in a field of their own.
    /// - Returns: `nil` for a year of zeros and for times that do not exist.
    static func read(_ text: String, offset: String? = nil, fraction: String? = nil) -> CaptureTime? {
        guard let match = unsafe text.prefixMatch(of: timeNotation)?.output, let year = Int(match.1), year > 0,
            let writtenMonth = Int(match.2 ?? "0"), let writtenDay = Int(match.3 ?? "0"),
            let date = CivilDate(year: year, month: max(1, writtenMonth), day: max(1, writtenDay)),
            let hour = Int(match.4 ?? "0"), let minute = Int(match.5 ?? "0"), let second = Int(match.6 ?? "0"),
            hour < 24, minute < 60, second <= 60
        else { return nil }
        // Parts of a date that are not known are missing or zero, and then its time is not known either.
        guard writtenMonth > 0, writtenDay > 0 else {
            return try? CaptureTime(
                milliseconds: Int64(date.daysSince1970) * 86_400_000, utcOffsetMinutes: nil,
                precision: writtenMonth > 0 ? .month : .year)
        }
        let thousandths = match.6 == nil ? nil : (match.7.map(String.init) ?? fraction).flatMap(Self.thousandths)
        let precision: CaptureTime.Precision =
            if thousandths != nil {
                .millisecond
            } else if match.6 != nil {
                .second
            } else if match.4 != nil {
                .minute
            } else {
                .day
            }
        let minutes = match.8.flatMap { Self.offset($0) ?? offset.flatMap { Self.offset($0[...]) } }
        let seconds = Int64((hour * 60 + minute) * 60 + min(second, 59))
        let local = (Int64(date.daysSince1970) * 86_400 + seconds) * 1_000 + (thousandths ?? 0)
        return try? CaptureTime(
            milliseconds: local - Int64(minutes ?? 0) * 60_000, utcOffsetMinutes: minutes, precision: precision)
    }

    /// Returns a local time with the offset implied by a time in UTC, rounded to 15 minutes; unchanged if they are
    /// further apart than time zones are.
    static func adding(offsetFrom utc: CaptureTime, to time: CaptureTime) -> CaptureTime {
        guard time.utcOffsetMinutes == nil, time.precision >= .minute else { return time }
        let minutes = Double(time.milliseconds - utc.milliseconds) / 60_000
        guard abs(minutes) <= 15 * 60 else { return time }
        let offset = Int((minutes / 15).rounded()) * 15
        // The satellites' time must agree within a few minutes, or one of the clocks is wrong.
        guard abs(minutes - Double(offset)) <= 5, (-12 * 60...14 * 60).contains(offset) else { return time }
        let milliseconds = time.milliseconds - Int64(offset) * 60_000
        return (try? CaptureTime(milliseconds: milliseconds, utcOffsetMinutes: offset, precision: time.precision))
            ?? time
    }

    /// Reads `+01:00`, `-0330` or `Z`.
    static func offset(_ text: Substring) -> Int? {
        guard let match = unsafe text.prefixMatch(of: offsetNotation)?.output else { return nil }
        guard let sign = match.1, let hours = match.2.flatMap({ Int($0) }) else { return 0 }
        let minutes = hours * 60 + (match.3.flatMap { Int($0) } ?? 0)
        return minutes <= 18 * 60 ? (sign == "-" ? -minutes : minutes) : nil
    }

    private static func thousandths(_ digits: String) -> Int64? {
        let digits = digits.utf8.prefix { 48...57 ~= $0 }.prefix(3)
        guard !digits.isEmpty else { return nil }
        let value = digits.reduce(Int64(0)) { $0 * 10 + Int64($1 - 48) }
        return value * [100, 10, 1][digits.count - 1]
    }
}
