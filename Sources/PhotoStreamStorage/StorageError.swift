/// What went wrong with a file, in one sentence that names the file or the offending value.
package struct StorageError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What a caller can act on.
    package enum Code: String, Sendable {
        /// The file is something else: not SQLite, another program's, a folder, or empty.
        case notADatabase
        /// A newer build has changed the file's schema.
        case schemaTooNew
        /// The file waits for schema changes that only a writer can make.
        case schemaTooOld
        /// The file was made from other scripts than those of this build.
        case schemaDiffers
        /// A write was asked for where only reading is possible.
        case readOnly
        /// The folder that the file should be in does not exist.
        case missingFolder
        /// The file does not exist.
        case missingFile
        /// The file that is open is no longer at its path.
        case moved
        /// Another connection held a lock for longer than the busy timeout.
        case busy
        /// The file's contents contradict themselves.
        case corrupt
        /// There is no room for what was to be written.
        case diskFull
        /// A stream, photo or run that was named does not exist.
        case notFound
        /// A rule of the schema or of the operation forbids the write.
        case constraint
        /// Any other failure of SQLite.
        case database
    }

    /// What a caller can act on.
    package let code: Code
    /// One clear sentence.
    package let message: String

    /// Creates an error from its parts.
    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    package var description: String { message }

    /// An error for a file whose indexes do not say what its tables do.
    ///
    /// - Parameter detail: What does not fit.
    /// - Returns: The error, with the cure.
    package static func damaged(_ detail: String) -> StorageError {
        StorageError(
            .corrupt,
            "the file is damaged: \(detail); run `sqlite3 FILE REINDEX`, then `photostream cache verify`")
    }
}
