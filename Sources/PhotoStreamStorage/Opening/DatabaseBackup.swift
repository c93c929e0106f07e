import GRDB
package import PhotoStreamModel

/// A copy of a whole file as of one moment, made while the file is in use.
///
/// A file of an older version is copied without migration. The copy uses one read transaction, which blocks no writer;
/// until it ends, the write-ahead log cannot be emptied. The copy needs as much disk space as the file. It lacks the
/// keys that sign addresses of thumbnails, which only a running server uses.
package struct DatabaseBackup: Sendable {
    private let path: String
    private let busyTimeoutMilliseconds: Int

    /// Creates a backup of a file.
    ///
    /// - Parameters:
    ///   - path: The file's path.
    ///   - busyTimeoutMilliseconds: The maximum wait for another program's lock.
    package init(path: String, busyTimeoutMilliseconds: Int = 5_000) {
        (self.path, self.busyTimeoutMilliseconds) = (path, busyTimeoutMilliseconds)
    }

    /// Writes the copy.
    ///
    /// - Parameters:
    ///   - destination: The path of a missing or empty file. It is incomplete until this call returns.
    ///   - name: The name of the copy in errors; `nil` for its path.
    ///   - leavesNoFiles: Whether a file that no program has open is read without SQLite's files next to it.
    /// - Throws: ``StorageError`` if the file is not a PhotoStream file or cannot be read, or if the copy cannot be
    ///   written.
    /// - Complexity: O(bytes of the file).
    package func write(
        to destination: String, named name: String? = nil, leavesNoFiles: Bool = false
    ) throws(StorageError) {
        try DatabaseOpener.readAsItIs(
            path, busyTimeoutMilliseconds: busyTimeoutMilliseconds, leavesNoFiles: leavesNoFiles, purpose: "copied"
        ) { connection in
            try connection.inDatabase { database in
                let isOurs = try SchemaInspector(path: path, access: .readOnly).isOurs(database)
                guard isOurs else {
                    throw StorageError(.notADatabase, message: "\(path) is empty: there is nothing to copy")
                }
            }
            try FilePrivacy.create(destination)
            let copy = try DatabaseQueue(path: destination)
            defer { try? copy.close() }
            // All pages in one step, so that a writer cannot make it start over. VACUUM INTO fails through these
            // connections if a table has generated columns.
            do {
                try connection.backup(to: copy, pagesPerStep: -1)
                try copy.inDatabase { try PhotoWriter.removeImageKeys(from: $0) }
            } catch let error as DatabaseError where error.resultCode == .SQLITE_FULL {
                // Reading does not grow the source file, so it is the copy's disk that is full.
                throw StorageError(.diskFull, message: "\(name ?? destination) cannot be written: the disk is full")
            }
        }
    }
}
