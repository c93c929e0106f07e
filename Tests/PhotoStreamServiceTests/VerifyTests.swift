import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamStorage
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamService

/// Verification finds rows that belong to nothing, and delays no other client.
@Suite struct VerifyTests {
    private let gallery: Gallery
    private let key: LayoutKey

    init() throws {
        var random = SplitMix64(seed: 81)
        gallery = try Gallery()
        try gallery.insert(40_000, using: &random)
        key = try LayoutKey(SampleLayouts.configurations[2])
        _ = try gallery.service.warm(Gallery.stream, layout: key)
        _ = try gallery.service.read { try $0.layout(key, of: Gallery.stream).item(at: 39_999) }
        try gallery.service.storeDerived()
    }

    @Test(arguments: [
        ("DELETE FROM layoutChunk WHERE chunkId % 2 = 0; DELETE FROM layoutFrames", "0", 0),
        ("INSERT INTO streamIndex VALUES (9, 1, 1, 1, 1, 5)", "1 rows of streamIndex", 2),
        ("INSERT INTO chunk VALUES (999, 9, 0, 1, 1, 1, 1, 0, NULL, NULL, NULL, NULL, 5)", "1 rows of chunk ", 2),
        ("INSERT INTO chunkContent VALUES (9999, 1, 2, 3, x'', x'', x'')", "1 rows of chunkContent", 2),
        ("INSERT INTO chunkAttributes VALUES (9999, 1, x'')", "1 rows of chunkAttributes", 2),
        ("UPDATE layout SET streamId = 9", "1 rows of layout ", 2),
        ("UPDATE layoutChunk SET layoutId = 9", "40 rows of layoutChunk", 4),
        ("UPDATE layoutChunk SET chunkId = chunkId + 900", "40 rows of layoutChunk", 3),
        ("UPDATE layoutFrames SET chunkId = 999", "1 rows of layoutFrames", 1),
    ])
    func `orphaned rows are found and a clear removes them`(damage: String, named: String, count: Int) throws {
        let service = gallery.service
        #expect(try service.verifyDerived().differences == [])
        try gallery.shell(damage)
        if count == 0 {
            try gallery.shell("DELETE FROM layoutChunk")
            try service.database.write { writer in
                for size in try writer.reader.layoutSizes() { try writer.countBytes(ofLayout: size.layout.id) }
            }
        }
        let differences = try service.verifyDerived().differences
        #expect(differences.count == count, "\(differences)")
        #expect(differences.contains { $0.contains(named) } == (count > 0), "\(differences)")
        try service.clearDerived()
        #expect(try service.verifyDerived().differences == [])
    }

