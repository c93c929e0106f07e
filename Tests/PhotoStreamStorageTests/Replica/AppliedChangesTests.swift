import GRDB
import PhotoStreamModel
import PhotoStreamTestSupport
import Synchronization
import Testing

@testable import PhotoStreamStorage

/// The changes of a primary are applied in portions, whose rows alone are in memory.
@Suite struct AppliedChangesTests {
    @Test func `no statement changes more rows than the limit, however many changes are applied`() throws {
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
            let log = (1...Int64(count)).map { id in
                Self.logRow(revision: end + id, photo: id, stream: stream.id)
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
                    photos: SharedRows(photos), tables: [], lastIDs: [:], areFew: false))
            db.trace(options: [])
            #expect(most.withLock { $0 } == Int(PhotoWriter.rowsAtOnce))
            #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM photo WHERE width = 80") == count)
            #expect(try String.fetchOne(db, sql: "SELECT externalId FROM photo WHERE id = 1") == "p2")
        }
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func `a few changes applied in place equal a complete insertion`(
        seed: UInt64
    ) throws {
        let contents = try [true, false].map { areFew in
            var random = SplitMix64(seed: seed)
            let fixture = try StreamFixture()
            return try fixture.database.writeTransaction { db in
                try Self.fill(db, stream: fixture.stream.id)
                let writer = fixture.database.writer(db)
                for commit in 1...Int64(30) {
                    let changes = try Self.changes(
                        in: writer, stream: fixture.stream.id, commit: commit, areFew: areFew, random: &random)
                    try writer.apply(changes)
                }
                return try ["photo", "change", "picture", "pictureTry", "pictureFile", "skippedRow", "replica"].map {
                    table in
                    try Row.fetchAll(db, sql: "SELECT * FROM \(table) ORDER BY 1, 2, 3").map(\.description)
                }
            }
        }
        #expect(contents[0] == contents[1])
    }

    /// Inserts photos, a moved one among them, with rows about their pictures.
    private static func fill(_ db: Database, stream: Int64) throws {
        try db.execute(
            sql: """
                WITH RECURSIVE number (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM number WHERE i < 12)
                INSERT INTO photo (streamId, externalId, width, height, location) SELECT ?, 'p' || i, 40, 30, 'p' || i FROM number
                """, arguments: [stream])
        try db.execute(
            sql: """
                INSERT INTO picture (id, streamId, byteCount, modifiedNanoseconds, orientation, hash, pictureKey)
                SELECT id, streamId, 1, 1, 1, zeroblob(32), zeroblob(16) FROM photo WHERE id % 3 > 0
                """)
        try db.execute(
            sql: """
                INSERT INTO root (streamId, path, resolvedPath, machine, addedAtMilliseconds) VALUES (?, '/r', '/r', 'm', 1)
                """, arguments: [stream])
        try db.execute(
            sql: """
                INSERT INTO pictureFile (streamId, rootId, path, photoId, byteCount, modifiedNanoseconds, state)
                SELECT streamId, (SELECT id FROM root), externalId, id, 1, 1, 0 FROM photo
                """)
        // Those of triggers are drawn.
        try db.execute(sql: "UPDATE change SET tag = revision")
        try db.execute(
            sql: """
                INSERT INTO pictureTry (photoId, streamId, byteCount, modifiedNanoseconds, orientation, state)
                SELECT id, streamId, 1, 1, 1, 1 FROM photo WHERE id % 2 = 0
                """)
    }

    /// Draws what another server has committed: photos that are new, changed, deleted, or trade their ids or places.
    private static func changes(
        in writer: PhotoWriter, stream: Int64, commit: Int64, areFew: Bool, random: inout SplitMix64
    ) throws -> PrimaryChanges {
        let columns = SharedTable.photo.columns.map(\.name)
        func position(_ name: String) -> Int { columns.firstIndex(of: name) ?? 0 }
        var rows = try writer.reader.rows(of: .photo).values(columnCount: columns.count)
        var touched: Set<Int64> = []
        func touch(_ index: Int) { if case .integer(let id) = rows[index][0] { touched.insert(id) } }
        for _ in 0..<random.int(in: 1...5) {
            let (first, second) = (random.int(in: 0...rows.count - 1), random.int(in: 0...rows.count - 1))
            touch(first)
            switch random.int(in: 0...5) {
            case 0: rows[first][position("width")] = .integer(Int64(random.int(in: 1...90)))
            case 1: rows[first][position("location")] = .text("elsewhere \(random.int(in: 1...9))")
            case 2:
                touch(second)
                let name = rows[first][position("externalId")]
                rows[first][position("externalId")] = rows[second][position("externalId")]
                rows[second][position("externalId")] = name
            case 3 where rows.count > 3: rows.remove(at: first)
            case 4:
                // No file can hold such a row.
                rows[first][position("height")] = .integer(Int64(random.int(in: -3...30)))
            default:
                var row = rows[first]
                let id = commit * 100 + Int64(rows.count)
                guard !touched.contains(id) else { continue }
                (row[0], row[position("externalId")]) = (.integer(id), .text("new \(id)"))
                rows.append(row)
                touched.insert(id)
            }
        }
        let end = try writer.reader.lastRevision() ?? 0
        let log = touched.sorted().enumerated().map { offset, id in
            logRow(revision: end + 1 + Int64(offset), photo: id, stream: stream)
        }
        let present = rows.filter { if case .integer(let id) = $0[0] { touched.contains(id) } else { false } }
        return PrimaryChanges(
            position: ReplicaPosition(commitID: commit, revision: end + Int64(log.count), tag: 7), log: SharedRows(log),
            photos: SharedRows(present), tables: [], lastIDs: [:], areFew: areFew)
    }

    /// A row of the primary's log: a photo has changed.
    private static func logRow(revision: Int64, photo: Int64, stream: Int64) -> [SharedValue] {
        SharedTable.changeColumns.map { column in
            switch column.name {
            case "revision": .integer(revision)
            case "tag": .integer(7)
            case "streamId": .integer(stream)
            case "photoId": .integer(photo)
            case "kind": .integer(2)
            case "newTime", "newRank", "oldTime", "oldRank": .integer(photo)
            case "oldWidth", "oldHeight": .integer(30)
            case "oldHasCaption": .integer(0)
            default: .null
            }
        }
    }
}
