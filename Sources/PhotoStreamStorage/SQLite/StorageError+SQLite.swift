import GRDB
import PhotoStreamModel

extension StorageError {
    /// Converts an SQLite error of the file at `path`.
    ///
    /// - Parameters:
    ///   - error: The SQLite error.
    ///   - path: The file's path.
    ///   - busyTimeoutMilliseconds: The busy timeout, for the message.
    init(_ error: DatabaseError, path: String, busyTimeoutMilliseconds: Int) {
        switch error.resultCode {
        case _ where error.extendedResultCode == .SQLITE_IOERR_SHMSIZE:
            self.init(.diskFull, message: "\(path)-shm cannot grow: the disk is full")
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            let timeout = Self.seconds(busyTimeoutMilliseconds)
            self.init(.busy, message: "\(path) is locked by another program; gave up after \(timeout)")
        case .SQLITE_NOTADB:
            self.init(.notADatabase, message: "\(path) is not an SQLite database")
        case .SQLITE_CORRUPT:
            self.init(
                .corrupt,
                message: "\(path) is damaged: \(Self.detail(error)); run `photostream cache verify` for details")
        case .SQLITE_FULL:
            self.init(.diskFull, message: "\(path) cannot grow: the disk is full")
        case .SQLITE_READONLY:
            self.init(.readOnly, message: "\(path) cannot be written: \(Self.detail(error))")
        case .SQLITE_CONSTRAINT:
            self.init(.constraint, message: "\(path) refuses the change: \(Self.detail(error))")
        case .SQLITE_CANTOPEN:
            self.init(.database, message: "\(path) cannot be opened: \(Self.detail(error))")
        default:
            self.init(.database, message: "\(path): \(Self.detail(error))")
        }
    }

    /// Whether the error is caused by another connection's lock.
    static func isBusy(_ error: DatabaseError) -> Bool {
        error.resultCode == .SQLITE_BUSY || error.resultCode == .SQLITE_LOCKED
    }

    /// Formats a time: `5 seconds`, `1 second`, `0.25 seconds`.
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
