/// A reason why a file cannot be opened, read or written, for programs to act on.
public enum StorageFailure: String, Hashable, Sendable {
    /// The file is not a PhotoStream database: a folder, empty, not SQLite, or another program's.
    case notADatabase
    /// A newer version has migrated the file's schema.
    case schemaTooNew
    /// The file needs a migration, which only a writer can perform.
    case schemaTooOld
    /// The file was made with different migrations.
    case schemaDiffers
    /// A write to a file that is open for reading only.
    case readOnly
    /// The folder of the file does not exist.
    case missingFolder
    /// The file does not exist.
    case missingFile
    /// The open file is no longer at its path.
    case moved
    /// Another connection held a lock for longer than the busy timeout.
    case busy
    /// The file's contents are inconsistent.
    case corrupt
    /// There is no room for the write.
    case diskFull
    /// A stream, photo or import run does not exist.
    case notFound
    /// A rule of the schema or the operation forbids the write, such as a name that is taken.
    case constraint
    /// No place is left next to a photo for a moved one.
    case noRank
    /// The PostgreSQL database that the file is a replica of does not answer, so nothing can be written.
    case primaryUnavailable
    /// The connection to the PostgreSQL database broke during a commit, and whether it was stored cannot be found out
    /// now.
    case commitUnknown
    /// Any other SQLite failure.
    case database
}

/// A failure of a file, with a sentence that names the file or the invalid value.
public struct StorageError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kind of failure.
    public let code: StorageFailure
    /// The reason in one sentence.
    public let message: String

    /// Creates an error.
    package init(_ code: StorageFailure, message: String) {
        self.code = code
        self.message = message
    }

    /// The reason.
    public var description: String { message }

    /// Creates the error of a file whose indexes contradict its tables.
    ///
    /// - Parameter detail: The contradiction.
    /// - Returns: The error, with advice on how to repair the file.
    package static func damaged(_ detail: String) -> StorageError {
        StorageError(
            .corrupt,
            message: "the file is damaged: \(detail); run `sqlite3 FILE REINDEX`, then `photostream cache verify`")
    }
}
