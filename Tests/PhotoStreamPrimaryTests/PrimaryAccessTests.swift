import Foundation
import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamPrimary
@testable import PhotoStreamStorage

/// The rights of roles of people, and connections with TLS.
@Suite(.enabled(if: PostgresServer.isAvailable))
struct PrimaryAccessTests {
    /// The SQL of Documentation/Scaling.md that makes a role, with another name and an end that comes sooner.
    private func scriptOfRole(named name: String, idleTimeout: String) throws -> String {
        let page = URL(filePath: #filePath).appending(path: "../../../Documentation/Scaling.md").standardized
        let text = try String(contentsOf: page, encoding: .utf8)
        let start = try #require(text.range(of: "    CREATE ROLE editor")).lowerBound
        let end = try #require(text.range(of: "\n\n", range: start..<text.endIndex)).lowerBound
        return String(text[start..<end]).replacing("editor", with: name).replacing("30s", with: idleTimeout)
    }

    private func session(of role: String, at primary: TestPrimary) throws -> PrimaryConnection {
        let address = "postgres://\(role)@127.0.0.1:\(primary.server.port)/\(primary.name)"
        return try PrimaryConnection(PrimaryAddress(address), within: .seconds(5))
    }

    @Test func `a role that may edit photos can do nothing else, and its edits are logged`() throws {
        let primary = try TestPrimary()
        try primary.addPhotos(3)
        let replica = try primary.replica()
        let role = "\(primary.name)_person"
        try primary.psql(scriptOfRole(named: role, idleTimeout: "30s"))
        defer { _ = try? primary.psql("DROP OWNED BY \(role); DROP ROLE \(role)") }
        let person = try session(of: role, at: primary)
        try person.run(
            script: """
                UPDATE photo SET caption = 'by hand' WHERE id = 2; DELETE FROM photo WHERE id = 3;
                INSERT INTO photo (streamId, externalId, width, height) VALUES (1, 'new', 4, 3)
                """, within: .seconds(5))
        for statement in [
            "SELECT * FROM token", "SELECT * FROM secret", "DELETE FROM change", "UPDATE counter SET revision = 0",
            "INSERT INTO commit DEFAULT VALUES", "DELETE FROM stream", "TRUNCATE photo",
        ] {
            let failure = #expect(throws: PrimaryError.self) { try person.run(script: statement, within: .seconds(5)) }
            #expect(failure?.state == "42501", "\(statement): \(failure?.message ?? "allowed")")
        }
        try replica.pull()
        let photos = try replica.database.read { try $0.photos(streamID: 1, after: nil, limit: 10) }
        #expect(Set(photos.map(\.photo.id.rawValue)) == ["p1", "p2", "new"])
        #expect(try replica.rows(.photo) == primary.replica().rows(.photo))
        #expect(try primary.log().map(\.photo) == [1, 2, 3, 2, 3, 4])
    }

    @Test func `no function resolves names by the calling session`() throws {
        let primary = try TestPrimary()
        let open = try primary.psql(
            """
            SELECT oid::regprocedure FROM pg_proc WHERE pronamespace = 'photostream'::regnamespace AND prosqlbody IS NULL
                AND NOT coalesce(proconfig, '{}') @> ARRAY['search_path=pg_catalog, photostream, pg_temp']
            """)
        #expect(open.isEmpty, "\(open)")
        // Roles may be refused temporary tables, and functions do not use a session's own table.
        let temporary = try primary.psql(
            """
            SELECT oid::regprocedure FROM pg_proc
            WHERE pronamespace = 'photostream'::regnamespace AND prosrc ~* 'CREATE\\s+(LOCAL\\s+)?TEMP'
            """)
        #expect(temporary.isEmpty, "\(temporary)")
    }

    @Test func `no function depends on what any session may set or lock`() throws {
        let primary = try TestPrimary()
        // Every role may take any advisory lock, and set any setting of ours.
        let functions = try primary.psql(
            """
            SELECT oid::regprocedure FROM pg_proc WHERE pronamespace = 'photostream'::regnamespace AND (prosrc ~* 'advisory'
                OR prosrc ~* 'current_setting' AND prosrc !~*
                    'IF pg_has_role[(]session_user, current_user, ''USAGE''[)] THEN[[:space:]]+[a-z]+ := [^;]*current_setting')
            """)
        #expect(functions.isEmpty, "\(functions)")
    }

    @Test func `only a role of the owner's chooses the tag of its commit`() throws {
        let primary = try TestPrimary()
        try primary.addPhotos(3)
        let role = "\(primary.name)_tags"
        try primary.psql(scriptOfRole(named: role, idleTimeout: "30s"))
        defer { _ = try? primary.psql("DROP OWNED BY \(role); DROP ROLE \(role)") }
        let edit = "SET photostream.tag = '7'; UPDATE photo SET caption = 'by hand' WHERE id = 2"
        try session(of: role, at: primary).run(script: edit, within: .seconds(5))
        let lastTag = "SELECT tag FROM commit ORDER BY id DESC LIMIT 1"
        #expect(try primary.psql(lastTag) != "7")
        try primary.psql("SET photostream.tag = '7'; UPDATE photo SET caption = 'again' WHERE id = 2")
        #expect(try primary.psql(lastTag) == "7")
    }

    @Test func `a role for people has exactly the rights that its page lists`()
        throws
    {
        let primary = try TestPrimary()
        let role = "\(primary.name)_rights"
        try primary.psql(scriptOfRole(named: role, idleTimeout: "30s"))
        defer { _ = try? primary.psql("DROP OWNED BY \(role); DROP ROLE \(role)") }
        let tables = try primary.psql(
            """
            SELECT relname || ' ' || privilege FROM pg_class, unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE',
                'REFERENCES', 'TRIGGER']) AS privilege
            WHERE relnamespace = 'photostream'::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'f')
                AND has_table_privilege('\(role)', oid, privilege) ORDER BY 1
            """)
        #expect(
            tables.split(separator: "\n") == [
                "photo DELETE", "photo INSERT", "photo SELECT", "photo UPDATE", "stream SELECT",
            ])
        let columns = try primary.psql(
            """
            SELECT attrelid::regclass || '.' || attname FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
            WHERE relnamespace = 'photostream'::regnamespace AND attnum > 0 AND relname NOT IN ('photo', 'stream')
                AND has_column_privilege('\(role)', attrelid, attnum, 'SELECT, INSERT, UPDATE, REFERENCES')
            """)
        #expect(columns.isEmpty, "\(columns)")
        let sequences = try primary.psql(
            """
            SELECT relname FROM pg_class WHERE relnamespace = 'photostream'::regnamespace
                AND CASE WHEN relkind = 'S' THEN has_sequence_privilege('\(role)', oid, 'USAGE, SELECT, UPDATE') END
            """)
        #expect(sequences.isEmpty, "\(sequences)")
        let functions = try primary.psql(
            """
            SELECT proname FROM pg_proc WHERE pronamespace = 'photostream'::regnamespace
                AND has_function_privilege('\(role)', oid, 'EXECUTE')
            """)
        #expect(functions == "ownordertime", "\(functions)")
    }

