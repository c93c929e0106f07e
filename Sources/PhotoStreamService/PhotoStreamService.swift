import Crypto
public import Logging
package import PhotoStreamStorage
import Synchronization

/// The use cases of one PhotoStream file: what a command or a server asks for.
///
/// Every question is answered from one read transaction, so an answer never mixes two states of the file. What had to
/// be computed for it is kept in memory and written by ``storeDerived()``, after the answer. May be shared between
/// threads; calls block and are safe to make from several at once.
public final class PhotoStreamService: Sendable {
    /// How a file is opened.
    public enum Access: Sendable {
        /// For reading and writing; a missing file is created.
        case readWrite
        /// For reading and writing; a missing file is an error.
        case existing
        /// For reading only; nothing that was computed is stored.
        case readOnly
    }

    let database: PhotoDatabase
    let layouts: LayoutCache
    let contents: ChunkContents
    let counters: DerivedCounters
    /// Whether a question fails that needs long work, instead of doing it or waiting for it.
    let isBrief: Bool
    let storing = Mutex(())
    let now: @Sendable () -> Int64
    let logger: Logger

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - path: The file's path.
    ///   - access: What may be done to it.
    ///   - busyTimeoutMilliseconds: How long a write, and an opening that has to write, waits for another program's
    ///     lock.
    ///   - mapsFile: Whether the file is read through memory maps, of at most 256 MB a connection: faster for questions,
    ///     while an import, which goes through the whole file, takes less memory without.
    ///   - logger: Where it is told what is computed and stored, at debug and info.
    ///   - willUpdate: Called before a file of an older version is brought up to date, which takes a while.
    ///   - now: The time in milliseconds since 1970.
    /// - Throws: ``StreamServiceError/storage(code:message:)`` with a sentence for each thing that can be wrong with a
    ///   file.
    public convenience init(
        path: String, access: Access, busyTimeoutMilliseconds: Int = 5_000, mapsFile: Bool = true,
        logger: Logger = Logger(label: "photostream"), willUpdate: (FileUpdate) -> Void = { _ in },
        now: @escaping @Sendable () -> Int64
    ) throws {
        try self.init(
            path: path, access: access, busyTimeoutMilliseconds: busyTimeoutMilliseconds, mapsFile: mapsFile,
            logger: logger, chunkSize: .standard, willUpdate: willUpdate, now: now)
    }

    /// Opens a file, with another size of chunks or another length of the change log than programs use.
    package init(
        path: String, access: Access, busyTimeoutMilliseconds: Int = 5_000, mapsFile: Bool = true,
        logger: Logger = Logger(label: "photostream"), chunkSize: ChunkSize, log: ChangeLog = .standard,
        willUpdate: (FileUpdate) -> Void = { _ in }, now: @escaping @Sendable () -> Int64
    ) throws {
        database = try translatingStorageErrors {
            let storageAccess: PhotoDatabase.Access =
                switch access {
                case .readWrite: .readWrite
                case .existing: .existing
                case .readOnly: .readOnly
                }
            return try PhotoDatabase(
                path: path, access: storageAccess, busyTimeoutMilliseconds: busyTimeoutMilliseconds,
                chunkSize: chunkSize, log: log, mapsFile: mapsFile, willUpdate: { willUpdate(FileUpdate($0)) })
        }
        (layouts, contents, counters) = (LayoutCache(), ChunkContents(), DerivedCounters())
        isBrief = false
        self.now = now
        self.logger = logger
        // Without a key the file is damaged, which the first question about it says.
        fileMark =
            (try? database.read { Base64URL.encoded(Array(SHA256.hash(data: try $0.cursorKey()).prefix(9))) }) ?? ""
        logger.debug(
            "opened",
            metadata: [
                "path": "\(path)", "access": "\(access)", "sqlite": "\(PhotoDatabase.sqliteVersion)",
            ])
    }

    /// The same file and memory, for threads that must not be held up.
    ///
    /// A question that would have to fold, to read more than a little of a stream, or to wait for such work of another
    /// thread throws ``LongWorkNeeded``. Ask the whole service then, on another thread.
    ///
    ///     do { return try service.brief.layout(of: stream, key) } catch is LongWorkNeeded { … }
    public var brief: PhotoStreamService { PhotoStreamService(briefOf: self) }

    private init(briefOf service: PhotoStreamService) {
        (database, now, logger, fileMark) = (service.database, service.now, service.logger, service.fileMark)
        (layouts, contents, counters) = (service.layouts, service.contents, service.counters)
        isBrief = true
    }

    /// Tells this file from others, whatever they are called: a hash of the secret that it was made with.
    public let fileMark: String

    /// Whether every write is refused.
    public var isReadOnly: Bool { database.isReadOnly }

    /// The most items that one answer may hold.
    public static let maximumLimit = 1_000
    /// How many items an answer holds unless it is told otherwise.
    public static let defaultLimit = 100

    /// The most bytes of photos that one answer holds; where there would be more it holds fewer items, at least one, and
    /// says so as it does for its limit.
    public static let maximumByteCount = 8 << 20

    /// What this object has computed and stored so far.
    public var work: DerivedWork { counters.work }

    /// Closes the file; whatever is called afterwards fails.
    public func close() throws {
        try translatingStorageErrors { try database.close() }
    }

    /// Refuses a limit outside 1 to ``maximumLimit``.
    func checkLimit(_ limit: Int) throws {
        guard (1...Self.maximumLimit).contains(limit) else {
            throw StreamServiceError.invalidLimit(limit, maximum: Self.maximumLimit)
        }
    }

    /// Runs `body` in one read transaction.
    ///
    /// Where another question is folding what `body` needs, it waits, holding no connection meanwhile, and runs `body`
    /// again; also where it was given up so that the write-ahead log could be emptied, but not more than a few times. So
    /// `body` may run more than once, and only what the last run returns counts.
    func read<T>(_ body: (PhotoReader) throws -> T) throws -> T {
        var givenUpCount = 0
        while true {
            do {
                return try translatingStorageErrors {
                    try database.read(isRestartable: givenUpCount < Self.givenUpLimit, body)
                }
            } catch is ReadMustRestart {
                givenUpCount += 1
            } catch let other as FlightInProgress {
                if isBrief { throw LongWorkNeeded() }
                try other.flight.wait(forResult: other.isOfResult) { counters.add { $0.awaitedFoldCount += 1 } }
            }
        }
    }

    /// How often a read is given up before it is let run to its end.
    private static let givenUpLimit = 3

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

/// What ``PhotoStreamService/brief`` throws where a question needs long work.
public struct LongWorkNeeded: Error {
    init() {}
}

/// Passes results through and turns what storage throws into the service's error.
func translatingStorageErrors<T>(_ body: () throws -> T) throws -> T {
    do {
        return try body()
    } catch let error as StorageError {
        throw StreamServiceError.storage(code: error.code.rawValue, message: error.message)
    }
}
