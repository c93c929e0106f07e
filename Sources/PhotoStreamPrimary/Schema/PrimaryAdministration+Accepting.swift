import PhotoStreamStorage

extension PrimaryAdministration {
    /// Allows replicas of a primary to be rebuilt from this database within a day, regardless of losses.
    ///
    /// - Parameter identity: The identity of the primary that the replicas follow: another one's, or this one's after
    ///   it has lost most of its photos.
    /// - Throws: ``PrimaryError``.
    package func accept(replicasOf identity: String) throws(PrimaryError) {
        try connection.checkSchema()
        try connection.run(
            """
            INSERT INTO acceptance (identity) VALUES ($1)
            ON CONFLICT (identity) DO UPDATE SET acceptedAt = clock_timestamp()
            """, with: [.text(identity)], within: .seconds(10))
    }

    /// Accepts rows that logical replication applies, as for the migration to another version of PostgreSQL.
    ///
    /// No trigger of the shared tables runs until ``endReplication()``, so nothing is logged: otherwise, the initial
    /// copy of the replication would be logged, and the changes after it would not.
    ///
    /// - Throws: ``PrimaryError``.
    package func acceptReplication() throws(PrimaryError) {
        try connection.checkSchema()
        try inTransaction { () throws(PrimaryError) in
            for table in SharedTable.allCases { try setTriggers(of: table, areEnabled: false) }
        }
    }

    /// Refuses rows of logical replication again, and makes every replica copy everything, because the log does not
    /// contain them.
    ///
    /// Ids continue after the replicated ones. Each stream gets a new state, which invalidates everything that clients
    /// have stored.
    ///
    /// - Throws: ``PrimaryError``.
    package func endReplication() throws(PrimaryError) {
        try connection.checkSchema()
        try inTransaction { () throws(PrimaryError) in
            for table in SharedTable.allCases { try setTriggers(of: table, areEnabled: true) }
            try connection.run(script: Self.newStates, within: .seconds(60))
        }
    }

    private func inTransaction(_ body: () throws(PrimaryError) -> Void) throws(PrimaryError) {
        do throws(PrimaryError) {
            try connection.run(script: "BEGIN; LOCK TABLE writing IN EXCLUSIVE MODE", within: .seconds(60))
            try body()
            try connection.run(script: "COMMIT", within: .seconds(60))
        } catch {
            try? connection.run(script: "ROLLBACK", within: .seconds(10))
            throw error
        }
    }

    /// A commit that no replica can reach through the log: it skips a revision, so that the log is complete only after
    /// it.
    private static let newStates = """
        SELECT setval('batch', batch) FROM (SELECT max(batch) AS batch FROM commit) AS last
        WHERE batch > coalesce(pg_sequence_last_value('batch'), 0);
        UPDATE counter SET revision = revision + 1 WHERE id = 1;
        INSERT INTO change (batch, place, streamId, photoId, kind)
        SELECT taken.ofBatch, taken.firstPlace - 1 + row_number() OVER (ORDER BY id), id,
            coalesce((SELECT min(id) FROM photo WHERE streamId = stream.id), 0), 3
        FROM stream, (SELECT * FROM takePlaces((SELECT count(*) FROM stream WHERE sourceId IS NULL))) AS taken
        WHERE sourceId IS NULL;
        SET CONSTRAINTS ALL IMMEDIATE;
        UPDATE counter SET trimmedCommitId = commitId WHERE id = 1
        """
}
