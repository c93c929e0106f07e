import Foundation
import PhotoStreamModel
import PhotoStreamTestSupport
import Synchronization
import Testing

@testable import PhotoStreamPrimary
@testable import PhotoStreamStorage

@Suite(.enabled(if: PostgresServer.isAvailable))
struct FailoverTests {
    @Test(arguments: [1, 10])
    func `an older copy of the primary makes replicas rebuild their files`(otherCount: Int) throws {
        let server = try PostgresServer()
        let primary = try TestPrimary(on: server)
        try primary.addPhotos(3)
        let replica = try Replica(of: primary.address)
        let follower = Follower(replica.primary, of: replica.database, name: "r")
        try server.keepCopy()
        try primary.psql("INSERT INTO photo (streamId, externalId, width, height) VALUES (1, 'lost', 4, 3)")
        try follower.follow()
        let seen = try #require(try replica.database.read { try $0.logEnd() })
        #expect(try replica.rows(.photo).count == 4)
        try server.restoreCopy()
        // The same revision again, for another photo, and perhaps more than were lost.
        for number in 0..<otherCount {
            try primary.psql(
                "INSERT INTO photo (streamId, externalId, width, height) VALUES (1, 'other \(number)', 5, 3)")
        }
        try follower.follow()
        #expect(follower.rebuildCount == 1)
        #expect(try replica.rows(.photo) == Replica(of: primary.address).rows(.photo))
        let photo = try replica.database.write { try $0.add(streamID: 1, record: record("new")) }
        #expect(photo.rowID > 4)
        // Revisions are given a second time, with other tags: a client that has seen the lost one reads everything again.
        #expect(try replica.database.read { try $0.logEnd()?.rawValue } == seen.rawValue + Int64(otherCount))
        #expect(try replica.database.read { try $0.isLost(seen) })
        #expect(try !replica.database.read { try $0.isKnown(seen) })
        #expect(try replica.log() == Replica(of: primary.address).log())
    }

    @Test func `a failover that loses nothing leaves the files unchanged`() throws {
        let primary = try TestPrimary()
        try primary.addPhotos(3)
        let replica = try primary.replica()
        let follower = Follower(replica.primary, of: replica.database, name: "r")
        let seen = try #require(try replica.database.read { try $0.logEnd() })
        // The same as the promotion of a standby.
        try primary.psql("UPDATE counter SET timeline = timeline - 1")
        try primary.psql("UPDATE photo SET title = 'after'")
        try follower.follow()
        #expect(follower.rebuildCount == 0)
        #expect(try replica.rows(.photo) == primary.replica().rows(.photo))
        // No client has to reload: revisions are consecutive, and what clients have seen is still there.
        #expect(try replica.database.read { try $0.currentRevision() } == 6)
        #expect(try replica.database.read { try $0.isKnown(seen) })
        #expect(try replica.database.read { try $0.isKept(revision: seen.rawValue) })
    }

