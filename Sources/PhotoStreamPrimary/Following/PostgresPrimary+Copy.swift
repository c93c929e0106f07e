import PhotoStreamStorage

extension PostgresPrimary {
    /// The number of the newest rows of the change log to copy, in addition to each stream's newest.
    private static let logRowCount = 100_000

    /// Replaces everything that a file shares with the primary, in one transaction of each, so that readers of the file
    /// see the previous state until the end.
    ///
    /// - Throws: ``PrimaryError``, ``StorageError``.
    /// - Complexity: O(n log n) for n photos.
    func copy(into database: PhotoDatabase) throws {
        // Not the follower's connection, because an error in the middle of a copy breaks the connection.
        let connection = try connect()
        try checkSession(of: connection)
        try connection.checkSchema()
        let start = try connection.run(
            [
                "SET idle_in_transaction_session_timeout = 0", "SET statement_timeout = 0", "SET enable_seqscan = on",
                "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", PrimaryHead.question(after: .start),
            ], within: .seconds(10))[4]
        let head = try PrimaryHead(start)
        let log = connection.rows(of: Self.logSQL, columns: SharedTable.changeColumns)
        let tables = SharedTable.allCases.map { table in
            let query = "SELECT \(table.columnList) FROM \(table.rawValue) ORDER BY id"
            return (table, connection.rows(of: query, columns: table.columns))
        }
        try database.rebuild {
            try $0.replaceAll(position: head.position, log: log, tables: tables, lastIDs: head.lastIDs)
        }
        try connection.run("COMMIT", within: .seconds(10))
    }

    /// The newest rows of the log, regardless of their revisions, and the newest row of each stream without a row among
    /// them.
    private static let logSQL = """
        WITH newest AS (
            SELECT id, sum(changeCount) OVER (ORDER BY id DESC) - changeCount AS laterCount
            FROM (SELECT id, changeCount FROM commit WHERE changeCount > 0 ORDER BY id DESC LIMIT \(logRowCount)) AS counted
        ), recent AS (
            SELECT \(PostgresTransaction.logColumns) FROM commit c JOIN change l ON l.batch = c.batch
            WHERE c.id >= (SELECT min(id) FROM newest WHERE laterCount < \(logRowCount))
            ORDER BY 1 DESC LIMIT \(logRowCount)
        ), quiet AS (
            SELECT DISTINCT ON (l.streamId) \(PostgresTransaction.logColumns)
            FROM commit c JOIN change l ON l.batch = c.batch
            WHERE l.streamId IN (SELECT id FROM stream EXCEPT SELECT streamId FROM recent)
            ORDER BY l.streamId, c.firstRevision + l.place DESC
        )
        SELECT * FROM (SELECT * FROM recent UNION ALL SELECT * FROM quiet) AS chosen ORDER BY revision
        """
}
