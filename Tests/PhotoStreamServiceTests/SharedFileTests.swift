import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamTestSupport
import Testing

/// Two services hold one file, and each notices what the other has stored, dropped and changed.
@Suite struct SharedFileTests {
    private let gallery: Gallery
    private let key: LayoutKey
    private let everything = Rect(x: 0, y: 0, width: 1e6, height: 1e12)

    init() throws {
        var random = SplitMix64(seed: 21)
        gallery = try Gallery()
        try gallery.insert(6_000, using: &random)
        key = try LayoutKey(SampleLayouts.configurations[0])
        _ = try gallery.service.warm(Gallery.stream, layout: key)
    }

    @Test func `a layout in memory is not used if another process has stored one of an older state`() throws {
        let (first, second) = (try gallery.anotherService(), try gallery.anotherService())
        let original = try first.read { try $0.photo(PhotoID("photo-5000"), of: Gallery.stream) }.pixelSize
        try gallery.shell("UPDATE photo SET width = 20, height = 3999 WHERE externalId = 'photo-5000'")
        _ = try second.read { try $0.layout(key, of: Gallery.stream).summary() }
        try gallery.shell(
            "UPDATE photo SET width = \(original.width), height = \(original.height) WHERE externalId = 'photo-5000'")
        let expected = try first.read { try $0.layout(key, of: Gallery.stream).locate(PhotoID("photo-5000")) }
        try second.storeDerived()
        #expect(try first.read { try $0.layout(key, of: Gallery.stream).locate(PhotoID("photo-5000")) } == expected)
        #expect(try first.verifyDerived().differences == [])
    }

    @Test func `a layout that another process has cleared is computed again`() throws {
        let (first, second) = (try gallery.anotherService(), try gallery.anotherService())
        let expected = try first.read { try $0.layout(key, of: Gallery.stream).rect(.first(in: everything)) }
        try second.clearDerived()
        #expect(try first.read { try $0.layout(key, of: Gallery.stream).rect(.first(in: everything)) } == expected)
        _ = try second.warm(Gallery.stream, layout: key)
        #expect(try first.read { try $0.layout(key, of: Gallery.stream).rect(.first(in: everything)) } == expected)
    }

