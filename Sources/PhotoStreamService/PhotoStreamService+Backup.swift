import PhotoStreamStorage

extension PhotoStreamService {
    /// Writes a copy of a whole file, of one moment, while others read and write it: photos with edits and moves, the change
    /// log with its revisions, what is stored of layouts, and the key that signs cursors, so that cursors go on working
    /// with the copy.
    ///
    /// A file of an older version is copied as it is. One read transaction is open meanwhile: no other process waits, and the
    /// write-ahead log keeps what is written until it ends.
    ///
    /// - Parameters:
    ///   - path: The file's path.
    ///   - destination: The path of a file that is missing or empty. It is not whole before this returns.
    /// - Throws: ``StreamServiceError/storage(code:message:)``.
    /// - Complexity: O(bytes of the file).
    public static func backUp(_ path: String, to destination: String) throws {
        try translatingStorageErrors { try DatabaseBackup(path: path).write(to: destination) }
    }
}
