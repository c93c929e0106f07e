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
/// A service may be shared between threads. All calls may block. Results that a question computes are kept in memory;
/// ``storeDerived()`` writes them to the file after the answer.
public final class PhotoStreamService: Sendable {
    /// The file.
    package let database: PhotoDatabase
    let layouts: LayoutCache
    let contents = ChunkContents()
    let attributes = KnownAttributes()
    /// The photos of the views that were used last, counted in photos: 24 bytes each, or 48 MB.
    let selections = BoundedCache<ViewKey, ViewSelection>(limit: 2 << 20)
    let storing = Mutex(())
    let now: @Sendable () -> Int64
    let logger: Logger
    let state: Mutex<State>

    struct State {
        /// The hash of the file's secret, and the number of rebuilds before it was computed.
        fileprivate var fingerprint: (text: String, rebuildCount: Int)
        /// The part before the path of signed addresses; see ``PhotoStreamService/showImages(at:)``.
        var imagesBase: String?
        /// Whether a condition has searched for words.
        var hasSearchedWords = false
        fileprivate var work = DerivedWork()
    }

    /// A hash of the secret that the file was created with, which distinguishes it from other files regardless of
    /// paths.
    ///
    /// A replica has that of its primary; after it was rebuilt from another one, from the next query on.
    public var fileFingerprint: String { state.withLock { $0.fingerprint.text } }

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
    /// - Throws: `StorageError` with one sentence about the problem of the file.
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
        database = try PhotoDatabase(
            path: path, access: access, busyTimeoutMilliseconds: busyTimeoutMilliseconds, chunkSize: chunkSize,
            log: log, mapsFile: mapsFile, primary: primary, willUpdate: willUpdate)
        layouts = LayoutCache(foldSlotCount: foldSlotCount)
        let count = database.rebuildCount
        state = Mutex(State(fingerprint: ((try? database.read { Self.fingerprint($0) }) ?? "", count)))
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

    /// Computes the fingerprint again after the file was rebuilt, and drops views of its former history.
    ///
    /// - Parameter reader: A transaction that has read nothing yet, so that it sees the counted rebuilds.
    private func noteRebuilds(_ reader: PhotoReader) {
        let count = database.rebuildCount
        guard state.withLock({ $0.fingerprint.rebuildCount != count }) else { return }
        let text = Self.fingerprint(reader)
        state.withLock { $0.fingerprint = (text, count) }
        // Revisions of the former history may be greater.
        selections.removeAll()
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
    public var work: DerivedWork { state.withLock { $0.work } }

    /// Counts work.
    func countWork(_ change: (inout DerivedWork) -> Void) { state.withLock { change(&$0.work) } }

    /// Closes the file.
    ///
    /// Later calls fail.
    public func close() throws {
        try database.close()
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
    /// - Throws: `StorageError` if the file fails, `CancellationError` if the caller's task
    ///   is cancelled, and the errors of `body`.
    public func read<T>(_ body: (borrowing Session) throws -> T) throws -> T {
        try repeatingRead { reader, future in try body(Session(service: self, reader: reader, future: future)) }
    }

    /// Runs `body` in one read transaction; see ``read(_:)``.
    func transaction<T>(_ body: (PhotoReader) throws -> T) throws -> T {
        try repeatingRead { reader, _ in try body(reader) }
    }

    /// Runs `body` in one read transaction after another until it has a result.
    ///
    /// No other code repeats reads.
    private func repeatingRead<T>(_ body: (PhotoReader, FutureRevision) throws -> T) throws -> T {
        var endedCount = 0
        var future = FutureRevision.isAwaited
        while true {
            do {
                return try database.read(isRestartable: endedCount < Self.endedTransactionLimit) { reader in
                    noteRebuilds(reader)
                    return try body(reader, future)
                }
            } catch let interruption as ReadInterruption {
                switch interruption {
                case .damage(let chunkID, let message):
                    try database.distrust(chunkID: chunkID, message: message)
                case .logIsLong: endedCount += 1
                case .primaryIsAhead: future = database.catchUp() ? .isLost : .isAccepted
                case .mustWait(let wait):
                    countWork { $0.awaitedFoldCount += 1 }
                    try wait()
                }
            }
        }
    }

    /// The number of times that a transaction may be ended early.
    private static let endedTransactionLimit = 3

    /// Runs `body`, which writes no table that a replica shares with its primary, in one write transaction.
    func writeLocally<T>(_ body: (PhotoWriter) throws -> T) throws -> T {
        try database.writeLocally(body)
    }

    /// Runs `body` in one write transaction and keeps the change log within its bounds.
    func write<T>(_ body: (PhotoWriter) throws -> T) throws -> T {
        try database.write { writer in
            let result = try body(writer)
            try writer.trimLog()
            return result
        }
    }
}
