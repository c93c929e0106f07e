import Crypto
public import Logging
public import PhotoStreamModel
package import PhotoStreamStorage
import Synchronization

/// An open PhotoStream file.
///
/// Queries are methods of a ``Session``, which is one read transaction. The service opens, edits, imports and
/// maintains:
///
///     let service = try PhotoStreamService(path: path, access: .existing) { Int64(time(nil)) * 1_000 }
///     let (summary, page) = try service.read { session in
///         let layout = try session.layout(key, of: stream)
///         return (try layout.summary(), try layout.page())
///     }
///     try service.storeDerived()
///
/// A service may be shared between threads. All calls except ``readWithoutBlocking(_:)`` may block. Results of a query
/// are kept in memory; ``storeDerived()`` writes them to the file after the answer.
public final class PhotoStreamService: Sendable {
    /// The file.
    package let database: PhotoDatabase
    let layouts: LayoutCache
    let contents = ChunkContents()
    let counters = DerivedCounters()
    let storing = Mutex(())
    let now: @Sendable () -> Int64
    let logger: Logger
    /// The part before the path of signed addresses; see ``showImages(at:)``.
    let imagesBase = Mutex<String?>(nil)

    private let fingerprint: Mutex<(text: String, rebuildCount: Int)>

    /// A hash of the secret that the file was created with, which distinguishes it from other files regardless of
    /// paths.
    ///
    /// A replica has that of its primary; after it was rebuilt from another one, from the next query on.
    public var fileFingerprint: String { fingerprint.withLock { $0.text } }

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - path: The file's path.
    ///   - access: The way to open it.
    ///   - busyTimeoutMilliseconds: The maximum time that a write, or an opening that has to write, waits for another
    ///     program's lock.
    ///   - mapsFile: Whether the file is read through memory maps of at most 256 MB per connection. Queries are faster
    ///     with them; an import, which reads the whole file, takes less memory without.
    ///   - logger: Receives debug and info messages about computed and stored data.
    ///   - willUpdate: Called before a file of an older version is brought up to date, which takes a while.
    ///   - now: The time in milliseconds since 1970.
    /// - Throws: ``StreamServiceError/storage(_:message:)`` with one sentence about the problem of the file.
    public convenience init(
        path: String, access: FileAccess, busyTimeoutMilliseconds: Int = 5_000, mapsFile: Bool = true,
        logger: Logger = Logger(label: "photostream"), willUpdate: (FileUpdate) -> Void = { _ in },
        now: @escaping @Sendable () -> Int64
    ) throws {
        try self.init(
            path: path, access: access, busyTimeoutMilliseconds: busyTimeoutMilliseconds, mapsFile: mapsFile,
            logger: logger, chunkSize: .standard, willUpdate: willUpdate, now: now)
    }

    /// Opens a file with another chunk size, length of the change log or number of concurrent folds than programs use;
    /// or a replica, with its primary.
    package init(
        path: String, access: FileAccess, busyTimeoutMilliseconds: Int = 5_000, mapsFile: Bool = true,
        logger: Logger = Logger(label: "photostream"), chunkSize: ChunkSize = .standard, log: ChangeLog = .standard,
        foldSlotCount: Int? = nil, primary: (any Primary)? = nil, willUpdate: (FileUpdate) -> Void = { _ in },
        now: @escaping @Sendable () -> Int64
    ) throws {
        database = try translatingStorageErrors {
            try PhotoDatabase(
                path: path, access: access, busyTimeoutMilliseconds: busyTimeoutMilliseconds, chunkSize: chunkSize,
                log: log, mapsFile: mapsFile, primary: primary, willUpdate: { willUpdate(FileUpdate($0)) })
        }
        layouts = LayoutCache(foldSlotCount: foldSlotCount)
        let count = database.rebuildCount
        fingerprint = Mutex(((try? database.read { Self.fingerprint($0) }) ?? "", count))
        self.now = now
        self.logger = logger
        logger.debug(
            "opened",
            metadata: [
                "path": "\(path)", "access": "\(access)", "sqlite": "\(PhotoDatabase.sqliteVersion)",
            ])
    }

    private static func fingerprint(_ reader: PhotoReader) -> String {
        // A file without a key is damaged; the first query reports that.
        (try? Base64URL.encoded(Array(SHA256.hash(data: reader.cursorKey()).prefix(9)))) ?? ""
    }

    /// Computes the fingerprint again after the file was rebuilt.
    ///
    /// - Parameter reader: A transaction that has read nothing yet, so that it sees the counted rebuilds.
    private func noteRebuilds(_ reader: PhotoReader) {
        let count = database.rebuildCount
        guard fingerprint.withLock({ $0.rebuildCount != count }) else { return }
        let text = Self.fingerprint(reader)
        fingerprint.withLock { $0 = (text, count) }
    }

