import Foundation
import PhotoStreamModel
import PhotoStreamTestSupport
import Synchronization
import Testing

@testable import PhotoStreamPrimary
@testable import PhotoStreamStorage

/// Transactions of other programs that block all writers are named, and ended if that is possible.
///
/// They wait for seconds, one after the other, since the threads that tests share are few.
@Suite(.serialized, .enabled(if: PostgresServer.isAvailable))
struct LockHolderTests {
    /// A replica that notes the transactions that it names.
    private final class Waiting: Sendable {
        let replica: Replica
        private let news: SharedNews

        init(_ address: PrimaryAddress, forHolder: Duration = .milliseconds(600)) throws {
            let news = SharedNews()
            var timeouts = PostgresPrimary.Timeouts()
            timeouts.forHolder = forHolder
            replica = try Replica(of: address, timeouts: timeouts) { news.append($0) }
            self.news = news
        }

        var named: [HeldUp] { news.all }

        func write(_ id: String) throws {
            _ = try replica.database.write { try $0.add(streamID: 1, record: record(id)) }
        }

        func edit(_ id: String) throws {
            var record = PhotoRecord(id: try PhotoID(id))
            record.title = .set("edited")
            _ = try replica.database.write { try $0.edit(streamID: 1, record: record) }
        }
    }

    private final class SharedNews: Sendable {
        private let news = Mutex<[HeldUp]>([])
        func append(_ held: HeldUp) { news.withLock { $0.append(held) } }
        var all: [HeldUp] { news.withLock { $0 } }
    }

    /// Creates a role with the rights of a person, and deletes it at the end.
    private final class Person {
        let role: String
        private let primary: TestPrimary

        init(at primary: TestPrimary, _ suffix: String) throws {
            self.primary = primary
            role = "\(primary.name)_\(suffix)"
            try primary.psql(
                """
                CREATE ROLE \(role) LOGIN; GRANT USAGE ON SCHEMA photostream TO \(role);
                GRANT SELECT ON stream TO \(role); GRANT SELECT, INSERT, UPDATE, DELETE ON photo TO \(role)
                """)
        }

        deinit { _ = try? primary.psql("DROP OWNED BY \(role); DROP ROLE \(role)") }

        /// A session as psql has it.
        func session() throws -> PrimaryConnection {
            let address = try PrimaryAddress(
                "postgres://\(role)@127.0.0.1:\(primary.server.port)/\(primary.name)?application_name=psql")
            return try PrimaryConnection(address, within: .seconds(5))
        }
    }

    private static let lockEarly = """
        BEGIN; SET CONSTRAINTS ALL IMMEDIATE;
        INSERT INTO photo (streamId, externalId, width, height) VALUES (1, 'held', 4, 3)
        """

    @Test(arguments: [
        lockEarly, "BEGIN; LOCK TABLE photo", "BEGIN; LOCK TABLE photo IN SHARE MODE",
        "BEGIN; LOCK TABLE photo IN EXCLUSIVE MODE",
    ])
    func `a session that holds up all writers is reported and ended, and the waiting write succeeds`(
        statement: String
    ) throws {
        let primary = try TestPrimary()
        try primary.addPhotos(2)
        let person = try Person(at: primary, "holder")
        let waiting = try Waiting(primary.address)
        let session = try person.session()
        try session.run(script: statement, within: .seconds(5))
        try waiting.write("new")
        let held = try #require(waiting.named.first)
        #expect(waiting.named.count == 1 && held.isEnded && held.holder.holdsUpAll)
        #expect(held.holder.role == person.role && held.holder.application == "psql")
        #expect(held.holder.query.hasPrefix("BEGIN; "), "\(held.holder.query)")
        let since = try #require(held.holder.sinceMilliseconds)
        #expect(abs(Date().timeIntervalSince1970 * 1_000 - Double(since)) < 60_000)
        #expect(held.message == "a session held up all writers and was ended")
        #expect(waiting.replica.primary.endedSessionCount == 1)
        #expect(waiting.replica.primary.holders.isEmpty)
        #expect(throws: PrimaryError.self) { try session.run(script: "COMMIT", within: .seconds(5)) }
        #expect(try primary.psql("SELECT string_agg(externalId, ' ' ORDER BY id) FROM photo") == "p1 p2 new")
    }

