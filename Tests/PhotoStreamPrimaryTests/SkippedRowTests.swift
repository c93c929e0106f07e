import Foundation
import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamTestSupport
import Synchronization
import Testing

@testable import PhotoStreamPrimary
@testable import PhotoStreamStorage

/// A file can hold the rows that the primary accepts; one that it cannot hold affects only the rows that belong to it.
@Suite(.enabled(if: PostgresServer.isAvailable))
struct SkippedRowTests {
    /// Makes a primary accept import runs without sources and photos without a stream, as an older one did.
    private static func loosen(_ primary: TestPrimary) throws {
        try primary.psql(
            """
            ALTER TABLE importRun DROP CONSTRAINT importRunHasSources; ALTER TABLE photo DROP CONSTRAINT photoHasStream;
            CREATE OR REPLACE FUNCTION checkStreams(ids bigint[], orders bigint[]) RETURNS void LANGUAGE sql
                SET search_path = pg_catalog, photostream, pg_temp AS $$ SELECT $$
            """)
    }

    private static let misfits = """
        INSERT INTO importRun (streamId, sources, startedAtMilliseconds) VALUES (1, 'nonsense', 1);
        INSERT INTO importFailure (importRunId, source, line, "column", reason) VALUES (1, 'a', 1, 1, 'b');
        INSERT INTO photo (streamId, externalId, width, height) VALUES (777, 'orphan', 4, 3)
        """

    private static func names(_ rows: [SkippedRow]) -> [String] {
        rows.map { "\($0.table.rawValue) \($0.id)" }.sorted()
    }

