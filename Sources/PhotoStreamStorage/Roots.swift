import GRDB
package import PhotoStreamModel

/// A stored folder from which pictures are served.
package struct RootRow: Hashable, Sendable {
    /// The row id; earlier folders have smaller ones.
    package let id: Int64
    /// The only stream that it serves; `nil` for all.
    package let stream: StreamName?
    /// The absolute path as given.
    package let path: String
    /// The path with symbolic links resolved, at the time of addition.
    package let resolvedPath: String
    /// The machine on which it was added; empty for a root that is declared for all servers.
    package let machine: String
    /// The time of addition, in milliseconds since 1970.
    package let addedAtMilliseconds: Int64
}

extension PhotoReader {
    private static let rootSQL = """
        SELECT root.id, stream.name, root.path, root.resolvedPath, root.machine, root.addedAtMilliseconds
        FROM root LEFT JOIN stream ON stream.id = root.streamId
        """

    /// Returns the roots of all machines, in order of addition.
    package func roots() throws -> [RootRow] {
        try roots(try RawStatement(database, sql: Self.rootSQL + " ORDER BY root.id"))
    }

    /// Returns the roots that serve the photos of a stream on a machine: the stream's own first, then those of all
    /// streams, each in order of addition.
    package func roots(servingStreamID streamID: Int64, on machine: String) throws -> [RootRow] {
        try roots(
            RawStatement(
                database,
                sql: Self.rootSQL + """
                     WHERE root.machine IN (?1, '') AND (root.streamId IS NULL OR root.streamId = ?2)
                    ORDER BY root.streamId IS NULL, root.id
                    """, with: machine, streamID))
    }

    private func roots(_ statement: RawStatement) throws -> [RootRow] {
        try statement.rows { row in
            RootRow(
                id: row.integer(0), stream: row.optionalText(1).map(StreamName.init(stored:)), path: row.text(2),
                resolvedPath: row.text(3), machine: row.text(4), addedAtMilliseconds: row.integer(5))
        }
    }
}

extension PhotoWriter {
    /// Adds a folder from which pictures are served.
    ///
    /// - Parameters:
    ///   - path: The folder's absolute path as given.
    ///   - resolvedPath: The same path with symbolic links resolved.
    ///   - streamID: The only stream that it serves; `nil` for all.
    ///   - machine: The machine on which it is valid.
    ///   - now: Milliseconds since 1970.
    /// - Returns: Whether it was added; `false` if it exists already.
    /// - Throws: `DatabaseError` if SQLite fails.
    package func addRoot(
        _ path: String, resolvedPath: String, streamID: Int64?, machine: String, now: Int64
    ) throws -> Bool {
        let sql = """
            INSERT INTO root (streamId, path, resolvedPath, machine, addedAtMilliseconds)
            VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT DO NOTHING
            """
        try database.run(sql, with: streamID, path, resolvedPath, machine, now)
        return database.changesCount > 0
    }

    /// Declares a folder from which all servers serve pictures; a trigger adds the root.
    ///
    /// - Returns: Whether it was added; `false` if it is declared already.
    /// - Throws: `DatabaseError` if SQLite fails.
    package func declareRoot(_ path: String, resolvedPath: String, streamID: Int64?, now: Int64) throws -> Bool {
        let sql = """
            INSERT INTO declaredRoot (streamId, path, resolvedPath, addedAtMilliseconds)
            VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING
            """
        try database.run(sql, with: streamID, path, resolvedPath, now)
        return database.changesCount > 0
    }

    /// Takes back the declaration of a root, with the root.
    ///
    /// - Throws: `DatabaseError` if SQLite fails.
    package func withdrawRoot(_ id: Int64) throws {
        try database.run("DELETE FROM declaredRoot WHERE id = (SELECT declaredId FROM root WHERE id = ?1)", with: id)
    }

    /// Removes a folder from which pictures are served on one machine.
    ///
    /// - Throws: `DatabaseError` if SQLite fails.
    package func removeRoot(_ id: Int64) throws {
        try database.run("DELETE FROM root WHERE id = ?1", with: id)
    }
}
