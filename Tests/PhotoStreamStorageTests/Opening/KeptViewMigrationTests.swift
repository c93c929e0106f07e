import GRDB
import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamStorage

/// Rows of kept views, and files from before them.
@Suite struct KeptViewMigrationTests {
    private let temporary: TemporaryDatabase

    init() throws {
        temporary = try TemporaryDatabase(name: "old.sqlite")
        try OlderFile.create(at: temporary.path, before: "V033") { database in
            try database.execute(
                sql: """
                    INSERT INTO stream (id, name, createdAtMilliseconds, streamOrder) VALUES (1, 'one', 0, 1), (2, 'two', 0, 0);
                    INSERT INTO photo (id, streamId, streamOrder, externalId, width, height) VALUES (1, 1, 1, 'a', 4, 3);
                    """)
        }
    }

    private func opened() throws -> PhotoDatabase {
        let database = try temporary.open(.existing)
        try database.write { writer in
            let source = try #require(try writer.reader.stream(id: 1))
            try writer.createView(named: StreamName("kept"), of: source, rule: "a", description: nil, now: 5)
        }
        return database
    }

    @Test(.withoutPrimary) func `streams of an older file are no kept views, opened for reading and after an update`()
        throws
    {
        let old = try temporary.open(.readOnly)
        let before = try old.read { try $0.streamsAndViews() }
        try old.close()
        let database = try temporary.open(.existing)
        let streams = try database.read { try $0.streams() }
        #expect(streams.map(\.name.rawValue) == ["one", "two"] && streams.allSatisfy { $0.kept == nil })
        #expect(before == streams)
        #expect(try database.read { try $0.fileProblems() } == [])
    }

    @Test(.withoutPrimary) func `a kept view has the order of its stream, and is not among the streams`() throws {
        let database = try opened()
        try database.read { reader in
            let view = try #require(try reader.stream(named: StreamName("kept")))
            #expect(view.kept?.sourceID == 1 && view.kept?.rule == "a" && view.kept?.description == nil)
            #expect(view.order == .oldest)
            #expect(try reader.streams().map(\.id) == [1, 2] && reader.keptViews(of: 1).map(\.id) == [view.id])
            #expect(try reader.streamsAndViews(after: "", of: 1, limit: 9).map(\.name.rawValue) == ["kept", "one"])
            #expect(try reader.streamsAndViews(after: "", of: view.id, limit: 9).map(\.id) == [view.id])
            #expect(try reader.streamsAndViews(after: "kept", of: nil, limit: 1).map(\.id) == [1])
            #expect(try reader.fileProblems() == [])
        }
    }

    @Test(
        .withoutPrimary,
        arguments: [
            (
                "INSERT INTO photo (streamId, streamOrder, externalId, width, height) VALUES (3, 1, 'x', 1, 1)",
                "a kept view has no photos of its own; add the photo to the stream that it shows"
            ),
            (
                "UPDATE photo SET streamId = 3",
                "a kept view has no photos of its own; move the photo to the stream that it shows"
            ),
            ("DELETE FROM stream WHERE id = 1", "a kept view shows photos of the stream; delete the view first"),
            ("UPDATE stream SET sourceId = 2 WHERE id = 3", "the source of a kept view is chosen when it is created"),
            (
                "UPDATE stream SET sourceId = 2, rule = 'a' WHERE id = 1",
                "the source of a kept view is chosen when it is created"
            ),
            (
                "INSERT INTO stream (name, createdAtMilliseconds, streamOrder, sourceId, rule) VALUES ('v', 0, 1, 3, 'a')",
                "the source of a kept view is a stream in the same order"
            ),
            (
                "INSERT INTO stream (name, createdAtMilliseconds, streamOrder, sourceId, rule) VALUES ('v', 0, 0, 1, 'a')",
                "the source of a kept view is a stream in the same order"
            ),
        ])
    func `every program is refused what a kept view cannot have`(sql: String, message: String) throws {
        try opened().close()
        let queue = try DatabaseQueue(path: temporary.path)
        let error = #expect(throws: DatabaseError.self) { try queue.write { try $0.execute(sql: sql) } }
        #expect(error?.message == message)
    }

    @Test(
        .withoutPrimary,
        arguments: [
            "rule = NULL", "rule = ''", "description = ''", "rule = printf('%01001d', 0)",
            "description = printf('%02001d', 0)",
        ])
    func `the columns are checked`(change: String) throws {
        try opened().close()
        let queue = try DatabaseQueue(path: temporary.path)
        let error = #expect(throws: DatabaseError.self) {
            try queue.write { try $0.execute(sql: "UPDATE stream SET \(change) WHERE id = 3") }
        }
        #expect(error?.extendedResultCode == .SQLITE_CONSTRAINT_CHECK)
    }
}
