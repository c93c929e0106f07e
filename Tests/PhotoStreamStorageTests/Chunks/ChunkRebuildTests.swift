import Dispatch
import GRDB
import PhotoStreamModel
import PhotoStreamTestSupport
import Synchronization
import Testing

@testable import PhotoStreamStorage

/// Chunks that are built slice by slice match the photo rows, regardless of writes between two slices.
@Suite struct ChunkRebuildTests {
    private let fixture: StreamFixture
    private let photoCount = 9_000

    init() throws {
        fixture = try StreamFixture()
        let count = photoCount
        try fixture.importing(
            try (0..<count).map { try record("p\($0)", at: Int64($0 * 7_919 % count), width: 200 + $0 % 300) })
    }

    @Test func `a rebuild stores every chunk and nothing else`() throws {
        #expect(try fixture.database.read { try $0.needsRebuild(fixture.stream.id) })
        var sliceCount = 0
        #expect(
            try fixture.database.rebuildChunks(streamID: fixture.stream.id, chunksPerSlice: 2) { sliceCount += 1 })
        #expect(sliceCount == 5)
        try expectRightChunks(isUnsaved: false)
        #expect(try fixture.database.read { try !$0.needsRebuild(fixture.stream.id) })
        // A second one puts other chunks in their place.
        #expect(try fixture.database.rebuildChunks(streamID: fixture.stream.id, chunksPerSlice: 1))
        try expectRightChunks(isUnsaved: false)
    }

    @Test(arguments: 1...6) func `writes between two slices are in the chunks`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var number = photoCount
        let isDone = try fixture.database.rebuildChunks(streamID: fixture.stream.id, chunksPerSlice: 1) {
            for _ in 0..<20 {
                number += 1
                let id = "p\(random.int(in: 0...photoCount - 1))"
                try fixture.importing([
                    try record("p\(number)", at: Int64(random.int(in: 0...photoCount))),
                    // From one slice to another, forward and back.
                    try record(id, at: Int64(random.int(in: 0...photoCount)), width: 77),
                ])
            }
            try fixture.database.write { writer in
                let ids = try (0..<5).map { _ in try PhotoID("p\(random.int(in: 0...photoCount - 1))") }
                _ = try writer.deletePhotosForever(streamID: fixture.stream.id, ids: Array(Set(ids)), now: 1)
            }
        }
        #expect(isDone)
        try expectRightChunks(isUnsaved: true)
    }

    @Test(arguments: 11...13) func `writes during the reading of slices are in the chunks`(seed: UInt64) throws {
        let other = try PhotoDatabase(path: fixture.temporary.path, access: .existing)
        let (streamID, count) = (fixture.stream.id, photoCount)
        let (written, end) = (DispatchSemaphore(value: 0), DispatchGroup())
        let isDone = Mutex(false)
        DispatchQueue.global().async(group: end) {
            var random = SplitMix64(seed: seed)
            while !isDone.withLock({ $0 }) {
                let id = random.int(in: 1...count)
                let sql = [
                    "UPDATE photo SET takenAtMilliseconds = \(random.int(in: 0...count)), width = 78 WHERE id = \(id)",
                    "UPDATE OR REPLACE photo SET id = \(random.int(in: 1...count)) WHERE id = \(id)",
                    "DELETE FROM photo WHERE id = \(id)",
                    "INSERT INTO photo (streamId, externalId, width, height) VALUES (\(streamID), hex(randomblob(9)), 4, 3)",
                ]
                #expect(throws: Never.self) {
                    try other.write { try $0.database.execute(sql: random.element(of: sql)) }
                }
                written.signal()
            }
        }
        let isRebuilt = try fixture.database.rebuildChunks(streamID: streamID, chunksPerSlice: 1) { written.wait() }
        isDone.withLock { $0 = true }
        end.wait()
        #expect(isRebuilt)
        try expectRightChunks(isUnsaved: true)
    }

    @Test func `a rebuild that another process overtook changes nothing, and a killed one leaves no trace`()
        throws
    {
        let other = try PhotoDatabase(path: fixture.temporary.path, access: .existing)
        struct Killed: Error {}
        #expect(throws: Killed.self) {
            try other.rebuildChunks(streamID: fixture.stream.id, chunksPerSlice: 1) { throw Killed() }
        }
        #expect(try staged() == 1)
        var isFirst = true
        let isDone = try other.rebuildChunks(streamID: fixture.stream.id, chunksPerSlice: 3) {
            guard isFirst else { return }
            isFirst = false
            let chunks = try fixture.database.read { try $0.streamChunks(fixture.stream.id) }
            #expect(try fixture.database.write { try $0.store(chunks) } != nil)
        }
        #expect(!isDone)
        #expect(try staged() == 0)
        try expectRightChunks(isUnsaved: false)
    }

    @Test func `two concurrent rebuilds end with correct chunks`() throws {
        let other = try PhotoDatabase(path: fixture.temporary.path, access: .existing)
        var isFirst = true
        _ = try fixture.database.rebuildChunks(streamID: fixture.stream.id, chunksPerSlice: 1) {
            guard isFirst else { return }
            isFirst = false
            _ = try other.rebuildChunks(streamID: fixture.stream.id, chunksPerSlice: 2)
        }
        try expectRightChunks(isUnsaved: nil)
    }

    @Test func `slices of two rebuilds are never mixed`() throws {
        let other = try PhotoDatabase(path: fixture.temporary.path, access: .existing)
        struct Killed: Error {}
        var isFirst = true
        let isDone = try fixture.database.rebuildChunks(streamID: fixture.stream.id, chunksPerSlice: 2) {
            guard isFirst else { return }
            isFirst = false
            // A photo at the start shifts the chunks with which the other rebuild replaces these slices.
            try fixture.importing([try record("head", at: Int64(photoCount + 1))])
            _ = try? other.rebuildChunks(streamID: fixture.stream.id, chunksPerSlice: 2) { throw Killed() }
        }
        #expect(!isDone)
        try expectRightChunks(isUnsaved: nil)
    }

    @Test func `chunks built before the log was trimmed are not stored`() throws {
        let chunks = try fixture.database.read { try $0.streamChunks(fixture.stream.id) }
        try fixture.importing((0..<50).map { try record("late-\($0)", at: Int64($0)) })
        try fixture.database.write { writer in
            let other = try writer.createStream(named: StreamName("other"), now: 8)
            try writer.database.execute(
                sql: """
                    WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 112000)
                    INSERT INTO photo (streamId, externalId, width, height) SELECT ?, 'p' || n, 4, 3 FROM number
                    """, arguments: [other.id])
            try writer.trimLog()
        }
        #expect(try fixture.database.write { try $0.store(chunks) } == nil)
        // Nor is it brought up to date with the rest of the log.
        let now = try fixture.database.read { try $0.streamChunks(fixture.stream.id, known: chunks) }
        #expect(now.photoCount == photoCount + 50)
        try expectRightChunks(isUnsaved: true)
    }

    @Test func `a deleted stream removes its staged chunks`() throws {
        struct Killed: Error {}
        _ = try? fixture.database.rebuildChunks(streamID: fixture.stream.id, chunksPerSlice: 1) { throw Killed() }
        #expect(try staged() == 1)
        try fixture.database.write { try $0.database.execute(sql: "DELETE FROM stream") }
        #expect(try fixture.database.read { try $0.integer("SELECT count(*) FROM chunkContent") } == 0)
    }

    private func staged() throws -> Int64 {
        try fixture.database.read { try $0.integer("SELECT count(*) FROM chunk WHERE state <> 0") } ?? -1
    }

    /// The chunks one after the other are the photos in stream order.
    private func expectRightChunks(isUnsaved: Bool?) throws {
        let photos = try fixture.photos(pageSize: 1_000)
        try fixture.database.read { reader in
            let chunks = try reader.streamChunks(fixture.stream.id)
            if let isUnsaved { #expect(chunks.isUnsaved == isUnsaved) }
            let contents = try chunks.chunks.map { try reader.content(of: $0) }
            #expect(contents.flatMap(\.rowIDs.ids) == photos.map(\.rowID))
            let metrics = PackedMetrics(joining: contents.map(\.metrics))
            #expect(metrics == PackedMetrics(photos.map(\.itemMetrics)))
            var first = 0
            for chunk in chunks.chunks {
                #expect(chunk.firstKey == photos[first].key)
                first += chunk.count
            }
        }
    }
}