    /// The text that creates a temporary table in place of each table of a primary, with a trigger that runs a
    /// function.
    private func shadows(of primary: TestPrimary) throws -> String {
        try primary.psql(
            """
            SELECT string_agg(format('CREATE TEMP TABLE %1$I (%2$s); GRANT ALL ON pg_temp.%1$I TO PUBLIC;
                CREATE TRIGGER evil BEFORE INSERT OR UPDATE OR DELETE ON pg_temp.%1$I
                FOR EACH ROW EXECUTE FUNCTION pg_temp.evil();', relname, columns), ' ')
            FROM (SELECT relname, string_agg(format('%I %s', attname, format_type(atttypid, atttypmod)), ', ' ORDER BY attnum)
                AS columns FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
                WHERE relnamespace = 'photostream'::regnamespace AND relkind = 'r' AND attnum > 0 AND relname <> 'photo'
                GROUP BY relname) AS tables
            """)
    }

    @Test func `temporary objects of a role for people do not affect the log`()
        throws
    {
        let primary = try TestPrimary()
        try primary.addPhotos(3)
        let replica = try primary.replica()
        let role = "\(primary.name)_evil"
        try primary.psql(scriptOfRole(named: role, idleTimeout: "30s"))
        defer { _ = try? primary.psql("DROP OWNED BY \(role); DROP ROLE \(role)") }
        let person = try session(of: role, at: primary)
        let evil = """
            BEGIN EXECUTE 'ALTER ROLE \(role) SUPERUSER'; RETURN NULL; EXCEPTION WHEN OTHERS THEN RETURN NULL; END
            """
        try person.run(
            script: """
                CREATE FUNCTION pg_temp.evil() RETURNS trigger LANGUAGE plpgsql AS $$ \(evil) $$;
                CREATE FUNCTION pg_temp.takePlaces(number bigint, OUT ofBatch bigint, OUT firstPlace bigint)
                LANGUAGE plpgsql AS $$ BEGIN EXECUTE 'ALTER ROLE \(role) SUPERUSER'; END $$;
                CREATE FUNCTION pg_temp.pg_current_xact_id() RETURNS xid8
                LANGUAGE sql AS $$ SELECT '1'::xid8 $$;
                CREATE TYPE pg_temp.bigint AS (a int);
                \(shadows(of: primary))
                SET search_path = pg_temp, photostream, pg_catalog;
                """, within: .seconds(5))
        for statement in [
            "UPDATE photostream.photo SET title = 'seen' WHERE id = 1",
            "INSERT INTO photostream.photo (streamId, externalId, width, height) VALUES (1, 'new', 4, 3)",
            "DELETE FROM photostream.photo WHERE id = 2",
        ] {
            try person.run(script: statement, within: .seconds(5))
        }
        #expect(try primary.psql("SELECT rolsuper FROM pg_roles WHERE rolname = '\(role)'") == "f")
        try replica.pull()
        #expect(try replica.rows(.photo) == primary.replica().rows(.photo))
        #expect(try primary.log().map(\.photo) == [1, 2, 3, 1, 4, 2])
        let missing = #expect(throws: PrimaryError.self) {
            try person.run(
                script: """
                    INSERT INTO photostream.photo (streamId, externalId, width, height) VALUES (777, 'lost', 4, 3)
                    """,
                within: .seconds(5))
        }
        #expect(missing?.message.contains("photohasstream") == true, "\(missing?.message ?? "")")
    }

    @Test
    func `a role for people can neither call the functions, use them in triggers, nor escape the log`()
        throws
    {
        let primary = try TestPrimary()
        try primary.addPhotos(1)
        let role = "\(primary.name)_caller"
        try primary.psql(scriptOfRole(named: role, idleTimeout: "30s"))
        defer { _ = try? primary.psql("DROP OWNED BY \(role); DROP ROLE \(role)") }
        let person = try session(of: role, at: primary)
        try person.run(script: "CREATE TEMP TABLE own (id bigint, batch bigint, xact xid8)", within: .seconds(5))
        let triggers = try primary.psql(
            """
            SELECT proname FROM pg_proc WHERE pronamespace = 'photostream'::regnamespace AND prorettype = 'trigger'::regtype
            """
        ).split(separator: "\n")
        #expect(triggers.count > 5)
        let calls = try primary.psql(
            """
            SELECT format('SELECT photostream.%I(%s)', proname, (SELECT string_agg('NULL::' || format_type(t, NULL), ', ')
                FROM unnest(proargtypes) AS t))
            FROM pg_proc WHERE pronamespace = 'photostream'::regnamespace AND prorettype <> 'trigger'::regtype
                AND proname <> 'ownordertime'
            """
        ).split(separator: "\n").map(String.init)
        #expect(calls.count > 3)
        let others = [
            "SET session_replication_role = replica", "ALTER TABLE photostream.photo DISABLE TRIGGER ALL",
            "SET ROLE photos", "CREATE TABLE photostream.mine (a int)",
            "DROP TRIGGER photoUpdated ON photostream.photo",
            """
            CREATE TRIGGER mine BEFORE UPDATE ON photostream.photo
            FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()
            """,
            "DO $$ BEGIN LOCK TABLE photostream.writing; END $$",
            "DO $$ BEGIN LOCK TABLE photostream.counter IN ROW SHARE MODE; END $$",
            "SELECT setval('photostream.photo_id_seq', 1)", "COMMENT ON TABLE photostream.photo IS 'mine'",
        ]
        for statement in triggers.map({
            "CREATE TRIGGER t AFTER INSERT ON pg_temp.own FOR EACH ROW EXECUTE FUNCTION photostream.\($0)()"
        }) + calls + others {
            let failure = #expect(throws: PrimaryError.self, "\(statement)") {
                try person.run(script: statement, within: .seconds(5))
            }
            #expect(failure?.state == "42501", "\(statement): \(failure?.message ?? "allowed")")
        }
        #expect(try primary.log().count == 1)
    }

    @Test func `an id far beyond the last one is refused and does not affect later ones`() throws {
        let primary = try TestPrimary()
        try primary.addPhotos(1)
        let session = try primary.session()
        let failure = #expect(throws: PrimaryError.self) {
            try session.run(
                script: """
                    INSERT INTO photo (id, streamId, externalId, width, height) VALUES (8796093022207, 1, 'far', 4, 3)
                    """,
                within: .seconds(5))
        }
        #expect(
            failure?.message.contains(
                "the id 8796093022207 of a row of photo is more than 4294967296 beyond the last one, 1; leave the id out"
            )
                == true, "\(failure?.message ?? "")")
        try session.run(
            script: "INSERT INTO photo (id, streamId, externalId, width, height) VALUES (4294967297, 1, 'near', 4, 3)",
            within: .seconds(5))
        try session.run(
            script: "INSERT INTO photo (streamId, externalId, width, height) VALUES (1, 'next', 4, 3)",
            within: .seconds(5))
        #expect(try primary.psql("SELECT max(id) FROM photo") == "4294967298")
    }

    @Test func `insertions that are undone do not move the next id further, however many there are`() throws {
        let primary = try TestPrimary()
        try primary.addPhotos(1)
        let session = try primary.session()
        // Each step by itself is allowed, and all of them together would lead beyond the ids that a server can give.
        try session.run(
            script: """
                DO $$ BEGIN
                    FOR number IN 1 .. 2100 LOOP
                        BEGIN
                            INSERT INTO photo (id, streamId, externalId, width, height)
                            VALUES (number * 4294967000, 1, 'undone', 4, 3);
                            RAISE 'undone';
                        EXCEPTION WHEN others THEN NULL;
                        END;
                    END LOOP;
                END $$
                """,
            within: .seconds(60))
        let replica = try primary.replica()
        _ = try replica.database.write { try $0.add(streamID: 1, record: record("next")) }
        let last = try #require(Int64(try primary.psql("SELECT max(id) FROM photo")))
        #expect(last <= 4_294_967_300)
        // Rows of the same transaction do not count.
        let failure = #expect(throws: PrimaryError.self) {
            try session.run(
                script: """
                    INSERT INTO photo (id, streamId, externalId, width, height)
                    SELECT number * 4294967000, 1, 'chain ' || number, 4, 3 FROM generate_series(1, 9) AS number
                    """,
                within: .seconds(5))
        }
        #expect(failure?.message.contains("leave the id out") == true, "\(failure?.message ?? "")")
    }

    @Test func `an idle transaction of such a role ends by itself, and a waiting write continues`()
        throws
    {
        let primary = try TestPrimary()
        try primary.addPhotos(2)
        let replica = try primary.replica()
        let role = "\(primary.name)_idle"
        try primary.psql(scriptOfRole(named: role, idleTimeout: "500ms"))
        defer { _ = try? primary.psql("DROP OWNED BY \(role); DROP ROLE \(role)") }
        let person = try session(of: role, at: primary)
        try person.run(script: "BEGIN; UPDATE photo SET caption = 'left open' WHERE id = 1", within: .seconds(5))
        var record = PhotoRecord(id: try PhotoID("p1"))
        record.title = .set("after it")
        let photo = try replica.database.write { try $0.edit(streamID: 1, record: record) }
        #expect(photo?.photo.title == "after it" && photo?.photo.caption == nil)
        let failure = #expect(throws: PrimaryError.self) { try person.run(script: "COMMIT", within: .seconds(5)) }
        #expect(failure != nil)
    }

    @Test func `TLS follows the address, and a certificate for another name is refused`() throws {
        let server = try PostgresServer()
        let made = Process()
        made.executableURL = URL(filePath: "/bin/sh")
        made.arguments = [
            "-c",
            """
            cd '\(server.folder)' && for name in server other; do
                openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout $name.key -out $name.pem \
                    -days 2 -subj /CN=db.lan -addext subjectAltName=IP:127.0.0.1 2>/dev/null || exit 1
            done
            chmod 0600 *.key; chmod 0644 *.pem; chown "$(stat -c %U data)" *.key
            """,
        ]
        try made.run()
        made.waitUntilExit()
        #expect(made.terminationStatus == 0)
        server.stop()
        try server.start(settings: [
            "ssl=on", "ssl_cert_file=\(server.folder)/server.pem", "ssl_key_file=\(server.folder)/server.key",
        ])
        let plain = try server.createDatabase()
        let path = plain.split(separator: "/").last.map(String.init) ?? ""
        func connect(host: String, options: String) throws(PrimaryError) -> PrimaryConnection {
            let address = "postgres://photos@\(host):\(server.port)/\(path)?\(options)"
            return try PrimaryConnection(PrimaryAddress(address), within: .seconds(5))
        }
        let trusted = "sslmode=verify-full&sslrootcert=\(server.folder)/server.pem"
        let connection = try connect(host: "127.0.0.1", options: trusted)
        let question = PrimaryStatement(sql: "SELECT ssl::int FROM pg_stat_ssl WHERE pid = pg_backend_pid()")
        #expect(try connection.run([question], within: .seconds(5))[0].integer(0, column: 0) == 1)
        let otherName = #expect(throws: PrimaryError.self) { try connect(host: "localhost", options: trusted) }
        #expect(
            otherName?.message.contains("does not match host name \"localhost\"") == true, "\(otherName?.message ?? "")"
        )
        let otherRoot = #expect(throws: PrimaryError.self) {
            try connect(
                host: "127.0.0.1", options: "sslmode=verify-full&sslrootcert=\(server.folder)/other.pem")
        }
        #expect(otherRoot?.message.contains("certificate verify failed") == true, "\(otherRoot?.message ?? "")")
    }
}
