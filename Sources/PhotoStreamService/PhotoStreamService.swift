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
    let layouts = LayoutCache()
    let contents = ChunkContents()
    let counters = DerivedCounters()
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
    ///   - logger: Where it is told what is computed and stored, at debug and info.
    ///   - now: The time in milliseconds since 1970.
    /// - Throws: ``StreamServiceError/storage(code:message:)`` with a sentence for each thing that can be wrong with a
    ///   file.
    public convenience init(
        path: String, access: Access, busyTimeoutMilliseconds: Int = 5_000,
        logger: Logger = Logger(label: "photostream"),
        now: @escaping @Sendable () -> Int64
    ) throws {
        try self.init(
            path: path, access: access, busyTimeoutMilliseconds: busyTimeoutMilliseconds, logger: logger,
            chunkSize: .standard, now: now)
    }

    /// Opens a file, with another size of chunks or another length of the change log than programs use.
    package init(
        path: String, access: Access, busyTimeoutMilliseconds: Int = 5_000,
        logger: Logger = Logger(label: "photostream"), chunkSize: ChunkSize, log: ChangeLog = .standard,
        now: @escaping @Sendable () -> Int64
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
                chunkSize: chunkSize, log: log)
        }
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

    /// Tells this file from others, whatever they are called: a hash of the secret that it was made with.
    public let fileMark: String

    /// Whether every write is refused.
    public var isReadOnly: Bool { database.isReadOnly }

    /// The most items that one answer may hold.
    public static let maximumLimit = 1_000
    /// How many items an answer holds unless it is told otherwise.
    public static let defaultLimit = 100

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
    /// Where it finds that somebody else is folding what it needs, it waits, holding no connection meanwhile, and
    /// begins anew: so `body` may run more than once, and only what the last run returns counts. It may run on another
    /// thread, in the transaction of the one that folds: see ``answer(_:sharing:since:)``.
    func read<T>(_ body: (PhotoReader) throws -> T) throws -> T {
        if Self.mustBeBrief { return try readBriefly(body) }
        var first: StreamMark?
        while true {
            var wait: FlightInProgress
            do {
                return try translatingStorageErrors { try database.read(body) }
            } catch let found as FlightInProgress {
                wait = found
            }
            first = first ?? wait.mark
            if let answer = try answer(body, sharing: wait, since: first) { return answer }
        }
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

/// Passes results through and turns what storage throws into the service's error.
func translatingStorageErrors<T>(_ body: () throws -> T) throws -> T {
    do {
        return try body()
    } catch let error as StorageError {
        throw StreamServiceError.storage(code: error.code.rawValue, message: error.message)
    }
}
