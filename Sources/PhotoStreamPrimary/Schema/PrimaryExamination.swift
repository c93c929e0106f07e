import PhotoStreamStorage

/// Examines a primary for problems that keep servers from working well, or may.
///
///     for finding in PrimaryExamination.findings(at: address) where finding.state != .good {
///         print(finding.text, finding.advice ?? "")
///     }
///
/// It changes nothing. A new check is one more element of ``checks``.
package struct PrimaryExamination {
    /// A result.
    package struct Finding: Hashable, Sendable {
        /// The states.
        package enum State: String, Sendable {
            /// Everything is fine.
            case good
            /// It works now, but may fail or degrade later.
            case warning
            /// It does not work, or data may be lost or misused.
            case problem
        }

        /// The state.
        package let state: State
        /// The result, in one sentence.
        package let text: String
        /// The statement or the command that repairs it; `nil` if there is nothing to do.
        package let advice: String?

        init(_ state: State, text: String, advice: String? = nil) {
            (self.state, self.text, self.advice) = (state, text, advice)
        }
    }

    typealias Check = @Sendable (PrimaryAdministration) throws -> [Finding]

    /// The checks, in the order of their findings.
    static let checks: [Check] = [
        { try summary($0) }, { try settings($0) }, { try cleaning($0) }, { try triggers($0) }, { try rights($0) },
        { try endlessTransactions($0) }, { try grants($0) }, { try followers($0) }, { try holders($0) },
        { try rows($0) },
    ]

    /// Runs all checks of a database; a database that cannot be used is a finding, too.
    package static func findings(at address: PrimaryAddress) -> [Finding] {
        do throws(PrimaryError) {
            let administration = try PrimaryAdministration(address)
            try administration.connection.checkSchema()
            return checks.flatMap { check in
                do {
                    return try check(administration)
                } catch {
                    return [Finding(.problem, text: "it cannot be examined: \(error)")]
                }
            }
        } catch {
            return [Finding(.problem, text: error.message)]
        }
    }
}

extension [PrimaryExamination.Finding] {
    /// The findings, or a good one if there are none.
    fileprivate func or(good text: String) -> Self { isEmpty ? [Element(.good, text: text)] : self }
}

// MARK: - PostgreSQL

extension PrimaryExamination {
    static func summary(_ primary: PrimaryAdministration) throws(PrimaryError) -> [Finding] {
        let facts = try primary.texts(
            """
            SELECT current_setting('server_version'), (SELECT count(*) FROM photo)::text,
                (SELECT revision FROM counter WHERE id = 1)::text, pg_is_in_recovery()::text
            """)[0]
        guard facts[3] == "false" else {
            return [
                Finding(
                    .problem, text: "\(primary.address) is a standby, which only reads",
                    advice: "name the leader, or all servers with target_session_attrs=read-write")
            ]
        }
        let text = "\(primary.address): PostgreSQL \(facts[0]), photos \(facts[1]), revision \(facts[2])"
        guard primary.connection.isPooled else { return [Finding(.good, text: text)] }
        return [
            Finding(.good, text: text),
            Finding(
                .warning, text: "a pooler is between, which must keep a session for each connection",
                advice: "let PgBouncer have pool_mode = session, or name PostgreSQL itself"),
        ]
    }

    /// The settings of new sessions of this role, and their consequences.
    static func settings(_ primary: PrimaryAdministration) throws(PrimaryError) -> [Finding] {
        let rows = try primary.texts(
            """
            SELECT name, reset_val, coalesce((
                SELECT CASE WHEN setdatabase = 0 THEN format('ALTER ROLE %I RESET %I', current_user, name)
                    WHEN setrole = 0 THEN format('ALTER DATABASE %I RESET %I', current_database(), name)
                    ELSE format('ALTER ROLE %I IN DATABASE %I RESET %I', current_user, current_database(), name) END
                FROM pg_db_role_setting, unnest(setconfig) AS setting
                WHERE setdatabase IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))
                    AND setrole IN (0, (SELECT oid FROM pg_roles WHERE rolname = current_user))
                    AND split_part(setting, '=', 1) = name ORDER BY setrole = 0, setdatabase = 0 LIMIT 1),
                format('ALTER SYSTEM RESET %I; SELECT pg_reload_conf()', name))
            FROM pg_settings WHERE name IN (
                'max_prepared_transactions', 'fsync', 'full_page_writes', 'default_transaction_read_only',
                'synchronous_commit', 'autovacuum', 'statement_timeout')
            """)
        var values: [String: (value: String, reset: String)] = [:]
        for row in rows { values[row[0]] = (row[1], row[2]) }
        func value(_ name: String) -> String { values[name]?.value ?? "" }
        var findings: [Finding] = []
        if value("max_prepared_transactions") != "0" {
            findings.append(
                Finding(
                    .problem,
                    text: """
                        max_prepared_transactions is \(value("max_prepared_transactions")), so a prepared transaction could hold \
                        up every writer
                        """, advice: "ALTER SYSTEM SET max_prepared_transactions = 0; then start PostgreSQL again"))
        }
        for (name, consequence) in [
            ("fsync", "a crash of the machine damages everything"),
            ("full_page_writes", "a crash of the machine may damage everything"),
        ] where value(name) == "off" {
            findings.append(
                Finding(
                    .problem, text: "\(name) is off: \(consequence)",
                    advice: "ALTER SYSTEM SET \(name) = on; SELECT pg_reload_conf()"))
        }
        if value("default_transaction_read_only") == "on" {
            findings.append(
                Finding(
                    .problem, text: "default_transaction_read_only is on, so every write is refused",
                    advice: values["default_transaction_read_only"].map {
                        // A session begins with it, and ALTER SYSTEM must not be in a transaction.
                        $0.reset.hasPrefix("ALTER SYSTEM") ? $0.reset : "BEGIN READ WRITE; \($0.reset); COMMIT"
                    }))
        }
        if ["off", "local"].contains(value("synchronous_commit")) {
            findings.append(
                Finding(
                    .warning,
                    text: """
                        synchronous_commit is \(value("synchronous_commit")): servers set it to on, and what other programs commit \
                        may be lost in a crash
                        """, advice: values["synchronous_commit"]?.reset))
        }
        if value("autovacuum") == "off" {
            findings.append(
                Finding(
                    .warning, text: "autovacuum is off: the tables grow, and plans become slow",
                    advice: "ALTER SYSTEM SET autovacuum = on; SELECT pg_reload_conf()"))
        }
        let timeout = value("statement_timeout")
        return findings.or(
            good: "the settings are right"
                + (timeout == "0" ? "" : "; servers do not use the statement_timeout of \(timeout) ms"))
    }

