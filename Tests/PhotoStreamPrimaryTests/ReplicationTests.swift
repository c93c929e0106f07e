import Foundation
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamPrimary
@testable import PhotoStreamStorage

/// Rows that PostgreSQL's logical replication applies.
@Suite(.enabled(if: PostgresServer.isAvailable), .serialized)
struct ReplicationTests {
    /// The commands of Documentation/Scaling.md for the move, with the addresses of two servers, one line each.
    private static func commands(old: TestPrimary, new: TestPrimary) throws -> [String] {
        let page = URL(filePath: #filePath).appending(path: "../../../Documentation/Scaling.md").standardized
        let text = try String(contentsOf: page, encoding: .utf8)
        let start = try #require(text.range(of: "    pg_dump --schema-only")).lowerBound
        let end = try #require(text.range(of: "\n\n", range: start..<text.endIndex)).lowerBound
        func address(_ primary: TestPrimary) -> String {
            "postgres://photos@127.0.0.1:\(primary.server.port)/\(primary.name)"
        }
        return text[start..<end].split(separator: "\n").map { line in
            line.trimmingCharacters(in: .whitespaces)
                .replacing("postgres://photos@old.lan/photos", with: address(old))
                .replacing("postgres://photos@new.lan/photos", with: address(new))
        }
    }

    private static func run(_ command: String) throws {
        let process = Process()
        let errors = Pipe()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", command]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = errors
        try process.run()
        let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(command): \(text)")
    }

    @Test func `rows of a subscription are refused until they are accepted`() throws {
        let (old, new) = (try PostgresServer(settings: ["wal_level=logical"]), try PostgresServer())
        let (source, target) = (try TestPrimary(on: old), try TestPrimary(on: new))
        try source.addPhotos(2)
        try target.addPhotos(1)
        let replica = try Replica(of: target.address)
        let stream = StreamName(stored: "s")
        let before = try #require(try replica.database.read { try $0.logEnd() })
        try source.psql("CREATE PUBLICATION photos FOR TABLE photo WHERE (id > 1)")
        try target.psql(
            """
            CREATE SUBSCRIPTION photos CONNECTION '\(old.address(of: source.name))' PUBLICATION photos
                WITH (copy_data = false)
            """)
        defer { _ = try? target.psql("DROP SUBSCRIPTION photos") }
        try source.psql("INSERT INTO photo (id, streamId, externalId, width, height) VALUES (9, 1, 'moved', 4, 3)")
        func count() throws -> String { try target.psql("SELECT count(*) FROM photo") }
        // The worker ends with the message, and tries again.
        #expect(
            try eventually(within: .seconds(30)) {
                try target.psql("SELECT apply_error_count > 0 FROM pg_stat_subscription_stats") == "t"
            })
        #expect(try count() == "1")
        let administration = try PrimaryAdministration(target.address)
        try administration.acceptReplication()
        #expect(try administration.status().problems.contains { $0.contains("primary accept-replication --end") })
        #expect(try eventually(within: .seconds(30)) { try count() == "2" })
        let follower = Follower(replica.primary, of: replica.database, name: "r")
        #expect(try !follower.follow())
        try target.psql("ALTER SUBSCRIPTION photos DISABLE")
        try administration.endReplication()
        #expect(try administration.status().problems.isEmpty)
        // The log does not have it, so everything is copied, and clients read everything again.
        #expect(try follower.follow())
        #expect(follower.rebuildCount == 1)
        #expect(try replica.rows(.photo).count == 2)
        let service = try PhotoStreamService(
            path: replica.temporary.path, access: .existing, primary: replica.primary
        ) { 1 }
        defer { try? service.close() }
        #expect(try service.read { try $0.state(of: stream) }.revision.state != before.state)
        guard case .reload = try service.read({ try $0.changes(of: stream, since: before) }) else {
            Issue.record("changes since a state without the replicated rows")
            return
        }
        // Ids go on after those that came.
        #expect(try service.database.write { try $0.add(streamID: 1, record: record("next")) }.rowID == 10)
        let fresh = try Replica(of: target.address)
        #expect(try fresh.rows(.photo) == replica.rows(.photo))
        try target.psql("ALTER SUBSCRIPTION photos ENABLE")
        try source.psql("UPDATE photo SET title = 'late' WHERE id = 9")
        #expect(
            try eventually(within: .seconds(30)) {
                try target.psql("SELECT apply_error_count > 1 FROM pg_stat_subscription_stats") == "t"
            })
        #expect(try target.psql("SELECT count(*) FROM photo WHERE title IS NOT NULL") == "0")
    }

    @Test func `a migration to another PostgreSQL by the documented commands keeps everything`() throws {
        let (old, new) = (try PostgresServer(settings: ["wal_level=logical"]), try PostgresServer())
        let (source, target) = (try TestPrimary(on: old), try TestPrimary(on: new))
        try target.psql("DROP SCHEMA photostream CASCADE")
        try source.addPhotos(5)
        let replica = try Replica(of: source.address)
        let administration = try PrimaryAdministration(target.address)
        for command in try Self.commands(old: source, new: target) {
            switch command {
            case let command where command.contains("primary accept-replication --end"):
                try administration.endReplication()
            case let command where command.contains("primary accept-replication"):
                try administration.acceptReplication()
            default:
                try Self.run(command)
                guard command.contains("CREATE SUBSCRIPTION") else { continue }
                try source.psql("UPDATE photo SET title = 'meanwhile' WHERE id = 2; DELETE FROM photo WHERE id = 3")
                // As on the page: wait until everything has arrived, each table on its own first.
                #expect(
                    try eventually(within: .seconds(60)) {
                        try target.psql("SELECT bool_and(srsubstate = 'r') FROM pg_subscription_rel") == "t"
                    })
                #expect(
                    try eventually(within: .seconds(60)) {
                        try target.psql(
                            "SELECT count(*) FILTER (WHERE title = 'meanwhile') || ' ' || count(*) FROM photo") == "1 4"
                    })
                #expect(
                    try eventually(within: .seconds(60)) {
                        try target.psql("SELECT commitId FROM counter") == source.psql("SELECT commitId FROM counter")
                    })
            }
        }
        // The same primary at another address: replicas copy everything once, and go on.
        let moved = PostgresPrimary(target.address)
        let database = try PhotoDatabase(path: replica.temporary.path, access: .existing, primary: moved)
        let follower = Follower(moved, of: database, name: "r")
        #expect(try follower.follow())
        #expect(follower.rebuildCount == 1 && follower.lostPhotoCount == 0)
        for table in SharedTable.allCases {
            #expect(try replica.rows(table) == Replica(of: source.address).rows(table), "\(table)")
        }
        #expect(try database.write { try $0.add(streamID: 1, record: record("next")) }.rowID == 6)
        #expect(try administration.status().problems.isEmpty)
    }

    @Test func `an existing photo is skipped as the page documents`() throws {
        let page = URL(filePath: #filePath).appending(path: "../../../Documentation/Scaling.md").standardized
        let text = try String(contentsOf: page, encoding: .utf8)
        let start = try #require(text.range(of: "    INSERT INTO photostream.photo")).lowerBound
        let end = try #require(text.range(of: "\n\n", range: start..<text.endIndex)).lowerBound
        let statement = String(text[start..<end])
        #expect(statement.contains("ON CONFLICT (streamId, externalId) DO NOTHING"))
        let primary = try TestPrimary()
        try primary.psql("INSERT INTO stream (name, createdAtMilliseconds) VALUES ('holiday', 1)")
        for _ in 1...2 { try primary.psql(statement) }
        #expect(try primary.psql("SELECT count(*) FROM photo") == "1")
        #expect(try primary.log().count == 1)
        // Without the columns, PostgreSQL refuses a new photo, as the page states.
        let refusal = #expect(throws: PostgresFailure.self) {
            try primary.psql(
                statement.replacing("(streamId, externalId) DO NOTHING", with: "DO NOTHING")
                    .replacing("IMG_0001", with: "IMG_0002"))
        }
        #expect(refusal?.message.contains("deferrable") == true, "\(refusal?.message ?? "")")
    }
}
