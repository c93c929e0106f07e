import GRDB
import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamStorage

/// Files from before rating, title and camera.
@Suite struct FieldMigrationTests {
    private let temporary: TemporaryDatabase

    init() throws {
        temporary = try TemporaryDatabase()
    }

    /// Applies the migrations before one of them.
    private func create(before end: String) throws {
        try OlderFile.create(at: temporary.path, before: end) { database in
            try database.execute(
                sql: """
                    INSERT INTO stream (id, name, createdAtMilliseconds) VALUES (1, 'one', 0);
                    INSERT INTO photo (streamId, externalId, width, height, caption, captionSource, editedFields)
                    VALUES (1, 'a', 4, 3, 'x', 1, 8), (1, 'b', 4, 3, NULL, NULL, 0);
                    """)
        }
    }

    @Test func `photos of a file without the fields remain, without values, and accept them`() throws {
        try create(before: "V011")
        let database = try PhotoDatabase(path: temporary.path, access: .existing)
        defer { try? database.close() }
        let revision = try database.read { try $0.lastRevision(streamID: 1) }
        #expect(revision?.rawValue == 2, "the migration logs nothing")
        let photo = try #require(try database.read { try $0.photo(streamID: 1, id: PhotoID(stored: "a")) }?.photo)
        var expected = Photo(id: PhotoID(stored: "a"))
        expected.pixelSize = try PixelSize(width: 4, height: 3)
        expected.metricsSource = .measured
        (expected.caption, expected.captionSource) = ("x", .person)
        expected.editedFields = [.text(.caption)]
        #expect(photo == expected)
        var record = PhotoRecord(id: photo.id)
        (record.rating, record.title, record.camera) = (.set(-1), .set("A title"), .set("A camera"))
        let edited = try database.write { try $0.edit(streamID: 1, record: record) }?.photo
        #expect(edited?.rating == -1 && edited?.title == "A title" && edited?.camera == "A camera")
        #expect(try database.read { try $0.lastRevision(streamID: 1)?.rawValue } == 3)
        #expect(try database.read { try $0.fileProblems() } == [])
    }

    @Test func `the file checks a rating`() throws {
        let database = try PhotoDatabase(path: temporary.path, access: .readWrite)
        defer { try? database.close() }
        let stream = try database.write { try $0.createStream(named: StreamName("s"), now: 0) }
        for (rating, isValid) in [(-2, false), (-1, true), (5, true), (6, false)] {
            let sql = """
                INSERT INTO photo (streamId, externalId, width, height, rating)
                VALUES (\(stream.id), '\(rating)', 4, 3, \(rating))
                """
            let isStored = (try? database.write { try $0.database.execute(sql: sql) }) != nil
            #expect(isStored == isValid, "\(rating)")
        }
    }

    @Test func `a file of version 0.1.0 gets the fields, too`() throws {
        let old = try DatabaseQueue(path: temporary.path)
        try old.inDatabase { try $0.execute(sql: OldFile.sql) }
        try old.close()
        let database = try temporary.open(.existing)
        let stream = try #require(try database.read { try $0.stream(named: StreamName(OldFile.stream)) })
        let page = try database.read { try $0.photos(streamID: stream.id, after: nil, limit: 1) }
        let photo = try #require(page.first?.photo)
        #expect(photo.title == nil && photo.camera == nil && photo.rating == nil)
        var record = PhotoRecord(id: photo.id)
        (record.rating, record.title) = (.set(5), .set("A title"))
        let edited = try database.write { try $0.edit(streamID: stream.id, record: record) }?.photo
        #expect(edited?.rating == 5 && edited?.title == "A title")
        #expect(try database.read { try $0.fileProblems() } == [])
    }
}
