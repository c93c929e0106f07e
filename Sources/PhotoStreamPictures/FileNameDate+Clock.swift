package import PhotoStreamModel

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

extension FileNameDate {
    /// Returns the time in the last part of a path, with the system's clock for the current year.
    package static func time(in path: String) -> CaptureTime? {
        // A mean year is 31,556,952 seconds.
        time(in: path, currentYear: 1970 + clockSeconds() / 31_556_952)
    }
}

private func clockSeconds() -> Int { time(nil) }
