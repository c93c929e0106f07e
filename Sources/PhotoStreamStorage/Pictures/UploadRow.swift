import GRDB

/// An upload whose file is about to be renamed, or has been, and whose photo may not be in its stream yet.
package struct UploadRow: Hashable, Sendable {
    /// The row id of the stream.
    package let streamID: Int64
    /// The machine that has the folder.
    package let machine: String
    /// The absolute path of the folder without symbolic links.
    package let folder: String
    /// The name of the unfinished file in the folder.
    package let hiddenName: String
    /// The name that the file gets.
    package let name: String

    /// Creates a row.
    package init(streamID: Int64, machine: String, folder: String, hiddenName: String, name: String) {
        (self.streamID, self.machine, self.folder) = (streamID, machine, folder)
        (self.hiddenName, self.name) = (hiddenName, name)
    }
}

extension PhotoReader {
    /// Returns the uploads of a machine that are not finished, with their row ids, oldest first.
    ///
    /// - Throws: `DatabaseError` if SQLite fails.
    package func uploads(on machine: String) throws -> [(id: Int64, row: UploadRow)] {
        let sql = "SELECT id, streamId, machine, folder, hiddenName, name FROM upload WHERE machine = ?1 ORDER BY id"
        return try database.rows(sql, with: machine) { row in
            let upload = UploadRow(
                streamID: row.integer(1), machine: row.text(2), folder: row.text(3), hiddenName: row.text(4),
                name: row.text(5))
            return (row.integer(0), upload)
        }
    }
}

extension PhotoWriter {
    /// Records an upload before its file is renamed.
    ///
    /// - Returns: The row id.
    /// - Throws: `DatabaseError` if SQLite fails.
    package func addUpload(_ row: UploadRow) throws -> Int64 {
        try database.run(
            "INSERT INTO upload (streamId, machine, folder, hiddenName, name) VALUES (?1, ?2, ?3, ?4, ?5)",
            with: row.streamID, row.machine, row.folder, row.hiddenName, row.name)
        return database.lastInsertedRowID
    }

    /// Removes an upload whose photo is in its stream, or whose file is gone.
    ///
    /// - Throws: `DatabaseError` if SQLite fails.
    package func removeUpload(_ id: Int64) throws {
        try database.run("DELETE FROM upload WHERE id = ?1", with: id)
    }
}
