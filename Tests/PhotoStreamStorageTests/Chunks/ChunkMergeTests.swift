import GRDB
import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamStorage

/// Chunks that are brought up to date photo by photo, against the photos themselves.
@Suite struct ChunkMergeTests {
    private let file: StreamFixture

    init() throws {
        file = try StreamFixture(chunkSize: ChunkSize(minimum: 32, target: 64, maximum: 128))
    }

    @Test(arguments: 1...12)
    func `after any edits, chunks match the stream`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        try importing(700, using: &random)
        try file.database.write { _ = try $0.createStream(named: StreamName("other"), now: 8) }
        var chunks = try self.chunks()
        for round in 0..<25 {
            let editCount = random.oneIn(4) ? 120 : random.int(in: 1...9)
            for number in 0..<editCount { try edit(round * 1_000 + number, using: &random) }
            if random.oneIn(3) { chunks = try file.database.write { try $0.store(chunks) } ?? chunks }
            chunks = try self.chunks(known: random.oneIn(4) ? nil : chunks)
            try check(chunks, "seed \(seed), round \(round)")
        }
    }

    @Test func `few changes are looked up, many are read in order`() throws {
        var random = SplitMix64(seed: 5)
        try importing(640, using: &random)
        let chunks = try stored()
        let photo = try file.photos()[70]
        try shell("UPDATE photo SET width = 77 WHERE id = \(photo.rowID)")
        #expect(try merged(chunks, at: photo.key).map(\.content.count) == chunks.chunks[1].count)
        let others = try file.photos()[64..<96].map(\.rowID.description).joined(separator: ",")
        try shell("UPDATE photo SET width = 78 WHERE id IN (\(others))")
        #expect(try merged(chunks, at: photo.key) == nil)
    }

    @Test(arguments: [
        "UPDATE photo SET id = 5000 WHERE id = 7", "UPDATE OR REPLACE photo SET id = 8 WHERE id = 7",
        "DELETE FROM photo WHERE id = 8; UPDATE photo SET id = 8 WHERE id = 7",
    ])
    func `a photo under another row id is detected even if the log does not name the old one`(edit: String) throws {
        var random = SplitMix64(seed: 6)
        try importing(640, using: &random)
        let key = try #require(try file.photos().first { $0.rowID == 7 }).key
        let chunks = try stored()
        try shell(edit)
        #expect(try merged(chunks, at: key) == nil)
        try check(self.chunks(known: chunks), "\(edit)")
    }

    private func merged(_ chunks: StreamChunks, at key: OrderKey) throws -> OpenChunk? {
        try file.database.read { reader in
            let position = try #require(chunks.position(covering: key))
            let log = try #require(
                try reader.loggedPlaces(file.stream.id, after: chunks.consumedRevision.rawValue, limit: 1_000))
            return try ChunkBuilder(reader: reader, streamID: file.stream.id).merged(
                chunks.chunks[position], with: try #require(chunks.chunks.touches(log)[position]),
                from: chunks.chunks[position].firstKey, to: chunks.chunks[position + 1].firstKey)
        }
    }

    private func stored() throws -> StreamChunks {
        try #require(try file.database.write { try $0.store(chunks()) })
    }

    private func chunks(known: StreamChunks? = nil) throws -> StreamChunks {
        try file.database.read { try $0.streamChunks(file.stream.id, known: known) }
    }

    private func importing(_ count: Int, using random: inout SplitMix64) throws {
        try file.importing(
            (0..<count).map { number in
                try record(
                    "p\(number)", at: random.oneIn(9) ? nil : Int64(random.int(in: 0...400)) * 1_000_000,
                    width: random.int(in: 1...900))
            })
    }

    /// Compares chunks with the photos, read in order.
    private func check(_ chunks: StreamChunks, _ comment: Comment) throws {
        let photos = try file.photos()
        let contents = try file.database.read { reader in try chunks.chunks.map { try reader.content(of: $0) } }
        #expect(contents.flatMap(\.rowIDs.ids) == photos.map(\.rowID), comment)
        #expect(PackedMetrics(joining: contents.map(\.metrics)) == PackedMetrics(photos.map(\.itemMetrics)), comment)
        #expect(chunks.chunks.map(\.count) == contents.map(\.count), comment)
        var first = 0
        for chunk in chunks.chunks {
            #expect(chunk.firstKey == photos[first].key, comment)
            first += chunk.count
        }
    }

    private func shell(_ sql: String) throws {
        try file.database.write { try $0.database.execute(sql: sql) }
    }

    /// One change, of a kind that the generator chooses.
    private func edit(_ number: Int, using random: inout SplitMix64) throws {
        let (id, other) = (random.int(in: 1...720), random.int(in: 1...720))
        let statements = [
            "UPDATE photo SET width = \(random.int(in: 1...900)) WHERE id = \(id)",
            "UPDATE photo SET caption = 'words \(number)' WHERE id = \(id)",
            "UPDATE photo SET latitude = 48.5, longitude = \(random.int(in: -180...180)) WHERE id = \(id)",
            """
            UPDATE photo SET takenAtMilliseconds = \(random.int(in: 0...400)) * 1000000, takenAtPrecision = 4
            WHERE id = \(id)
            """,
            "DELETE FROM photo WHERE id = \(id)",
            "INSERT INTO photo (streamId, externalId, width, height) VALUES (1, 'n\(number)', 7, 5)",
            """
            INSERT INTO photo (streamId, externalId, width, height, takenAtMilliseconds, takenAtPrecision)
            VALUES (1, 'n\(number)', 7, 5, \(random.int(in: 0...400)) * 1000000, 4)
            """,
            "INSERT OR REPLACE INTO photo (id, streamId, externalId, width, height) VALUES (\(id), 1, 'r\(number)', 9, 5)",
            "INSERT OR REPLACE INTO photo (streamId, externalId, width, height) VALUES (1, 'p\(id)', 9, 6)",
            """
            INSERT INTO photo (streamId, externalId, width, height) VALUES (1, 'p\(id)', 7, 5)
            ON CONFLICT (streamId, externalId) DO UPDATE SET height = \(random.int(in: 1...900))
            """,
            "UPDATE OR REPLACE photo SET id = \(other) WHERE id = \(id)",
            "UPDATE OR IGNORE photo SET id = id + 10000 WHERE id = \(id)",
            "UPDATE OR REPLACE photo SET externalId = 'p\(other)' WHERE id = \(id)",
            "UPDATE OR REPLACE photo SET streamId = 3 - streamId WHERE id = \(id)",
            "UPDATE OR REPLACE photo SET streamId = 3 - streamId, id = \(other) WHERE id = \(id)",
        ]
        try shell(random.element(of: statements))
    }
}