    /// Whether tables are vacuumed.
    static func cleaning(_ primary: PrimaryAdministration) throws(PrimaryError) -> [Finding] {
        try primary.texts(
            """
            SELECT relname::text FROM pg_class, unnest(reloptions) AS option
            WHERE relnamespace = 'photostream'::regnamespace AND split_part(option, '=', 1) = 'autovacuum_enabled'
                AND NOT split_part(option, '=', 2)::boolean ORDER BY 1
            """
        ).map { row in
            Finding(
                .warning, text: "autovacuum is off for the table \(row[0]): it grows, and plans become slow",
                advice: "ALTER TABLE photostream.\(row[0]) RESET (autovacuum_enabled)")
        }
    }

    /// Whether every change is logged.
    static func triggers(_ primary: PrimaryAdministration) throws(PrimaryError) -> [Finding] {
        let triggers = try primary.triggers()
        let escaped = triggers.filter { ["D", "O"].contains($0.state) }
        guard escaped.isEmpty else {
            return escaped.map { trigger in
                Finding(
                    .problem,
                    text:
                        "the trigger \(trigger.name) of \(trigger.table) is not ENABLE ALWAYS, so changes can escape the log",
                    advice: "ALTER TABLE photostream.\(trigger.table) ENABLE ALWAYS TRIGGER \(trigger.name)")
            }
        }
        guard triggers.count == PrimaryAdministration.Trigger.count else {
            return [
                Finding(
                    .problem,
                    text: "there are \(triggers.count) triggers instead of \(PrimaryAdministration.Trigger.count)",
                    advice: "`photostream primary dump` it, and `photostream primary load` the file into a new database"
                )
            ]
        }
        return [Finding(.good, text: "every change is logged by triggers: \(triggers.count)")]
    }
}

// MARK: - Roles

extension PrimaryExamination {
    /// The roles that may change photos, other than that of the servers and superusers.
    private static let writers = """
        SELECT r.oid, r.rolname FROM pg_roles r
        WHERE r.rolcanlogin AND NOT r.rolsuper AND r.rolname <> current_user
            AND has_table_privilege(r.oid, 'photostream.photo'::regclass, 'INSERT, UPDATE, DELETE')
        """

    /// Whether sessions that block all writers can be ended.
    static func rights(_ primary: PrimaryAdministration) throws(PrimaryError) -> [Finding] {
        let rows = try primary.texts(
            """
            SELECT rolname::text, format('GRANT %I TO %I', rolname, current_user) FROM (\(writers)) AS writer
            WHERE NOT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user)
                AND NOT pg_has_role(current_user, 'pg_signal_backend', 'USAGE')
                AND NOT pg_has_role(current_user, oid, 'USAGE') ORDER BY 1
            """)
        return rows.map { row in
            Finding(
                .warning,
                text: "the role \(row[0]) can hold up all writers by LOCK TABLE, and servers may not end its sessions",
                advice: row[1])
        }.or(good: "servers may end the sessions of all roles that may change photos")
    }

