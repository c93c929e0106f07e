import PhotoStreamStorage

extension PostgresPrimary {
    /// Runs statements on the connection that reads.
    func ask(_ statements: [PrimaryStatement], within limit: Duration? = nil) throws -> [PrimaryResult] {
        do {
            let (connection, results) = try exchange(statements, for: .read, within: limit ?? patience.forAnswer)
            keep(connection, for: .read)
            return results
        } catch {
            throw PostgresTransaction.translated(error)
        }
    }

    /// Returns the last commit.
    func head() throws -> ReplicaPosition {
        let result = try ask([
            PrimaryStatement(
                sql: """
                    SELECT commitId, revision, coalesce((SELECT tag FROM commit WHERE id = commitId), 0) FROM counter
                    WHERE id = 1
                    """)
        ])[0]
        return ReplicaPosition(
            commitID: try result.integer(0, column: 0), revision: try result.integer(0, column: 1),
            tag: try result.integer(0, column: 2))
    }

    /// Notes how far a follower is, so that the log is kept for it.
    func register(_ name: String, at position: ReplicaPosition) throws {
        _ = try ask([
            PrimaryStatement(
                sql: """
                    INSERT INTO follower VALUES ($1, $2, $3, clock_timestamp()) ON CONFLICT (name) DO UPDATE
                    SET commitId = excluded.commitId, revision = excluded.revision, seenAt = excluded.seenAt
                    """, [.text(name), .integer(position.commitID), .integer(position.revision)])
        ])
    }

    /// Removes the part of the log that is older than the primary's retention says.
    func trimLog() throws {
        _ = try ask([PrimaryStatement(sql: "SELECT trimLog()")], within: patience.forRowsOfBatch)
    }

    /// Returns the number of changes that were committed after a position.
    func changeCount(after position: ReplicaPosition) throws -> Int64 {
        try ask(
            [
                PrimaryStatement(
                    sql: "SELECT coalesce(sum(changeCount), 0)::bigint FROM commit WHERE id > $1",
                    [.integer(position.commitID)])
            ], within: patience.forRowsOfBatch)[0].integer(0, column: 0)
    }

    /// Checks that the database has the tables of this version.
    ///
    /// - Throws: ``PrimaryError``: with kind `schema` if it has not.
    func checkSchema() throws(PrimaryError) {
        let connection = try connect()
        try PrimarySchema(connection: connection).check()
        keep(connection, for: .read)
    }
}
