import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamPrimary
@testable import PhotoStreamStorage

/// The queries and settings of a server while other writers wait for it.
@Suite(.enabled(if: PostgresServer.isAvailable))
struct HoldingUpTests {
    @Test(arguments: [
        // Many changes, many commits, and few changes of many bytes.
        "INSERT INTO photo (streamId, externalId, width, height) SELECT 1, 'n' || i, 4, 3 FROM generate_series(1, 10000) i",
        "DO $$ BEGIN FOR i IN 1 .. 150 LOOP UPDATE photo SET title = i::text WHERE id = 1; COMMIT; END LOOP; END $$",
        "UPDATE photo SET caption = repeat('caption ', 2000)",
        """
        INSERT INTO importRun (streamId, sources, startedAtMilliseconds)
        SELECT 1, '["a"]', i FROM generate_series(1, 200) i
        """,
        // Few rows of many bytes, of any table.
        """
        INSERT INTO declaredRoot (streamId, path, resolvedPath, addedAtMilliseconds)
        SELECT 1, '/' || i || repeat('x', 2000), '/' || repeat('y', 2000), 1 FROM generate_series(1, 40) i
        """,
    ])
    func `long news is read before the lock`(statement: String) throws {
        let primary = try TestPrimary()
        try primary.addPhotos(8)
        let replica = try primary.replica()
        let position = try #require(try replica.database.replicaPosition())
        try primary.psql(statement)
        let transaction = try replica.primary.begin()
        #expect(throws: PrimaryInterruption.longNews) { try transaction.changes(after: position) }
        transaction.end()
        // The same for a write, which reads first and succeeds.
        _ = try replica.database.write { try $0.add(streamID: 1, record: record("new")) }
        let other = try primary.replica()
        for table in SharedTable.allCases { #expect(try replica.rows(table) == other.rows(table), "\(table)") }
        #expect(try replica.log() == other.log())
    }

    @Test func `short news is read with the lock, in one exchange`() throws {
        let primary = try TestPrimary()
        try primary.addPhotos(3)
        let replica = try primary.replica()
        let position = try #require(try replica.database.replicaPosition())
        try primary.psql(
            "UPDATE photo SET title = 'x'; INSERT INTO stream (name, createdAtMilliseconds) VALUES ('t', 1)")
        let transaction = try replica.primary.begin()
        defer { transaction.end() }
        let changes = try transaction.changes(after: position)
        #expect(try changes.photos.values(columnCount: 1).count == 3)
        #expect(changes.tables.map(\.table) == [.stream])
    }

    @Test func `a server that stops in the middle of a write holds the others up for five seconds at most`() throws {
        let primary = try TestPrimary()
        try primary.addPhotos(1)
        let stopped = try primary.replica()
        let other = try primary.replica()
        let position = try #require(try stopped.database.replicaPosition())
        let transaction = try stopped.primary.begin()
        defer { transaction.end() }
        _ = try transaction.changes(after: position)
        // It has the lock of all writers now, and neither continues nor closes its connection.
        #expect(
            eventually {
                (try? other.database.write { try $0.add(streamID: 1, record: record("other")) }) != nil
            })
        #expect(throws: (any Error).self) { try transaction.reserveRowIDs(count: 1) }
    }

    @Test func `many ids are reserved in portions`() throws {
        let primary = try TestPrimary()
        try primary.addPhotos(1)
        let replica = try primary.replica()
        let position = try #require(try replica.database.replicaPosition())
        let transaction = try replica.primary.begin()
        defer { transaction.end() }
        _ = try transaction.changes(after: position)
        #expect(try transaction.reserveRowIDs(count: 4_500) == Array(2...4_501))
    }

