import PhotoStreamModel
package import PhotoStreamStorage

/// The operator's tasks at a primary.
package struct PrimaryAdministration {
    let address: PrimaryAddress
    let connection: PrimaryConnection

    /// Connects to a database.
    ///
    /// - Throws: ``PrimaryError``.
    package init(_ address: PrimaryAddress) throws(PrimaryError) {
        self.address = address
        connection = try PrimaryConnection(address, within: .seconds(10))
    }

    /// Creates the tables that are missing.
    ///
    /// - Returns: The scripts that were run, none if the database was up to date.
    /// - Throws: ``PrimaryError``.
    package func initialize() throws(PrimaryError) -> [String] {
        try connection.migrateSchema()
    }

    /// Copies a file into an empty primary: ids, revisions and the key of the cursors, so that everything that clients
    /// have stored stays valid.
    ///
    /// - Parameter database: The file, to which no program should be writing.
    /// - Returns: The number of photos.
    /// - Throws: ``PrimaryError`` if the primary has streams, ``StorageError``; the primary is then unchanged.
    package func load(_ database: PhotoDatabase) throws -> Int {
        try connection.checkSchema()
        var photoCount = 0
        do {
            try connection.run(script: "BEGIN; LOCK TABLE writing IN EXCLUSIVE MODE", within: .seconds(10))
            let state = try connection.run(
                "SELECT (SELECT count(*) FROM stream), revision FROM counter", within: .seconds(10))
            guard try state.integer(0, column: 0) == 0, try state.integer(0, column: 1) == 0 else {
                throw PrimaryError(
                    .refused, message: "\(address) has had photos already; load a file into a new database")
            }
            // The rows keep their history in the file.
            for table in SharedTable.allCases { try setTriggers(of: table, areEnabled: false) }
            try connection.run("DELETE FROM secret", within: .seconds(10))
            try database.read { reader in
                for table in SharedTable.allCases {
                    let count = try connection.add(
                        reader.rows(of: table), to: table.rawValue, columns: table.columns)
                    if table == .photo { photoCount = count }
                }
                try loadLog(reader)
            }
            for table in SharedTable.allCases { try setTriggers(of: table, areEnabled: true) }
            try connection.run(script: "COMMIT; ANALYZE", within: .seconds(600))
        } catch {
            try? connection.run(script: "ROLLBACK", within: .seconds(10))
            throw error
        }
        return photoCount
    }

    /// Switches the triggers of a table on or off, in the open transaction.
    func setTriggers(of table: SharedTable, areEnabled: Bool) throws(PrimaryError) {
        if areEnabled {
            try connection.run(
                script: """
                    DO $$ DECLARE own name; BEGIN
                        FOR own IN SELECT tgname FROM pg_trigger WHERE tgrelid = '\(table.rawValue)'::regclass
                            AND NOT tgisinternal LOOP
                            EXECUTE format('ALTER TABLE \(table.rawValue) ENABLE %s TRIGGER %I',
                                CASE WHEN own LIKE '%refusesreplication' THEN 'REPLICA' ELSE 'ALWAYS' END, own);
                        END LOOP;
                    END $$;
                    SELECT passLoadedIds('\(table.rawValue)')
                    """, within: .seconds(60))
        } else {
            try connection.run(script: "ALTER TABLE \(table.rawValue) DISABLE TRIGGER USER", within: .seconds(60))
        }
    }

    /// Copies the log as one commit, whose first revision is that of the log's first row.
    ///
    /// Replicas that followed before must copy everything.
    private func loadLog(_ reader: PhotoReader) throws {
        let revisions = try reader.logRange()
        let (first, last) = (revisions?.lowerBound ?? 1, revisions?.upperBound ?? 0)
        let batch = try connection.run(
            """
            UPDATE counter SET commitId = commitId + 1, trimmedCommitId = commitId + 1, revision = $1
            RETURNING nextval('batch')
            """, with: [.integer(last)], within: .seconds(10)
        ).integer(0, column: 0)
        let columns = SharedTable.changeColumns
        let rows = SharedRows { body in
            try reader.changeRows().forEach { row in
                var values = try columns.indices.map(row)
                guard case .integer(let revision) = values[0] else { return }
                values[0] = .integer(revision - first)
                values.insert(.integer(batch), at: 0)
                try body { values[$0] }
            }
        }
        let places = [SharedTable.Column("batch"), SharedTable.Column("place")]
        try connection.add(rows, to: "change", columns: places + columns.dropFirst())
        try connection.run(
            """
            INSERT INTO commit (id, batch, firstRevision, changeCount, tag) SELECT commitId, $1, $2, $3, $4 FROM counter
            """,
            with: [.integer(batch), .integer(first), .integer(last - first + 1), .integer(.random(in: .min ... .max))],
            within: .seconds(60))
    }

    /// The part of the log that the primary keeps.
    package struct Retention: Sendable, Equatable {
        /// The number of days for which it is kept.
        package var days: Int64
        /// The number of changes beyond which it is not kept.
        package var changes: Int64
        /// The same for changes that followers seen within a day have not read, at least ``changes``.
        package var changesForFollowers: Int64
    }

    /// Returns the retention of the log.
    ///
    /// - Throws: ``PrimaryError``.
    package func retention() throws(PrimaryError) -> Retention {
        try connection.checkSchema()
        let row = try connection.run(
            "SELECT days, changes, changesForFollowers FROM retention", within: .seconds(10))
        return Retention(
            days: try row.integer(0, column: 0), changes: try row.integer(0, column: 1),
            changesForFollowers: try row.integer(0, column: 2))
    }

    /// Sets the retention of the log for all servers, which apply it within ten minutes.
    ///
    /// - Throws: ``PrimaryError``, also for values that the table refuses.
    package func set(_ retention: Retention) throws(PrimaryError) {
        try connection.checkSchema()
        try connection.run(
            "UPDATE retention SET days = $1, changes = $2, changesForFollowers = $3",
            with: [.integer(retention.days), .integer(retention.changes), .integer(retention.changesForFollowers)],
            within: .seconds(10))
    }

    /// The state of a primary.
    package struct Status: Sendable {
        /// A server that follows the primary.
        package struct Follower: Sendable {
            /// Its name.
            package let name: String
            /// The follower's revision, and the number of changes that it lacks.
            package let revision, lag: Int64
            /// The milliseconds since it was last seen.
            package let millisecondsSinceSeen: Int64
            /// The reason for not following, or the rows that it skips, in one sentence.
            package let problem: String?
        }

        /// The random identity of the database.
        package let identity: String
        /// The last revision and the number of the last commit.
        package let revision, commitID: Int64
        /// The numbers of streams and of photos.
        package let streamCount, photoCount: Int64
        /// The history: PostgreSQL's identifier of the server, and its timeline.
        package let systemIdentifier, timeline: Int64
        /// The followers, by name.
        package let followers: [Follower]
        /// The transactions of other programs that block writers.
        package let holders: [LockHolder]
        /// The problems, one sentence each.
        package let problems: [String]
    }

    /// Returns the state.
    ///
    /// - Throws: ``PrimaryError``, with the name of the holder if another program has locked the tables even for readers.
    package func status() throws(PrimaryError) -> Status {
        let holders = try self.holders()
        do {
            return try status(with: holders)
        } catch {
            guard error.state == "55P03", let holder = holders.first else { throw error }
            throw PrimaryError(
                .unavailable, message: "\(holder.name) has locked the tables; to end it: \(holder.remedy)")
        }
    }

    private func status(with holders: [LockHolder]) throws(PrimaryError) -> Status {
        try connection.run("SET lock_timeout = '5s'", within: .seconds(10))
        try connection.checkSchema()
        let state = try connection.run(
            """
            SELECT revision, commitId, (SELECT count(*) FROM stream), (SELECT count(*) FROM photo), systemIdentifier, timeline,
                current_setting('max_prepared_transactions')::bigint,
                coalesce((SELECT value FROM identity WHERE id = 1), '') FROM counter
            """, within: .seconds(60))
        let triggers = try triggers()
        var problems: [String] = []
        if triggers.contains(where: \.acceptsReplication) {
            // All others are disabled in that case.
            problems.append(
                """
                rows of logical replication are accepted, and nothing is logged; when it has ended, run \
                `photostream primary accept-replication --end`
                """)
        } else {
            for trigger in triggers where trigger.state != "A" && !trigger.refusesReplication {
                problems.append(
                    "the trigger \(trigger.table).\(trigger.name) is not ENABLE ALWAYS, so changes can escape the log")
            }
        }
        if triggers.count != Trigger.count {
            problems.append("there are \(triggers.count) triggers instead of \(Trigger.count)")
        }
        problems += try unappliable(thoroughly: false).map(\.sentence)
        if try state.integer(0, column: 6) != 0 {
            problems.append("max_prepared_transactions is not 0, so a prepared transaction could hold up every writer")
        }
        for holder in holders {
            problems.append(
                """
                \(holder.name) holds up \(holder.holdsUpAll ? "all writers" : "writes of its rows"); to end it: \
                \(holder.remedy)
                """)
        }
        let followers = try followers()
        // The rows that every follower skips are already named above, or are the same for all.
        for follower in followers where follower.millisecondsSinceSeen < 60_000 {
            if let problem = follower.problem { problems.append("\(follower.name): \(problem)") }
        }
        return Status(
            identity: try state.text(0, column: 7), revision: try state.integer(0, column: 0),
            commitID: try state.integer(0, column: 1),
            streamCount: try state.integer(0, column: 2), photoCount: try state.integer(0, column: 3),
            systemIdentifier: try state.integer(0, column: 4), timeline: try state.integer(0, column: 5),
            followers: followers, holders: holders, problems: problems)
    }

    private func followers() throws(PrimaryError) -> [Status.Follower] {
        let rows = try connection.run(
            """
            SELECT name, follower.revision, counter.revision - follower.revision,
                (extract(epoch FROM clock_timestamp() - seenAt) * 1000)::bigint, coalesce(problem, '')
            FROM follower, counter ORDER BY name
            """, within: .seconds(60))
        return try (0..<rows.count).map { row throws(PrimaryError) in
            let problem = try rows.text(row, column: 4)
            return Status.Follower(
                name: try rows.text(row, column: 0), revision: try rows.integer(row, column: 1),
                lag: try rows.integer(row, column: 2), millisecondsSinceSeen: try rows.integer(row, column: 3),
                problem: problem.isEmpty ? nil : problem)
        }
    }

    /// A trigger of the primary.
    struct Trigger {
        /// The number of triggers that the migrations create.
        static let count = 84

        let table, name: String
        /// PostgreSQL's letter for the roles of replication in which it runs: `A` for all, `R` for a replica.
        let state: String

        /// Whether it refuses rows that logical replication applies.
        var refusesReplication: Bool { name.hasSuffix("refusesreplication") }
        /// Whether it was switched off, so that such rows are accepted.
        var acceptsReplication: Bool { refusesReplication && state != "R" }
    }

    /// Returns the triggers of all tables.
    func triggers() throws(PrimaryError) -> [Trigger] {
        try texts(
            """
            SELECT relname::text, tgname::text, tgenabled::text FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
            WHERE NOT tgisinternal AND relnamespace = 'photostream'::regnamespace ORDER BY 1, 2
            """
        ).map { Trigger(table: $0[0], name: $0[1], state: $0[2]) }
    }

    /// Returns the rows of a query as texts.
    func texts(_ sql: String) throws(PrimaryError) -> [[String]] {
        let result = try connection.run(sql, within: .seconds(60))
        return try (0..<result.count).map { row throws(PrimaryError) in
            try (0..<result.columnCount).map { column throws(PrimaryError) in try result.text(row, column: column) }
        }
    }
}