    @Test func `a write is held up no longer than its usual wait`() throws {
        let primary = try TestPrimary()
        try primary.addPhotos(2)
        let person = try Person(at: primary, "holder")
        let waiting = try Waiting(primary.address, forHolder: PostgresPrimary.Timeouts().forHolder)
        let session = try person.session()
        try session.run(script: Self.lockEarly, within: .seconds(5))
        try waiting.write("new")
        #expect(waiting.named.map(\.isEnded) == [true])
    }

    @Test func `a session that waits for the holder is not ended, and its commit succeeds`() async throws {
        let primary = try TestPrimary()
        try primary.addPhotos(2)
        let person = try Person(at: primary, "holder")
        let waiting = try Waiting(primary.address)
        let holder = try person.session()
        try holder.run(script: Self.lockEarly, within: .seconds(5))
        let victim = try person.session()
        let edit = onThread {
            try victim.run(script: "UPDATE photo SET title = 'waited' WHERE id = 2", within: .seconds(30))
        }
        #expect(try eventually { try primary.psql("SELECT count(*) FROM pg_locks WHERE NOT granted") != "0" })
        try waiting.write("new")
        try await edit.value
        #expect(waiting.named.map(\.holder.role) == [person.role] && waiting.replica.primary.endedSessionCount == 1)
        #expect(try primary.psql("SELECT title FROM photo WHERE id = 2") == "waited")
    }

