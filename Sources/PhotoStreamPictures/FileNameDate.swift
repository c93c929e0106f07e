import Glibc
package import PhotoStreamModel

/// Reads capture times from file names, such as `IMG_20231104_153012.jpg`.
package enum FileNameDate {
    /// Returns the time in the last part of a path; `nil` if there is none.
    ///
    /// A time is at the start of the name, or after a word of letters and a separator. The known digits decide the
    /// precision. Years are from 1990 to the year after the current one.
    package static func time(in path: String) -> CaptureTime? {
        // A mean year is 31,556,952 seconds.
        time(in: path, currentYear: 1970 + Glibc.time(nil) / 31_556_952)
    }

    static func time(in path: String, currentYear: Int) -> CaptureTime? {
        let name = path.split(separator: "/").last.map(String.init) ?? ""
        // `wholeMatch` anchors both ends, so that longer runs of digits do not match as dates.
        guard
            let match = name.wholeMatch(
                of:
                    #/
                    (?:[A-Za-z]+[\x20_\-])?
                    (\d{4})([\-_.]?)(\d\d)\2(\d\d)
                    (?:[\x20_T\-](?:at\x20)?(\d\d)([\-_.:]?)(\d\d)\6(\d\d)(\d{3})?)?
                    (?:[^\d](?!\d{6}).*)?
                    /#
            ),
            let year = Int(match.1), let month = Int(match.3), let day = Int(match.4),
            1990...currentYear + 1 ~= year, let date = CivilDate(year: year, month: month, day: day)
        else { return nil }
        var milliseconds = Int64(date.daysSince1970) * 86_400_000
        var precision = CaptureTime.Precision.day
        if let hourText = match.5, let minuteText = match.7, let secondText = match.8,
            let hour = Int64(hourText), let minute = Int64(minuteText), let second = Int64(secondText)
        {
            guard hour < 24, minute < 60, second < 60 else { return nil }
            milliseconds += ((hour * 60 + minute) * 60 + second) * 1000
            precision = .second
            if let text = match.9, let fraction = Int64(text) {
                milliseconds += fraction
                precision = .millisecond
            }
        }
        return try? CaptureTime(milliseconds: milliseconds, utcOffsetMinutes: nil, precision: precision)
    }
}
