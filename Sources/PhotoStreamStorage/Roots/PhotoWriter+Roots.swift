import GRDB
import PhotoStreamModel

extension PhotoWriter {
    /// Adds a folder beneath which pictures are served.
    ///
    /// - Parameters:
    ///   - path: The folder as it was named, absolute.
    ///   - resolvedPath: The same without symbolic links.
    ///   - streamID: The only stream whose photos it serves; `nil` for all.
    ///   - machine: The machine that it counts on.
    ///   - now: Milliseconds since 1970.
    /// - Returns: Whether it was added; `false` where it is there already.
    /// - Throws: `DatabaseError` when SQLite fails.
    package func addRoot(
        _ path: String, resolvedPath: String, streamID: Int64?, machine: String, now: Int64
    ) throws -> Bool {
        let statement = try RawStatement(
            database,
            """
            INSERT INTO root (streamId, path, resolvedPath, machine, addedAtMilliseconds)
            VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT DO NOTHING
            """)
        statement.bind(1, streamID)
        try statement.bind(2, copying: path)
        try statement.bind(3, copying: resolvedPath)
        try statement.bind(4, copying: machine)
        statement.bind(5, now)
        try statement.run()
        return database.changesCount > 0
    }

    /// Removes a folder beneath which pictures are served.
    ///
    /// - Throws: `DatabaseError` when SQLite fails.
    package func removeRoot(_ id: Int64) throws {
        let statement = try RawStatement(database, "DELETE FROM root WHERE id = ?1")
        statement.bind(1, id)
        try statement.run()
    }
}