    /// Whether every write is refused.
    public var isReadOnly: Bool { database.isReadOnly }

    /// Whether the file is a replica of a PostgreSQL database, and other servers show the same photos.
    public var isReplica: Bool { database.isReplica }

    /// The maximum number of items in an answer.
    public static let maximumLimit = 1_000
    /// The default number of items in an answer.
    public static let defaultLimit = 100

    /// The maximum number of bytes of photos in an answer.
    ///
    /// An answer that would exceed it contains fewer items, at least one, and is marked as truncated, as at its limit.
    public static let maximumByteCount = 8 << 20

    /// The work that this service has done so far.
    public var work: DerivedWork { counters.work }

    /// Closes the file.
    ///
    /// Later calls fail.
    public func close() throws {
        try translatingStorageErrors { try database.close() }
    }
}

extension PhotoStreamService {
    /// Runs queries on one state of the file.
    ///
    ///     let count = try service.read { session in try session.layout(key, of: stream).summary().count }
    ///
    /// Blocks while the queries fold layouts and read photos, and while another thread folds a layout that they need.
    /// No connection is held during that wait.
    ///
    /// - Parameter body: Runs the queries. It may run more than once, each time with a session of a newer state, and
    ///   only the result of the last run is returned; so it must not have effects outside itself. A session cannot be
    ///   kept.
    /// - Returns: The result of `body`.
    /// - Throws: ``StreamServiceError/storage(_:message:)`` if the file fails, `CancellationError` if the caller's task
    ///   is cancelled, and the errors of `body`.
    public func read<T>(_ body: (borrowing Session) throws -> T) throws -> T {
        do {
            return try transaction { reader in try body(Session(service: self, reader: reader, mayBlock: true)) }
        } catch is FutureRevisionIsAwaited {
            let future = database.catchUp() ? FutureRevision.isLost : .isAccepted
            return try transaction { reader in
                try body(Session(service: self, reader: reader, mayBlock: true, future: future))
            }
        }
    }

    /// Runs queries on one state of the file if that takes little time, for threads that must not block.
    ///
    ///     let page = try service.readWithoutBlocking { session in try session.layout(key, of: stream).page() }
    ///
    /// - Parameter body: Runs the queries. It may run more than once; see ``read(_:)``.
    /// - Returns: The result of `body`, or `nil` if a query would have to fold more than a chunk, read much of a
    ///   stream, or wait for another thread's fold or for the primary. Call ``read(_:)`` on another thread then.
    /// - Throws: As ``read(_:)``.
    public func readWithoutBlocking<T>(_ body: (borrowing Session) throws -> T) throws -> T? {
        do {
            return try transaction(mayBlock: false) { reader in
                try body(Session(service: self, reader: reader, mayBlock: false))
            }
        } catch is WouldBlock {
            return nil
        } catch is FutureRevisionIsAwaited {
            return nil
        }
    }

    /// Runs `body` in one read transaction.
    ///
    /// If another query is folding a layout that `body` needs, waits without a connection and runs `body` again. Also
    /// runs it again, a few times at most, if the transaction was ended to empty the write-ahead log.
    func transaction<T>(mayBlock: Bool = true, _ body: (PhotoReader) throws -> T) throws -> T {
        var endedCount = 0
        while true {
            do {
                return try translatingStorageErrors {
                    try database.read(isRestartable: endedCount < Self.endedTransactionLimit) { reader in
                        noteRebuilds(reader)
                        return try body(reader)
                    }
                }
            } catch is ReadMustRestart {
                endedCount += 1
            } catch let other as FoldInProgress {
                guard mayBlock else { throw WouldBlock() }
                try other.fold.wait(forResult: other.isOfResult) { counters.add { $0.awaitedFoldCount += 1 } }
            }
        }
    }

    /// The number of times that a transaction may be ended early.
    private static let endedTransactionLimit = 3

    /// Runs `body`, which writes no table that a replica shares with its primary, in one write transaction.
    func writeLocally<T>(_ body: (PhotoWriter) throws -> T) throws -> T {
        try translatingStorageErrors { try database.writeLocally(body) }
    }

    /// Runs `body` in one write transaction and keeps the change log within its bounds.
    func write<T>(_ body: (PhotoWriter) throws -> T) throws -> T {
        try translatingStorageErrors {
            try database.write { writer in
                let result = try body(writer)
                try writer.trimLog()
                return result
            }
        }
    }
}

/// The error that ends a session that must not block.
struct WouldBlock: Error {}

/// Runs `body` and converts the errors of the storage to those of the service.
func translatingStorageErrors<T>(_ body: () throws -> T) throws -> T {
    do {
        return try body()
    } catch let error as StorageError {
        throw StreamServiceError.storage(error.code, message: error.message)
    }
}