    /// Whether open transactions eventually end.
    static func endlessTransactions(_ primary: PrimaryAdministration) throws(PrimaryError) -> [Finding] {
        try primary.texts(
            """
            SELECT rolname::text, format('ALTER ROLE %I SET idle_in_transaction_session_timeout = ''30s''', rolname)
            FROM (\(writers)) AS writer
            WHERE NOT EXISTS (
                    SELECT FROM pg_db_role_setting, unnest(setconfig) AS setting
                    WHERE setdatabase IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))
                        AND setrole IN (0, writer.oid) AND setting ~ '^idle_in_transaction_session_timeout=.*[1-9]')
                AND NOT EXISTS (
                    SELECT FROM pg_settings WHERE name = 'idle_in_transaction_session_timeout'
                        AND source = 'configuration file' AND reset_val <> '0')
            ORDER BY 1
            """
        ).map { row in
            Finding(.warning, text: "open transactions of the role \(row[0]) do not end by themselves", advice: row[1])
        }
    }

    /// Whether other roles have more rights than necessary.
    static func grants(_ primary: PrimaryAdministration) throws(PrimaryError) -> [Finding] {
        let rows = try primary.texts(
            """
            WITH given AS (
                SELECT CASE relkind WHEN 'S' THEN 'SEQUENCE ' ELSE '' END AS kind, relname::text AS name,
                    format('photostream.%I', relname) AS target, a.grantee, a.privilege_type AS privilege
                FROM pg_class, aclexplode(relacl) AS a
                WHERE relnamespace = 'photostream'::regnamespace AND a.grantee <> relowner
                UNION ALL
                SELECT '', relname::text, format('photostream.%I', relname), a.grantee,
                    format('%s (%I)', a.privilege_type, attname)
                FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid, aclexplode(attacl) AS a
                WHERE relnamespace = 'photostream'::regnamespace AND a.grantee <> relowner
                UNION ALL
                SELECT 'FUNCTION ', NULL, 'photostream.' || p.oid::regprocedure::text, a.grantee, a.privilege_type
                FROM pg_proc p, aclexplode(coalesce(proacl, acldefault('f', proowner))) AS a
                WHERE pronamespace = 'photostream'::regnamespace AND a.grantee <> proowner AND proname <> 'ownordertime'
                UNION ALL
                SELECT 'SCHEMA ', NULL, 'photostream', a.grantee, a.privilege_type
                FROM pg_namespace, aclexplode(nspacl) AS a
                WHERE nspname = 'photostream' AND a.grantee <> nspowner AND a.privilege_type <> 'USAGE'
            )
            SELECT coalesce(rolname::text, 'PUBLIC'), lower(kind) || target,
                string_agg(privilege, ', ' ORDER BY privilege),
                format('REVOKE %s ON %s%s FROM %s', string_agg(privilege, ', ' ORDER BY privilege), kind, target,
                    coalesce(quote_ident(rolname), 'PUBLIC'))
            FROM given LEFT JOIN pg_roles r ON r.oid = grantee
            WHERE NOT coalesce(rolsuper, false)
                AND NOT coalesce(name = 'photo' AND privilege ~ '^(SELECT|INSERT|UPDATE|DELETE)( |$)', false)
                AND NOT coalesce(name NOT IN ('token', 'share', 'secret', 'session') AND privilege ~ '^SELECT( |$)', false)
            GROUP BY rolname, kind, target ORDER BY 1, 2
            """)
        return rows.map { row in
            Finding(.problem, text: "the role \(row[0]) has the rights \(row[2]) on \(row[1])", advice: row[3])
        }.or(good: "other roles can change photos at most, and read no secrets")
    }
}

// MARK: - Followers and rows

extension PrimaryExamination {
    static func followers(_ primary: PrimaryAdministration) throws(PrimaryError) -> [Finding] {
        let rows = try primary.texts(
            """
            SELECT name, to_char(seenAt AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
                (seenAt < clock_timestamp() - interval '1 day')::text FROM follower ORDER BY name
            """)
        let gone = rows.filter { $0[2] == "true" }
        return [Finding(.good, text: "followers that were seen within a day: \(rows.count - gone.count)")]
            + gone.map { row in
                Finding(
                    .warning, text: "the follower \(row[0]) was last seen at \(row[1])",
                    advice: "start that server, or run `photostream primary forget \(row[0])`")
            }
    }

    static func holders(_ primary: PrimaryAdministration) throws(PrimaryError) -> [Finding] {
        try primary.holders().map { holder in
            Finding(
                holder.holdsUpAll ? .problem : .warning,
                text: "\(holder.name) holds up \(holder.holdsUpAll ? "all writers" : "writes of its rows")",
                advice: holder.remedy)
        }.or(good: "no transaction holds up writers")
    }

    /// Whether all rows satisfy rules that were added after them.
    static func rows(_ primary: PrimaryAdministration) throws(PrimaryError) -> [Finding] {
        try primary.unappliable(thoroughly: true).prefix(mostRows).map { row in
            Finding(
                .problem,
                text: """
                    \(row.table.rawValue) \(row.id) does not fit into a file, and every server leaves it out: \(row.reason)
                    """,
                advice: row.repair)
        }.or(good: "all rows keep the rules of their tables")
    }

    private static let mostRows = 20
}
