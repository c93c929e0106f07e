package import Foundation
package import PhotoStreamModel

/// Reads capture times from file names, such as `IMG_20231104_153012.jpg`.
///
/// The known names, each with an example, are those of ``FileNameForm/all``:
///
/// - `FB_IMG_1699111812345.jpg` (Facebook: milliseconds since 1970)
/// - `PXL_20231104_153012345.MP.jpg` (Pixel, in UTC)
/// - `DSC_0001_BURST20230709220904977.JPG` and `00100lrPORTRAIT_00100_BURST20230709220904977_COVER.jpg` (bursts)
/// - `Screen Shot 2023-11-04 at 3.30.12 PM.png` (macOS and WhatsApp with a clock of twelve hours)
/// - `signal-2023-11-04-15-30-12-345.jpg` (Signal), `C360_2023-11-04-15-30-12-345.jpg` (Camera360)
/// - `IMG_20231104_153012345.jpg` and `WhatsApp Image 2023-11-04 at 15.30.12.jpeg` (cameras, phones and messengers)
/// - `IMG-20231104-WA0001.jpg` and `1987-06-21 Holiday.jpg` (any with a day)
///
/// The known digits decide the precision. Years are from 1826, when the oldest surviving photograph was taken, to the
/// year after the current one; digits without separators, which may be any number, from 1990. A number such as that in
/// `received_1699111812345.jpeg` is an id of Facebook, not a time.
package enum FileNameDate {
    /// Returns the time in the last part of a path; `nil` if there is none.
    ///
    /// - Parameters:
    ///   - path: A path.
    ///   - zone: The time zone of the names that are in UTC.
    /// - Returns: The wall-clock time without an offset, or for a name in UTC the instant as the zone's clock showed it.
    package static func time(in path: String, zone: TimeZone) -> CaptureTime? {
        // A mean year is 31,556,952 seconds.
        time(in: path, zone: zone, currentYear: 1970 + Int(Date().timeIntervalSince1970) / 31_556_952)
    }

    static func time(in path: String, zone: TimeZone, currentYear: Int) -> CaptureTime? {
        let name = path.split(separator: "/").last.map(String.init) ?? ""
        for form in FileNameForm.all {
            guard let fields = form.fields(of: name) else { continue }
            guard let (milliseconds, precision) = fields.time(currentYear: currentYear) else { return nil }
            // The instant is known, but not the place. People expect the time that their clock showed, and most of them
            // import their photos in their own time zone. The same rule applies to the times of files.
            if form.isUTC { return CaptureTime(instant: milliseconds, in: zone, precision: precision) }
            return try? CaptureTime(milliseconds: milliseconds, utcOffsetMinutes: nil, precision: precision)
        }
        return nil
    }
}

extension CaptureTime {
    /// Creates the time of an instant as a local clock showed it; `nil` if it is out of range.
    ///
    /// - Parameters:
    ///   - milliseconds: The instant, in milliseconds since 1970.
    ///   - zone: The time zone of the clock.
    ///   - precision: The precision.
    package init?(instant milliseconds: Int64, in zone: TimeZone, precision: Precision) {
        let offset = zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(milliseconds) / 1_000)) / 60
        guard
            let time = try? CaptureTime(milliseconds: milliseconds, utcOffsetMinutes: offset, precision: precision)
        else { return nil }
        self = time
    }
}

extension FileNameFields {
    /// The time in milliseconds since 1970, on the clock of the name; `nil` if it is impossible or implausible.
    fileprivate func time(currentYear: Int) -> (milliseconds: Int64, precision: CaptureTime.Precision)? {
        if let count = numbers["Q"] {
            // Facebook, whose names count milliseconds, began in 2004.
            guard let first = CivilDate(year: 2004, month: 1, day: 1),
                let end = CivilDate(year: currentYear + 2, month: 1, day: 1),
                Int64(first.daysSince1970) * 86_400_000..<Int64(end.daysSince1970) * 86_400_000 ~= Int64(count)
            else { return nil }
            return (Int64(count), .millisecond)
        }
        let firstYear = dateSeparator.isEmpty ? 1990 : 1826
        guard let year = numbers["Y"], let month = numbers["m"], let day = numbers["d"],
            firstYear...max(firstYear, currentYear + 1) ~= year,
            let date = CivilDate(year: year, month: month, day: day)
        else { return nil }
        let midnight = Int64(date.daysSince1970) * 86_400_000
        guard let minute = numbers["M"], let second = numbers["S"] else { return (midnight, .day) }
        guard let hour, hour < 24, minute < 60, second < 60 else { return nil }
        let time = midnight + Int64((hour * 60 + minute) * 60 + second) * 1_000
        guard let fraction = numbers["f"] else { return (time, .second) }
        return (time + Int64(fraction), .millisecond)
    }

    /// The hour of 24; `nil` if it is impossible.
    private var hour: Int? {
        guard let isAfternoon else { return numbers["H"] }
        guard let hour = numbers["I"], 1...12 ~= hour else { return nil }
        return hour % 12 + (isAfternoon ? 12 : 0)
    }
}