    @Test func `news is looked up by index even with misleading statistics`() throws {
        let primary = try TestPrimary()
        try primary.addPhotos(20_000)
        try primary.psql("ALTER TABLE change ALTER COLUMN batch SET (n_distinct = 1)")
        try primary.psql("ANALYZE")
        let connection = try primary.primary.connect()
        let questions = PostgresTransaction.questions(after: ReplicaPosition(commitID: 1, revision: 0, tag: 0))
        try connection.run(
            [PrimaryStatement(sql: "SELECT set_config('photostream.after', '1', false)")], within: .seconds(5))
        for question in questions.dropFirst(2) {
            let plan = try connection.run([PrimaryStatement(sql: "EXPLAIN \(question.sql)")], within: .seconds(5))[0]
            let lines = try (0..<plan.count).map { try plan.text($0, column: 0) }.joined(separator: "\n")
            #expect(!lines.contains("Seq Scan") && lines.contains("Index"), "\(lines)")
        }
    }

    @Test func `settings of the role and of the database do not affect the servers' transactions`() throws {
        let primary = try TestPrimary()
        try primary.addPhotos(20_000)
        for setting in [
            "statement_timeout = '50ms'", "lock_timeout = '1ms'", "synchronous_commit = off", "enable_seqscan = on",
            "default_transaction_isolation = 'serializable'", "client_connection_check_interval = 0",
        ] {
            try primary.psql("ALTER DATABASE \(primary.name) SET \(setting)")
        }
        let replica = try primary.replica()
        _ = try replica.database.write { try $0.add(streamID: 1, record: record("new")) }
        #expect(try replica.rows(.photo).count == 20_001)
        let connection = try replica.primary.connect()
        let values = try connection.run(
            [
                "synchronous_commit", "statement_timeout", "default_transaction_isolation",
                "client_connection_check_interval",
            ]
            .map { PrimaryStatement(sql: "SELECT current_setting('\($0)')") }, within: .seconds(5))
        #expect(try values.map { try $0.text(0, column: 0) } == ["on", "1min", "read committed", "1s"])
    }

    @Test func `rows that no file can hold are refused`() throws {
        let primary = try TestPrimary()
        try primary.addPhotos(1)
        for sources in ["nonsense", "{}", "[1]", #"[["a"]]"#] {
            #expect(throws: PostgresFailure.self) {
                try primary.psql(
                    "INSERT INTO importRun (streamId, sources, startedAtMilliseconds) VALUES (1, '\(sources)', 1)")
            }
        }
        for sources in ["[]", #" ["a", "b \" c\\"] "#] {
            try primary.psql(
                "INSERT INTO importRun (streamId, sources, startedAtMilliseconds) VALUES (1, '\(sources)', 1)")
        }
        // Also without the triggers that log.
        try primary.psql("ALTER TABLE photo DISABLE TRIGGER USER")
        #expect(throws: PostgresFailure.self) { try primary.psql("UPDATE photo SET streamId = 777") }
    }

    @Test func `a stream is not deleted while an open transaction moves photos into it`() async throws {
        let primary = try TestPrimary()
        try primary.addPhotos(2)
        try primary.psql(
            """
            INSERT INTO stream (name, createdAtMilliseconds) VALUES ('t', 1);
            UPDATE photo SET streamId = 2 WHERE id = 2
            """)
        let moving = try primary.session()
        try moving.run(script: "BEGIN; UPDATE photo SET streamId = 2 WHERE streamId IN (1, 2)", within: .seconds(5))
        // It waits for the photo that is in the stream already, and does not see the one that comes.
        let deletion = onThread { Result { try primary.psql("DELETE FROM stream WHERE id = 2") } }
        #expect(try eventually { try primary.psql("SELECT count(*) > 0 FROM pg_locks WHERE NOT granted") == "t" })
        try moving.run(script: "COMMIT", within: .seconds(5))
        _ = try await deletion.value
        #expect(try primary.psql("SELECT count(*) FROM photo WHERE streamId NOT IN (SELECT id FROM stream)") == "0")
        _ = try primary.replica()
    }
}
