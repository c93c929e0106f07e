import Foundation
import PhotoStreamModel
import PhotoStreamTestSupport
import Synchronization
import Testing

@testable import PhotoStreamPrimary
@testable import PhotoStreamStorage

@Suite(.enabled(if: PostgresServer.isAvailable))
struct WritingTests {
    private func title(_ text: String, of id: String) throws -> PhotoRecord {
        var record = PhotoRecord(id: try PhotoID(id))
        record.title = .set(text)
        return record
    }

    @Test func `another program's open transaction holds up only its own photos`() throws {
        let primary = try TestPrimary()
        try primary.addPhotos(3)
        let replica = try primary.replica()
        let session = try primary.session()
        try session.run(script: "BEGIN; UPDATE photo SET caption = 'open' WHERE id = 1", within: .seconds(5))
        // If this write had to wait for the other program, it would fail like the next one.
        _ = try replica.database.write { try $0.edit(streamID: 1, record: title("free", of: "p2")) }
        let failure = #expect(throws: StorageError.self) {
            try replica.database.write { try $0.edit(streamID: 1, record: title("held", of: "p1")) }
        }
        #expect(failure?.code == .busy)
        // Others continue meanwhile, and nothing is left of the abandoned write.
        _ = try replica.database.write { try $0.edit(streamID: 1, record: title("free", of: "p3")) }
        #expect(try replica.rows(.photo).count == 3)
        try session.run(script: "COMMIT", within: .seconds(5))
        let photo = try replica.database.write { try $0.edit(streamID: 1, record: title("after", of: "p1")) }
        #expect(photo?.photo.caption == "open" && photo?.photo.title == "after")
        #expect(try replica.rows(.photo) == primary.replica().rows(.photo))
    }

    @Test func `photos whose deletion is decided again are counted once`() async throws {
        let primary = try TestPrimary()
        try primary.addPhotos(3)
        let replica = try primary.replica()
        let session = try primary.session()
        try session.run(script: "BEGIN; UPDATE photo SET caption = 'open' WHERE id = 2", within: .seconds(5))
        let count = onThread { try replica.database.emptyStream(1) }
        // It waits for the photo, gives up, and waits once more.
        for isWaiting in [true, false, true] {
            let waiters =
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
            #expect(try eventually { try primary.psql(waiters) == (isWaiting ? "1" : "0") })
        }
        try session.run(script: "COMMIT", within: .seconds(5))
        #expect(try await count.value == 3)
        #expect(try replica.rows(.photo).isEmpty)
    }

    @Test func `concurrent writers on one stream lose nothing`() async throws {
        let primary = try TestPrimary()
        try primary.addPhotos(1)
        let replicas = try (0..<3).map { _ in try primary.replica() }
        await withTaskGroup { group in
            for (number, replica) in replicas.enumerated() {
                group.addTask {
                    for item in 0..<20 {
                        _ = try? replica.database.write {
                            try $0.add(streamID: 1, record: record("w\(number)-\(item)", at: 1_000))
                        }
                    }
                }
            }
        }
        for replica in replicas { try replica.pull() }
        #expect(try replicas[0].rows(.photo).count == 61)
        #expect(try replicas[0].rows(.photo) == replicas[1].rows(.photo))
        #expect(try replicas[1].log() == replicas[2].log())
        #expect(try primary.log().map(\.revision) == Array(1...61))
    }

    @Test func `while the primary is away, writes fail soon and reads continue, and it recovers`() throws {
        let server = try PostgresServer()
        let primary = try TestPrimary(on: server)
        try primary.addPhotos(2)
        let replica = try primary.replica()
        server.stop()
        let clock = ContinuousClock()
        for _ in 0..<3 {
            var failure: StorageError?
            let time = clock.measure {
                failure = #expect(throws: StorageError.self) {
                    try replica.database.write { try $0.edit(streamID: 1, record: title("x", of: "p1")) }
                }
            }
            #expect(failure?.code == .primaryUnavailable)
            #expect(time < .seconds(30))
            #expect(failure?.message.contains("127.0.0.1") == true)
        }
        #expect(try replica.database.read { try $0.photo(streamID: 1, id: PhotoID("p1")) } != nil)
        try server.start()
        let photo = try replica.database.write { try $0.edit(streamID: 1, record: title("y", of: "p1")) }
        #expect(photo?.photo.title == "y")
    }

    @Test func `slow reading of news holds up no write`() async throws {
        let primary = try TestPrimary()
        try primary.addPhotos(2)
        let replica = try primary.replica()
        let session = try primary.session()
        // A server's statement that runs is not ended.
        let statement = onThread {
            try session.run(
                script: "BEGIN; LOCK TABLE photo IN ACCESS EXCLUSIVE MODE; SELECT pg_sleep(600)", within: .seconds(600))
        }
        #expect(try eventually { try primary.psql("SELECT count(*) FROM \(Self.sleeping)") == "1" })
        let pull = onThread { try replica.pull() }
        let waiters =
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
        #expect(try eventually { try primary.psql(waiters) == "1" })
        let time = ContinuousClock().measure {
            #expect(throws: StorageError.self) {
                try replica.database.write { try $0.edit(streamID: 1, record: title("x", of: "p1")) }
            }
        }
        // Far less than the 600 seconds of the lock.
        #expect(time < .seconds(120))
        try primary.psql("SELECT pg_cancel_backend(pid) FROM \(Self.sleeping)")
        await #expect(throws: PrimaryError.self) { try await statement.value }
        try await pull.value
    }

    private static let sleeping =
        "pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'"

    @Test func `other programs get ids while an import reserves many`() async throws {
        let primary = try TestPrimary()
        try primary.addPhotos(1)
        let replica = try primary.replica()
        let isOver = Mutex(false)
        let other = onThread {
            let session = try primary.session()
            var taken: Set<Int64> = []
            while !isOver.withLock({ $0 }) {
                let sql = "SELECT nextval(pg_get_serial_sequence('photo', 'id')) FROM generate_series(1, 20)"
                let result = try session.run([PrimaryStatement(sql: sql)], within: .seconds(5))[0]
                for row in 0..<result.count {
                    let (isNew, _) = taken.insert(try result.integer(row, column: 0))
                    #expect(isNew)
                }
            }
            return taken
        }
        let run = try replica.database.write { try $0.startImportRun(streamID: 1, sources: ["a"], now: 7) }
        var seen = RowIDSet()
        for batch in 0..<20 {
            let records = try (0..<500).map { try record("b\(batch)-\($0)") }
            var rest = records[...]
            // A transaction that takes too long ends before its last record.
            while !rest.isEmpty {
                let result = try replica.database.importRecords(rest, into: 1, run: run, seen: &seen)
                rest = rest.dropFirst(result.outcomes.count)
            }
        }
        isOver.withLock { $0 = true }
        let taken = try await other.value
        let ids = try replica.rows(.photo).compactMap { row -> Int64? in
            if case .integer(let id) = row[0] { id } else { nil }
        }
        #expect(ids.count == 10_001)
        #expect(taken.isDisjoint(with: ids))
        #expect(try replica.log() == primary.replica().log())
    }

    @Test func `a replica without its primary refuses writes`() throws {
        let primary = try TestPrimary()
        try primary.addPhotos(1)
        let replica = try primary.replica()
        let alone = try PhotoDatabase(path: replica.temporary.path, access: .existing)
        let failure = #expect(throws: StorageError.self) {
            try alone.write { try $0.edit(streamID: 1, record: title("x", of: "p1")) }
        }
        #expect(failure?.code == .readOnly)
        #expect(
            failure?.message.hasSuffix(
                "is a replica of a PostgreSQL database, where its changes belong; name it with --primary") == true)
    }

    @Test func `photos can exchange their ids, and streams their names`() throws {
        let primary = try TestPrimary()
        try primary.addPhotos(2)
        let replica = try primary.replica()
        try primary.psql(
            """
            INSERT INTO stream (name, createdAtMilliseconds) VALUES ('t', 1);
            UPDATE photo SET externalId = 'x' WHERE id = 1; UPDATE photo SET externalId = 'p1' WHERE id = 2;
            UPDATE photo SET externalId = 'p2' WHERE id = 1;
            UPDATE stream SET name = 'x' WHERE id = 1; UPDATE stream SET name = 's' WHERE id = 2;
            UPDATE stream SET name = 't' WHERE id = 1
            """)
        try replica.pull()
        #expect(try replica.database.read { try $0.photo(streamID: 1, id: PhotoID("p1")) }?.rowID == 2)
        #expect(try replica.database.read { try $0.streams().map(\.name.rawValue).sorted() } == ["s", "t"])
    }
}
