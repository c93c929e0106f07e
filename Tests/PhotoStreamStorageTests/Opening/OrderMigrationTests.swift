import Foundation
import GRDB
import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamStorage

/// Migration of files of version 0.1.0: the order of equal times, precision of dates, moves, the log.
@Suite struct OrderMigrationTests {
    private let temporary: TemporaryDatabase

    init() throws {
        temporary = try TemporaryDatabase()
        try raw(OldFile.sql)
    }

    @Test func `equal times keep the order of import, and moved photos stay next to their neighbour`()
        throws
    {
        let database = try temporary.open(.existing)
        let photos = try photos(database)
        #expect(
            photos.map(\.photo.id.rawValue) == [
                // m-3 was above same-5, m-4 below same-1, m-1 and m-2 below same-3.
                "m-3", "same-5", "same-1", "m-4", "same-2", "same-3", "m-1", "m-2", "same-4",
                // All photos of this time were moved there, and the original photo has moved elsewhere.
                "m-7", "m-9", "m-8",
                // The move of march-2 ended before.
                "lonely", "march-2", "march-1", "month-3",
                // At midnight of 1 January: the day, the month, the year. m-5 was below new-year-1.
                "new-year-1", "m-5", "month-1", "year-1", "year-2", "year-before",
                "undated-1", "undated-2", "m-6", "undated-3", "plain-1", "undated-4",
            ])
        let dates = photos.map { $0.order.date(ofOrderTime: $0.key.time).digits }
        #expect(
            dates[14...21] == [
                "1866-03-01", "1866-03", "1866-01-01", "1866-01-01", "1866-01", "1866", "1866", "1865-12-31",
            ])
        #expect(dates[22...].allSatisfy { $0 == nil } && dates[9] == "1880-08-08")
        #expect(photos.allSatisfy { $0.order == .newest })
        #expect(photos.allSatisfy { !$0.photo.id.rawValue.hasPrefix("m-") || $0.key.rank % OrderKey.rankStep != 0 })
    }

    @Test func `a move lasts until the capture time changes, and the next photo of a time comes last`() throws {
        let database = try temporary.open(.existing)
        var (seen, stream) = (RowIDSet(), try stream(database))
        let time = try CaptureTime(milliseconds: 946_782_245_000, utcOffsetMinutes: 0, precision: .second)
        var last = PhotoRecord(id: PhotoID(stored: "same-6"))
        last.takenAt = .set(time)
        var back = PhotoRecord(id: PhotoID(stored: "m-1"))
        back.caption = .set("Still there")
        _ = try database.importRecords([last, back], into: stream.id, seen: &seen)
        var order = try photos(database).map(\.photo.id.rawValue)
        #expect(order[2...9] == ["same-1", "m-4", "same-2", "same-3", "m-1", "m-2", "same-4", "same-6"])
        back.takenAt = .set(time)
        seen = RowIDSet()
        // An import does not end it, a person does.
        _ = try database.importRecords([back], into: stream.id, seen: &seen)
        #expect(try photos(database).map(\.photo.id.rawValue) == order)
        back.takenAt = .set(try CaptureTime(milliseconds: 946_782_245_000, utcOffsetMinutes: 60, precision: .second))
        _ = try database.write { try $0.edit(streamID: stream.id, record: back) }
        back.takenAt = .set(time)
        _ = try database.write { try $0.edit(streamID: stream.id, record: back) }
        order = try photos(database).map(\.photo.id.rawValue)
        #expect(order[2...9] == ["same-1", "m-4", "same-2", "same-3", "m-2", "same-4", "m-1", "same-6"])
        stream = try self.stream(database)
        #expect(stream.order == .newest)
    }

    @Test func `the log keeps each stream's last row, revisions continue, and earlier rows are known to be removed`()
        throws
    {
        let database = try temporary.open(.existing)
        let stream = try stream(database)
        let last = try #require(try database.read { try $0.lastRevision(streamID: stream.id) })
        #expect(last.rawValue > OldFile.revision)
        #expect(try database.read { try $0.integer("SELECT count(*) FROM change") } == 2)
        for revision in [0, 1, OldFile.revision - 1, OldFile.revision] {
            #expect(try !database.read { try $0.hasAllRows(streamID: stream.id, after: revision) }, "\(revision)")
        }
        #expect(try database.read { try $0.hasAllChanges(streamID: stream.id, after: last) })
        var record = PhotoRecord(id: PhotoID(stored: "m-1"))
        record.alt = .set("words")
        _ = try database.write { try $0.edit(streamID: stream.id, record: record) }
        #expect(try database.read { try $0.lastRevision(streamID: stream.id)?.rawValue } == last.rawValue + 1)
        #expect(
            try database.read { try $0.netChanges(streamID: stream.id, after: last.rawValue) }.map(\.id) == [record.id])
        for table in ["layout", "layoutChunk", "layoutFrames", "chunk", "chunkContent", "streamIndex"] {
            #expect(try database.read { try $0.integer("SELECT count(*) FROM \(table)") } == 0, "\(table)")
        }
    }

    @Test func `a full log is trimmed like a short one`() throws {
        try raw(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 105000)
            INSERT INTO change (streamId, photoId, kind, oldTime, oldRank, newTime, newRank, oldWidth, oldHeight,
                oldHasCaption, oldExternalId)
            SELECT 3, 3, 2, 0, 1048576, 0, 1048576, 4, 3, 0, 'x' FROM n;
            DELETE FROM change WHERE revision < 1000;
            """)
        let database = try temporary.open(.existing)
        let stream = try stream(database)
        #expect(try database.read { try $0.integer("SELECT count(*) FROM change") } == 1)
        for revision in [0, 999, 5_048, 105_047, 105_048] as [Int64] {
            #expect(try !database.read { try $0.hasAllRows(streamID: stream.id, after: revision) }, "\(revision)")
        }
    }

    @Test func `many photos that were moved after one still follow it`() throws {
        try raw(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
            INSERT INTO photo (id, streamId, externalId, width, height, movedTime, movedRank, movedFromTime)
            SELECT 1000 + i, 3, 'run-' || i, 4, 3, 946782245000, 6 * 1048576 - i, -9223372036854775808 FROM n;
            UPDATE photo SET movedRank = movedRank - 6000 WHERE externalId IN ('m-1', 'm-2');
            """)
        let database = try temporary.open(.existing)
        let order = try photos(database).map(\.photo.id.rawValue)
        let first = try #require(order.firstIndex(of: "same-3"))
        #expect(order[first + 1...first + 5_000].elementsEqual((1...5_000).lazy.map { "run-\($0)" }))
        #expect(order[first + 5_001...first + 5_003] == ["m-1", "m-2", "same-4"])
    }

    @Test func `opening an old file for writing reports the number of rewritten photos, once`() throws {
        var updates: [FileUpdate] = []
        for _ in 0..<2 {
            let database = try PhotoDatabase(path: temporary.path, access: .existing) { updates.append($0) }
            try database.close()
        }
        #expect(updates == [FileUpdate(path: temporary.path, photoCount: OldFile.photoCount)])
    }

    @Test func `opening an old file for reading only fails with advice and leaves the file unchanged`() throws {
        let before = try Data(contentsOf: URL(filePath: temporary.path))
        let error = failure { try temporary.open(.readOnly) }
        #expect(error?.code == .schemaTooOld)
        #expect(
            error?.message.contains("`photostream streams --database \(temporary.path)`") == true,
            "\(String(describing: error))")
        #expect(try Data(contentsOf: URL(filePath: temporary.path)) == before)
    }

    @Test func `several processes that open an old file at once all find it migrated`() async throws {
        let path = temporary.path
        let counts = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    let database = try PhotoDatabase(path: path, access: .existing)
                    return try database.read { try $0.photos(streamID: 3, after: nil, limit: 100).count }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(counts == [28, 28, 28, 28])
    }

    /// The statements with which version 0.1.0 reads a stream's order, writes photos, moves them and builds chunks.
    @Test(arguments: [
        "SELECT id FROM photo INDEXED BY photoOrder WHERE streamId = 3 ORDER BY orderTime DESC, orderRank DESC LIMIT 9",
        "SELECT count(*) FROM photo INDEXED BY photoOrder WHERE streamId = 3",
        "UPDATE OR FAIL photo SET movedTime = 1, movedRank = 1, movedFromTime = ownOrderTime WHERE id = 7",
        // It prepares this one before it inserts, edits or looks a photo up to do so.
        "UPDATE OR FAIL photo SET width = 3, movedTime = NULL, movedRank = NULL, movedFromTime = NULL WHERE id = 7",
    ])
    func `a process of version 0.1.0 with the file open gets an error`(statement: String) throws {
        let old = try DatabaseQueue(path: temporary.path)
        // Prepared before, as by a program that keeps its statements.
        let prepared = try old.inDatabase { try $0.makeStatement(sql: statement) }
        #expect(throws: Never.self) { try old.inDatabase { _ in try prepared.execute() } }
        let database = try temporary.open(.existing)
        let photos = try photos(database)
        #expect(throws: DatabaseError.self) { try old.inDatabase { _ in try prepared.execute() } }
        #expect(try self.photos(database) == photos)
        // Its data in memory belong to a revision that is followed by a gap, so it stores none of them.
        let last = try #require(try database.read { try $0.lastRevision() })
        #expect(last - ChangeLog.standard.keptRowCount > OldFile.revision)
    }

    private func stream(_ database: PhotoDatabase) throws -> StreamRow {
        try #require(try database.read { try $0.stream(named: StreamName(OldFile.stream)) })
    }

    private func photos(_ database: PhotoDatabase) throws -> [StoredPhoto] {
        let id = try stream(database).id
        return try database.read { try $0.photos(streamID: id, after: nil, limit: 10_000) }
    }

    private func raw(_ sql: String) throws {
        let queue = try DatabaseQueue(path: temporary.path)
        try queue.inDatabase { try $0.execute(sql: sql) }
        try queue.close()
    }
}
