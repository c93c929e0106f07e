import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamStorage
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamService

/// Long writes run in short transactions, and one that is interrupted between two leaves a consistent file.
@Suite struct BoundedWriteTests {
    private struct Killed: Error {}

    private let gallery: Gallery
    private let keys: [LayoutKey]
    private let everything = Rect(x: 0, y: 0, width: 1e6, height: 1e12)

    init() throws {
        var random = SplitMix64(seed: 71)
        gallery = try Gallery(chunkSize: ChunkSize(minimum: 1, target: 2, maximum: 4))
        try gallery.insert(500, using: &random)
        // Two that store frames.
        let spans = LayoutConfiguration(
            containerLength: 700, algorithm: .masonry(MasonryParameters(spanWiderThan: 1.2)))
        keys = try [SampleLayouts.configurations[2], spans].map { try LayoutKey($0) }
    }

    @Test(.withoutPrimary, arguments: [0, 1, 2, 5, 9, 12, 17, 18, 25])
    func `an interrupted clear leaves a valid file, and the next one continues`(batchCount: Int) throws {
        let (service, stream) = (gallery.service, Gallery.stream)
        let expected = try keys.map { key in
            _ = try service.warm(stream, layout: key)
            return try service.read { try $0.layout(key, of: stream).rect(.first(in: everything), limit: 1_000) }
        }
        try service.storeDerived()
        #expect(try service.verifyDerived().framesCount > 300)
        var left = batchCount
        #expect(throws: Killed.self) {
            try service.database.clearDerived(budgetMilliseconds: 0) {
                if left == 0 { throw Killed() }
                left -= 1
                // No other writer waits for it: a busy timeout of nothing would be an error.
                let other = try PhotoDatabase(
                    path: gallery.temporary.path, access: .existing, busyTimeoutMilliseconds: 0)
                try other.write { try $0.trimLog() }
                try other.close()
            }
        }
        #expect(try gallery.shellOutput("PRAGMA integrity_check") == "ok\n")
        for service in [service, try gallery.anotherService()] {
            #expect(try service.verifyDerived().differences == [])
            for (key, answer) in zip(keys, expected) {
                #expect(
                    try service.read { try $0.layout(key, of: stream).rect(.first(in: everything), limit: 1_000) }
                        == answer)
            }
        }
        try service.clearDerived()
        for table in [
            "layout", "layoutChunk", "layoutFrames", "chunk", "chunkContent", "chunkAttributes", "streamIndex",
        ] {
            #expect(try gallery.shellOutput("SELECT count(*) FROM \(table)") == "0\n", "\(table)")
        }
    }

    @Test func `rows that others store during a clear remain`() throws {
        let (service, stream) = (gallery.service, Gallery.stream)
        for key in keys { _ = try service.warm(stream, layout: key) }
        let other = try gallery.anotherService(chunkSize: ChunkSize(minimum: 2, target: 4, maximum: 8))
        var isFirst = true
        try service.database.clearDerived(budgetMilliseconds: 0) {
            guard isFirst else { return }
            isFirst = false
            _ = try other.warm(stream, layout: keys[0])
        }
        #expect(try service.verifyDerived().differences == [])
        #expect(try gallery.shellOutput("SELECT count(*) FROM chunk") == "125\n")
        let third = try gallery.anotherService()
        _ = try third.read { try $0.layout(SampleLayouts.map.key(), of: stream).summary() }
        #expect(third.work.foldedChunkCount == 0)
    }

    @Test func `a clear also removes orphaned rows`() throws {
        _ = try gallery.service.warm(Gallery.stream, layout: keys[0])
        try gallery.shell(
            """
            INSERT INTO layoutFrames VALUES (77, 1, 5, x'00');
            INSERT INTO chunkContent VALUES (9999, 1, 2, 3, x'', x'', x'');
            INSERT INTO chunkAttributes VALUES (9999, 1, x'');
            INSERT INTO layoutChunk SELECT 78, chunkId, version, entryState, exitState, sections, advance, leastTop,
                greatestEnd, longestItem, placedCount, checksum FROM layoutChunk;
            """)
        try gallery.service.clearDerived()
        for table in ["layoutChunk", "layoutFrames", "chunkContent", "chunkAttributes"] {
            #expect(try gallery.shellOutput("SELECT count(*) FROM \(table)") == "0\n", "\(table)")
        }
    }

    @Test(arguments: [0, 1, 7, 24])
    func `many chunks are stored in slices, and an interrupted store changes nothing`(sliceCount: Int) throws {
        let database = gallery.service.database
        let chunks = try database.read { try $0.streamChunks(1) }
        #expect(chunks.chunks.count == 250)
        var left = sliceCount
        let store = {
            try database.store(chunks, chunksPerSlice: 10) {
                if left == 0 { throw Killed() }
                left -= 1
            }
        }
        #expect(throws: Killed.self) { try store() }
        #expect(try database.read { try $0.needsRebuild(1) })
        #expect(try gallery.service.verifyDerived().differences == [])
        left = .max
        let stored = try #require(try store())
        #expect(try !database.read { try $0.needsRebuild(1) })
        #expect(try database.read { try $0.streamChunks(1) }.chunks == stored.chunks)
        #expect(try gallery.shellOutput("SELECT count(*) FROM chunk") == "250\n")
        #expect(try gallery.service.verifyDerived().differences == [])
    }

    @Test func `many chunks that another process stored first are left unchanged`() throws {
        let database = gallery.service.database
        let chunks = try database.read { try $0.streamChunks(1) }
        let other = try gallery.anotherService()
        var isFirst = true
        let stored = try database.store(chunks, chunksPerSlice: 10) {
            guard isFirst else { return }
            isFirst = false
            _ = try other.database.write { try $0.store(try $0.reader.streamChunks(1)) }
        }
        #expect(stored == nil)
        #expect(try gallery.shellOutput("SELECT count(*), sum(streamId) FROM chunk") == "1|1\n")
        #expect(try gallery.service.verifyDerived().differences == [])
    }

    @Test(.withoutPrimary)
    func `after many changes, only changed chunks get new ids, and every layout is stored again`() throws {
        let (service, stream) = (gallery.service, Gallery.stream)
        for key in keys { _ = try service.warm(stream, layout: key) }
        let before = try gallery.shellOutput("SELECT id FROM chunk ORDER BY id")
        // A position does not affect the geometry, but all but a few chunks hold another.
        try gallery.shell("UPDATE photo SET latitude = 1, longitude = id % 90 WHERE id > 20")
        for key in keys { _ = try service.warm(stream, layout: key) }
        let after = try gallery.shellOutput("SELECT id FROM chunk ORDER BY id")
        #expect(before != after)
        #expect(!Set(before.split(separator: "\n")).isDisjoint(with: after.split(separator: "\n")))
        let other = try gallery.anotherService()
        for key in keys {
            #expect(
                try other.read { try $0.layout(key, of: stream).summary() }
                    == service.read { try $0.layout(key, of: stream).summary() })
        }
        #expect(other.work.foldedChunkCount == 0)
        let verified = try other.verifyDerived()
        #expect(verified.differences == [] && verified.placementCount == 500 && verified.outdatedCount == 0)
    }
}

extension LayoutConfiguration {
    fileprivate func key() throws -> LayoutKey { try LayoutKey(self) }
}
