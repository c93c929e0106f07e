import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamStorage
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamService

/// Conditions are decided by attributes that are made once and stored, and never by those of other photos.
@Suite(.withoutPrimary) struct StoredAttributesTests {
    private static let conditions = [
        "rating:>=3", "tag:sea -camera:fuji", "folder:2019 OR type:png", "has:title", "is:edited",
        "within:-60,-120,60,120",
    ]
    private static let chunkSize = ChunkSize(minimum: 8, target: 16, maximum: 32)

    private let gallery: Gallery
    private let key: LayoutKey

    init() throws {
        var random = SplitMix64(seed: 31)
        gallery = try Gallery(chunkSize: Self.chunkSize)
        try gallery.insert(320, using: &random)
        try gallery.shell(
            """
            UPDATE photo SET rating = id % 6, camera = CASE id % 3 WHEN 0 THEN 'Fuji X' END,
                tags = CASE id % 4 WHEN 0 THEN '["sea"]' WHEN 1 THEN '["sea","boat"]' END,
                location = CASE id % 2 WHEN 0 THEN '2019/' || id || '.png' ELSE 'b.jpg' END,
                title = CASE id % 5 WHEN 0 THEN 'T' END, editedFields = CASE id % 7 WHEN 0 THEN 1 ELSE 0 END
            """)
        key = try LayoutKey(SampleLayouts.configurations[0])
    }

    /// The photos of a view.
    private func ids(_ text: String, _ service: PhotoStreamService) throws -> [PhotoID] {
        let condition = try Condition(parsing: text)
        return try service.read { session in
            let layout = try session.layout(key, of: Gallery.stream, where: condition)
            return try layout.page(limit: 1_000).items.map(\.photo.id)
        }
    }

