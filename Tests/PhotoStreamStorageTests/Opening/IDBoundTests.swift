import GRDB
import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamStorage

/// Another program cannot use up the ids of a table in which a new row gets the id after the greatest one.
@Suite struct IDBoundTests {
    private static let greatest: Int64 = 4_611_686_018_427_387_904

    /// The columns of a row without its id, and their values.
    private static let rows = [
        "stream": ("name, createdAtMilliseconds", "'s' || random(), 1"),
        "root": ("path, resolvedPath, machine, addedAtMilliseconds", "'/' || random(), '/r', 'm', 1"),
        "token": ("name, hashStart, hash, scope, createdAtMilliseconds", "random(), 1, randomblob(32), 0, 1"),
        "share": (
            "name, hashStart, hash, streamId, showsPositions, showsNames, sendsOriginals, createdAtMilliseconds",
            "random(), 1, randomblob(32), (SELECT min(id) FROM stream), 0, 0, 0, 1"
        ),
        "importRun": (
            "streamId, sources, startedAtMilliseconds", "(SELECT min(id) FROM stream), json_array(random()), 1"
        ),
        "importFailure": (
            "importRunId, source, line, \"column\", reason", "(SELECT min(id) FROM importRun), 'a', 1, 1, 'why'"
        ),
        "session": (
            "hashStart, hash, tokenId, isLink, createdAtMilliseconds, expiresAtMilliseconds",
            "1, randomblob(32), (SELECT min(id) FROM token), 0, 1, 2"
        ),
    ]

    @Test func `every table that assigns ids in order has room after the greatest one that it accepts`() throws {
        let file = try TemporaryDatabase()
        _ = try PhotoDatabase(path: file.path, access: .readWrite)
        let queue = try DatabaseQueue(path: file.path)
        let tables = try queue.read {
            try String.fetchSet(
                $0, sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%AUTOINCREMENT%'")
        }
        // Derived tables can be dropped at any moment.
        let assigned = tables.subtracting(OrphanTable.allCases.map(\.rawValue)).union(["importRun", "importFailure"])
        #expect(assigned == Set(Self.rows.keys))
        for table in ["stream", "root", "token", "share", "session", "importRun", "importFailure"] {
            let (columns, values) = try #require(Self.rows[table])
            func insert(_ id: String) throws {
                try queue.write {
                    try $0.execute(sql: "INSERT OR REPLACE INTO \(table) (id, \(columns)) VALUES (\(id), \(values))")
                }
            }
            let refusal = "the id of a row of \(table) is at most \(Self.greatest); leave the id out"
            for id in [Self.greatest + 1, .max] {
                let message = message { try insert("\(id)") }
                #expect(message == refusal)
            }
            try insert("NULL")
            if !["token", "share", "session"].contains(table) {
                let message = message {
                    try queue.write { try $0.execute(sql: "UPDATE \(table) SET id = \(Self.greatest + 1)") }
                }
                #expect(message == refusal)
            }
            try insert("\(Self.greatest)")
            // PhotoStream assigns those of imports itself.
            try insert(table.hasPrefix("import") ? "\(Self.greatest + 1)" : "NULL")
            let last = try queue.read { try Int64.fetchOne($0, sql: "SELECT max(id) FROM \(table)") }
            #expect(last == Self.greatest + 1)
        }
    }

    /// The message of SQLite's error.
    private func message(of body: () throws -> Void) -> String? {
        do {
            try body()
            return nil
        } catch { return (error as? DatabaseError)?.message }
    }
}
