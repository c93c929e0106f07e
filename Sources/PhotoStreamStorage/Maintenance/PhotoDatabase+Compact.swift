import Foundation
import GRDB
import GRDBSQLite
package import PhotoStreamModel

extension PhotoDatabase {
    /// Rewrites the file without its unused space (`VACUUM`).
    ///
    /// Every row keeps its id, every revision, cursor and stored layout stays valid. It is one transaction: an
    /// interruption leaves the file either unchanged or compacted. Reads continue; writers of other connections wait,
    /// and give up after their busy timeout. The new content is written to a temporary file, then to the write-ahead
    /// log, then to the file, so each of the two folders needs room for it. The temporary file is in `TMPDIR` if that
    /// folder can be written, otherwise in `/var/tmp` or `/tmp`, as SQLite chooses.
    ///
    /// - Parameter progress: Called now and then with the part of the first step that is done, up to 1. The second step,
    ///   which copies the content back, cannot be interrupted.
    /// - Returns: The sizes before and after.
    /// - Throws: ``StorageError``; `CancellationError` if the caller's task is cancelled during the first step.
    /// - Complexity: O(bytes of the file).
    package func compact(progress: (Double) -> Void = { _ in }) throws -> Compaction {
        try requireWritable()
        return try translatingErrors {
            try checkIsInPlace()
            let connection = try compactingConnection()
            defer { try? connection.close() }
            let (before, isPending) = try connection.inDatabase { database in
                // The log of a compaction that failed would stay as long as the file.
                defer { _ = try? Self.truncateLog(database) }
                let before = try database.number("PRAGMA page_count") * database.number("PRAGMA page_size")
                try withoutActuallyEscaping(progress) { try CompactionRun(database, report: $0).run() }
                return (before, try Self.truncateLog(database))
            }
            try checkIsInPlace()
            var status = stat()
            let after = unsafe stat(pool.path, &status) == 0 ? Int64(status.st_size) : 0
            return Compaction(bytesBefore: before, bytesAfter: after, isPending: isPending)
        }
    }

    /// Returns a separate connection, whose temporary file is not in memory.
    private func compactingConnection() throws -> DatabaseQueue {
        let wait = BusyWait(milliseconds: busyTimeoutMilliseconds)
        var configuration = Configuration()
        configuration.prepareDatabase { database in
            wait.install(on: database)
            // A small cache, since each page is written once. The log is emptied at the end.
            try database.execute(
                sql: """
                    PRAGMA synchronous = NORMAL; PRAGMA temp_store = FILE; PRAGMA cache_size = -8192;
                    PRAGMA wal_autocheckpoint = 0
                    """)
        }
        return try DatabaseQueue(path: pool.path, configuration: configuration)
    }

    /// Copies the write-ahead log to the file, so that the file is complete without it.
    ///
    /// ``close()`` tries the same, but reports nothing if the disk is full.
    ///
    /// - Throws: ``StorageError``; with code `busy` if another connection's read prevents it.
    package func copyLogToFile() throws {
        let isPrevented = try translatingErrors { try pool.writeWithoutTransaction { try Self.truncateLog($0) } }
        if isPrevented {
            throw StorageError(.busy, message: "\(path) is being read, so its log cannot be copied to it")
        }
    }

    /// Copies the write-ahead log to the file, and truncates both.
    ///
    /// - Returns: Whether another connection's read prevents it.
    private static func truncateLog(_ database: Database) throws -> Bool {
        try database.number("PRAGMA wal_checkpoint(TRUNCATE)") != 0
    }
}

/// One run of `VACUUM` that reports its progress and ends when its task is cancelled.
@safe private final class CompactionRun {
    private let connection: SQLiteConnection?
    /// The number of pages that will be written to the temporary file.
    private let pageCount: Int64
    private let report: (Double) -> Void

    init(_ database: Database, report: @escaping (Double) -> Void) throws {
        unsafe connection = database.sqliteConnection
        pageCount = max(1, try database.number("PRAGMA page_count") - database.number("PRAGMA freelist_count"))
        self.report = report
    }

    /// Runs it.
    ///
    /// - Throws: `DatabaseError`.
    func run() throws {
        try Task.checkCancellation()
        // GRDB's authorizer keeps VACUUM from copying tables with generated columns.
        unsafe sqlite3_set_authorizer(connection, nil, nil)
        unsafe sqlite3_progress_handler(
            connection, 10_000,
            { context in
                guard let context = unsafe context else { return 0 }
                return unsafe Unmanaged<CompactionRun>.fromOpaque(context).takeUnretainedValue().continues() ? 0 : 1
            }, unsafe Unmanaged.passUnretained(self).toOpaque())
        defer { unsafe sqlite3_progress_handler(connection, 0, nil, nil) }
        let code = withExtendedLifetime(self) { unsafe sqlite3_exec(connection, "VACUUM", nil, nil, nil) }
        guard code == SQLITE_OK else {
            throw unsafe DatabaseError(
                resultCode: ResultCode(rawValue: sqlite3_extended_errcode(connection)),
                message: String(cString: sqlite3_errmsg(connection)))
        }
    }

    /// Reports the progress.
    ///
    /// - Returns: Whether to continue.
    private func continues() -> Bool {
        var (written, unused): (Int32, Int32) = (0, 0)
        unsafe sqlite3_db_status(connection, SQLITE_DBSTATUS_CACHE_WRITE, &written, &unused, 0)
        report(min(1, Double(written) / Double(pageCount)))
        return !Task.isCancelled
    }
}
