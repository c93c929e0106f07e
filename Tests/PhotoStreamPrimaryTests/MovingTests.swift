import Foundation
import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamPrimary
@testable import PhotoStreamStorage

@Suite(.enabled(if: PostgresServer.isAvailable))
struct MovingTests {
    /// A file with a stream, edits, a deleted photo and a cursor.
    private func file() throws -> (TemporaryDatabase, cursor: String) {
        let file = try TemporaryDatabase()
        let service = try PhotoStreamService(path: file.path, access: .readWrite) { 5 }
        let stream = StreamName(stored: "s")
        try service.createStream(stream)
        let database = try file.open(.existing)
        try database.write { writer in
            for number in 1...40 {
                _ = try writer.add(streamID: 1, record: record("p\(number)", at: Int64(number % 7)))
            }
        }
        try database.write { writer in
            try writer.deletePhotos(streamID: 1, ids: [PhotoID("p3")], now: 5)
            _ = try writer.move(streamID: 1, id: PhotoID("p9"), to: .before(PhotoID("p20")))
        }
        _ = try service.createToken(named: "phone", scope: .read, stream: nil, expiresAtMilliseconds: nil)
        let page = try service.read { session in
            try session.layout(LayoutKey(LayoutConfiguration(containerLength: 800)), of: stream).page(limit: 10)
        }
        try service.close()
        return (file, try #require(page.nextCursor))
    }

    private func allRows(_ file: TemporaryDatabase) throws -> [[[SharedValue]]] {
        let database = try file.open(.existing)
        return try database.read { reader in
            try SharedTable.allCases.map { try reader.rows(of: $0).values(columnCount: $0.columns.count) }
                + [try reader.changeRows().values(columnCount: SharedTable.changeColumns.count)]
        }
    }

    @Test func `a file is loaded into a primary and dumped again with everything`() throws {
        let (file, cursor) = try file()
        let primary = try TestPrimary()
        let early = try primary.replica()
        #expect(try PrimaryAdministration(primary.address).load(file.open(.existing)) == 39)
        let copy = try TemporaryDatabase(name: "other.sqlite")
        try ReplicaFile.dump(PostgresPrimary(primary.address), to: copy.path)
        #expect(try allRows(copy) == allRows(file))
        // The copy is an independent file, and cursors of the old one work.
        let service = try PhotoStreamService(path: copy.path, access: .existing) { 6 }
        let next = try service.read {
            try $0.layout(of: StreamName(stored: "s"), after: cursor).page(.after(cursor), limit: 10)
        }
        #expect(next.items.count == 10)
        try service.createStream(StreamName(stored: "t"))
        // A replica that followed before the load sees it.
        let follower = Follower(early.primary, of: early.database, name: "r")
        try follower.follow()
        #expect(try early.rows(.photo).count == 39)
        // New photos get ids and revisions after those of the file.
        let last = try early.database.read { try $0.currentRevision() }
        let added = try early.database.write { try $0.add(streamID: 1, record: record("new")) }
        #expect(added.rowID == 41)
        #expect(try early.database.read { try $0.currentRevision() } == last + 1)
        #expect(try PrimaryAdministration(primary.address).status().problems.isEmpty)
    }

    @Test func `a primary that has had photos refuses a file`() throws {
        let (file, _) = try file()
        let primary = try TestPrimary()
        try primary.addPhotos(1)
        let failure = #expect(throws: PrimaryError.self) {
            try PrimaryAdministration(primary.address).load(file.open(.existing))
        }
        #expect(failure?.message.hasSuffix("has had photos already; load a file into a new database") == true)
        #expect(try primary.psql("SELECT count(*) FROM photo") == "1")
        #expect(try PrimaryAdministration(primary.address).status().problems.isEmpty)
    }

