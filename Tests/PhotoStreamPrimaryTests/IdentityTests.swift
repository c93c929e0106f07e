import Foundation
import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamTestSupport
import Synchronization
import Testing

@testable import PhotoStreamPrimary
@testable import PhotoStreamStorage

/// A replica knows the identity of its primary, and lost photos are kept.
@Suite(.enabled(if: PostgresServer.isAvailable))
struct IdentityTests {
    /// A follower of the file of a replica, at the address of another primary.
    private static func follower(
        of replica: Replica, at primary: TestPrimary, notice: @escaping @Sendable (String) -> Void = { _ in }
    ) throws -> (Follower, PhotoDatabase) {
        let own = PostgresPrimary(primary.address)
        let database = try PhotoDatabase(path: replica.temporary.path, access: .existing, primary: own)
        return (Follower(own, of: database, name: "r", notice: notice), database)
    }

    private static func lost(of replica: Replica) throws -> [LostPhoto] {
        try FormerReplica.all(of: replica.temporary.path).flatMap { former in
            let file = try PhotoDatabase(path: former.path, access: .readOnly)
            defer { try? file.close() }
            return try file.read { try $0.lostPhotos() }
        }
    }

    private static func copies(beside path: String) throws -> [String] {
        let folder = URL(filePath: path).deletingLastPathComponent().path
        return try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.contains(".los") }
    }

    @Test func `another database at the address stops a replica until it is accepted`() throws {
        let (production, staging) = (try TestPrimary(), try TestPrimary())
        try production.addPhotos(8)
        try staging.psql(
            """
            INSERT INTO stream (name, createdAtMilliseconds) VALUES ('s', 1);
            INSERT INTO photo (streamId, externalId, width, height) SELECT 1, 'q' || i, 40, 30 FROM generate_series(1, 9) i
            """)
        let replica = try production.replica()
        let (follower, database) = try Self.follower(of: replica, at: staging)
        let identity = try production.psql("SELECT value FROM identity")
        let error = #expect(throws: OtherPrimary.self) { try follower.follow() }
        #expect(error?.followed == identity)
        let write = #expect(throws: StorageError.self) {
            try database.write { try $0.add(streamID: 1, record: record("n")) }
        }
        #expect(write?.code == .primaryUnavailable && write?.message.contains("primary accept \(identity)") == true)
        #expect(try replica.rows(.photo) == production.replica().rows(.photo))
        #expect(try staging.psql("SELECT count(*) FROM photo") == "9")
        // While it runs, the log and the primary's status contain the reason.
        follower.start()
        #expect(eventually { follower.condition.isStopped })
        #expect(
            try eventually {
                try PrimaryAdministration(staging.address).status().problems.contains {
                    $0.contains("primary accept \(identity)")
                }
            })
        try PrimaryAdministration(staging.address).accept(replicasOf: identity)
        #expect(eventually { follower.condition == .following })
        follower.stop()
        #expect(try replica.rows(.photo) == staging.replica().rows(.photo))
        #expect(follower.lostPhotoCount == 8)
        #expect(try Self.lost(of: replica).map(\.id.rawValue) == (1...8).map { "p\($0)" })
        // It is the other's replica now.
        let back = try Self.follower(of: replica, at: production).0
        #expect(throws: OtherPrimary.self) { try back.follow() }
    }

    @Test func `an acceptance is valid for a day and for one identity`() throws {
        let (production, staging) = (try TestPrimary(), try TestPrimary())
        try production.addPhotos(1)
        try staging.addPhotos(1)
        let replica = try production.replica()
        let follower = try Self.follower(of: replica, at: staging).0
        let administration = try PrimaryAdministration(staging.address)
        try administration.accept(replicasOf: "other")
        #expect(throws: OtherPrimary.self) { try follower.follow() }
        let identity = try production.psql("SELECT value FROM identity")
        try administration.accept(replicasOf: identity)
        try staging.psql("UPDATE acceptance SET acceptedAt = clock_timestamp() - interval '25 hours'")
        #expect(throws: OtherPrimary.self) { try follower.follow() }
        try administration.accept(replicasOf: identity)
        #expect(try follower.follow())
    }

    @Test func `an empty primary without commits is another one, too`() throws {
        let (first, second) = (try TestPrimary(), try TestPrimary())
        let replica = try first.replica()
        let follower = try Self.follower(of: replica, at: second).0
        #expect(throws: OtherPrimary.self) { try follower.follow() }
    }

    @Test(arguments: [false, true])
    func `a primary that has lost nearly everything does not empty a replica`(hasStream: Bool) throws {
        let server = try PostgresServer()
        let primary = try TestPrimary(on: server)
        if hasStream { try primary.addPhotos(2) }
        try server.keepCopy()
        if !hasStream { try primary.addPhotos(2) }
        try primary.psql(
            """
            INSERT INTO photo (streamId, externalId, width, height) SELECT 1, 'n' || i, 40, 30 FROM generate_series(1, 7) i
            """)
        let replica = try Replica(of: primary.address)
        try server.restoreCopy()
        let follower = Follower(replica.primary, of: replica.database, name: "r")
        let error = #expect(throws: LossRefused.self) { try follower.follow() }
        #expect(error?.description.contains("and the file has 9 photos; ") == true, "\(error?.description ?? "")")
        #expect(try replica.rows(.photo).count == 9)
        #expect(try Self.copies(beside: replica.temporary.path).isEmpty)
        try PrimaryAdministration(primary.address).accept(replicasOf: primary.psql("SELECT value FROM identity"))
        #expect(try follower.follow())
        #expect(try replica.rows(.photo).count == (hasStream ? 2 : 0))
        #expect(try Self.lost(of: replica).count == (hasStream ? 7 : 9))
    }

    @Test func `a database without tables stops a replica, but a server starts with it`() throws {
        let primary = try TestPrimary()
        try primary.addPhotos(3)
        let replica = try primary.replica()
        let follower = Follower(replica.primary, of: replica.database, name: "r")
        follower.start()
        defer { follower.stop() }
        try primary.psql("DROP SCHEMA photostream CASCADE")
        #expect(eventually { follower.condition.isStopped })
        guard case .stopped(let reason) = follower.condition else { return }
        #expect(reason.contains("the database has not the tables of this version: it was emptied"), "\(reason)")
        try ReplicaFile.prepare(replica.temporary.path, of: primary.primary, isServed: true)
        #expect(try replica.rows(.photo).count == 3)
        // The tables alone do not make it the primary again.
        _ = try PrimaryAdministration(primary.address).initialize()
        #expect(
            eventually {
                guard case .stopped(let reason) = follower.condition else { return false }
                return reason.contains("the database is another one")
            })
        #expect(try replica.rows(.photo).count == 3)
    }

    @Test func `a replica of an earlier version takes the identity of the primary with its history`() throws {
        let primary = try TestPrimary()
        try primary.addPhotos(2)
        let replica = try primary.replica()
        try replica.database.writeLocally { writer in
            try RawStatement(writer.database, sql: "UPDATE replica SET primaryIdentity = NULL").run()
        }
        let follower = Follower(replica.primary, of: replica.database, name: "r")
        #expect(try follower.follow())
        #expect(follower.rebuildCount == 0)
        #expect(try replica.database.replicaPosition()?.identity == primary.psql("SELECT value FROM identity"))
        #expect(try !follower.follow())
    }

    @Test func `a restored dump is the same primary`() throws {
        let primary = try TestPrimary()
        try primary.addPhotos(2)
        let replica = try primary.replica()
        let restored = try TestPrimary()
        let dump = Process()
        dump.executableURL = URL(filePath: "/bin/sh")
        dump.arguments = [
            "-c",
            """
            psql -qX "$1" -c 'DROP SCHEMA photostream CASCADE' && pg_dump -n photostream "$0" | psql -qX -v ON_ERROR_STOP=1 "$1"
            """, "postgres://photos@127.0.0.1:\(primary.server.port)/\(primary.name)",
            "postgres://photos@127.0.0.1:\(restored.server.port)/\(restored.name)",
        ]
        dump.standardOutput = FileHandle.nullDevice
        dump.standardError = FileHandle.nullDevice
        try dump.run()
        dump.waitUntilExit()
        #expect(dump.terminationStatus == 0)
        let (follower, database) = try Self.follower(of: replica, at: restored)
        #expect(try !follower.follow())
        _ = try database.write { try $0.add(streamID: 1, record: record("after")) }
        #expect(try restored.psql("SELECT count(*) FROM photo") == "3")
    }

    @Test func `photos lost by a failover are kept and listed`() throws {
        let server = try PostgresServer()
        let primary = try TestPrimary(on: server)
        try primary.addPhotos(9)
        try server.keepCopy()
        try primary.psql(
            """
            INSERT INTO photo (streamId, externalId, width, height) VALUES (1, 'new', 4, 3), (1, 'again', 4, 3);
            UPDATE photo SET caption = 'by hand' WHERE externalId = 'p1';
            UPDATE photo SET title = 'x' WHERE externalId = 'p2';
            DELETE FROM photo WHERE externalId = 'p3'
            """)
        let replica = try Replica(of: primary.address)
        try server.restoreCopy()
        try primary.psql(
            """
            UPDATE photo SET title = 'x' WHERE externalId = 'p2';
            UPDATE photo SET title = 'later' WHERE externalId = 'p9'; DELETE FROM photo WHERE externalId = 'p8';
            INSERT INTO photo (streamId, externalId, width, height) VALUES (1, 'again', 4, 3)
            """)
        let notices = Mutex<[String]>([])
        let follower = Follower(
            replica.primary, of: replica.database, name: "r", notice: { text in notices.withLock { $0.append(text) } })
        try follower.follow()
        // Neither photos that are the same in both nor those that only the new history changed.
        let lost = try Self.lost(of: replica)
        #expect(
            lost.map { "\($0.id.rawValue) \($0.kind)" } == ["new missing", "p1 different", "p3 returned"], "\(lost)")
        #expect(follower.lostPhotoCount == 3)
        #expect(notices.withLock { $0.count } == 1)
        #expect(
            notices.withLock { $0.first }?.hasPrefix("the primary does not have 3 photos as the file had them") == true)
        // The former file is independent and private, and has everything.
        let path = try #require(FormerReplica.all(of: replica.temporary.path).first?.path)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let former = try PhotoDatabase(path: path, access: .existing)
        #expect(try former.read { try $0.photo(streamID: 1, id: PhotoID("p1"))?.photo.caption } == "by hand")
        #expect(try former.replicaPosition() == nil)
    }

    @Test func `a rebuild that loses nothing keeps nothing, and the newest five are kept after 30 days`() throws {
        let primary = try TestPrimary()
        try primary.addPhotos(3)
        let replica = try primary.replica()
        let follower = Follower(replica.primary, of: replica.database, name: "r")
        try primary.psql("UPDATE commit SET tag = 5")
        try follower.follow()
        #expect(follower.rebuildCount == 1)
        #expect(try Self.copies(beside: replica.temporary.path).isEmpty)
        var kept: [String] = []
        for number in 1...8 {
            // Two of them were kept for long enough.
            for path in kept.prefix(2) where number == 8 {
                let time = Date(timeIntervalSinceNow: -31 * 86_400)
                try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: path)
            }
            // A photo that the primary never had, which the next news show.
            try replica.database.writeLocally { writer in
                try RawStatement(
                    writer.database,
                    sql: "INSERT INTO photo (streamId, externalId, width, height) VALUES (1, 'local\(number)', 4, 3)"
                ).run()
            }
            try primary.psql("UPDATE photo SET title = '\(number)' WHERE id = 1")
            try follower.follow()
            kept += FormerReplica.all(of: replica.temporary.path).map(\.path).filter { !kept.contains($0) }
        }
        #expect(kept.count == 8)
        #expect(FormerReplica.all(of: replica.temporary.path).map(\.path) == kept.suffix(6))
        #expect(follower.lostPhotoCount == 8)
    }

    @Test func `deletions by people during a long absence do not count as losses`() throws {
        let primary = try TestPrimary()
        try primary.addPhotos(8)
        let (replica, other) = (try primary.replica(), try primary.replica())
        let follower = Follower(replica.primary, of: replica.database, name: "r")
        #expect(try other.database.write { try $0.deletePhotos(streamID: 1, ids: [PhotoID("p1")], now: 5) } == 1)
        let trimming = "DELETE FROM change; DELETE FROM commit; UPDATE counter SET trimmedCommitId = commitId"
        try primary.psql(trimming)
        try follower.follow()
        #expect(follower.rebuildCount == 1 && follower.lostPhotoCount == 0)
        #expect(try Self.copies(beside: replica.temporary.path).isEmpty)
        // Nothing shows that a photo was deleted by another program, and not lost.
        for statement in ["DELETE FROM photo WHERE id = 2", trimming] { try primary.psql(statement) }
        try follower.follow()
        #expect(follower.rebuildCount == 2 && follower.lostPhotoCount == 1)
        #expect(try Self.lost(of: replica).map(\.id.rawValue) == ["p2"])
        // Unless it would lose nearly everything.
        for statement in ["DELETE FROM photo WHERE id < 7", "UPDATE counter SET trimmedCommitId = commitId"] {
            try primary.psql(statement)
        }
        #expect(throws: LossRefused.self) { try follower.follow() }
    }

    @Test func `an interrupted rebuild is compared later`() throws {
        let primary = try TestPrimary()
        try primary.addPhotos(3)
        let replica = try primary.replica()
        try replica.database.writeLocally { writer in
            try RawStatement(
                writer.database,
                sql: "INSERT INTO photo (streamId, externalId, width, height) VALUES (1, 'local', 4, 3)"
            ).run()
        }
        // As a process leaves it that is killed after the copy, and another one after the rebuild.
        let path = try FormerReplica.keep(replica.database).path
        let dead = "\(replica.temporary.path).losing-\(Int32.max)"
        try FileManager.default.moveItem(atPath: path, toPath: dead)
        #expect(try FormerReplica.finishInterrupted(of: replica.database).isEmpty)
        #expect(try Self.copies(beside: replica.temporary.path).isEmpty)
        try FileManager.default.moveItem(atPath: FormerReplica.keep(replica.database).path, toPath: dead)
        try primary.psql("UPDATE photo SET title = 'x' WHERE id = 1")
        try replica.primary.copy(into: replica.database)
        // The replica is in use meanwhile.
        let writer = try FileHolder(replica.temporary.path)
        let losses = try FormerReplica.finishInterrupted(of: replica.database)
        try writer.release()
        #expect(losses.map(\.photoCount) == [1])
        #expect(try Self.lost(of: replica).map(\.id.rawValue) == ["local"])
    }

    @Test func `validators follow the content when a file is rebuilt from another primary`() throws {
        let (production, staging) = (try TestPrimary(), try TestPrimary())
        try production.addPhotos(2)
        try staging.addPhotos(3)
        let replica = try production.replica()
        let own = PostgresPrimary(staging.address)
        let service = try PhotoStreamService(path: replica.temporary.path, access: .existing, primary: own) { 1 }
        defer { try? service.close() }
        let before = service.fileFingerprint
        try PrimaryAdministration(staging.address).accept(replicasOf: production.psql("SELECT value FROM identity"))
        try Follower(own, of: service.database, name: "r").follow()
        func fingerprint(of service: PhotoStreamService) throws -> String {
            _ = try service.read { try $0.state(of: StreamName(stored: "s")) }
            return service.fileFingerprint
        }
        let new = try staging.replica()
        let fresh = try PhotoStreamService(path: new.temporary.path, access: .existing, primary: new.primary) { 1 }
        defer { try? fresh.close() }
        #expect(try fingerprint(of: service) == fingerprint(of: fresh))
        #expect(service.fileFingerprint != before)
        // Also if the key alone is another one.
        try staging.psql("UPDATE secret SET cursorKey = uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())")
        for server in [service, fresh] { try Follower(own, of: server.database, name: "r").follow() }
        let changed = try fingerprint(of: service)
        #expect(try changed == fingerprint(of: fresh))
        let restarted = try PhotoStreamService(path: new.temporary.path, access: .existing, primary: own) { 1 }
        defer { try? restarted.close() }
        #expect(restarted.fileFingerprint == changed)
    }
}
