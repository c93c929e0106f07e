import Foundation
import GRDB
import GRDBSQLite
package import PhotoStreamModel

/// One PhotoStream file: a connection that writes and a pool of connections that read.
///
/// A value of this type may be shared between threads. The file is in WAL mode: readers see the snapshot of the moment
/// at which they started and never wait for a writer. Several processes may hold the same file. The connections are
/// closed with the last copy of the value.
///
/// Reads and writes are synchronous and must not be nested.
package struct PhotoDatabase: Sendable {
    /// The path as it was given.
    package let path: String
    /// Whether every write is refused.
    package let isReadOnly: Bool
    let pool: DatabasePool
    private let busyTimeoutMilliseconds: Int
    private let chunkSize: ChunkSize
    private let log: ChangeLog
    let bulkWriters = BulkWriters()
    private let rows: RowCache
    private let distrusted = DistrustedChunks()
    /// The file that is open, wherever it is now.
    private let file: OpenFile
    private let gate = ReadGate()
    /// `nil` where nothing is written.
    private let logKeeper: LogKeeper?

    /// The version of the SQLite that is linked, such as `3.40.1`.
    package static var sqliteVersion: String { String(cString: sqlite3_libversion()) }

    /// Opens a file, creating it or bringing its schema up to date where `access` allows it.
    ///
    /// - Parameters:
    ///   - path: The file's path. Two more files live beside it while it is open, with `-wal` and `-shm` behind the
    ///     name.
    ///   - access: What may be done to it.
    ///   - busyTimeoutMilliseconds: How long to wait for another program's lock before ``StorageFailure/busy``.
    ///   - chunkSize: How large the chunks are that are made here.
    ///   - log: How long the change log gets.
    ///   - mapsFile: Whether the file is read through memory maps, of at most 256 MB a connection.
    ///   - willUpdate: Called before a file of an older version is brought up to date, which takes a while.
    /// - Throws: ``StorageError`` with a sentence for each thing that can be wrong with a file.
    package init(
        path: String,
        access: FileAccess,
        busyTimeoutMilliseconds: Int = 5_000,
        chunkSize: ChunkSize = .standard,
        log: ChangeLog = .standard,
        mapsFile: Bool = true,
        willUpdate: (SchemaUpdate) -> Void = { _ in }
    ) throws(StorageError) {
        try self.init(
            path: path, access: access, busyTimeoutMilliseconds: busyTimeoutMilliseconds, chunkSize: chunkSize,
            log: log, mapsFile: mapsFile, logLimits: .standard, willUpdate: willUpdate)
    }

    /// Opens a file whose write-ahead log gets as long as other limits say.
    init(
        path: String, access: FileAccess, busyTimeoutMilliseconds: Int = 5_000, chunkSize: ChunkSize = .standard,
        log: ChangeLog = .standard, mapsFile: Bool = true, logLimits: LogKeeper.Limits,
        willUpdate: (SchemaUpdate) -> Void = { _ in }
    ) throws(StorageError) {
        rows = RowCache()
        file = OpenFile(path: path)
        let opener = DatabaseOpener(
            path: path,
            access: access,
            busyTimeoutMilliseconds: busyTimeoutMilliseconds,
            mapsFile: mapsFile,
            file: file
        )
        do {
            pool = try opener.open(willUpdate: willUpdate)
        } catch let error as StorageError {
            throw error
        } catch let error as DatabaseError {
            throw StorageError(error, path: path, busyTimeoutMilliseconds: busyTimeoutMilliseconds)
        } catch {
            throw StorageError(.database, "\(path) cannot be opened: \(error)")
        }
        file.remember(isWritten: access != .readOnly)
        logKeeper =
            access == .readOnly
            ? nil
            : LogKeeper(path: pool.path, file: file, gate: gate, limits: logLimits, bulkWriters: bulkWriters)
        self.path = path
        self.isReadOnly = access == .readOnly
        self.busyTimeoutMilliseconds = busyTimeoutMilliseconds
        self.chunkSize = chunkSize
        self.log = log
    }

    /// Runs `body` in one read transaction: all that it reads is of one moment.
    ///
    /// A statement that runs when the caller's task is cancelled ends with `CancellationError`. Where derived data are found
    /// damaged, they count no more, and `body` runs again in another transaction.
    ///
    /// - Parameters:
    ///   - mayBeGivenUp: Whether ``PhotoReader/checkMayGoOn()`` ends the read with ``ReadGivenUp`` where it keeps the
    ///     write-ahead log from being emptied; the caller then reads again.
    ///   - body: What to read. The reader must not be kept.
    /// - Returns: What `body` returns.
    /// - Throws: ``StorageError`` for what SQLite reports, where another file has taken the place of the open one, and with
    ///   ``StorageFailure/corrupt`` for damage that is not mended by making derived data again; any other error of
    ///   `body` as it is.
    /// - Precondition: Not called inside another read or write of this database.
    package func read<T>(mayBeGivenUp: Bool = false, _ body: (PhotoReader) throws -> T) throws -> T {
        while true {
            do {
                return try readOnce(mayBeGivenUp: mayBeGivenUp, body)
            } catch let damage as DerivedDamage {
                guard try readOnce(mayBeGivenUp: false, { try distrusted.add(damage, $0) }) else {
                    throw StorageError(damage)
                }
            }
        }
    }

    private func readOnce<T>(mayBeGivenUp: Bool, _ body: (PhotoReader) throws -> T) throws -> T {
        defer { logKeeper?.look() }
        try gate.enter()
        defer { gate.leave() }
        return try translatingErrors {
            try file.checkIsNotReplaced()
            return try pool.unsafeRead { database in
                let rows = CachedRows(rows)
                let reader = PhotoReader(
                    database: database, chunkSize: chunkSize, log: log, distrusted: distrusted, cachedRows: rows,
                    gate: mayBeGivenUp ? gate : nil)
                return try Self.transaction(database) { try body(reader) }
            }
        }
    }

    /// Runs `body` in one read transaction of a connection that has none.
    ///
    /// GRDB's own transaction also asks the file whether its schema has changed, for GRDB's caches; our statements cache
    /// nothing.
    private static func transaction<T>(_ database: Database, _ body: () throws -> T) throws -> T {
        try RawStatement(database, "BEGIN").run()
        defer { try? RawStatement(database, "ROLLBACK").run() }
        let connection = database.sqliteConnection
        sqlite3_progress_handler(connection, 1_000, { _ in Task.isCancelled ? 1 : 0 }, nil)
        defer { sqlite3_progress_handler(connection, 0, nil, nil) }
        return try body()
    }

    /// Runs `body` in one write transaction, which starts with the write lock and is undone when `body` throws.
    ///
    /// When it returns, the file at the path holds what was written.
    ///
    /// - Parameter body: What to write. The writer must not be kept.
    /// - Returns: What `body` returns, after the commit.
    /// - Throws: ``StorageError`` for what SQLite reports, for a file that is open for reading only and for one that is not
    ///   at its path any more; any other error of `body` as it is.
    /// - Precondition: Not called inside another read or write of this database.
    @discardableResult
    package func write<T>(_ body: (PhotoWriter) throws -> T) throws -> T {
        try requireWritable()
        defer { logKeeper?.look() }
        return try translatingErrors {
            try file.checkIsInPlace()
            let result = try pool.writeWithoutTransaction { database in
                var result: T?
                do {
                    try database.inTransaction(.immediate) {
                        result = try body(
                            PhotoWriter(database: database, chunkSize: chunkSize, log: log, distrusted: distrusted))
                        return .commit
                    }
                } catch let damage as DerivedDamage {
                    throw StorageError(damage)
                }
                guard let result else { throw StorageError(.database, "\(path): a write came to no result") }
                return result
            }
            // What was committed into a file that is gone is lost with this process.
            try file.checkIsInPlace()
            return result
        }
    }

    /// Leaves the file to other writers for a moment: to be called between the transactions of work that needs many.
    ///
    /// Connections that wait for the lock look every millisecond (``BusyWait``). Of an import's time this takes about two
    /// per cent.
    package func giveTurn() {
        usleep(4_000)
    }

    /// What keeps the write-ahead log from being emptied, where it is too long.
    package var logObstacle: LogObstacle? { logKeeper?.obstacle }

    /// Empties the write-ahead log where it is too long.
    ///
    /// - Returns: What prevents it; `nil` where the log is short.
    /// - Throws: ``StorageError``.
    package func emptyLongLog() throws -> LogObstacle? {
        try translatingErrors { try logKeeper?.lookNow() }
    }

    /// Brings the planner's statistics up to date where they are worth it: after an import, before closing.
    ///
    /// Does nothing to a file that is open for reading only.
    package func optimize() throws {
        guard !isReadOnly else { return }
        try translatingErrors {
            try pool.writeWithoutTransaction { database in
                // A sample is enough: the queries name their indexes where it matters.
                try database.execute(sql: "PRAGMA analysis_limit = 400; PRAGMA optimize")
            }
        }
    }

    /// Sets how long the write-ahead log gets under this database's writes.
    func setWriteAheadLog(_ log: WriteAheadLog) throws {
        try requireWritable()
        try translatingErrors {
            try pool.writeWithoutTransaction { try $0.execute(sql: log.sql) }
        }
    }

    /// Closes every connection; whatever is called afterwards fails.
    package func close() throws {
        logKeeper?.stop()
        file.forget()
        try translatingErrors {
            // The writer must be the last to go: only then SQLite copies what is in the WAL to the file and removes it,
            // so that the file alone is the whole.
            pool.invalidateReadOnlyConnections()
            try pool.close()
        }
    }

    /// Whether the file that is open is still the one at its path.
    ///
    /// - Throws: ``StorageError`` with ``StorageFailure/moved`` where it was moved, deleted or replaced.
    package func checkIsInPlace() throws(StorageError) { try file.checkIsInPlace() }

    private func requireWritable() throws {
        guard isReadOnly else { return }
        throw StorageError(.readOnly, "\(path) is open for reading only")
    }

    /// Passes results through and turns what SQLite reports into a ``StorageError``.
    package func translatingErrors<T>(_ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch let error as DatabaseError where error.resultCode == .SQLITE_INTERRUPT {
            throw CancellationError()
        } catch let error as DatabaseError where StorageError.isBusy(error) && Task.isCancelled {
            throw CancellationError()
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CANTOPEN {
            // A connection that is opened late finds no file.
            try file.checkIsInPlace()
            throw StorageError(error, path: path, busyTimeoutMilliseconds: busyTimeoutMilliseconds)
        } catch let error as DatabaseError {
            throw StorageError(error, path: path, busyTimeoutMilliseconds: busyTimeoutMilliseconds)
        } catch let damage as DamagedValue {
            throw StorageError(damage, path: path)
        }
    }
}
