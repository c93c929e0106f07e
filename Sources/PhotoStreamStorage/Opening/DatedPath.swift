import Foundation

/// The names of files that are kept when others take their place.
enum DatedPath {
    /// Returns a path with a word and a time (UTC) after it, such as `photos.sqlite.replaced-20261127-203000`, at which there is
    /// neither a file nor one of SQLite's files next to it.
    ///
    /// - Parameters:
    ///   - path: The path.
    ///   - word: The word.
    ///   - now: The time.
    ///   - hasMilliseconds: Whether the milliseconds are in the name, so that names sort by time.
    /// - Returns: The path.
    static func free(_ path: String, word: String, now: Date, hasMilliseconds: Bool = false) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = hasMilliseconds ? "yyyyMMdd-HHmmss-SSS" : "yyyyMMdd-HHmmss"
        let base = "\(path).\(word)-\(formatter.string(from: now))"
        // A second one in the same second.
        return (1...).lazy.map { $0 == 1 ? base : "\(base)-\($0)" }.first { candidate in
            FilePrivacy.endings.allSatisfy { ending in
                var status = stat()
                return unsafe lstat(candidate + ending, &status) != 0
            }
        } ?? base
    }
}
