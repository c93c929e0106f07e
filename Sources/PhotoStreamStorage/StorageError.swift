package import PhotoStreamModel

/// A failure of a file, in one sentence that names the file or the offending value.
package struct StorageError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The reason, for programs to act on.
    package let code: StorageFailure
    /// One sentence that names the file or the offending value.
    package let message: String

    /// Creates an error from its parts.
    package init(_ code: StorageFailure, _ message: String) {
        self.code = code
        self.message = message
    }

    package var description: String { message }

    /// Returns the error for a file whose indexes contradict its tables.
    ///
    /// - Parameter detail: What does not fit.
    /// - Returns: The error, with the cure.
    package static func damaged(_ detail: String) -> StorageError {
        StorageError(
            .corrupt,
            "the file is damaged: \(detail); run `sqlite3 FILE REINDEX`, then `photostream cache verify`")
    }
}