    @Test func `a file that is not a replica is refused`() throws {
        let (file, _) = try file()
        let primary = try TestPrimary()
        let failure = #expect(throws: StorageError.self) {
            try ReplicaFile.prepare(file.path, of: PostgresPrimary(primary.address))
        }
        #expect(failure?.message.contains("is a file of its own, not a replica") == true)
    }

    @Test func `an existing replica is served while the primary is away, a missing one is not created`() throws {
        let server = try PostgresServer()
        let primary = try TestPrimary(on: server)
        try primary.addPhotos(1)
        let replica = try Replica(of: primary.address)
        server.stop()
        try ReplicaFile.prepare(replica.temporary.path, of: PostgresPrimary(primary.address))
        let missing = "\(replica.temporary.folder)/missing.sqlite"
        #expect(throws: PrimaryError.self) { try ReplicaFile.prepare(missing, of: PostgresPrimary(primary.address)) }
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: replica.temporary.folder).allSatisfy {
                $0.hasPrefix("photos.sqlite")
            })
    }

    @Test(arguments: [
        ("", "the database has no PhotoStream tables; run `photostream primary init`"),
        (
            "CREATE SCHEMA photostream; CREATE TABLE photostream.migration (name text, script text); INSERT INTO photostream.migration VALUES ('P999_later', '')",
            "the database has P999_later of a newer version of PhotoStream; update this one first"
        ),
        (
            "CREATE SCHEMA photostream; CREATE TABLE photostream.migration (name text, script text); INSERT INTO photostream.migration VALUES ('P001_primary', 'other')",
            "the database was created with another P001_primary than this version has"
        ),
    ])
    func `a database of another version is refused`(sql: String, message: String) throws {
        let server = try PostgresServer.shared.get()
        let address = try server.createDatabase()
        if !sql.isEmpty { try server.psql(sql, database: String(address.split(separator: "/").last ?? "")) }
        let failure = #expect(throws: PrimaryError.self) {
            try PrimaryAdministration(PrimaryAddress(address)).status()
        }
        #expect(failure?.message == message)
    }

    @Test(arguments: [
        ("mysql://x", "the address of a primary begins with postgres://"),
        ("postgres://u:secret@h/d?nonsense=1", "the address of the primary cannot be read"),
        ("postgres://u:secret@a:1,b:2/d?port=1,2,3", "the address of the primary does not have a port for each host"),
    ])
    func `an invalid address is refused without repeating its password`(text: String, message: String) {
        let failure = #expect(throws: PrimaryError.self) { try PrimaryAddress(text) }
        #expect(failure?.message == message)
    }

    @Test func `servers without a port use PostgreSQL's`() throws {
        let address = try PrimaryAddress("postgres://u@127.0.0.1,127.0.0.2:1/d?connect_timeout=1")
        #expect(address.servers.map { $0.options.first { $0.0 == "port" }?.1 } == ["5432", "1"])
        let both = try PrimaryAddress("postgres://u@127.0.0.1,127.0.0.2/photos-no-such-database?connect_timeout=1")
        let failure = #expect(throws: PrimaryError.self) { try PrimaryConnection(both, within: .seconds(2)) }
        let message = failure?.message ?? ""
        #expect(message.matches(of: /port 5432 failed/).count == 2, "\(message)")
    }

    @Test func `descriptions and errors do not contain the password`() throws {
        let address = try PrimaryAddress("postgres://u:secret@127.0.0.1:1/d?connect_timeout=1")
        #expect("\(address)" == "postgres://u@127.0.0.1:1/d")
        let several = try PrimaryAddress("postgres://u:secret@a:1,[::1]:2,c/d?target_session_attrs=read-write")
        #expect(
            several.servers.map(\.description) == ["postgres://u@a:1/d", "postgres://u@::1:2/d", "postgres://u@c/d"])
        #expect("\(several)" == "postgres://u@a:1,::1:2,c/d")
        let failure = #expect(throws: PrimaryError.self) { try PrimaryAdministration(address) }
        #expect(failure?.message.contains("secret") == false)
    }
}
