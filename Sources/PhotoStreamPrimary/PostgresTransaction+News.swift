import PhotoStreamStorage

extension PostgresTransaction {
    /// Reads the commits after a position.
    ///
    /// A transaction that writes reads them only if they fit in the connection's buffers, because the primary must
    /// never wait for this server to read while other writers wait for the primary. Longer changes are read in
    /// portions, so that they are never in memory as a whole.
    ///
    /// - Throws: ``OtherPrimary``, `PrimaryInterruption`, ``PrimaryError``.
    func news(after position: ReplicaPosition) throws -> PrimaryChanges {
        let results = try begin(and: Self.questions(after: position))
        let head = try PrimaryHead(results[0])
        try head.checkIdentity(position)
        identity = head.position.identity
        guard head.reachesBack else { throw PrimaryInterruption.unknownPosition }
        if try results[1].integer(0, column: 0) != 0 {
            return PrimaryChanges(
                position: head.position, log: results[2].rows, photos: results[3].rows,
                tables: try touchedRows(results[4]), lastIDs: head.lastIDs, areFew: true)
        }
        guard mode == .read else { throw PrimaryInterruption.longNews }
        let touched = try run([
            PrimaryStatement(sql: "SELECT set_config('photostream.after', $1, true)", [.text("\(position.commitID)")]),
            "DECLARE newLog NO SCROLL CURSOR FOR \(Self.newLog)",
            "DECLARE newPhotos NO SCROLL CURSOR FOR \(Self.newPhotos)",
            PrimaryStatement(sql: Self.newlyTouched),
        ])[3]
        return PrimaryChanges(
            position: head.position, log: rows(of: "newLog"), photos: rows(of: "newPhotos"),
            tables: try touchedRows(touched), lastIDs: head.lastIDs, areFew: false)
    }

    /// The queries for the commits after a position: the head, whether the rest was short enough to be returned, the
    /// log, the photos, and the touched rows of other tables.
    static func questions(after position: ReplicaPosition) -> [PrimaryStatement] {
        [
            PrimaryHead.question(after: position),
            PrimaryStatement(
                sql: """
                    SELECT (set_config('photostream.after',
                        CASE WHEN newsIsShort($1) THEN $1 ELSE 9223372036854775807 END::text, true)
                        <> '9223372036854775807')::integer
                    """, [.integer(position.commitID)]),
            PrimaryStatement(sql: newLog), PrimaryStatement(sql: newPhotos), PrimaryStatement(sql: newlyTouched),
        ]
    }

    private static let newLog = "SELECT \(logColumns) FROM \(news(of: "change")) ORDER BY 1"
    private static let newPhotos = """
        SELECT \(SharedTable.photo.columnList) FROM photo WHERE id = ANY (ARRAY(
            SELECT DISTINCT l.photoId FROM \(news(of: "change"))))
        """
    private static let newlyTouched = "SELECT DISTINCT l.tableName, l.rowId FROM \(news(of: "touched"))"

    /// The rows of a table that new commits wrote.
    ///
    /// The planner estimates a third of all commits as new and would read whole tables for them. OFFSET 0 makes it look
    /// up the rows of each commit separately, and the array does the same for photos.
    private static func news(of table: String) -> String {
        """
        (SELECT batch, firstRevision, tag FROM commit WHERE id > current_setting('photostream.after')::bigint) AS c
        CROSS JOIN LATERAL (SELECT * FROM \(table) WHERE batch = c.batch OFFSET 0) AS l
        """
    }

    private static let rowsAtOnce = 4_096

    /// The rows of a cursor, which are read during a single iteration.
    private func rows(of cursor: String) -> SharedRows {
        SharedRows { [self] body in
            while true {
                let portion = try run(["FETCH FORWARD \(Self.rowsAtOnce) FROM \(cursor)"])[0]
                try portion.rows.forEach(body)
                guard portion.count == Self.rowsAtOnce else { return }
            }
        }
    }

    private func touchedRows(_ touched: PrimaryResult) throws -> [PrimaryChanges.Rows] {
        var ids: [SharedTable: [Int64]] = [:]
        for row in 0..<touched.count {
            // Ignore tables that only newer versions know.
            guard let table = SharedTable(rawValue: try touched.text(row, column: 0)) else { continue }
            ids[table, default: []].append(try touched.integer(row, column: 1))
        }
        let tables = SharedTable.allCases.filter { ids[$0] != nil }
        guard !tables.isEmpty else { return [] }
        let results = try run(
            tables.map { table in question(about: (ids[table] ?? []).prefix(Self.rowsAtOnce), of: table) })
        return zip(tables, results).map { table, result in
            let touched = ids[table] ?? []
            return PrimaryChanges.Rows(
                table: table, touched: touched,
                present: rows(result, and: touched.dropFirst(Self.rowsAtOnce), of: table))
        }
    }

    private func question(about ids: ArraySlice<Int64>, of table: SharedTable) -> PrimaryStatement {
        PrimaryStatement(
            sql: "SELECT \(table.columnList) FROM \(table.rawValue) WHERE id = ANY($1)", [.integers(Array(ids))])
    }

    /// The rows of an answer and of more ids, which are read in portions during iteration: after a night, the results
    /// of decoding a million pictures may be new.
    private func rows(_ first: PrimaryResult, and more: ArraySlice<Int64>, of table: SharedTable) -> SharedRows {
        SharedRows { [self] body in
            try first.rows.forEach(body)
            var rest = more
            while !rest.isEmpty {
                try run([question(about: rest.prefix(Self.rowsAtOnce), of: table)])[0].rows.forEach(body)
                rest = rest.dropFirst(Self.rowsAtOnce)
            }
        }
    }
}
