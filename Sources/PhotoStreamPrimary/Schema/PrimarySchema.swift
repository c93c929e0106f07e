import PhotoStreamMigrations

// The tables of a primary.
extension PrimaryConnection {
    /// The minimum version of PostgreSQL.
    private static let leastVersion: Int64 = 150_000

    /// Creates missing tables in one transaction.
    ///
    /// - Returns: The scripts that were run.
    /// - Throws: ``PrimaryError`` if the database cannot be a primary, or was created by another version.
    func migrateSchema() throws(PrimaryError) -> [String] {
        try checkServer()
        var script = """
            BEGIN;
            CREATE SCHEMA IF NOT EXISTS photostream;
            CREATE TABLE IF NOT EXISTS photostream.migration (
                name text PRIMARY KEY, script text NOT NULL, appliedAt timestamptz NOT NULL DEFAULT clock_timestamp());
            COMMIT;
            """
        do {
            try run(script: script, within: .seconds(60))
        } catch  where ["23505", "42P06", "42P07"].contains(error.state) {
            // Another process has just created them; nothing can be locked before there is a table.
            try run(script: "ROLLBACK; \(script)", within: .seconds(60))
        }
        let applied = try appliedMigrations()
        let missing = Migration.primary.filter { applied[$0.name] == nil }
        guard !missing.isEmpty else { return [] }
        // The lock makes a second process wait and then fail at the first name, without any change.
        script = "BEGIN; LOCK TABLE photostream.migration IN EXCLUSIVE MODE;\n"
        for migration in missing {
            script +=
                "INSERT INTO migration (name, script) VALUES ('\(migration.name)', $script$\(migration.sql)$script$);\n"
            script += migration.sql
        }
        script += """
            INSERT INTO secret SELECT 1, uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())
            WHERE NOT EXISTS (SELECT FROM secret);
            COMMIT
            """
        do {
            try run(script: script, within: .seconds(600))
        } catch {
            try? run(script: "ROLLBACK", within: .seconds(5))
            throw error
        }
        return missing.map(\.name)
    }

    /// Checks that the database has the tables of this version.
    ///
    /// - Throws: ``PrimaryError`` with kind `empty` or `schema` and advice.
    func checkSchema() throws(PrimaryError) {
        let exists = try run("SELECT (to_regclass('photostream.migration') IS NOT NULL)::integer", within: .seconds(5))
        guard try exists.integer(0, column: 0) == 1 else {
            throw PrimaryError(
                .empty, message: "the database has no PhotoStream tables; run `photostream primary init`")
        }
        let applied = try appliedMigrations()
        for migration in Migration.primary where applied[migration.name] == nil {
            throw PrimaryError(
                .schema,
                message: "the database lacks \(migration.name); run `photostream primary init` with this version")
        }
    }

    /// Returns the scripts that were run, by name.
    private func appliedMigrations() throws(PrimaryError) -> [String: String] {
        let result = try run("SELECT name, script FROM migration ORDER BY name", within: .seconds(10))
        var applied: [String: String] = [:]
        for row in 0..<result.count { applied[try result.text(row, column: 0)] = try result.text(row, column: 1) }
        for migration in Migration.primary where applied[migration.name] ?? migration.sql != migration.sql {
            throw PrimaryError(
                .schema, message: "the database was created with another \(migration.name) than this version has")
        }
        if let newer = applied.keys.sorted().first(where: { name in !Migration.primary.contains { $0.name == name } }) {
            throw PrimaryError(
                .schema, message: "the database has \(newer) of a newer version of PhotoStream; update this one first")
        }
        return applied
    }

    private func checkServer() throws(PrimaryError) {
        let settings = try run(
            """
            SELECT current_setting('server_version_num')::bigint, current_setting('server_version'),
                current_setting('max_prepared_transactions')::bigint, current_setting('server_encoding')
            """, within: .seconds(5))
        guard try settings.integer(0, column: 0) >= Self.leastVersion else {
            throw PrimaryError(
                .schema, message: "the primary needs PostgreSQL 15 or later; this is \(try settings.text(0, column: 1))"
            )
        }
        guard try settings.integer(0, column: 2) == 0 else {
            throw PrimaryError(
                .schema,
                message: """
                    max_prepared_transactions must be 0: a prepared transaction would hold up every other writer until it \
                    ends
                    """)
        }
        guard try settings.text(0, column: 3) == "UTF8" else {
            throw PrimaryError(
                .schema,
                message: "the database must have the encoding UTF8; this one has \(try settings.text(0, column: 3))")
        }
    }
}