    @Test func `rows that no file can hold are skipped and reported, and everything else continues`() throws {
        let primary = try TestPrimary()
        try primary.addPhotos(3)
        let replica = try primary.replica()
        let notices = Mutex<[String]>([])
        let follower = Follower(
            replica.primary, of: replica.database, name: "r", notice: { text in notices.withLock { $0.append(text) } })
        try Self.loosen(primary)
        try primary.psql(Self.misfits)
        try primary.psql("UPDATE photo SET title = 'after' WHERE id = 1")
        #expect(try follower.follow())
        #expect(Self.names(follower.skippedRows) == ["importFailure 1", "importRun 1", "photo 4"])
        let named = notices.withLock { $0 }
        #expect(named.count == 3 && named.contains { $0.contains("photo 4 of the primary does not fit into a file") })
        // Writes go on, also into the touched tables.
        _ = try replica.database.write { try $0.add(streamID: 1, record: record("new")) }
        _ = try replica.database.write { try $0.startImportRun(streamID: 1, sources: ["a"], now: 7) }
        #expect(try primary.psql("SELECT count(*) FROM importRun") == "2")
        // A new server starts with them, and leaves out the same.
        let new = try primary.replica()
        for table in SharedTable.allCases { #expect(try new.rows(table) == replica.rows(table), "\(table)") }
        #expect(try new.database.read { Self.names(try $0.skippedRows()) } == Self.names(follower.skippedRows))
        // The statements that were named repair everything.
        for row in follower.skippedRows where row.table != .importFailure { try primary.psql(row.repair) }
        try follower.follow()
        #expect(try follower.skippedRows.isEmpty && replica.rows(.photo).count == 5)
        let repaired = try primary.replica()
        for table in SharedTable.allCases { #expect(try repaired.rows(table) == replica.rows(table), "\(table)") }
        #expect(try repaired.database.read { try $0.skippedRows() }.isEmpty)
        #expect(notices.withLock { $0.count } == 3)
    }

    @Test func `rows that depend on a skipped row return with it`() throws {
        let primary = try TestPrimary()
        try primary.addPhotos(1)
        let replica = try primary.replica()
        let follower = Follower(replica.primary, of: replica.database, name: "r")
        try Self.loosen(primary)
        try primary.psql(
            """
            INSERT INTO importRun (streamId, sources, startedAtMilliseconds) VALUES (1, '[]', 1);
            INSERT INTO importFailure (importRunId, source, line, "column", reason) VALUES (1, 'a', 1, 1, 'b')
            """)
        try follower.follow()
        #expect(try replica.rows(.importFailure).count == 1)
        try primary.psql("UPDATE importRun SET sources = 'nonsense'")
        try follower.follow()
        #expect(Self.names(follower.skippedRows) == ["importFailure 1", "importRun 1"])
        #expect(try replica.rows(.importRun).isEmpty && replica.rows(.importFailure).isEmpty)
        try primary.psql("UPDATE importRun SET sources = '[]'")
        try follower.follow()
        #expect(follower.skippedRows.isEmpty)
        #expect(try replica.rows(.importRun).count == 1 && replica.rows(.importFailure).count == 1)
    }

    @Test func `a stream whose new name does not fit keeps the old one`() throws {
        let primary = try TestPrimary()
        try primary.addPhotos(2)
        let replica = try primary.replica()
        let follower = Follower(replica.primary, of: replica.database, name: "r")
        try primary.dropChecks(of: "stream")
        try primary.psql("UPDATE stream SET name = 'a/b'")
        try follower.follow()
        #expect(Self.names(follower.skippedRows) == ["stream 1"])
        #expect(try replica.database.read { try $0.streams().map(\.name.rawValue) } == ["s"])
        #expect(try replica.rows(.photo).count == 2)
        try primary.psql(#require(follower.skippedRows.first).repair)
        try follower.follow()
        #expect(try replica.database.read { try $0.streams().map(\.name.rawValue) } == ["recovered-1"])
        #expect(follower.skippedRows.isEmpty)
    }

    @Test func `a stream comes again with another order, and photos`() throws {
        let primary = try TestPrimary()
        try primary.addPhotos(3)
        let replica = try primary.replica()
        let follower = Follower(replica.primary, of: replica.database, name: "r")
        let photo = "externalId, width, height, takenAtMilliseconds, takenAtPrecision"
        try primary.psql(
            """
            CREATE TEMP TABLE old AS SELECT stream.*, \(photo) FROM stream JOIN photo ON streamId = stream.id;
            BEGIN; DELETE FROM stream;
            INSERT INTO stream (id, name, createdAtMilliseconds, streamOrder)
                SELECT DISTINCT id, name, createdAtMilliseconds, 1 FROM old;
            INSERT INTO photo (streamId, streamOrder, \(photo)) SELECT id, 1, \(photo) FROM old; COMMIT
            """)
        #expect(try follower.follow() && follower.rebuildCount == 0 && follower.skippedRows.isEmpty)
        _ = try replica.database.write { try $0.add(streamID: 1, record: record("new")) }
        let new = try primary.replica()
        for table in SharedTable.allCases { #expect(try new.rows(table) == replica.rows(table), "\(table)") }
        let photos = try replica.database.read { try $0.photos(streamID: 1, after: nil, limit: 9) }
        #expect(photos.count == 4 && photos.allSatisfy { $0.order == .oldest })
    }

    @Test func `a photo that no file can hold is missing on every server, and clients reload its stream`()
        throws
    {
        let primary = try TestPrimary()
        try primary.addPhotos(40)
        try primary.psql("INSERT INTO stream (name, createdAtMilliseconds) VALUES ('other', 1)")
        func service(_ replica: Replica) throws -> PhotoStreamService {
            try PhotoStreamService(path: replica.temporary.path, access: .existing, primary: replica.primary) { 1 }
        }
        let (stream, key) = (StreamName(stored: "s"), try LayoutKey(LayoutConfiguration(containerLength: 900)))
        func answers(_ service: PhotoStreamService) throws -> [String] {
            try service.read { session in
                [
                    "\(try session.layout(key, of: stream).summary())",
                    "\(try session.layout(key, of: stream).page(limit: 50).items)",
                    "\(try session.layout(key, of: stream).scrubber(steps: 5))",
                    try session.state(of: stream).revision.state,
                ]
            }
        }
        let replica = try primary.replica()
        let old = try service(replica)
        defer { try? old.close() }
        let follower = Follower(replica.primary, of: old.database, name: "r")
        let first = try old.read { try $0.state(of: stream) }.revision
        _ = try answers(old)
        try primary.dropChecks(of: "photo")
        for (change, count) in [
            ("UPDATE photo SET width = -1, caption = 'bad' WHERE id = 7", 39),
            ("UPDATE photo SET title = 'x' WHERE id = 8", 39),
            ("UPDATE photo SET title = 'x' WHERE id = 7", 39), ("UPDATE photo SET width = 9 WHERE id = 7", 40),
            ("UPDATE photo SET width = -1 WHERE id IN (3, 9)", 38), ("DELETE FROM photo WHERE id = 9", 38),
            ("UPDATE photo SET width = 4 WHERE id = 3", 39),
        ] {
            let before = try old.read { try $0.state(of: stream) }.revision
            try primary.psql(change)
            try follower.follow()
            let fresh = try service(try primary.replica())
            defer { try? fresh.close() }
            #expect(try answers(old) == answers(fresh), "\(change)")
            #expect(try old.read { try $0.layout(key, of: stream).summary() }.count == count, "\(change)")
            // No part is given for the whole.
            if change.contains("id = 8") { continue }
            guard case .reload = try old.read({ try $0.changes(of: stream, since: before) }) else {
                Issue.record("changes since a state with other photos: \(change)")
                continue
            }
        }
        guard case .reload = try old.read({ try $0.changes(of: stream, since: first) }) else {
            Issue.record("changes since the first state")
            return
        }
        #expect(follower.skippedRows.isEmpty)
    }

    @Test func `rules are applied to old rows, and rows that break them are reported with their repair`() throws {
        let primary = try TestPrimary()
        try primary.addPhotos(3)
        let administration = try PrimaryAdministration(primary.address)
        let rules = try primary.psql(
            """
            SELECT string_agg(format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname,
                pg_get_constraintdef(oid)), ';') FROM pg_constraint WHERE NOT convalidated
            """)
        try Self.loosen(primary)
        try primary.psql(Self.misfits)
        try primary.psql("DELETE FROM importFailure")
        try primary.psql(rules)
        let broken = try administration.validate()
        #expect(Self.names(broken) == ["importRun 1", "photo 4"])
        #expect(try Self.names(administration.unappliable(thoroughly: true)) == ["importRun 1", "photo 4"])
        let status = try administration.status().problems
        #expect(status.contains { $0.contains("UPDATE photostream.importRun SET sources = '[]' WHERE id = 1") })
        for row in broken { try primary.psql(row.repair) }
        #expect(try administration.validate().isEmpty)
        #expect(try administration.status().problems.isEmpty)
        #expect(try primary.psql("SELECT count(*) FROM pg_constraint WHERE NOT convalidated") == "0")
        // The superuser can still do it, and it is found by the thorough look.
        try primary.psql("ALTER TABLE photo DISABLE TRIGGER ALL; UPDATE photo SET streamId = 778 WHERE id = 2")
        #expect(try administration.unappliable(thoroughly: false).isEmpty)
        #expect(try Self.names(administration.unappliable(thoroughly: true)) == ["photo 2"])
    }

    @Test(arguments: [
        (#"[]"#, true), (#"["a"]"#, true), (#" [ "a" , "b\"\\é" ] "#, true), (#"["\u00e9"]"#, true), (#"["#, false),
        (#"["a",]"#, false), (#"["a" "b"]"#, false), (#"[1]"#, false), (#"{}"#, false), ("", false),
        (#"["\x"]"#, false),
        (#"["\u12"]"#, false), ("[\"a\nb\"]", false), ("nonsense", false), (#"["a"]]"#, false),
    ])
    func `sources are accepted only as both databases parse them`(sources: String, isList: Bool) throws {
        let primary = try TestPrimary()
        try primary.addPhotos(1)
        let replica = try primary.replica()
        let statement = """
            INSERT INTO importRun (streamId, sources, startedAtMilliseconds) VALUES (1, $sources$\(sources)$sources$, 1)
            """
        #expect(((try? primary.psql(statement)) != nil) == isList)
        try replica.pull()
        #expect(try replica.rows(.importRun).count == (isList ? 1 : 0))
        #expect(try replica.database.read { try $0.skippedRows() }.isEmpty)
    }

    @Test func `the primary has every column, check and foreign key of the shared tables`() throws {
        let primary = try TestPrimary()
        let replica = try primary.replica()
        for table in SharedTable.allCases {
            var (columns, checks, references): ([String], Int, [String]) = ([], 0, [])
            try replica.database.read { reader in
                try RawStatement(
                    reader.database,
                    sql: """
                        SELECT lower(name), type, "notnull" OR pk FROM pragma_table_info('\(table.rawValue)') ORDER BY 1
                        """
                ).forEach { row in columns.append("\(row.text(0)) \(row.text(1)) \(row.integer(2))") }
                try RawStatement(
                    reader.database,
                    sql: "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = '\(table.rawValue)'"
                ).forEach { checks = TableConditions.checks(in: $0.text(0)).count }
                try RawStatement(
                    reader.database,
                    sql: """
                        SELECT lower("from" || ' ' || "table" || ' ' || "to") FROM pragma_foreign_key_list('\(table.rawValue)') ORDER BY 1
                        """
                ).forEach { references.append($0.text(0)) }
            }
            let types = ["bigint": "INTEGER", "text": "TEXT", "double precision": "REAL", "bytea": "BLOB"]
            let others = try primary.psql(
                """
                SELECT attname || ',' || format_type(atttypid, NULL) || ',' || attnotnull::integer FROM pg_attribute
                WHERE attrelid = '\(table.rawValue)'::regclass AND attnum > 0 AND NOT attisdropped
                    AND attgenerated = '' ORDER BY 1
                """
            ).split(separator: "\n").map { line in
                let parts = line.split(separator: ",")
                return "\(parts[0]) \(types[String(parts[1])] ?? String(parts[1])) \(parts[2])"
            }
            #expect(columns.sorted() == others.sorted(), "\(table)")
            let written = table.columns.map { $0.name.lowercased().replacing("\"", with: "") }
            #expect(columns.map { String($0.prefix { $0 != " " }) }.sorted() == written.sorted(), "\(table)")
            let otherReferences = try primary.psql(
                """
                SELECT attname || ' ' || confrelid::regclass || ' id' FROM pg_constraint
                JOIN pg_attribute ON attrelid = conrelid AND attnum = conkey[1]
                WHERE conrelid = '\(table.rawValue)'::regclass AND contype = 'f' ORDER BY 1
                """
            ).split(separator: "\n").map(String.init)
            #expect(references == otherReferences, "\(table)")
            #expect(
                try primary.psql(
                    "SELECT count(*) FROM pg_constraint WHERE conrelid = '\(table.rawValue)'::regclass AND contype = 'c'"
                )
                    == "\(checks)", "\(table)")
        }
    }

    /// Values at and beyond the limits of columns; a text is in SQL.
    private static let probes: [SharedTable.Column.Kind: [String]] = [
        .integer: [
            "-9223372036854775808", "-1000000000000000", "-1081", "-2", "-1", "0", "1", "2", "3", "5", "6", "8", "9",
            "1048576",
            "16777215", "16777216", "1000000", "1000001", "253402365599999", "253402365600000", "9223372036854775807",
            "NULL",
        ],
        .real: ["-180.5", "-180", "-90.5", "-90", "0", "90", "90.5", "180", "180.5", "NULL"],
        .text: [
            "''", "'a'", "'a/b'", "'[]'", "'[\"a\"]'", "'{}'", "'\u{e9}'",
            "'" + String(repeating: "a", count: 600) + "'", "NULL",
        ],
        .bytes: ["''", "'a'", "'" + String(repeating: "a", count: 32) + "'", "NULL"],
    ]

    @Test(arguments: SharedTable.allCases)
    func `a file can hold every accepted value of each column`(table: SharedTable) throws {
        let primary = try TestPrimary()
        try primary.addPhotos(1)
        try primary.psql(
            """
            INSERT INTO deletedPhoto (deletedAtMilliseconds, photoId, orderTime, orderRank, streamId, streamOrder, externalId,
                width, height, metricsSource, orientation, editedFields, fileFields, clearedFields)
            VALUES (1, 9, 0, 0, 1, 0, 'gone', 4, 3, 0, 1, 0, 0, 0);
            INSERT INTO tombstone (streamId, byteCount, hash, externalId, deletedAtMilliseconds, isPruned)
            VALUES (1, 4, decode(repeat('ab', 32), 'hex'), 'gone', 1, 0);
            INSERT INTO importRun (streamId, sources, startedAtMilliseconds) VALUES (1, '[]', 1);
            INSERT INTO importFailure (importRunId, source, line, "column", reason) VALUES (1, 'a', 1, 1, 'b');
            INSERT INTO token (name, hashStart, hash, scope, createdAtMilliseconds)
            VALUES ('t', 1, decode(repeat('ab', 32), 'hex'), 0, 1);
            INSERT INTO share (name, hashStart, hash, streamId, showsPositions, showsNames, sendsOriginals,
                createdAtMilliseconds) VALUES ('h', 1, decode(repeat('ab', 32), 'hex'), 1, 0, 0, 0, 1);
            INSERT INTO session (hashStart, hash, tokenId, isLink, createdAtMilliseconds, expiresAtMilliseconds)
            VALUES (1, decode(repeat('ab', 32), 'hex'), 1, 0, 1, 2)
            """)
        let replica = try primary.replica()
        let session = try primary.session()
        // Tokens, shares and sessions are never changed, so each attempt is another row.
        let isInserted = [.token, .share, .session].contains(table)
        var acceptedCount = 0
        for column in table.columns.dropFirst() {
            for value in Self.probes[column.kind] ?? [] {
                let sql: String
                if isInserted {
                    let values = table.columns.dropFirst().map { other in
                        switch other.name {
                        case column.name: column.kind == .bytes ? "\(value)::bytea" : value
                        case "name": "gen_random_uuid()::text"
                        case "hash": "uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())"
                        default: other.name
                        }
                    }
                    sql = """
                        INSERT INTO \(table.rawValue) (\(table.columns.dropFirst().map(\.name).joined(separator: ", ")))
                        SELECT \(values.joined(separator: ", ")) FROM \(table.rawValue) ORDER BY id LIMIT 1
                        """
                } else {
                    sql = "UPDATE \(table.rawValue) SET \(column.name) = \(value)"
                }
                guard (try? session.run(script: sql, within: .seconds(10))) != nil else { continue }
                acceptedCount += 1
                try replica.pull()
                let skipped = try replica.database.read { try $0.skippedRows() }
                #expect(skipped.isEmpty, "\(sql): \(skipped)")
            }
        }
        #expect(acceptedCount > 0)
        let new = try primary.replica()
        #expect(try new.rows(table) == replica.rows(table))
    }
}
