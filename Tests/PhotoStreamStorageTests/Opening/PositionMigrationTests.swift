import GRDB
import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamStorage

/// A file from before positions were kept in chunks.
@Suite struct PositionMigrationTests {
    @Test func `a file without positions keeps its photos, and its chunks are rebuilt with positions`() throws {
        let temporary = try TemporaryDatabase()
        try OlderFile.create(at: temporary.path, before: "V006") { database in
            try database.execute(
                sql: """
                    INSERT INTO stream (id, name, createdAtMilliseconds) VALUES (1, 'one', 0);
                    INSERT INTO photo (streamId, externalId, width, height, latitude, longitude)
                    VALUES (1, 'a', 4, 3, 10, 20), (1, 'b', 4, 3, NULL, NULL);
                    UPDATE photo SET caption = 'x';
                    INSERT INTO chunk (id, streamId, firstTime, firstRank, photoCount, version) VALUES (7, 1, 0, 0, 2, 1);
                    INSERT INTO chunkContent (chunkId, metrics, rowIds) VALUES (7, x'00', x'00');
                    INSERT INTO streamIndex VALUES (1, 4, 4, 2, 99);
                    INSERT INTO layout (id, streamId, layoutKey, lastUsedMilliseconds, foldedChunkCount) VALUES (3, 1, 'k', 0, 0);
                    INSERT INTO layoutFrames VALUES (3, 7, x'00');
                    """)
        }
        let database = try PhotoDatabase(path: temporary.path, access: .existing)
        defer { try? database.close() }
        for table in ["layout", "layoutFrames", "chunk", "chunkContent", "streamIndex"] {
            #expect(try database.read { try $0.integer("SELECT count(*) FROM \(table)") } == 0, "\(table)")
        }
        let chunks = try database.read { try $0.streamChunks(1) }
        #expect(chunks.chunks.map(\.positions.count) == [1])
        let stored = try #require(try database.write { try $0.store(chunks) })
        #expect(stored.chunks.map(\.id) == [8], "an id is never used again")
        let place = WorldPosition(try Coordinate(latitude: 10, longitude: 20))
        try database.read { (reader) throws in
            #expect(try reader.metrics(of: stored.chunks[0], withPositions: true)[0].position == place)
            #expect(try reader.metrics(of: stored.chunks[0])[0].position == nil)
            #expect(try reader.streamChunks(1).chunks == stored.chunks)
        }
    }
}
