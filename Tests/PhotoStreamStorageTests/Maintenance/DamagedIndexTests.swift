import Foundation
import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamStorage

/// Every loop ends on a file whose indexes contradict its tables.
@Suite struct DamagedIndexTests {
    private let fixture: StreamFixture

    init() throws {
        fixture = try StreamFixture(chunkSize: ChunkSize(minimum: 8, target: 16, maximum: 32))
        try fixture.importing(try (0..<200).map { try record("photo-\($0)", at: Int64($0) * 1_000) })
    }

    /// Runs SQL without updating an index, as if the bits of its rows had flipped.
    private func behindBack(of index: String, _ sql: String) throws {
        try fixture.database.close()
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/sqlite3")
        process.arguments = [
            "-bail", fixture.temporary.path,
            """
            PRAGMA writable_schema = ON;
            CREATE TEMP TABLE kept AS SELECT * FROM sqlite_schema WHERE name = '\(index)';
            DELETE FROM sqlite_schema WHERE name = '\(index)';
            PRAGMA writable_schema = RESET;
            \(sql);
            PRAGMA writable_schema = ON;
            INSERT INTO sqlite_schema SELECT * FROM kept;
            PRAGMA writable_schema = RESET;
            """,
        ]
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
    }

    private func opened() throws -> PhotoDatabase { try PhotoDatabase(path: fixture.temporary.path, access: .existing) }

    private func expectDamaged(_ error: StorageError?) {
        #expect(error?.code == .corrupt)
        #expect(error?.message.contains("damaged") == true, "\(String(describing: error))")
    }

    @Test func `emptying a stream ends even if an index lists photos that do not exist`() throws {
        try behindBack(of: "photoExternalId", "DELETE FROM photo WHERE id % 3 = 0")
        let database = try opened()
        expectDamaged(failure { _ = try database.emptyStream(fixture.stream.id, budgetMilliseconds: 1) })
    }

    @Test func `a damaged index never causes the deletion of another stream's photo`() throws {
        let other = try fixture.database.write { try $0.createStream(named: StreamName(stored: "other"), now: 8) }
        try behindBack(of: "photoExternalId", "UPDATE photo SET streamId = \(other.id) WHERE id = 7")
        let database = try opened()
        expectDamaged(failure { _ = try database.emptyStream(fixture.stream.id) })
        // The index does not find it.
        #expect(try database.read { try $0.photos(rowIDs: [7]).map(\.photo.id) } == [PhotoID("photo-6")])
    }

    @Test func `pages end if keys do not advance`() throws {
        // The index is from newest to oldest; the rows are in the opposite order.
        try behindBack(of: "photoPlace", "UPDATE photo SET takenAtMilliseconds = -takenAtMilliseconds")
        let database = try opened()
        let streamID = fixture.stream.id
        let error = failure {
            var place: OrderKey?
            var count = 0
            repeat {
                let photos = try database.read { try $0.photos(streamID: streamID, after: place, limit: 50) }
                (place, count) = (photos.last?.key, count + photos.count)
            } while place != nil && count <= 200
            #expect(count <= 200)
        }
        if let error { expectDamaged(error) }
    }

    @Test func `building chunks always ends`() throws {
        try behindBack(of: "photoPlace", "UPDATE photo SET takenAtMilliseconds = -takenAtMilliseconds")
        let database = try opened()
        var sliceCount = 0
        let error = failure {
            _ = try database.rebuildChunks(streamID: fixture.stream.id, chunksPerSlice: 2) {
                sliceCount += 1
                if sliceCount > 50 { throw StorageError(.database, message: "it goes on for ever") }
            }
        }
        #expect(error?.code != .database)
    }
}
