import Foundation
import GRDB
import GRDBSQLite
package import PhotoStreamModel
import Synchronization

/// A PhotoStream file: one connection that writes and a pool of connections that read.
///
/// A value of this type may be shared between threads. The file is in WAL mode: readers see the snapshot of the moment
/// at which they began and never wait for a writer. Several processes may open the same file. The connections are
/// closed with the last copy of the value.
///
/// Reads and writes are synchronous and must not be nested.
package struct PhotoDatabase: Sendable {
    /// The path as given.
    package let path: String
    /// Whether writes are refused.
    package let isReadOnly: Bool
    let pool: DatabasePool
    let busyTimeoutMilliseconds: Int
    private let rows: RowCache
    /// The open file, even after it was moved.
    let file: OpenFile
    /// Counts the reads, and empties the write-ahead log.
    let logKeeper: LogKeeper
    /// The database that decides writes, if the file is a replica and follows it.
    let primary: (any Primary)?
    /// Whether the file is a replica.
    package let isReplica: Bool
    let catchingUp = CatchingUp()

    /// The version of the linked SQLite, such as `3.40.1`.
    package static var sqliteVersion: String { unsafe String(cString: sqlite3_libversion()) }

    /// Opens a file.
    ///
    /// If `access` allows it, creates the file or brings its schema up to date.
    ///
    /// - Parameters:
    ///   - path: The file's path. While the file is open, SQLite keeps two more files next to it, named with the
    ///     suffixes `-wal` and `-shm`.
    ///   - access: The access to the file.
    ///   - busyTimeoutMilliseconds: The maximum wait for another program's lock before ``StorageFailure/busy``.
    ///   - chunkSize: The size of new chunks.
    ///   - log: The length of the change log.
    ///   - mapsFile: Whether the file is read through memory maps, at most 256 MB per connection.
    ///   - logLimits: The lengths at which the write-ahead log is emptied.
    ///   - primary: The database that decides writes, for a file that is its replica.
    ///   - willUpdate: Called before the schema of an older file is brought up to date, which takes a while.
    /// - Throws: ``StorageError`` with the reason.
    package init(
        path: String,
        access: FileAccess,
        busyTimeoutMilliseconds: Int = 5_000,
        chunkSize: ChunkSize = .standard,
        log: ChangeLog = .standard,
        mapsFile: Bool = true,
        logLimits: LogLimits = .standard,
        primary: (any Primary)? = nil,
        willUpdate: (FileUpdate) -> Void = { _ in }
    ) throws(StorageError) {
        rows = RowCache()
        file = OpenFile(path: path, chunkSize: chunkSize, changeLog: log)
        let opener = DatabaseOpener(
            path: path,
            access: access,
            busyTimeoutMilliseconds: busyTimeoutMilliseconds,
            mapsFile: mapsFile,
            file: file
        )
        do {
            pool = try opener.open(willUpdate: willUpdate)
            isReplica = try primary != nil || pool.unsafeRead(ReplicaState.isPresent)
        } catch let error as StorageError {
            throw error
        } catch let error as DatabaseError {
            throw StorageError(error, path: path, busyTimeoutMilliseconds: busyTimeoutMilliseconds)
        } catch {
            throw StorageError(.database, message: "\(path) cannot be opened: \(error)")
        }
        file.remember(isWritten: access != .readOnly)
        logKeeper = LogKeeper(path: pool.path, file: file, limits: logLimits, isReadOnly: access == .readOnly)
        self.primary = primary
        self.path = path
        self.isReadOnly = access == .readOnly
        self.busyTimeoutMilliseconds = busyTimeoutMilliseconds
    }

    /// Runs `body` in one read transaction: everything it reads belongs to one snapshot.
    ///
    /// If the caller's task is cancelled, the running statement ends with `CancellationError`.
    ///
    /// - Parameters:
    ///   - isRestartable: Whether ``PhotoReader/throwIfMustRestart()`` ends the read if it keeps the write-ahead log from
    ///     being emptied.
    ///   - body: A closure that must not keep the reader.
    /// - Returns: The result of `body`.
    /// - Throws: ``StorageError`` for SQLite's errors, and if another file has replaced the open one; ``ReadInterruption``
    ///   if the caller has to read again. Errors of `body` are passed on.
    /// - Precondition: The call is not nested in another read or write of this database.
    package func read<T>(isRestartable: Bool = false, _ body: (PhotoReader) throws -> T) throws -> T {
        defer { logKeeper.look() }
        let attempt = try logKeeper.beginRead()
        defer { logKeeper.endRead(attempt) }
        return try translatingErrors {
            try file.checkIsNotReplaced()
            return try pool.unsafeRead { database in
                let rows = CachedRows(rows)
                let reader = PhotoReader(
                    database: database, file: file, cachedRows: rows,
                    mustRestart: isRestartable ? { logKeeper.mustRestart(attempt) } : nil)
                return try Self.transaction(database) { try body(reader) }
            }
        }
    }

    /// Runs `body` in one read transaction of a connection.
    ///
    /// GRDB's own transaction would also read the schema version, for caches that our statements do not have.
    private static func transaction<T>(_ database: Database, body: () throws -> T) throws -> T {
        try database.run("BEGIN")
        defer { try? database.run("ROLLBACK") }
        let connection = unsafe database.sqliteConnection
        unsafe sqlite3_progress_handler(connection, 1_000, { _ in Task.isCancelled ? 1 : 0 }, nil)
        defer { unsafe sqlite3_progress_handler(connection, 0, nil, nil) }
        return try body()
    }

    /// Runs `body` in one write transaction, which takes the write lock at its start and is rolled back if `body`
    /// throws.
    ///
    /// When the call returns, the file at the path contains the changes, and so does the primary if the file is a replica.
    ///
    /// - Parameter body: A closure that must not keep the writer. In a replica it may run more than once, each time with the
    ///   effects of the runs before undone, if another program changes the same rows.
    /// - Returns: The result of `body`, after the commit.
    /// - Throws: ``StorageError`` for SQLite's errors, if the file is open for reading only, and if it is no longer at
    ///   its path; of a replica, also if the primary does not answer. Errors of `body` are passed on.
    /// - Precondition: The call is not nested in another read or write of this database.
    @discardableResult
    package func write<T>(_ body: (PhotoWriter) throws -> T) throws -> T {
        if let primary { return try write(through: primary, body) }
        return try writeTransaction { database in
            if isReplica { throw StorageError.replica(path) }
            return try body(writer(database))
        }
    }

    /// Runs `body`, which writes no ``SharedTable``, in one write transaction.
    ///
    /// - Throws: As ``write(_:)``.
    /// - Precondition: The call is not nested in another read or write of this database.
    @discardableResult
    package func writeLocally<T>(_ body: (PhotoWriter) throws -> T) throws -> T {
        try writeTransaction { try body(writer($0)) }
    }

    /// The writer of a transaction.
    func writer(_ database: Database, newRowIDs: NewRowIDs? = nil) -> PhotoWriter {
        PhotoWriter(database: database, file: file, newRowIDs: newRowIDs)
    }

    /// Runs `body` in one write transaction of the connection that writes.
    func writeTransaction<T>(_ body: (Database) throws -> T) throws -> T {
        try requireWritable()
        defer { logKeeper.look() }
        return try translatingErrors {
            try file.checkIsInPlace()
            let result = try pool.writeWithoutTransaction { database in
                var result: T?
                do {
                    try database.inTransaction(.immediate) {
                        result = try body(database)
                        return .commit
                    }
                } catch ReadInterruption.damage(_, let message) {
                    throw StorageError(.corrupt, message: message)
                }
                guard let result else { throw StorageError(.database, message: "\(path): a write returned no result") }
                return result
            }
            // A commit into a file that was deleted is lost when this process ends.
            try file.checkIsInPlace()
            file.callListeners()
            return result
        }
    }

    /// Pauses so that other writers can take the lock.
    ///
    /// Call this between the transactions of long work.
    ///
    /// Connections that wait for the lock try it every millisecond (``BusyWait``). The pause cannot notify them when it
    /// ends, since they may belong to other processes. An import spends about 2 % of its time here.
    package func pauseForOtherWriters() {
        usleep(4_000)
    }

    /// The read that keeps the write-ahead log from being emptied, if the log is too long.
    package var logObstacle: LogObstacle? { logKeeper.obstacle }

    /// Empties the write-ahead log if it is too long.
    ///
    /// - Returns: The read that prevents it; `nil` if the log is short.
    /// - Throws: ``StorageError``.
    package func emptyLongLog() throws -> LogObstacle? {
        guard !isReadOnly else { return nil }
        return try translatingErrors { try logKeeper.lookNow() }
    }

    /// Updates the query planner's statistics if that is worthwhile.
    ///
    /// Call this after an import and before closing.
    ///
    /// Does nothing if the file is open for reading only.
    package func optimize() throws {
        guard !isReadOnly else { return }
        try translatingErrors {
            try pool.writeWithoutTransaction { database in
                // A sample is enough: important queries name their indexes.
                try database.execute(sql: "PRAGMA analysis_limit = 400; PRAGMA optimize")
            }
        }
    }

    /// Counts the bulk writes in progress, and sets the length of the write-ahead log for the writes of this database.
    ///
    /// A bulk write whose beginning throws does not count.
    func changeBulkWriteCount(by change: Int) throws {
        try requireWritable()
        try translatingErrors {
            // The blocks of the writing connection run one after the other.
            try pool.writeWithoutTransaction { database in
                let count = logKeeper.bulkWriteCount.load(ordering: .relaxed) + change
                if change < 0 { logKeeper.bulkWriteCount.store(count, ordering: .relaxed) }
                try database.execute(sql: (count == 0 ? WriteAheadLog.usual : .bulk).sql)
                logKeeper.bulkWriteCount.store(count, ordering: .relaxed)
            }
        }
    }

    /// Closes every connection.
    ///
    /// All later calls fail.
    package func close() throws {
        logKeeper.stop()
        file.forget()
        try translatingErrors {
            // The writer must be closed last: only then does SQLite copy the write-ahead log to the file and delete it,
            // so that the file is complete on its own.
            pool.invalidateReadOnlyConnections()
            try pool.close()
        }
    }

    /// Checks that the open file is still the one at its path.
    ///
    /// - Throws: ``StorageError`` with ``StorageFailure/moved`` if it was moved, deleted or replaced.
    package func checkIsInPlace() throws(StorageError) { try file.checkIsInPlace() }

    func requireWritable() throws {
        guard isReadOnly else { return }
        throw StorageError(.readOnly, message: "\(path) is open for reading only")
    }

    /// Runs `body` and converts SQLite's errors to ``StorageError``.
    package func translatingErrors<T>(_ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch let error as DatabaseError where error.resultCode == .SQLITE_INTERRUPT {
            throw CancellationError()
        } catch let error as DatabaseError where StorageError.isBusy(error) && Task.isCancelled {
            throw CancellationError()
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CANTOPEN {
            // The file was gone before this connection was opened.
            try file.checkIsInPlace()
            throw StorageError(error, path: path, busyTimeoutMilliseconds: busyTimeoutMilliseconds)
        } catch let error as DatabaseError {
            throw StorageError(error, path: path, busyTimeoutMilliseconds: busyTimeoutMilliseconds)
        } catch let damage as DamagedValue {
            throw StorageError(damage, path: path)
        }
    }
}
