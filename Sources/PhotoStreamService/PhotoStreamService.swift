import PhotoStreamStorage
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
    let now: @Sendable () -> Int64

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - path: The file's path.
    ///   - access: What may be done to it.
    ///   - now: The time in milliseconds since 1970.
    /// - Throws: ``StreamServiceError/storage(code:message:)`` with a sentence for each thing that can be wrong with a
    ///   file.
    public init(path: String, access: Access, now: @escaping @Sendable () -> Int64) throws {
        database = try translatingStorageErrors {
            switch access {
            case .readWrite: try PhotoDatabase(path: path, access: .readWrite)
            case .existing: try PhotoDatabase(path: path, access: .existing)
            case .readOnly: try PhotoDatabase(path: path, access: .readOnly)
            }
        }
        self.now = now
    }

    /// Whether every write is refused.
    public var isReadOnly: Bool { database.isReadOnly }

    /// How many chunks this object has folded so far.
    ///
    /// A question that is answered from stored frames folds none.
    public var foldedChunkCount: Int { layouts.foldedChunkCount }

    /// Closes the file; whatever is called afterwards fails.
    public func close() throws {
        try translatingStorageErrors { try database.close() }
    }

    func read<T>(_ body: (PhotoReader) throws -> T) throws -> T {
        try translatingStorageErrors { try database.read(body) }
    }

    func write<T>(_ body: (PhotoWriter) throws -> T) throws -> T {
        try translatingStorageErrors { try database.write(body) }
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
