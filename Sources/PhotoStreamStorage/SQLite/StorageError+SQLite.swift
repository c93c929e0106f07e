import GRDB
import PhotoStreamModel

extension StorageError {
    /// Translates what SQLite reported about the file at `path`.
    ///
    /// - Parameters:
    ///   - error: The report.
    ///   - path: The file's path.
    ///   - busyTimeoutMilliseconds: How long a lock was waited for; the sentence says so.
    init(_ error: DatabaseError, path: String, busyTimeoutMilliseconds: Int) {
        switch error.resultCode {
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            let patience = Self.seconds(busyTimeoutMilliseconds)
            self.init(.busy, "\(path) is locked by another program; gave up after \(patience)")
        case .SQLITE_NOTADB:
            self.init(.notADatabase, "\(path) is not an SQLite database")
        case .SQLITE_CORRUPT:
            self.init(.corrupt, "\(path) is damaged: \(Self.detail(error)); `photostream cache verify` says more")
        case .SQLITE_FULL:
            self.init(.diskFull, "\(path) cannot grow: the disk is full")
        case .SQLITE_READONLY:
            self.init(.readOnly, "\(path) cannot be written: \(Self.detail(error))")
        case .SQLITE_CONSTRAINT:
            self.init(.constraint, "\(path) refuses the change: \(Self.detail(error))")
        case .SQLITE_CANTOPEN:
            self.init(.database, "\(path) cannot be opened: \(Self.detail(error))")
        default:
            self.init(.database, "\(path): \(Self.detail(error))")
        }
    }

    /// Whether a lock was in the way.
    static func isBusy(_ error: DatabaseError) -> Bool {
        error.resultCode == .SQLITE_BUSY || error.resultCode == .SQLITE_LOCKED
    }

    /// `5 seconds`, `1 second`, `0.25 seconds`.
    private static func seconds(_ milliseconds: Int) -> String {
        let (whole, rest) = milliseconds.quotientAndRemainder(dividingBy: 1_000)
        guard rest != 0 else { return whole == 1 ? "1 second" : "\(whole) seconds" }
        var digits = String(rest + 1_000).dropFirst()
        while digits.last == "0" { digits.removeLast() }
        return "\(whole).\(digits) seconds"
    }

    private static func detail(_ error: DatabaseError) -> String {
        error.message ?? "SQLite error \(error.extendedResultCode.rawValue)"
    }
}
