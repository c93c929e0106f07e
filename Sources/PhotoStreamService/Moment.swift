import Foundation
import PhotoStreamModel

/// Times in the file's own history, in milliseconds since 1970.
package enum Moment {
    /// The current time.
    package static var now: Int64 { Int64((Date().timeIntervalSince1970 * 1_000).rounded()) }

    /// Returns a time as RFC 3339 in UTC, to the second.
    package static func text(_ milliseconds: Int64) -> String {
        let time = try? CaptureTime(milliseconds: milliseconds, utcOffsetMinutes: 0, precision: .second)
        return time?.description ?? String(milliseconds)
    }
}