    @Test func `chunks left by a rebuild or a clear are counted and are not an error`() throws {
        struct Killed: Error {}
        let service = gallery.service
        #expect(try service.verifyDerived().leftoverCount == 0)
        #expect(throws: Killed.self) {
            try service.database.rebuildChunks(streamID: 1, chunksPerSlice: 7) { throw Killed() }
        }
        let answer = try service.verifyDerived()
        #expect(answer.leftoverCount == 7 && answer.differences == [])
        #expect(throws: Killed.self) { try service.database.clearDerived { throw Killed() } }
        #expect(try service.verifyDerived().leftoverCount == 47)
        _ = try service.warm(Gallery.stream, layout: key)
        #expect(try service.verifyDerived().leftoverCount == 7)
        try service.clearDerived()
        #expect(try service.verifyDerived().leftoverCount == 0)
    }

    @Test func `the write-ahead log can be emptied while a file is verified`() throws {
        var count = 0
        let answer = try gallery.service.verifyDerived {
            count += 1
            // Something is in it again and again.
            try gallery.shell("UPDATE layoutBudget SET byteCount = byteCount + 1")
            #expect(try gallery.shellOutput("PRAGMA wal_checkpoint(TRUNCATE)") == "0|0|0\n")
        }
        #expect(count == 7)
        #expect(answer.chunkCount == 40 && answer.placementCount == 40 && answer.framesCount == 1)
        #expect(answer.differences == [])
    }

    @Test(arguments: [1, 2, 3, 9]) func `a stream that is written meanwhile is verified again in one read`(
        writeCount: Int
    ) throws {
        try gallery.shell("UPDATE layoutFrames SET frames = zeroblob(length(frames))")
        var (count, left) = (0, writeCount)
        let answer = try gallery.service.verifyDerived {
            count += 1
            guard count % 3 == 0, left > 0 else { return }
            left -= 1
            try gallery.shell("UPDATE photo SET alt = 'write \(count)' WHERE id = 5")
        }
        #expect(count == [1: 10, 2: 7][writeCount] ?? 7)
        #expect(answer.chunkCount == 40 && answer.placementCount == 40)
        #expect(answer.differences.count == 1, "\(answer.differences)")
    }

    @Test(arguments: [
        ("DROP TRIGGER photoUpdated", "the trigger photoUpdated is missing; "),
        ("DROP INDEX photoPlace", "the index photoPlace is missing; "),
        (
            "DROP TRIGGER photoInserted; CREATE TRIGGER photoInserted AFTER INSERT ON photo BEGIN SELECT 1; END",
            "the trigger photoInserted differs from the one that this version creates; "
        ),
        (
            "PRAGMA foreign_keys = OFF; UPDATE photo SET streamId = 7 WHERE id < 4",
            "photos of stream 7, which does not "
        ),
        (
            "PRAGMA ignore_check_constraints = ON; UPDATE photo SET width = 0 WHERE id = 4",
            "rows of the table photo that CHECK (width BETWEEN "
        ),
        ("UPDATE change SET oldWidth = 1048576, oldTime = 0 WHERE revision = 9", "damaged rows of the change log"),
        ("DELETE FROM secret", "it has lost the key that signs its cursors; "),
        (
            "INSERT INTO stream (id, name, createdAtMilliseconds) VALUES (-1, 'below', 0)",
            "the stream \"below\" has the id -1, which is not positive; "
        ),
    ])
    func `an error in the file itself is reported`(damage: String, sentence: String) throws {
        try gallery.shell(damage)
        let differences = try gallery.anotherService().verifyDerived().differences
        #expect(differences.contains { $0.hasPrefix(sentence) }, "\(differences)")
    }

    @Test(
        .withoutPrimary,
        arguments: [
            ("DROP TRIGGER photoUpdated", "trigger photoUpdated"), ("DROP INDEX photoPlace", "index photoPlace"),
            (
                "DROP TRIGGER photoUpdated; CREATE TRIGGER photoUpdated AFTER UPDATE ON photo BEGIN SELECT 1; END",
                "trigger photoUpdated"
            ),
        ])
    func `a clear creates missing triggers and indexes, and accounts for the writes without them`(
        damage: String, object: String
    ) throws {
        let (service, server) = (gallery.service, try gallery.anotherService())
        let before = try server.read { try $0.layout(key, of: Gallery.stream).summary() }
        try gallery.shell("\(damage); UPDATE photo SET width = 100, height = 10000 WHERE id < 500")
        let differences = try service.verifyDerived().differences
        #expect(differences.contains { $0.contains("the \(object) ") && $0.hasSuffix("cache clear` creates it again") })
        #expect(try service.clearDerived() == [object])
        #expect(try service.verifyDerived().differences == [])
        let (fresh, after) = (
            try gallery.anotherService(), try server.read { try $0.layout(key, of: Gallery.stream).summary() }
        )
        #expect(try after == fresh.read { try $0.layout(key, of: Gallery.stream).summary() })
        #expect(after.context.contentSize != before.context.contentSize)
        #expect(after.context.revision > before.context.revision)
        guard case .reload = try service.read({ try $0.changes(of: Gallery.stream, since: before.context.revision) })
        else {
            Issue.record("the log has missed changes")
            return
        }
        // From here on every write is logged.
        try gallery.shell("UPDATE photo SET width = 10000, height = 100 WHERE id < 500")
        let now = try server.read { try $0.layout(key, of: Gallery.stream).summary() }
        #expect(now.context.contentSize != after.context.contentSize)
        #expect(try service.clearDerived() == [])
        #expect(try service.verifyDerived().differences == [])
    }

    @Test(.withoutPrimary) func `a clear that cannot create an index names the rows, and can be repeated`() throws {
        try gallery.shell(
            """
            DROP INDEX photoExternalId;
            UPDATE photo SET externalId = (SELECT externalId FROM photo WHERE id = 1) WHERE id = 2
            """)
        let error = #expect(throws: StorageError.self) { try gallery.service.clearDerived() }
        #expect(
            "\(try #require(error))".contains(
                "the index photoExternalId cannot be created again: UNIQUE constraint failed: photo.streamId"))
        try gallery.shell("DELETE FROM photo WHERE id = 2")
        #expect(try gallery.service.clearDerived() == ["index photoExternalId"])
        #expect(try gallery.service.verifyDerived().differences == [])
    }

    @Test func `a value of a wrong type in a derived table requires no backup`() throws {
        _ = try gallery.service.warm(Gallery.stream, layout: key)
        try gallery.shell(
            """
            PRAGMA writable_schema = ON;
            UPDATE sqlite_schema SET sql = replace(sql, ' STRICT', '') WHERE name = 'streamIndex';
            PRAGMA writable_schema = RESET;
            UPDATE streamIndex SET consumedRevision = 'x';
            PRAGMA writable_schema = ON;
            UPDATE sqlite_schema SET sql = sql || ' STRICT' WHERE name = 'streamIndex';
            PRAGMA writable_schema = RESET
            """)
        let finding = try #require(
            gallery.anotherService().verifyDerived().differences.first { $0.contains("streamIndex.consumedRevision") })
        #expect(finding.hasSuffix("; `photostream cache clear` deletes what is wrong"))
        try gallery.service.clearDerived()
        #expect(try gallery.anotherService().verifyDerived().differences == [])
    }

    @Test func `other streams can be written`() throws {
        try gallery.service.createStream(StreamName(stored: "other"))
        var count = 0
        _ = try gallery.service.verifyDerived {
            count += 1
            try gallery.shell(
                "INSERT INTO photo (streamId, externalId, width, height) VALUES (2, 'photo \(count)', 3, 2)")
        }
        // The other one: it is begun twice, then read at once.
        #expect(count == 7 + 5)
    }
}
