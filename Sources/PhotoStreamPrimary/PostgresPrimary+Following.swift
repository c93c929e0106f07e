import PhotoStreamStorage

extension PostgresPrimary {
    /// Runs a statement on the connection that reads.
    @discardableResult
    func ask(
        _ sql: String, with parameters: [PrimaryStatement.Parameter] = [], within limit: Duration? = nil
    ) throws -> PrimaryResult {
        do {
            let (connection, results) = try exchange(
                [PrimaryStatement(sql: sql, parameters)], for: .read, within: limit ?? timeouts.forAnswer)
            keep(connection, for: .read)
            return results[0]
        } catch {
            throw PostgresTransaction.translated(error)
        }
    }

    /// Returns the last commit and whether the log has everything after a position; records it for the follower's lag.
    ///
    /// - Parameter position: The last commit of the follower.
    /// - Returns: The last commit.
    /// - Throws: ``StorageError``.
    func head(after position: ReplicaPosition) throws -> PrimaryHead {
        let question = PrimaryHead.question(after: position)
        let head = try PrimaryHead(ask(question.sql, with: question.parameters))
        lastLook = Look(head: head.position, ageOfNews: head.ageOfNews, time: .now)
        return head
    }

    /// Records the position of a follower, for which the log is kept, and its problem.
    ///
    /// - Parameters:
    ///   - name: The name of the follower.
    ///   - position: Its last commit; `nil` if it follows another database, for which nothing is kept.
    ///   - problem: The reason for not following, or the rows that it skips, in one sentence.
    /// - Throws: ``StorageError``.
    func register(_ name: String, at position: ReplicaPosition?, problem: String?) throws {
        let commit = PrimaryStatement.Parameter.value(position.map { .integer($0.commitID) } ?? .null, .integer)
        let revision = PrimaryStatement.Parameter.value(position.map { .integer($0.revision) } ?? .null, .integer)
        try ask(
            """
            INSERT INTO follower (name, commitId, revision, seenAt, problem)
            SELECT $1, coalesce($2, commitId), coalesce($3, revision), clock_timestamp(), $4 FROM counter WHERE id = 1
            ON CONFLICT (name) DO UPDATE SET commitId = excluded.commitId, revision = excluded.revision,
                seenAt = excluded.seenAt, problem = excluded.problem
            """, with: [.text(name), commit, revision, .value(problem.map { .text($0) } ?? .null, .text)])
    }

    /// Whether an operator accepts that replicas of an identity are rebuilt from this database, regardless of losses.
    func accepts(replicasOf identity: String) throws -> Bool {
        try ask(
            """
            SELECT count(*) FROM acceptance
            WHERE identity = $1 AND acceptedAt > clock_timestamp() - interval '1 day'
            """, with: [.text(identity)]
        ).integer(0, column: 0) > 0
    }

    /// Returns the number of streams and of photos, with a limit for photos.
    func contentCounts(photoLimit: Int64) throws -> (streams: Int64, photos: Int64) {
        let row = try ask(
            """
            SELECT (SELECT count(*) FROM stream), (SELECT count(*) FROM (SELECT FROM photo LIMIT $1) AS counted)
            """, with: [.integer(photoLimit)], within: timeouts.forRowsOfBatch)
        return (try row.integer(0, column: 0), try row.integer(0, column: 1))
    }

    /// Removes the part of the log that is older than the primary's retention.
    func trimLog() throws {
        try ask("SELECT trimLog()", within: timeouts.forRowsOfBatch)
    }

    /// Returns the number of changes that were committed after a position.
    func changeCount(after position: ReplicaPosition) throws -> Int64 {
        try ask(
            "SELECT coalesce(sum(changeCount), 0)::bigint FROM commit WHERE id > $1",
            with: [.integer(position.commitID)],
            within: timeouts.forRowsOfBatch
        ).integer(0, column: 0)
    }

    /// Checks that the database has the tables of this version.
    ///
    /// - Throws: ``PrimaryError`` with kind `schema` if it does not.
    func checkSchema() throws(PrimaryError) {
        let connection = try connect()
        try checkSession(of: connection)
        try connection.checkSchema()
        keep(connection, for: .read)
    }

    /// Checks that each connection has its own session.
    ///
    /// A pooler that lends sessions gives a second connection the session of the first, in which its statements are
    /// already prepared.
    ///
    /// - Throws: ``PrimaryError`` with kind `pooler` if they share one.
    func checkSession(of connection: PrimaryConnection) throws(PrimaryError) {
        guard connection.isPooled else { return }
        let other = try connect()
        for each in [connection, other] { try each.run("SELECT pg_backend_pid()", within: timeouts.forAnswer) }
    }
}
