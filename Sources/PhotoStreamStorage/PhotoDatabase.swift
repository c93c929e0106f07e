import GRDB
import GRDBSQLite

/// One PhotoStream file: a connection that writes and a pool of connections that read.
///
/// A value of this type may be shared between threads. The file is in WAL mode: readers see the snapshot of the moment
/// at which they started and never wait for a writer. Several processes may hold the same file. The connections are
/// closed with the last copy of the value.
///
/// Reads and writes are synchronous and must not be nested.
package struct PhotoDatabase: Sendable {
    /// How a file is opened.
    package enum Access: Sendable {
        /// For reading and writing; a missing file is created, its schema brought up to date.
        case readWrite
        /// For reading and writing, if it exists; its schema is brought up to date.
        case existing
        /// For reading only; nothing is written, not even a schema step.
        case readOnly
    }

    /// The path as it was given.
    package let path: String
    /// Whether every write is refused.
    package let isReadOnly: Bool
    // Before the pool, so that the connection that writes is the last to go.
    private let briefReaders: BriefReaders
    let pool: DatabasePool
    private let busyTimeoutMilliseconds: Int
    private let chunkSize: ChunkSize
    private let log: ChangeLog
    let bulkWriters = BulkWriters()
    private let rows: RowCache
    /// The file that is open, wherever it is now.
    private let identity: FileIdentity?

    /// The version of the SQLite that is linked, such as `3.40.1`.
    package static var sqliteVersion: String { String(cString: sqlite3_libversion()) }

    /// Opens a file, creating it or bringing its schema up to date where `access` allows it.
    ///
    /// - Parameters:
    ///   - path: The file's path. Two more files live beside it while it is open, with `-wal` and `-shm` behind the
    ///     name.
    ///   - access: What may be done to it.
    ///   - busyTimeoutMilliseconds: How long to wait for another program's lock before ``StorageError/Code/busy``.
    ///   - chunkSize: How large the chunks are that are made here.
    ///   - log: How long the change log gets.
    /// - Throws: ``StorageError`` with a sentence for each thing that can be wrong with a file.
    package init(
        path: String,
        access: Access,
        busyTimeoutMilliseconds: Int = 5_000,
        chunkSize: ChunkSize = .standard,
        log: ChangeLog = .standard
    ) throws(StorageError) {
        rows = RowCache()
        let opener = DatabaseOpener(
            path: path,
            access: access,
            busyTimeoutMilliseconds: busyTimeoutMilliseconds
        )
        do {
            pool = try opener.open()
        } catch let error as StorageError {
            throw error
        } catch let error as DatabaseError {
            throw StorageError(error, path: path, busyTimeoutMilliseconds: busyTimeoutMilliseconds)
        } catch {
            throw StorageError(.database, "\(path) cannot be opened: \(error)")
        }
        identity = FileIdentity(path: path)
        briefReaders = BriefReaders(
            path: pool.path, configuration: opener.configuration(readOnly: true), identity: identity)
        self.path = path
        self.isReadOnly = access == .readOnly
        self.busyTimeoutMilliseconds = busyTimeoutMilliseconds
        self.chunkSize = chunkSize
        self.log = log
    }

    /// Runs `body` in one read transaction: all that it reads is of one moment.
    ///
    /// - Parameter body: What to read. The reader must not be kept.
    /// - Returns: What `body` returns.
    /// - Throws: ``StorageError`` for what SQLite reports; any other error of `body` as it is.
    /// - Precondition: Not called inside another read or write of this database.
    package func read<T>(_ body: (PhotoReader) throws -> T) throws -> T {
        try translatingErrors {
            try pool.unsafeRead {
                let rows = CachedRows(rows)
                return try BriefReaders.transaction($0) { try body(reader($0, rows, nil)) }
            }
        }
    }

    /// Runs `body` in one read transaction if that can be done without waiting for anybody: neither for a connection nor
    /// for a lock.
    ///
    /// - Parameter body: What to read, a few rows. The reader must not be kept.
    /// - Returns: What `body` returns; `nil` where it would have had to wait.
    /// - Throws: As ``read(_:)``.
    /// - Precondition: Not called inside another read or write of this database.
    package func readWithoutWaiting<T>(_ body: (PhotoReader) throws -> T) throws -> T? {
        let rows = CachedRows(rows)
        return try translatingErrors { try briefReaders.read { try body(reader($0, rows, $1)) } }
    }

    private func reader(_ database: Database, _ rows: CachedRows, _ memo: ReaderMemo?) -> PhotoReader {
        PhotoReader(database: database, chunkSize: chunkSize, log: log, cachedRows: rows, memo: memo)
    }

    /// Runs `body` in one write transaction, which starts with the write lock and is undone when `body` throws.
    ///
    /// - Parameter body: What to write. The writer must not be kept.
    /// - Returns: What `body` returns, after the commit.
    /// - Throws: ``StorageError`` for what SQLite reports and for a file that is open for reading only; any other error
    ///   of `body` as it is.
    /// - Precondition: Not called inside another read or write of this database.
    @discardableResult
    package func write<T>(_ body: (PhotoWriter) throws -> T) throws -> T {
        try requireWritable()
        return try translatingErrors {
            try pool.writeWithoutTransaction { database in
                var result: T?
                try database.inTransaction(.immediate) {
                    result = try body(PhotoWriter(database: database, chunkSize: chunkSize, log: log))
                    return .commit
                }
                guard let result else { throw StorageError(.database, "\(path): a write came to no result") }
                return result
            }
        }
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
        try translatingErrors {
            // The writer must be the last to go: only then SQLite copies what is in the WAL to the file and removes it,
            // so that the file alone is the whole.
            try briefReaders.close()
            pool.invalidateReadOnlyConnections()
            try pool.close()
        }
    }

    /// Whether the file that is open is still the one at its path.
    ///
    /// - Throws: ``StorageError`` with ``StorageError/Code/moved`` where it was moved, deleted or replaced: whoever opens
    ///   the path, this database's next connection included, finds another file than the one that is read and written.
    package func checkIsInPlace() throws(StorageError) {
        guard let identity, identity == FileIdentity(path: path) else {
            throw StorageError(.moved, "\(path) is not the file that is open: that was moved, deleted or replaced")
        }
    }

    private func requireWritable() throws {
        guard isReadOnly else { return }
        throw StorageError(.readOnly, "\(path) is open for reading only")
    }

    /// Passes results through and turns what SQLite reports into a ``StorageError``.
    package func translatingErrors<T>(_ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch let error as DatabaseError {
            throw StorageError(error, path: path, busyTimeoutMilliseconds: busyTimeoutMilliseconds)
        }
    }
}
