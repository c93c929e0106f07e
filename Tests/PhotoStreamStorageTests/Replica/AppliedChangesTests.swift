import GRDB
import PhotoStreamModel
import PhotoStreamTestSupport
import Synchronization
import Testing

@testable import PhotoStreamStorage

/// The changes of a primary are applied in portions, whose rows alone are in memory.
@Suite struct AppliedChangesTests {
    @Test func `no statement changes more rows than are held at once, however many changes are applied`() throws {
        let fixture = try StreamFixture()
        let (database, stream) = (fixture.database, fixture.stream)
        let count = 2 * Int(PhotoWriter.rowsAtOnce) + 345
        try database.writeTransaction { db in
            try db.execute(
                sql: """
                    WITH RECURSIVE number (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM number WHERE i < ?)
                    INSERT INTO photo (streamId, externalId, width, height) SELECT ?, 'p' || i, 40, 30 FROM number
                    """, arguments: [count, stream.id])
            let writer = database.writer(db)
            let end = try #require(try writer.reader.lastRevision())
            // Each photo gets another size, and the external id of its neighbour, so that all have to go first.
            let columns = SharedTable.photo.columns.map(\.name)
            let photos = try writer.reader.rows(of: .photo).values(columnCount: columns.count).map { row in
                var row = row
                guard case .integer(let id) = row[0] else { return row }
                row[columns.firstIndex(of: "externalId") ?? 0] = .text("p\(id % Int64(count) + 1)")
                row[columns.firstIndex(of: "width") ?? 0] = .integer(80)
                return row
            }
            let log = (1...Int64(count)).map { id -> [SharedValue] in
                SharedTable.changeColumns.map { column -> SharedValue in
                    switch column.name {
                    case "revision": .integer(end + id)
                    case "tag": .integer(7)
                    case "streamId": .integer(stream.id)
                    case "photoId": .integer(id)
                    case "kind": .integer(2)
                    case "newTime", "newRank", "oldTime", "oldRank": .integer(id)
                    case "oldWidth", "oldHeight": .integer(30)
                    case "oldHasCaption": .integer(0)
                    default: .null
                    }
                }
            }
            let most = Mutex(0)
            // Other statements leave the count as it is, and a temporary table that is emptied as a whole is not kept for it.
            db.trace(options: .profile) { [db] event in
                guard case .profile(let statement, _) = event,
                    ["INSERT", "UPDATE", "DELETE"].contains(where: statement.sql.hasPrefix),
                    !statement.sql.hasPrefix("DELETE FROM temp.touchedPhoto")
                else { return }
                most.withLock { $0 = max($0, db.changesCount) }
            }
            try writer.apply(
                PrimaryChanges(
                    position: ReplicaPosition(commitID: 1, revision: end + Int64(count), tag: 7), log: SharedRows(log),
                    photos: SharedRows(photos), tables: [], lastIDs: [:]))
            db.trace(options: [])
            #expect(most.withLock { $0 } == Int(PhotoWriter.rowsAtOnce))
            #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM photo WHERE width = 80") == count)
            #expect(try String.fetchOne(db, sql: "SELECT externalId FROM photo WHERE id = 1") == "p2")
        }
    }
}
