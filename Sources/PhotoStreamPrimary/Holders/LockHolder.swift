/// A transaction of another program that blocks writers, as found in PostgreSQL's locks.
package struct LockHolder: Hashable, Sendable {
    /// PostgreSQL's number of the transaction, unique until PostgreSQL is restarted.
    package let transaction: String
    /// The process of the session; `nil` for a prepared transaction, which has none.
    package let processID: Int64?
    /// The name of the prepared transaction.
    package let preparedName: String?
    /// The name of its role.
    package let role: String
    /// The application name of its program.
    package let application: String
    /// Its last statement, on one line and shortened; empty if this role may not see it.
    package let query: String
    /// The start time, in milliseconds since 1970; `nil` if this role may not see it.
    package let sinceMilliseconds: Int64?
    /// Whether it holds a lock that every writer needs, rather than only the rows that it has changed.
    package let holdsUpAll: Bool
    /// Whether another transaction was waiting for it.
    let isAwaited: Bool
    /// Whether it waits for another transaction that holds a lock that every writer needs.
    let isHeldUp: Bool
    /// Whether it belongs to a PhotoStream server, whose statements end by themselves.
    package let isServer: Bool
    /// Whether PostgreSQL waits for its program to send something, or to read an answer.
    let waitsForProgram: Bool
    /// Whether this role may end its session.
    package let mayBeEnded: Bool

    /// The session or the prepared transaction with its role and program, such as `the session 4711 of editor (psql)`.
    package var name: String {
        let owner = role.isEmpty ? "" : " of \(role)"
        if let preparedName { return "the prepared transaction \(Self.quoted(preparedName))\(owner)" }
        return "the session \(processID ?? 0)\(owner)\(application.isEmpty ? "" : " (\(application))")"
    }

    /// The statement that ends it.
    package var remedy: String {
        if let preparedName { return "ROLLBACK PREPARED \(Self.quoted(preparedName))" }
        return "SELECT pg_terminate_backend(\(processID ?? 0))"
    }

    private static func quoted(_ text: String) -> String { "'\(text.replacing("'", with: "''"))'" }
}

extension LockHolder {
    /// The query for the transactions that block writers, or could.
    ///
    /// A lock on the tables that every write needs, or a lock on a whole table that conflicts with changing rows,
    /// blocks all writers; a transaction without such a lock blocks those that need its rows.
    static let question = """
        WITH lock AS MATERIALIZED (
            SELECT l.virtualtransaction, l.pid, l.granted, l.transactionid, c.relnamespace IS NOT NULL AS isOurs,
                coalesce(l.granted AND l.locktype = 'relation' AND CASE
                    WHEN c.relname IN ('writing', 'counter') THEN l.mode <> 'AccessShareLock'
                    ELSE l.mode IN ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
                END, false) AS isWide
            FROM pg_locks l LEFT JOIN pg_class c ON c.oid = l.relation AND l.locktype IN ('relation', 'tuple')
                AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
                AND c.relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = 'photostream')
        ), xact AS MATERIALIZED (
            SELECT virtualtransaction AS id, max(pid) AS pid, bool_or(isWide) AS isWide, bool_and(granted) AS runs,
                array_agg(transactionid::text) FILTER (WHERE granted AND transactionid IS NOT NULL) AS numbers
            FROM lock WHERE pid IS DISTINCT FROM pg_backend_pid()
            GROUP BY virtualtransaction HAVING bool_or(isOurs)
        ), blocked AS MATERIALIZED (
            SELECT id, pg_blocking_pids(pid) AS blockers FROM xact WHERE NOT runs AND pid IS NOT NULL
        )
        SELECT x.id, coalesce(x.pid, 0), coalesce(p.gid, ''), coalesce(p.owner, a.usename, ''),
            coalesce(a.application_name, ''), coalesce(a.query, ''),
            coalesce((extract(epoch FROM coalesce(p.prepared, a.xact_start)) * 1000)::bigint, 0), x.isWide::integer,
            EXISTS (SELECT FROM blocked WHERE coalesce(x.pid, 0) = ANY (blockers))::integer,
            EXISTS (
                SELECT FROM xact o JOIN blocked b ON coalesce(o.pid, 0) = ANY (b.blockers)
                WHERE b.id = x.id AND o.isWide AND o.id <> x.id)::integer,
            coalesce(a.application_name = 'photostream' AND a.usename = current_user, false)::integer,
            (a.pid IS NOT NULL AND (own.rolsuper OR (NOT r.rolsuper AND (
                pg_has_role(current_user, r.oid, 'USAGE')
                OR pg_has_role(current_user, 'pg_signal_backend', 'USAGE')))))::integer,
            coalesce(a.wait_event_type = 'Client', false)::integer
        FROM xact x
        JOIN pg_roles own ON own.rolname = current_user
        LEFT JOIN pg_stat_activity a ON a.pid = x.pid
        LEFT JOIN pg_roles r ON r.oid = a.usesysid
        LEFT JOIN pg_prepared_xacts p ON x.pid IS NULL AND p.transaction::text = ANY (x.numbers)
        WHERE x.isWide OR EXISTS (SELECT FROM blocked WHERE coalesce(x.pid, 0) = ANY (blockers))
        ORDER BY x.pid, x.id
        """

    /// Reads the locks once.
    ///
    /// - Parameters:
    ///   - connection: A connection that is not blocked by any of them.
    ///   - limit: The time to wait for the answer.
    /// - Returns: The transactions that hold a lock that every writer needs, or for which another transaction waits.
    ///   Most of them end at once; those that a later look finds again block others.
    /// - Throws: ``PrimaryError``.
    static func look(by connection: PrimaryConnection, within limit: Duration) throws(PrimaryError) -> [LockHolder] {
        let rows = try connection.run(question, within: limit)
        return try (0..<rows.count).map { row throws(PrimaryError) in try LockHolder(rows, row: row) }
    }

    private init(_ rows: PrimaryResult, row: Int) throws(PrimaryError) {
        transaction = try rows.text(row, column: 0)
        let pid = try rows.integer(row, column: 1)
        processID = pid == 0 ? nil : pid
        let name = try rows.text(row, column: 2)
        preparedName = name.isEmpty ? nil : name
        role = try rows.text(row, column: 3)
        application = Self.shortened(try rows.text(row, column: 4))
        let text = try rows.text(row, column: 5)
        query = text == "<insufficient privilege>" ? "" : Self.shortened(text)
        let since = try rows.integer(row, column: 6)
        sinceMilliseconds = since == 0 ? nil : since
        holdsUpAll = try rows.integer(row, column: 7) != 0
        isAwaited = try rows.integer(row, column: 8) != 0
        isHeldUp = try rows.integer(row, column: 9) != 0
        isServer = try rows.integer(row, column: 10) != 0
        mayBeEnded = try rows.integer(row, column: 11) != 0
        waitsForProgram = try rows.integer(row, column: 12) != 0
    }

    /// A statement on one line, shortened.
    private static func shortened(_ text: String) -> String {
        let line = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return line.count > 200 ? line.prefix(199) + "…" : line
    }

    /// Ends the session, if it is still in the same transaction.
    ///
    /// - Returns: Whether it was ended.
    /// - Throws: ``PrimaryError``, also if this role is not permitted.
    func end(by connection: PrimaryConnection, within limit: Duration) throws(PrimaryError) -> Bool {
        guard let processID else { return false }
        let rows = try connection.run(
            """
            SELECT pg_terminate_backend(pid)::integer FROM (
                SELECT DISTINCT pid FROM pg_locks WHERE pid = $1 AND virtualtransaction = $2) AS held
            """, with: [.integer(processID), .text(transaction)], within: limit)
        return rows.count > 0 ? try rows.integer(0, column: 0) != 0 : false
    }
}