    /// Compares all conditions with a filter of the rows.
    private func check(_ services: PhotoStreamService..., comment: String = "") throws {
        let photos = try gallery.photos()
        for text in Self.conditions {
            let condition = try Condition(parsing: text)
            let expected = photos.filter { photo in
                condition.matches(
                    ConditionSubject(photo, in: Gallery.stream, today: CivilDate(daysSince1970: 0)))
            }
            for service in services { #expect(try ids(text, service) == expected.map(\.id), "\(text), \(comment)") }
        }
    }

    private func another(_ access: FileAccess = .existing) throws -> PhotoStreamService {
        try gallery.anotherService(access, chunkSize: Self.chunkSize)
    }

    private func count(_ table: String) throws -> Int? {
        Int(try gallery.shellOutput("SELECT count(*) FROM \(table)").dropLast())
    }

    @Test func `attributes are made once, and the next process reads them`() throws {
        let service = try another()
        try check(service)
        #expect(service.work.packedChunkCount == 20)
        #expect(try count("chunkAttributes") == 0)
        try service.storeDerived()
        #expect(try count("chunk") == 20)
        #expect(try count("chunkAttributes") == 20)
        try check(service)
        let next = try another()
        try check(next)
        #expect(service.work.packedChunkCount == 20)
        #expect(next.work.packedChunkCount == 0)
        #expect(try next.verifyDerived().differences == [])
    }

    @Test func `attributes are made in advance, also in place of those of another version`() throws {
        let service = try another()
        _ = try service.warm(Gallery.stream, layout: key)
        #expect(try count("chunkAttributes") == 0)
        while try service.packSomeAttributes() {}
        #expect(try count("chunkAttributes") == 20)
        try gallery.shell(
            "UPDATE chunkAttributes SET attributes = CAST(x'01' || substr(attributes, 2) AS BLOB) WHERE chunkId % 2 = 0"
        )
        let next = try another()
        while try next.packSomeAttributes() {}
        #expect(next.work.packedChunkCount == 10)
        #expect(try !next.packSomeAttributes())
        let last = try another()
        try check(last)
        #expect(last.work.packedChunkCount == 0)
        #expect(try !another(.readOnly).packSomeAttributes())
    }

    @Test func `a condition without terms about attributes makes none`() throws {
        let service = try another()
        _ = try ids("caption", service)
        _ = try ids("name:b", service)
        _ = try ids("stream:gallery", service)
        try service.storeDerived()
        #expect(service.work.packedChunkCount == 0)
        #expect(try count("chunkAttributes") == 0)
    }

    @Test func `a file that is open for reading only answers from rows and stores nothing`() throws {
        let service = try another(.readOnly)
        try check(service)
        try service.storeDerived()
        #expect(try count("chunkAttributes") == 0)
    }

    @Test(arguments: [
        "UPDATE photo SET rating = 5 - rating WHERE id % 9 = 0",
        "UPDATE photo SET tags = '[\"sea\"]' WHERE id = 33",
        "UPDATE photo SET editedFields = 1, camera = 'Fuji Y', title = NULL WHERE id BETWEEN 60 AND 90",
        "UPDATE photo SET location = '2019/x.png' WHERE id = 100",
        "UPDATE photo SET latitude = 1, longitude = 2 WHERE id = 101",
        "UPDATE photo SET id = id + 1000 WHERE id = 50",
        "UPDATE photo SET id = 9999 WHERE id = 61; UPDATE photo SET id = 61 WHERE id = 62; UPDATE photo SET id = 62 WHERE id = 9999",
        "REPLACE INTO photo (streamId, externalId, width, height, rating) VALUES (1, 'photo-70', 40, 30, 5)",
        "REPLACE INTO photo (id, streamId, externalId, width, height, rating) VALUES (71, 1, 'other', 40, 30, 5)",
        "DELETE FROM photo WHERE id = 80; INSERT INTO photo (id, streamId, externalId, width, height) VALUES (80, 1, 'new', 3, 4)",
        "DELETE FROM photo WHERE id % 2 = 0",
        "UPDATE photo SET rating = rating",
        "DELETE FROM change; UPDATE photo SET rating = 5 - rating WHERE id < 100",
    ])
    func `attributes of chunks that the log has named are not used`(edit: String) throws {
        let (first, second) = (try another(), try another())
        try check(first)
        try first.storeDerived()
        try check(second)
        try gallery.shell(edit)
        try check(first, second, try another(), try another(.readOnly))
        // The second process stores the chunks, and the first attributes of chunks that it no longer knows.
        try second.storeDerived()
        try first.storeDerived()
        let third = try another()
        try check(first, second, third, comment: "after storing")
        #expect(try third.verifyDerived().differences == [])
        try third.storeDerived()
        #expect(try count("chunkAttributes") == count("chunk"))
        let last = try another()
        try check(last)
        #expect(last.work.packedChunkCount == 0)
        #expect(try last.verifyDerived().differences == [])
    }

    @Test func `after an edit of one photo, only its row is read again`() throws {
        let service = try another()
        _ = try ids("rating:5", service)
        try service.storeDerived()
        try gallery.shell("UPDATE photo SET rating = 5 WHERE id = 40")
        _ = try ids("rating:5", service)
        try service.storeDerived()
        _ = try ids("rating:5", service)
        _ = try ids("rating:4", service)
        #expect(service.work.packedChunkCount == 20)
        #expect(try count("chunkAttributes") == 20)
        try check(service, try another())
    }

    @Test func `chunks that are rebuilt in slices lose their attributes`() throws {
        let service = try another()
        try check(service)
        try service.storeDerived()
        // Some chunks change, and others are only named by the log.
        try gallery.shell(
            """
            UPDATE photo SET rating = 5 - rating;
            UPDATE photo SET width = width - 1
            WHERE width > 2 AND height < 500 * width AND id IN (SELECT id FROM photo ORDER BY orderTime LIMIT 160)
            """)
        let chunks = try service.database.read { try $0.streamChunks(1) }
        #expect(try service.database.store(chunks, chunksPerSlice: 3) != nil)
        #expect(try count("chunkAttributes") == 0)
        try check(service, try another())
        try service.storeDerived()
        #expect(try service.verifyDerived().differences == [])
    }

    @Test(arguments: [
        "UPDATE chunkAttributes SET attributes = zeroblob(length(attributes))",
        "UPDATE chunkAttributes SET attributes = x''",
        "UPDATE chunkAttributes SET checksum = checksum + 1",
        "UPDATE chunkAttributes SET attributes = (SELECT attributes FROM chunkAttributes WHERE chunkId = 3), checksum = (SELECT checksum FROM chunkAttributes WHERE chunkId = 3)",
    ])
    func `damaged attributes are found and made again`(damage: String) throws {
        let service = try another()
        try check(service)
        try service.storeDerived()
        try gallery.shell(damage)
        let next = try another()
        let differences = try next.verifyDerived().differences
        #expect(differences.count == 1)
        #expect(differences[0].hasPrefix("rows of chunkAttributes with a wrong checksum: "))
        try check(next, try another(.readOnly))
        try next.storeDerived()
        #expect(try next.verifyDerived().differences == [])
    }

    @Test func `attributes of other photos with a right checksum are found`() throws {
        let service = try another()
        try check(service)
        try service.storeDerived()
        let chunks = try service.database.read { try $0.streamChunks(1) }
        let wrong = Array(repeating: Photo(id: try PhotoID("a")), count: chunks.chunks[4].count)
        let id = try #require(chunks.chunks[4].id)
        #expect(try service.database.write { try $0.store([id: ChunkAttributes(wrong)], of: chunks) })
        #expect(
            try service.verifyDerived().differences == [
                "gallery: the attributes of chunk 4 are not those of its photos"
            ])
        try service.clearDerived()
        #expect(try count("chunkAttributes") == 0)
        try check(service)
    }

    @Test func `attributes of chunks that another process has replaced are not stored`() throws {
        let service = try another()
        let chunks = try service.database.read { try $0.streamChunks(1) }
        let stored = try #require(try service.database.store(chunks))
        let photos = try gallery.photos()
        let attributes = ChunkAttributes(Array(photos[..<stored.chunks[0].count]))
        let id = try #require(stored.chunks[0].id)
        #expect(try service.database.write { try $0.store([id: attributes], of: stored) })
        try gallery.shell("UPDATE photo SET rating = 5 WHERE id = 1")
        let other = try another()
        try check(other)
        try other.storeDerived()
        #expect(try !service.database.write { try $0.store([id: attributes], of: stored) })
        #expect(try !service.database.write { try $0.store([id: attributes], of: chunks) })
        #expect(try service.verifyDerived().differences == [])
    }
}
