package import PhotoStreamModel

/// A failure of a file, with a sentence that names the file or the invalid value.
package struct StorageError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kind of failure.
    package let code: StorageFailure
    /// The reason in one sentence.
    package let message: String

    /// Creates an error.
    package init(_ code: StorageFailure, message: String) {
        self.code = code
        self.message = message
    }

    package var description: String { message }

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