    @Test(arguments: [
        "UPDATE layoutChunk SET advance = 9223372036854775807",
        "UPDATE layoutChunk SET greatestEnd = 9223372036854775807, longestItem = 9223372036854775807",
        "UPDATE layoutChunk SET sections = x'ff'",
        "UPDATE layoutChunk SET leastTop = 9223372036854775807",
        "UPDATE layoutChunk SET placedCount = 9223372036854775807",
        "UPDATE layoutChunk SET placedCount = 0",
        "UPDATE layoutChunk SET exitState = x'00'",
        "UPDATE layoutChunk SET exitState = x''",
        "UPDATE layoutFrames SET frames = x'00'",
        "DELETE FROM layoutFrames",
        "DELETE FROM layoutChunk WHERE chunkId = 2",
        "DELETE FROM chunk WHERE id = 2",
        "DELETE FROM chunk",
        "UPDATE chunk SET photoCount = photoCount + 1 WHERE id = 1",
        "DELETE FROM streamIndex",
        "UPDATE streamIndex SET photoCount = 7",
        "UPDATE chunkContent SET metrics = zeroblob(length(metrics))", "UPDATE chunkContent SET metrics = zeroblob(1)",
        "UPDATE chunkContent SET rowIds = zeroblob(3)", "DELETE FROM chunkContent",
        "UPDATE chunkContent SET metrics = (SELECT metrics FROM chunkContent WHERE chunkId = 1)",
    ])
    func `a damaged derived row is detected and rebuilt`(damage: String) throws {
        let expected = try gallery.service.read { try $0.layout(key, of: Gallery.stream).rect(.first(in: everything)) }
        let content = try gallery.service.read { try $0.layout(key, of: Gallery.stream).summary() }.context.contentSize
        try gallery.shell(damage)
        let service = try gallery.anotherService()
        #expect(try service.read { try $0.layout(key, of: Gallery.stream).rect(.first(in: everything)) } == expected)
        #expect(try service.read { try $0.layout(key, of: Gallery.stream).summary() }.context.contentSize == content)
        #expect(
            try service.read { try $0.layout(key, of: Gallery.stream).item(at: 5_999) }.item.attributes.index == 5_999)
        let reader = try gallery.anotherService(.readOnly)
        #expect(try reader.read { try $0.layout(key, of: Gallery.stream).rect(.first(in: everything)) } == expected)
        // Damaged data are stored again, correctly.
        try service.storeDerived()
        try service.clearDerived()
        _ = try service.warm(Gallery.stream, layout: key)
        #expect(try service.verifyDerived().differences == [])
    }

    @Test func `damage that is found during a read is repaired by the same process`() throws {
        let expected = try gallery.service.read { try $0.layout(key, of: Gallery.stream).rect(.first(in: everything)) }
        try gallery.shell("UPDATE chunkContent SET metrics = zeroblob(length(metrics))")
        let service = try gallery.anotherService()
        #expect(try service.read { try $0.layout(key, of: Gallery.stream).rect(.first(in: everything)) } == expected)
        #expect(try !service.verifyDerived().differences.isEmpty)
        try service.storeDerived()
        #expect(try service.verifyDerived().differences == [])
        #expect(
            try gallery.anotherService().read { try $0.layout(key, of: Gallery.stream).rect(.first(in: everything)) }
                == expected)
    }

    @Test func `an emptied log does not hide changes`() throws {
        try gallery.shell("DELETE FROM change; DELETE FROM photo WHERE id > 100")
        #expect(try gallery.anotherService().read { try $0.layout(key, of: Gallery.stream).summary() }.count == 100)
        #expect(try gallery.service.read { try $0.layout(key, of: Gallery.stream).summary() }.count == 100)
    }

    @Test func `a bulk change without geometry folds nothing`() throws {
        var random = SplitMix64(seed: 22)
        try gallery.insert(20_000, using: &random)
        _ = try gallery.service.warm(Gallery.stream, layout: key)
        let before = gallery.service.work.foldedChunkCount
        try gallery.shell("UPDATE photo SET alt = 'the same for all'")
        _ = try gallery.service.warm(Gallery.stream, layout: key)
        #expect(gallery.service.work.foldedChunkCount == before)
        #expect(try gallery.service.verifyDerived().differences == [])
    }

    @Test func `all layouts requested after an edit are stored, not only the first`() throws {
        let other = try LayoutKey(SampleLayouts.configurations[1])
        _ = try gallery.service.warm(Gallery.stream, layout: other)
        try gallery.shell("DELETE FROM photo WHERE externalId = 'photo-1'")
        _ = try gallery.service.read { try $0.layout(key, of: Gallery.stream).summary() }
        _ = try gallery.service.read { try $0.layout(other, of: Gallery.stream).summary() }
        try gallery.service.storeDerived()
        let reader = try gallery.anotherService()
        _ = try reader.read { try $0.layout(key, of: Gallery.stream).summary() }
        _ = try reader.read { try $0.layout(other, of: Gallery.stream).summary() }
        #expect(reader.work.foldedChunkCount == 0)
    }

    @Test(.withoutPrimary) func `a deletion of 130,000 photos leaves a log within its limits and correct layouts`()
        throws
    {
        try gallery.shell(
            """
            WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 130000)
            INSERT INTO photo (streamId, externalId, width, height)
            SELECT (SELECT id FROM stream), 'bulk-' || n, 300 + n % 9, 200 FROM number
            """)
        _ = try gallery.service.warm(Gallery.stream, layout: key)
        try gallery.shell("DELETE FROM photo WHERE externalId LIKE 'bulk-%'")
        var record = PhotoRecord(id: PhotoID(stored: "photo-2"))
        record.alt = .set("any write of ours trims the log")
        try gallery.service.edit(record, in: Gallery.stream)
        #expect(try gallery.shellOutput("SELECT count(*) FROM change") == "100000\n")
        #expect(try gallery.service.read { try $0.layout(key, of: Gallery.stream).summary() }.count == 6_000)
        #expect(try gallery.service.verifyDerived().differences == [])
    }
}
