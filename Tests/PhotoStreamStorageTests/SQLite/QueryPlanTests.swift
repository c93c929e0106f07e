import GRDB
import GRDBSQLite
import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamStorage

@Suite struct QueryPlanTests {
    private static let inOrder = [
        PhotoSQL.pageFromHead, PhotoSQL.pageAfter, PhotoSQL.neighboursAbove, PhotoSQL.neighboursBelow,
    ]
    private static let byID = [PhotoSQL.byExternalID, PhotoSQL.placeByExternalID]

    @Test(arguments: [false, true])
    func `reads use their index and sort nothing, with and without statistics`(analyzed: Bool) throws {
        let fixture = try StreamFixture()
        try fixture.importing((0..<2_000).map { try record("p\($0)", at: Int64($0 / 3)) })
        if analyzed {
            try fixture.database.write { try $0.database.execute(sql: "ANALYZE") }
            try fixture.database.optimize()
        }
        for sql in Self.inOrder {
            let plan = try explain(sql, fixture)
            #expect(plan.contains("USING INDEX photoPlace (streamId=?"), "\(plan)")
            #expect(!plan.contains("SCAN") && !plan.contains("TEMP B-TREE"), "\(plan)")
        }
        for sql in Self.byID {
            let plan = try explain(sql, fixture)
            #expect(plan.contains("USING INDEX photoExternalId (streamId=? AND externalId=?)"), "\(plan)")
        }
        #expect(try explain(PhotoSQL.pageAfter, fixture).contains("(orderTime,orderRank)<(?,?)"))
        #expect(try explain(PhotoSQL.count, fixture).contains("photoPlace (streamId=?)"))
        #expect(
            try explain(PhotoSQL.occupant, fixture)
                .contains("USING INDEX photoPlace (streamId=? AND orderTime=? AND orderRank=? AND stackRank=?)"))
        #expect(
            try explain(ChunkBuilder.previousSQL, fixture)
                .contains("USING INDEX photoPlace (streamId=? AND (orderTime,orderRank)>(?,?))"))
        let byRow = [
            PhotoSQL.byRowID, PhotoSQL.keyByRowID, PhotoSQL.move, PhotoSQL.update, PhotoSQL.updateEndingMove,
            PhotoSQL.updateKeepingMove,
            PhotoSQL.delete, ChunkBuilder.rowSQL,
        ]
        for sql in byRow {
            #expect(try explain(sql, fixture).contains("SEARCH photo USING INTEGER PRIMARY KEY (rowid=?)"))
        }
    }

    @Test func `a page among 500,000 photos of one time is as fast as any other`() throws {
        let fixture = try StreamFixture()
        let count = 500_000
        try fixture.database.write { writer in
            try writer.database.execute(
                sql: """
                    DROP TRIGGER photoInserted; DROP TRIGGER photoReplacedByInsert;
                    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
                    INSERT INTO photo (streamId, externalId, width, height, takenAtMilliseconds, takenAtPrecision)
                    SELECT \(fixture.stream.id), printf('p%07d', i), 4, 3, 1000, 5 FROM n
                    """
            )
        }
        let places = [count - 150, count / 2, 1].map { OrderKey(time: 4 * 1_000 + 2, rank: -Int64($0) << 20) }
        let steps = try fixture.database.read { reader in
            try places.map { place in
                let statement = try RawStatement(reader.database, sql: PhotoSQL.pageAfter)
                sqlite3_stmt_status(statement.pointer, SQLITE_STMTSTATUS_VM_STEP, 1)
                let page = try reader.photos(streamID: fixture.stream.id, after: place, limit: 100)
                #expect(page.count == 100)
                #expect(page.first?.key.rank == place.rank - (1 << 20))
                return sqlite3_stmt_status(statement.pointer, SQLITE_STMTSTATUS_VM_STEP, 1)
            }
        }
        let (least, most) = (try #require(steps.min()), try #require(steps.max()))
        #expect(most - least < 10 && most < 10_000, "steps of the virtual machine: \(steps)")
    }

    private func explain(_ sql: String, _ fixture: StreamFixture) throws -> String {
        try fixture.database.read { reader in
            var details: [String] = []
            try RawStatement(reader.database, sql: "EXPLAIN QUERY PLAN \(sql)").forEach { details.append($0.text(3)) }
            return details.joined(separator: "\n")
        }
    }
}
