import PhotoStreamModel
import PhotoStreamService
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamPrimary
@testable import PhotoStreamStorage

/// Kept views of a primary, and of its replicas.
@Suite(.enabled(if: PostgresServer.isAvailable))
struct KeptViewPrimaryTests {
    private static let view = StreamName(stored: "kept")
    private static let insert = "INSERT INTO stream (id, name, createdAtMilliseconds, sourceId, rule)"

    @Test func `replicas get kept views, their changes and their deletion`() throws {
        let fixture = try TestPrimary()
        try fixture.addPhotos(3)
        let (first, second) = (try fixture.replica(), try fixture.replica())
        let service = try PhotoStreamService(path: first.temporary.path, access: .existing, primary: first.primary) {
            1
        }
        defer { try? service.close() }
        try service.createView(Self.view, of: StreamName("s"), where: Condition(parsing: "-name:x"), description: "All")
        try second.pull()
        #expect(try second.rows(.stream) == first.rows(.stream) && second.rows(.stream).count == 2)
        #expect(
            try fixture.psql("SELECT sourceId, rule, description FROM stream WHERE name = 'kept'") == "1|-name:x|All")
        try fixture.psql("UPDATE stream SET rule = 'name:p1', description = NULL WHERE name = 'kept'")
        try second.pull()
        let kept = try second.database.read { try $0.stream(named: Self.view)?.kept }
        #expect(kept?.sourceID == 1 && kept?.rule == "name:p1" && kept?.description == nil)
        let fresh = try fixture.replica()
        #expect(try fresh.rows(.stream) == second.rows(.stream))
        // Both at once, in any order.
        try fixture.psql("DELETE FROM stream")
        for replica in [first, second, fresh] {
            try replica.pull()
            #expect(try replica.rows(.stream) == [] && replica.rows(.photo) == [])
            #expect(try replica.database.read { try $0.skippedRows() } == [])
        }
    }

    @Test func `a kept view whose row comes before that of its source reaches replicas`() throws {
        let fixture = try TestPrimary()
        let replica = try fixture.replica()
        try fixture.psql("\(Self.insert) VALUES (7, 's', 0, NULL, NULL), (5, 'kept', 0, 7, 'a')")
        try replica.pull()
        for file in [replica, try fixture.replica()] {
            #expect(try file.database.read { try $0.streamsAndViews().map(\.id) } == [5, 7])
            #expect(try file.database.read { try $0.skippedRows() } == [])
        }
        try fixture.psql("DELETE FROM stream WHERE id = 5; DELETE FROM stream WHERE id = 7")
        try replica.pull()
        #expect(try replica.rows(.stream) == [])
    }

    @Test(arguments: [
        ("INSERT INTO photo (streamId, externalId, width, height) VALUES (2, 'x', 1, 1)", "a kept view has no photos"),
        ("UPDATE photo SET streamId = 2", "a kept view has no photos of its own"),
        ("DELETE FROM stream WHERE id = 1", "keptviewhassource"),
        ("UPDATE stream SET sourceId = NULL, rule = NULL WHERE id = 2", "the source of a kept view is chosen when"),
        ("\(insert) VALUES (9, 'v', 0, 2, 'a')", "the source of a kept view is a stream in the same order"),
        ("\(insert) VALUES (9, 'v', 0, 1, NULL)", "stream_"),
    ])
    func `every program is refused what a kept view cannot have`(sql: String, message: String) throws {
        let fixture = try TestPrimary()
        try fixture.addPhotos(1)
        try fixture.psql("\(Self.insert) VALUES (2, 'kept', 0, 1, 'a')")
        let error = #expect(throws: PrimaryError.self) {
            try fixture.session().run([PrimaryStatement(sql: sql)], within: .seconds(10))
        }
        #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    }
}