    @Test func `a write with an unknown outcome is not repeated`() throws {
        let server = try PostgresServer()
        let primary = try TestPrimary(on: server)
        try primary.addPhotos(1)
        var timeouts = PostgresPrimary.Timeouts()
        timeouts.forWrite = .milliseconds(500)
        let replica = try Replica(of: primary.address, timeouts: timeouts)
        // A commit waits for a standby that does not come.
        try primary.psql("ALTER SYSTEM SET synchronous_standby_names = 'missing'")
        try primary.psql("SELECT pg_reload_conf()")
        let runs = Mutex(0)
        let failure = #expect(throws: StorageError.self) {
            try replica.database.write { writer in
                runs.withLock { $0 += 1 }
                return try writer.add(streamID: 1, record: record("n"))
            }
        }
        #expect(failure?.code == .commitUnknown)
        let message = failure?.message ?? ""
        #expect(message.hasPrefix("whether a write was committed is unknown: "), "\(message)")
        #expect(runs.withLock { $0 } == 1)
        try primary.psql("ALTER SYSTEM RESET synchronous_standby_names")
        try primary.psql("SELECT pg_reload_conf()")
        #expect(
            try eventually {
                try replica.pull()
                return try replica.rows(.photo).count == 2
            })
        #expect(try primary.psql("SELECT count(*) FROM photo") == "2")
    }

    @Test func `a read-only primary is followed, and writes wait`() throws {
        let primary = try TestPrimary()
        try primary.addPhotos(1)
        try primary.psql("ALTER DATABASE \(primary.name) SET default_transaction_read_only = on")
        let replica = try primary.replica()
        let conditions = Mutex<[Follower.Condition]>([])
        let follower = Follower(replica.primary, of: replica.database, name: "r") { condition in
            conditions.withLock { $0.append(condition) }
        }
        follower.start()
        defer { follower.stop() }
        for title in ["x", "y"] {
            try primary.psql("BEGIN READ WRITE; UPDATE photo SET title = '\(title)'; COMMIT")
            let revision = try primary.log().last?.revision ?? 0
            #expect(try eventually { try replica.database.replicaPosition()?.revision == revision })
        }
        #expect(conditions.withLock { $0 } == [])
        let failure = #expect(throws: StorageError.self) {
            try replica.database.write { try $0.add(streamID: 1, record: record("n")) }
        }
        #expect(failure?.code == .primaryUnavailable)
        #expect(failure?.message.contains("read-only transaction") == true, "\(failure?.message ?? "")")
    }

    @Test func `a server starts with a replica that it cannot update`() throws {
        let primary = try TestPrimary()
        try primary.addPhotos(2)
        let replica = try primary.replica()
        let path = replica.temporary.path
        // Neither another primary nor another history ends it.
        let identity = try primary.psql("SELECT value FROM identity")
        try primary.psql("UPDATE photo SET width = 4 WHERE id = 2; UPDATE identity SET value = 'other'")
        try ReplicaFile.prepare(path, of: primary.primary, isServed: true)
        #expect(throws: OtherPrimary.self) { try ReplicaFile.prepare(path, of: primary.primary) }
        try primary.psql("UPDATE identity SET value = '\(identity)'; UPDATE commit SET tag = 1")
        try ReplicaFile.prepare(path, of: primary.primary, isServed: true)
        #expect(try replica.log().count == 2)
        // A primary of a newer version does.
        try primary.psql("INSERT INTO migration (name, script) VALUES ('P999_albums', '')")
        let failure = #expect(throws: PrimaryError.self) {
            try ReplicaFile.prepare(path, of: primary.primary, isServed: true)
        }
        #expect(
            failure?.message == "the database has P999_albums of a newer version of PhotoStream; update this one first")
    }

    @Test func `leftovers of killed copies are removed`() throws {
        let primary = try TestPrimary()
        let temporary = try TemporaryDatabase()
        let (dead, living) = (Int32.max, getppid())
        for name in ["copying-\(dead)", "copying-\(dead)-wal", "copying-\(living)"] {
            #expect(FileManager.default.createFile(atPath: "\(temporary.path).\(name)", contents: Data("x".utf8)))
        }
        try ReplicaFile.prepare(temporary.path, of: primary.primary)
        let folder = URL(filePath: temporary.path).deletingLastPathComponent().path
        let left = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.contains("copying") }
        #expect(left == [URL(filePath: temporary.path).lastPathComponent + ".copying-\(living)"])
    }

    @Test func `a server that does not answer hides no other, and a read-only one is skipped`()
        throws
    {
        // It accepts connections, and sends nothing.
        let silent = Process()
        let (input, output) = (Pipe(), Pipe())
        silent.executableURL = URL(filePath: "/usr/bin/env")
        silent.arguments = [
            "python3", "-c",
            "import socket, sys; s = socket.create_server(('127.0.0.1', 0)); print(s.getsockname()[1], flush=True); sys.stdin.read()",
        ]
        (silent.standardInput, silent.standardOutput) = (input, output)
        try silent.run()
        defer { try? input.fileHandleForWriting.close() }
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        let port = line.trimmingCharacters(in: .newlines)
        let primary = try TestPrimary()
        let own = primary.server.port
        func address(_ hosts: String, _ options: String = "") throws -> PrimaryAddress {
            try PrimaryAddress("postgres://photos@\(hosts)/\(primary.name)\(options)")
        }
        let question = PrimaryStatement(sql: "SELECT revision FROM counter")
        let connection = try PrimaryConnection(
            address("127.0.0.1:\(port),127.0.0.1:\(own)"), within: .seconds(2))
        #expect(try connection.run([question], within: .seconds(2))[0].integer(0, column: 0) == 0)
        let both = #expect(throws: PrimaryError.self) {
            try PrimaryConnection(address("127.0.0.1:\(port),127.0.0.1:1"), within: .seconds(1))
        }
        #expect(
            both?.message.hasPrefix(
                "postgres://photos@127.0.0.1:\(port)/\(primary.name) does not answer; "
                    + "postgres://photos@127.0.0.1:1/\(primary.name) cannot be used: ") == true,
            "\(both?.message ?? "")")
        try primary.psql("ALTER DATABASE \(primary.name) SET default_transaction_read_only = on")
        let readOnly = #expect(throws: PrimaryError.self) {
            try PrimaryConnection(address("127.0.0.1:\(own)", "?target_session_attrs=read-write"), within: .seconds(2))
        }
        #expect(readOnly?.message.contains("session is read-only") == true, "\(readOnly?.message ?? "")")
    }

    @Test func `a commit whose answer is lost is found by its tag`() throws {
        let primary = try TestPrimary()
        try primary.addPhotos(1)
        let proxy = try CuttingProxy(to: primary.server.port)
        let replica = try Replica(
            of: PrimaryAddress("postgres://photos@127.0.0.1:\(proxy.port)/\(primary.name)"))
        for number in 1...5 {
            proxy.cutAfterNextCommit()
            let added = try replica.database.write { try $0.add(streamID: 1, record: record("n\(number)")) }
            #expect(added.photo.id.rawValue == "n\(number)")
        }
        #expect(proxy.cutCount == 5)
        #expect(try primary.psql("SELECT count(*) FROM photo") == "6")
        #expect(try replica.rows(.photo) == primary.replica().rows(.photo))
        #expect(try replica.log() == primary.replica().log())
    }

    @Test func `a row that collides with another one of the file stops the follower and is not skipped`() throws {
        let primary = try TestPrimary()
        try primary.addPhotos(2)
        let replica = try primary.replica()
        func change(_ sql: String) throws {
            try replica.database.writeLocally { writer in
                try writer.withoutTriggers { try RawStatement(writer.database, sql: sql).run() }
            }
        }
        try change("INSERT INTO photo (id, streamId, externalId, width, height) VALUES (50, 1, 'p3', 4, 3)")
        try primary.psql("INSERT INTO photo (streamId, externalId, width, height) VALUES (1, 'p3', 7, 3)")
        let follower = Follower(replica.primary, of: replica.database, name: "r")
        follower.start()
        defer { follower.stop() }
        #expect(eventually { follower.condition.isStopped })
        guard case .stopped(let reason) = follower.condition else { return }
        #expect(reason.hasPrefix("following stopped after revision 2: "))
        #expect(try replica.database.replicaPosition()?.revision == 2)
        // Once it fits again, it goes on by itself.
        try change("DELETE FROM photo WHERE id = 50")
        #expect(eventually { follower.condition == .following })
        #expect(try replica.rows(.photo) == primary.replica().rows(.photo))
    }

    @Test func `an older server works with a newer one, and ignores unknown tables`() throws {
        let primary = try TestPrimary()
        try primary.addPhotos(2)
        let replica = try primary.replica()
        // The possible changes of a newer version's script: a column with a default, and a table that is followed.
        try primary.psql(
            """
            ALTER TABLE photo ADD COLUMN flash text COLLATE "C" DEFAULT 'unknown';
            CREATE TABLE album (id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, name text NOT NULL);
            CREATE TRIGGER albumInserted AFTER INSERT ON album REFERENCING NEW TABLE AS newRow
            FOR EACH STATEMENT EXECUTE FUNCTION touchNew('album');
            ALTER TABLE album ENABLE ALWAYS TRIGGER albumInserted;
            INSERT INTO migration (name, script) VALUES ('P999_albums', '')
            """)
        try primary.psql(
            "INSERT INTO album (name) VALUES ('a'); UPDATE photo SET flash = '50 mm', title = 'x' WHERE id = 1")
        let follower = Follower(replica.primary, of: replica.database, name: "r")
        #expect(try follower.follow())
        _ = try replica.database.write { try $0.add(streamID: 1, record: record("older")) }
        #expect(try primary.psql("SELECT title, flash FROM photo WHERE id = 1") == "x|50 mm")
        #expect(try primary.psql("SELECT flash FROM photo WHERE externalId = 'older'") == "unknown")
        #expect(try replica.database.read { try $0.currentRevision() } == 4)
        // A copy of everything is another thing: who begins to follow has to know the version.
        let failure = #expect(throws: PrimaryError.self) { try primary.replica() }
        #expect(
            failure?.message == "the database has P999_albums of a newer version of PhotoStream; update this one first")
    }

    @Test func `a replica without triggers is rebuilt`() throws {
        let primary = try TestPrimary()
        try primary.addPhotos(2)
        let replica = try primary.replica()
        try replica.database.writeLocally { writer in
            try RawStatement(writer.database, sql: "DROP TRIGGER photoUpdated").run()
            try RawStatement(writer.database, sql: "UPDATE photo SET title = 'local' WHERE id = 1").run()
        }
        #expect(try replica.database.restoreSchema() == ["trigger photoUpdated"])
        let follower = Follower(replica.primary, of: replica.database, name: "r")
        try follower.follow()
        #expect(follower.rebuildCount == 1)
        #expect(try replica.rows(.photo) == primary.replica().rows(.photo))
        #expect(try replica.log() == primary.replica().log())
        #expect(try primary.psql("SELECT revision FROM counter") == "2")
    }

    @Test func `a replica continues after its follower was stopped`() throws {
        let primary = try TestPrimary()
        try primary.addPhotos(2)
        let replica = try primary.replica()
        let follower = Follower(replica.primary, of: replica.database, name: "r")
        follower.start()
        try primary.psql("UPDATE photo SET title = 'x'")
        #expect(try eventually { try replica.log().count == 4 })
        follower.stop()
        try primary.psql("DELETE FROM photo WHERE id = 1")
        follower.start()
        #expect(try eventually { try replica.rows(.photo).count == 1 })
        follower.stop()
        #expect(try eventually { try PrimaryAdministration(primary.address).status().followers.map(\.name) == ["r"] })
    }
}

