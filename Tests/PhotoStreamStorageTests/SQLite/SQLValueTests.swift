import GRDB
import Testing

@testable import PhotoStreamStorage

/// Values bound in order and by column.
@Suite struct SQLValueTests {
    @Test func `all parameters take their values in order`() throws {
        try DatabaseQueue().read { database in
            let statement = try RawStatement(database, sql: "SELECT ?3, ?1, ?2, ?4, typeof(?5)")
            try statement.bind(1 as Int64, "two", [3] as [UInt8], Int64?.none, "")
            let found = try statement.first { row in
                "\(row.bytes(0)) \(row.integer(1)) \(row.text(2)) \(row.isNull(3)) \(row.text(4))"
            }
            #expect(found == "[3] 1 two true text")
        }
    }

    @Test func `each value of a row goes into the column of its name`() throws {
        try DatabaseQueue().write { database in
            try database.execute(
                sql: "CREATE TABLE item (id INTEGER PRIMARY KEY, \"column\" TEXT, size INTEGER, data BLOB)")
            let rows: [KeyValuePairs<StaticString, any SQLValue>] = [
                ["size": 7, "id": 1 as Int64, "column": "a"],
                ["data": [1, 2] as [UInt8], "id": 2, "column": String?.none],
            ]
            for row in rows { try RawStatement(database, into: "item", row: row).run() }
            #expect(throws: DatabaseError.self) { try RawStatement(database, into: "item", row: rows[0]).run() }
            try RawStatement(database, into: "item", replacing: true, row: ["id": 1, "size": 8]).run()
            let keep: KeyValuePairs<StaticString, any SQLValue> = ["id": 2, "size": 9]
            let clause = "ON CONFLICT (id) DO UPDATE SET size = excluded.size"
            try RawStatement(database, into: "item", onConflict: clause, row: keep).run()
            var found: [String] = []
            try RawStatement(database, sql: "SELECT id, \"column\", size, data FROM item ORDER BY id").forEach {
                found.append("\($0.integer(0)) \($0.text(1)) \($0.integer(2)) \($0.bytes(3))")
            }
            #expect(found == ["1  8 []", "2  9 [1, 2]"])
        }
    }
}