    @Test func `an open transaction that holds only its own rows is reported and not ended`() throws {
        let primary = try TestPrimary()
        try primary.addPhotos(2)
        let person = try Person(at: primary, "holder")
        let waiting = try Waiting(primary.address)
        let session = try person.session()
        try session.run(script: "BEGIN; UPDATE photo SET caption = 'open' WHERE id = 1", within: .seconds(5))
        let failure = #expect(throws: StorageError.self) { try waiting.edit("p1") }
        #expect(failure?.code == .busy)
        #expect(
            failure?.message.contains("of \(person.role) (psql) holds it up") == true, "\(failure?.message ?? "")")
        #expect(waiting.named.map(\.message) == ["an open transaction holds up writes of its rows"])
        let counts = waiting.replica.database.primaryWriteCounts
        #expect(counts.refused == [.heldUp: 1] && counts.againCount > 3)
        try session.run(script: "COMMIT", within: .seconds(5))
        try waiting.edit("p1")
        #expect(try primary.psql("SELECT caption || title FROM photo WHERE id = 1") == "openedited")
    }

    @Test func `a server's transaction is reported and not ended while its statement runs`() async throws {
        let primary = try TestPrimary()
        try primary.addPhotos(1)
        let waiting = try Waiting(primary.address)
        let server = try primary.session()
        let statement = onThread {
            try server.run(
                script: "BEGIN; LOCK TABLE writing IN EXCLUSIVE MODE; SELECT pg_sleep(600)", within: .seconds(600))
        }
        #expect(try eventually { try primary.psql(Self.countOfLocks) == "1" })
        let failure = #expect(throws: StorageError.self) { try waiting.write("new") }
        #expect(failure?.code == .busy)
        #expect(waiting.named.map(\.message) == ["another server holds up all writers"])
        try primary.psql(
            """
            SELECT pg_cancel_backend(pid) FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event = 'PgSleep'
            """)
        await #expect(throws: PrimaryError.self) { try await statement.value }
        try waiting.write("new")
        // Each attempt of 700 ms, and the last one.
        let waits = waiting.replica.primary.lockWaits
        #expect(waits.count > 5 && waits.sum > 4 && waits.counts[waits.counts.count - 3] < waits.count)
    }

    @Test func `a server that stops while it sends a write is ended`() throws {
        let primary = try TestPrimary()
        try primary.addPhotos(1)
        let waiting = try Waiting(primary.address)
        let (server, input) = (Process(), Pipe())
        server.executableURL = URL(filePath: "/usr/bin/psql")
        server.arguments = [
            "-X", "-q", "-h", "127.0.0.1", "-p", "\(primary.server.port)", "-U", "photos", "-d", primary.name,
        ]
        server.environment = ["PGAPPNAME": "photostream"]
        (server.standardInput, server.standardError) = (input, FileHandle.nullDevice)
        try server.run()
        defer {
            kill(server.processIdentifier, SIGKILL)
            server.waitUntilExit()
        }
        // PostgreSQL waits for the rest of these rows as for the rest of a server's statements: none of its timeouts applies.
        let lines = """
            BEGIN; SET idle_in_transaction_session_timeout = '1s'; SET statement_timeout = '60s';
            SET client_connection_check_interval = '1s';
            LOCK TABLE photostream.writing IN EXCLUSIVE MODE;
            COPY photostream.stream (name) FROM STDIN;
            """
        try input.fileHandleForWriting.write(contentsOf: Data("\(lines)\n".utf8))
        #expect(try eventually { try primary.psql(Self.countOfLocks) == "1" })
        try waiting.write("new")
        #expect(waiting.named.map(\.isEnded) == [true] && waiting.named.first?.holder.isServer == true)
    }

    /// Counts the transactions that hold the lock that every writer needs.
    private static let countOfLocks =
        "SELECT count(*) FROM pg_locks WHERE granted AND mode = 'ExclusiveLock' AND relation = 'writing'::regclass"

    @Test func `a role that only pretends to be a server is ended`() throws {
        let primary = try TestPrimary()
        try primary.addPhotos(1)
        let person = try Person(at: primary, "disguised")
        let waiting = try Waiting(primary.address)
        let session = try person.session()
        try session.run(
            script: "SET application_name = 'photostream'; \(Self.lockEarly)", within: .seconds(5))
        try waiting.write("new")
        #expect(waiting.named.map(\.isEnded) == [true])
    }

    @Test func `a prepared transaction is reported with the statement that ends it, and not ended`() throws {
        let server = try PostgresServer()
        let primary = try TestPrimary(on: server)
        try primary.addPhotos(1)
        server.stop()
        // After the tables were made, which refuses it.
        try server.start(settings: ["max_prepared_transactions=5"])
        try primary.psql(
            """
            BEGIN; INSERT INTO photo (streamId, externalId, width, height) VALUES (1, 'held', 4, 3);
            PREPARE TRANSACTION 'it''s mine'
            """)
        let waiting = try Waiting(primary.address)
        let failure = #expect(throws: StorageError.self) { try waiting.write("new") }
        #expect(failure?.code == .busy)
        let held = try #require(waiting.named.first)
        #expect(waiting.named.count == 1 && !held.isEnded)
        #expect(held.holder.preparedName == "it's mine" && held.holder.processID == nil)
        #expect(held.holder.role == "photos" && held.holder.sinceMilliseconds != nil)
        #expect(held.holder.remedy == "ROLLBACK PREPARED 'it''s mine'")
        #expect(held.message == "a prepared transaction holds up all writers")
        // The status has it whether or not a writer waits.
        let status = try PrimaryAdministration(primary.address).status()
        #expect(status.holders.map(\.preparedName) == ["it's mine"])
        #expect(status.problems.contains { $0.contains("ROLLBACK PREPARED 'it''s mine'") }, "\(status.problems)")
        try primary.psql(held.holder.remedy)
        try waiting.write("new")
        #expect(try PrimaryAdministration(primary.address).status().holders.isEmpty)
    }

    @Test func `without the right to end a session, the statement is reported; with it, the session is ended`() throws {
        let server = try PostgresServer.shared.get()
        let database = try #require(try server.createDatabase().split(separator: "/").last.map(String.init))
        let (owner, editor) = ("\(database)_owner", "\(database)_editor")
        defer {
            _ = try? server.psql("DROP DATABASE \(database) WITH (FORCE)", database: "postgres")
            _ = try? server.psql("DROP ROLE \(owner); DROP ROLE \(editor)", database: "postgres")
        }
        try server.psql(
            "CREATE ROLE \(owner) LOGIN; CREATE ROLE \(editor) LOGIN; ALTER DATABASE \(database) OWNER TO \(owner)",
            database: database)
        let address = try PrimaryAddress("postgres://\(owner)@127.0.0.1:\(server.port)/\(database)")
        _ = try PrimaryAdministration(address).initialize()
        try server.psql(
            """
            INSERT INTO stream (name, createdAtMilliseconds) VALUES ('s', 1);
            GRANT USAGE ON SCHEMA photostream TO \(editor); GRANT SELECT ON stream TO \(editor);
            GRANT SELECT, INSERT, UPDATE, DELETE ON photo TO \(editor)
            """, database: database)
        let waiting = try Waiting(address)
        let session = try PrimaryConnection(
            PrimaryAddress("postgres://\(editor)@127.0.0.1:\(server.port)/\(database)?application_name=psql"),
            within: .seconds(5))
        try session.run(script: Self.lockEarly, within: .seconds(5))
        let failure = #expect(throws: StorageError.self) { try waiting.write("new") }
        #expect(failure?.code == .busy)
        let held = try #require(waiting.named.first)
        #expect(!held.isEnded && held.holder.role == editor && held.holder.query.isEmpty)
        #expect(held.holder.sinceMilliseconds == nil)
        #expect(held.message == "a session holds up all writers, and this role may not end it")
        let status = try PrimaryAdministration(address).status()
        #expect(status.problems.contains { $0.contains(held.holder.remedy) }, "\(status.problems)")
        try server.psql("GRANT \(editor) TO \(owner)", database: database)
        try waiting.write("new")
        #expect(waiting.named.map(\.isEnded) == [false, true])
        #expect(waiting.named.last?.holder.query.hasPrefix("BEGIN; ") == true)
    }

    @Test func `a follower that only reads ends a session that has locked the photos against it`() throws {
        let primary = try TestPrimary()
        try primary.addPhotos(1)
        let person = try Person(at: primary, "holder")
        let waiting = try Waiting(primary.address)
        try primary.psql("UPDATE photo SET title = 'new'")
        let session = try person.session()
        try session.run(script: "BEGIN; LOCK TABLE photo", within: .seconds(5))
        try waiting.replica.pull()
        #expect(waiting.named.map(\.isEnded) == [true])
    }

    @Test func `writers that take turns do not read the locks`() async throws {
        let primary = try TestPrimary()
        try primary.addPhotos(1)
        let writers = try (0..<3).map { _ in try Waiting(primary.address) }
        try await withThrowingTaskGroup { group in
            for (number, writer) in writers.enumerated() {
                group.addTask {
                    try await onThread { for place in 0..<10 { try writer.write("w\(number)-\(place)") } }.value
                }
            }
            try await group.waitForAll()
        }
        #expect(writers.allSatisfy { $0.named.isEmpty && $0.replica.primary.holders.isEmpty })
        #expect(writers.allSatisfy { $0.replica.primary.lockWaits.count >= 10 })
        #expect(try primary.psql("SELECT count(*) FROM photo") == "31")
    }

    @Test func `a status names the holder of a lock that blocks reading`() throws {
        let primary = try TestPrimary()
        try primary.addPhotos(1)
        let person = try Person(at: primary, "holder")
        let session = try person.session()
        try session.run(script: "BEGIN; LOCK TABLE photo", within: .seconds(5))
        let failure = #expect(throws: PrimaryError.self) { try PrimaryAdministration(primary.address).status() }
        #expect(
            failure?.message.contains("of \(person.role) (psql) has locked the tables; to end it: SELECT pg_terminate")
                == true, "\(failure?.message ?? "")")
    }
}
