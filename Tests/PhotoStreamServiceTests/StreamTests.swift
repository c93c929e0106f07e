import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamTestSupport
import Testing

/// Streams as a whole: how many photos they have, and how they go.
@Suite struct StreamTests {
    private static let key = SampleLayouts.configurations[0]

    private func expectCount(_ gallery: Gallery, _ comment: Comment) throws {
        let counted = try gallery.shellOutput("SELECT count(*) FROM photo WHERE streamId = 1")
        #expect("\(try gallery.service.read { try $0.stream(Gallery.stream) }.count)\n" == counted, comment)
        #expect(
            try gallery.service.read { try $0.streams() }.first { $0.name == Gallery.stream }?.count
                == Int(counted.dropLast()))
    }

    @Test func `a stream's count is correct after a write by any process`() throws {
        var random = SplitMix64(seed: 77)
        let gallery = try Gallery()
        try expectCount(gallery, "without photos")
        try gallery.insert(900, using: &random)
        try expectCount(gallery, "before any chunk")
        _ = try gallery.service.warm(Gallery.stream, layout: try LayoutKey(Self.key))
        try expectCount(gallery, "with chunks")
        let writes = [
            "DELETE FROM photo WHERE id % 7 = 0",
            "INSERT INTO photo (streamId, externalId, width, height) VALUES (1, 'new', 4, 3)",
            "INSERT OR REPLACE INTO photo (streamId, externalId, width, height) VALUES (1, 'new', 5, 3)",
            "INSERT INTO stream (name, createdAtMilliseconds) VALUES ('another', 0)",
            "UPDATE photo SET streamId = 2 WHERE id BETWEEN 100 AND 200",
            "UPDATE photo SET streamId = 1 WHERE id = 150",
            "UPDATE photo SET width = 77 WHERE id = 300",
        ]
        for write in writes {
            try gallery.shell(write)
            try expectCount(gallery, "after \(write)")
            _ = try gallery.service.warm(Gallery.stream, layout: try LayoutKey(Self.key))
            try expectCount(gallery, "after \(write), with chunks")
        }
        try gallery.shell("DELETE FROM change; DELETE FROM photo WHERE id % 5 = 0")
        try expectCount(gallery, "with a log that begins again")
    }

    @Test func `the count of a stream with up-to-date chunks is theirs`() throws {
        var random = SplitMix64(seed: 78)
        let gallery = try Gallery()
        try gallery.insert(50, using: &random)
        _ = try gallery.service.warm(Gallery.stream, layout: try LayoutKey(Self.key))
        // Without the log, so that a count of the rows would give 49.
        try gallery.shell("DROP TRIGGER photoDeleted; DELETE FROM photo WHERE id = 50")
        #expect(try gallery.service.read { try $0.stream(Gallery.stream) }.count == 50)
        // A write to another stream leaves it so, one to this stream has the photos counted.
        try gallery.service.createStream(StreamName("another"))
        try gallery.shell("INSERT INTO photo (streamId, externalId, width, height) VALUES (2, 'a', 4, 3)")
        #expect(try gallery.service.read { try $0.stream(Gallery.stream) }.count == 50)
        try gallery.shell("UPDATE photo SET width = 78 WHERE id = 3")
        #expect(try gallery.service.read { try $0.stream(Gallery.stream) }.count == 49)
    }

    @Test(.withoutPrimary) func `a page from the end has the photos of a file with fewer than its chunks`() throws {
        var random = SplitMix64(seed: 81)
        let gallery = try Gallery()
        try gallery.insert(50, using: &random)
        let key = try LayoutKey(
            LayoutConfiguration(
                containerLength: 600, algorithm: .masonry(MasonryParameters(columns: .count(3), anchor: .end))))
        _ = try gallery.service.warm(Gallery.stream, layout: key)
        // Without the log, so that the chunks keep the photos that are gone.
        try gallery.shell("DROP TRIGGER photoDeleted; DELETE FROM photo WHERE id > 20")
        for withPhotos in [false, true] {
            let page = try gallery.service.read {
                try $0.layout(key, of: Gallery.stream).page(limit: 40, withPhotos: withPhotos)
            }
            #expect(page.frames.count == 20 && page.items.count == (withPhotos ? 20 : 0))
        }
    }

    @Test(.withoutPrimary) func `deleting a stream deletes all its data and no other`() throws {
        var random = SplitMix64(seed: 79)
        let gallery = try Gallery()
        try gallery.insert(700, using: &random)
        _ = try gallery.service.warm(Gallery.stream, layout: try LayoutKey(Self.key))
        try gallery.service.createStream(StreamName("another"))
        try gallery.shell("UPDATE photo SET streamId = 2 WHERE id % 7 = 0")
        _ = try gallery.service.warm(StreamName("another"), layout: try LayoutKey(Self.key))
        #expect(throws: StreamServiceError.streamNotEmpty("gallery", count: 600)) {
            try gallery.service.deleteStream(Gallery.stream, evenWithPhotos: false)
        }
        #expect(try gallery.service.read { try $0.stream(Gallery.stream) }.count == 600)
        #expect(try gallery.service.deleteStream(Gallery.stream, evenWithPhotos: true) == 600)
        #expect(try gallery.service.read { try $0.streams() }.map(\.name.rawValue) == ["another"])
        #expect(try gallery.service.read { try $0.streams() }.map(\.count) == [100])
        let rows = try gallery.shellOutput(
            """
            SELECT (SELECT count(*) FROM photo), (SELECT count(*) FROM layout), (SELECT count(*) FROM streamIndex),
                (SELECT count(*) FROM chunk WHERE streamId <> 2),
                (SELECT count(*) FROM chunkContent WHERE chunkId NOT IN (SELECT id FROM chunk)),
                (SELECT count(*) FROM chunkAttributes WHERE chunkId NOT IN (SELECT id FROM chunk)),
                (SELECT count(*) FROM layoutChunk WHERE layoutId NOT IN (SELECT id FROM layout))
            """)
        #expect(rows == "100|1|1|0|0|0|0\n")
        #expect(try gallery.service.verifyDerived().differences.isEmpty)
        #expect(throws: StreamServiceError.unknownStream("gallery")) {
            try gallery.service.deleteStream(Gallery.stream, evenWithPhotos: true)
        }
    }
}
