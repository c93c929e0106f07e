import PhotoStreamStorage

/// The last commit of a primary, with the other values that a follower reads at the same time.
struct PrimaryHead {
    /// The last commit.
    let position: ReplicaPosition
    /// Whether the log has everything after the requested position.
    let reachesBack: Bool
    /// Whether the part of the log with the position was removed, so that it is unknown whether the histories are the
    /// same.
    let isTrimmed: Bool
    /// The age of the oldest commit after the requested position; zero if there is none.
    let ageOfNews: Duration
    /// The greatest id that each table has assigned.
    let lastIDs: [SharedTable: Int64]

    private static let tablesWithIDs = SharedTable.allCases.filter(\.remembersIDs)

    private static let sql = """
        SELECT counter.commitId, counter.revision,
            coalesce((SELECT tag FROM commit WHERE id = counter.commitId), 0),
            ($1 >= counter.trimmedCommitId
                AND ($1 = 0 OR EXISTS (SELECT FROM commit WHERE id = $1 AND tag = $2)))::integer,
            coalesce((SELECT value FROM identity WHERE id = 1), ''), ($1 < counter.trimmedCommitId)::integer,
            coalesce((SELECT (extract(epoch FROM clock_timestamp() - committedAt) * 1000)::bigint FROM commit
                WHERE id > $1 ORDER BY id LIMIT 1), 0),
            \(tablesWithIDs.map {
                "coalesce(pg_sequence_last_value(pg_get_serial_sequence('\($0.rawValue)', 'id')), 0)"
            }.joined(separator: ", "))
        FROM counter WHERE counter.id = 1
        """

    /// Returns the query for a follower whose last commit is `position`.
    static func question(after position: ReplicaPosition) -> PrimaryStatement {
        PrimaryStatement(sql: sql, [.integer(position.commitID), .integer(position.tag)])
    }

    /// Reads the answer.
    ///
    /// - Throws: ``PrimaryError`` with kind `schema` if the row of the counter or of the identity was deleted.
    init(_ answer: PrimaryResult) throws(PrimaryError) {
        guard answer.count == 1 else { throw PrimaryError(.schema, message: "the row of counter is missing") }
        guard try !answer.text(0, column: 4).isEmpty else {
            throw PrimaryError(
                .schema, message: "the row of identity is missing; restore it from a backup of the database")
        }
        position = ReplicaPosition(
            commitID: try answer.integer(0, column: 0), revision: try answer.integer(0, column: 1),
            tag: try answer.integer(0, column: 2), identity: try answer.text(0, column: 4))
        reachesBack = try answer.integer(0, column: 3) != 0
        isTrimmed = try answer.integer(0, column: 5) != 0
        ageOfNews = .milliseconds(max(0, try answer.integer(0, column: 6)))
        var lastIDs: [SharedTable: Int64] = [:]
        for (offset, table) in Self.tablesWithIDs.enumerated() {
            lastIDs[table] = try answer.integer(0, column: 7 + offset)
        }
        self.lastIDs = lastIDs
    }

    /// Checks that a replica belongs to this primary.
    ///
    /// - Throws: ``OtherPrimary`` if it belongs to another one.
    func checkIdentity(_ followed: ReplicaPosition) throws(OtherPrimary) {
        guard let followed = followed.identity, let found = position.identity, followed != found else { return }
        throw OtherPrimary(followed: followed, found: found)
    }
}