/// Passes a connection on, and cuts it when the primary has been sent a `COMMIT` and has answered.
private final class CuttingProxy: Sendable {
    let port: Int
    private let target: Int
    private let listener: Int32
    private let state = Mutex((isArmed: false, count: 0))

    var cutCount: Int { state.withLock { $0.count } }

    init(to target: Int) throws {
        self.target = target
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        port = try Self.bind(listener)
        listen(listener, 8)
        Thread.detachNewThread { [listener, self] in
            while true {
                let client = accept(listener, nil, nil)
                guard client >= 0 else { return }
                let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
                guard Self.connect(server, to: target) else { close(client); return }
                let isCut = Flag()
                Thread.detachNewThread { self.pass(client, to: server, isCut: isCut, isRequest: true) }
                Thread.detachNewThread { self.pass(server, to: client, isCut: isCut, isRequest: false) }
            }
        }
    }

    deinit { close(listener) }

    func cutAfterNextCommit() { state.withLock { $0.isArmed = true } }

    private final class Flag: Sendable {
        let value = Atomic(false)
    }

    private func pass(_ source: Int32, to destination: Int32, isCut: Flag, isRequest: Bool) {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = recv(source, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            if isRequest,
                Data(buffer[..<count]).range(of: Data("SET CONSTRAINTS".utf8)) != nil || isCommit(buffer[..<count])
            {
                let cuts = state.withLock { state in
                    defer { state.isArmed = false }
                    if state.isArmed { state.count += 1 }
                    return state.isArmed
                }
                if cuts { isCut.value.store(true, ordering: .sequentiallyConsistent) }
            }
            // The answer shows that the primary has done it.
            if !isRequest, isCut.value.load(ordering: .sequentiallyConsistent) { break }
            guard send(destination, buffer, count, Int32(MSG_NOSIGNAL)) == count else { break }
        }
        shutdown(source, Int32(SHUT_RDWR))
        shutdown(destination, Int32(SHUT_RDWR))
    }

    /// Whether an exchange is the last one of a transaction: with the statements prepared, it no longer names them, but it
    /// carries the tag, which the first one does as text.
    private func isCommit(_ bytes: ArraySlice<UInt8>) -> Bool { bytes.count > 400 && bytes.first == UInt8(ascii: "B") }

    private static func address(_ port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    private static func bind(_ descriptor: Int32) throws -> Int {
        var address = address(0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard isBound else { throw PostgresFailure(message: "there is no free port") }
        return Int(UInt16(bigEndian: address.sin_port))
    }

    private static func connect(_ descriptor: Int32, to port: Int) -> Bool {
        var address = address(port)
        return withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}
