import Foundation
import GRDB
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamStorage

/// Writes of another program are logged: foreign keys off, none of our settings.
@Suite struct TriggerTests {
    /// A photo with everything that a layout or a page can distinguish.
    private struct Seen: Hashable {
        let streamID: Int64
        let rowID: Int64
        let externalID: String
        let time: Int64
        let rank: Int64
        let width: Int64
        let height: Int64
        let hasCaption: Bool
        let latitude: Double?
        let longitude: Double?
    }

    private let temporary: TemporaryDatabase
    private let shell: DatabaseQueue

    init() throws {
        temporary = try TemporaryDatabase()
        try temporary.open().close()
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        shell = try DatabaseQueue(path: temporary.path, configuration: configuration)
        try run("INSERT INTO stream (id, name, createdAtMilliseconds) VALUES (1, 'one', 0), (2, 'two', 0)")
        try run(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12)
            INSERT INTO photo (streamId, externalId, width, height, takenAtMilliseconds, takenAtPrecision)
            SELECT 1 + i % 2, 'p' || i, 4, 3, i / 3, 5 FROM n
            """
        )
    }

    private static let head = "INTO photo (streamId, externalId, width, height, takenAtMilliseconds, takenAtPrecision)"
    private static let moveInPlace = "movedTime = 2, movedRank = 77, movedFromOrderTime = ownOrderTime"

    @Test(arguments: [
        "INSERT \(head) VALUES (1, 'new', 5, 5, 1, 5)",
        "INSERT INTO photo (id, streamId, externalId, width, height) VALUES (500, 1, 'new', 5, 5)",
        "INSERT INTO photo (id, streamId, externalId, width, height) VALUES (3, 1, 'new', 5, 5)",
        "INSERT OR REPLACE \(head) VALUES (1, 'p2', 5, 5, 1, 5)",
        "REPLACE INTO photo (id, streamId, externalId, width, height) VALUES (3, 1, 'p2', 5, 5)",
        "INSERT OR IGNORE \(head) VALUES (1, 'p2', 5, 5, 1, 5)",
        "INSERT OR FAIL \(head) VALUES (1, 'new', 5, 5, 1, 5), (1, 'p2', 5, 5, 1, 5)",
        "INSERT OR ABORT \(head) VALUES (1, 'new', 5, 5, 1, 5), (1, 'p2', 5, 5, 1, 5)",
        "INSERT OR ROLLBACK \(head) VALUES (1, 'new', 5, 5, 1, 5), (1, 'p2', 5, 5, 1, 5)",
        "INSERT \(head) VALUES (1, 'p2', 5, 5, 1, 5) ON CONFLICT DO UPDATE SET width = 9",
        "INSERT \(head) VALUES (1, 'p2', 5, 5, 1, 5) ON CONFLICT DO UPDATE SET takenAtMilliseconds = 99",
        "INSERT \(head) VALUES (1, 'p2', 5, 5, 1, 5) ON CONFLICT DO NOTHING",
        "UPDATE photo SET width = 9 WHERE externalId = 'p4'",
        "UPDATE photo SET caption = 'hello'",
        "UPDATE photo SET latitude = id, longitude = -id",
        "UPDATE photo SET latitude = 1, longitude = 2 WHERE id = 4; UPDATE photo SET latitude = NULL, longitude = NULL",
        "UPDATE photo SET latitude = 1, longitude = 2; INSERT OR REPLACE \(head) VALUES (1, 'p2', 5, 5, 1, 5)",
        "UPDATE photo SET latitude = 1, longitude = 2; DELETE FROM photo WHERE id = 4",
        "UPDATE photo SET latitude = 1, longitude = 2; UPDATE photo SET streamId = 3 - streamId WHERE id < 7",
        """
        UPDATE photo SET \(moveInPlace), latitude = 3, longitude = 4 WHERE id = 4;
        UPDATE OR REPLACE photo SET \(moveInPlace) WHERE id = 6
        """,
        "UPDATE photo SET caption = '  ' WHERE id < 5",
        "UPDATE photo SET takenAtMilliseconds = 100 - id",
        "UPDATE photo SET takenAtMilliseconds = NULL, takenAtPrecision = NULL",
        "UPDATE photo SET utcOffsetMinutes = 60",
        "UPDATE OR REPLACE photo SET externalId = 'p4' WHERE externalId = 'p2'",
        "UPDATE OR REPLACE photo SET streamId = 1, externalId = 'p4' WHERE externalId = 'p3'",
        "UPDATE OR REPLACE photo SET id = 5 WHERE id = 6",
        "UPDATE OR IGNORE photo SET externalId = 'p4' WHERE externalId = 'p2'",
        "UPDATE photo SET id = id + 1000",
        "UPDATE photo SET streamId = 3 - streamId WHERE id < 7",
        "UPDATE photo SET streamId = 2",
        "DELETE FROM photo WHERE id = 4",
        "DELETE FROM photo",
        "DELETE FROM stream WHERE id = 1",
        "DELETE FROM stream",
        "UPDATE photo SET \(moveInPlace) WHERE id = 4",
        "UPDATE photo SET \(moveInPlace) WHERE id = 4; UPDATE OR REPLACE photo SET \(moveInPlace) WHERE id = 6",
        """
        UPDATE photo SET \(moveInPlace) WHERE id = 4;
        INSERT OR REPLACE INTO photo (streamId, externalId, width, height, movedTime, movedRank, movedFromOrderTime)
        VALUES (1, 'new', 5, 5, 2, 77, -9223372036854775808)
        """,
        """
        UPDATE photo SET \(moveInPlace) WHERE id = 4; UPDATE photo SET takenAtMilliseconds = 50 WHERE id = 4;
        UPDATE photo SET \(moveInPlace) WHERE id = 6; UPDATE OR REPLACE photo SET takenAtMilliseconds = 1 WHERE id = 4
        """,
    ])
    func `the log records the effect of a statement`(statements: String) throws {
        for statement in statements.split(separator: ";") { try checkLog(of: String(statement)) }
    }

    @Test(arguments: [1, 2, 3, 4, 5] as [UInt64])
    func `the log records the effect of any sequence of statements`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<400 { try checkLog(of: Self.randomStatement(&random)) }
    }

    @Test func `a statement that fails completely logs nothing`() throws {
        let before = try lastRevision()
        try run("INSERT OR ABORT \(Self.head) VALUES (1, 'new', 5, 5, 1, 5), (1, 'p2', 5, 5, 1, 5)")
        try run("INSERT OR IGNORE INTO photo (streamId, externalId, width, height) VALUES (1, 'new', 0, 5)")
        #expect(try lastRevision() == before)
    }

    @Test func `revisions only increase, whatever is deleted`() throws {
        let before = try lastRevision()
        try run("DELETE FROM stream")
        let afterwards = try lastRevision()
        #expect(afterwards > before)
        try run("INSERT INTO stream (name, createdAtMilliseconds) VALUES ('three', 0)")
        try run("INSERT INTO photo (streamId, externalId, width, height) VALUES (3, 'x', 1, 1)")
        #expect(try lastRevision() > afterwards)
    }

    @Test func `an insert logs one row and an update one`() throws {
        let before = try lastRevision()
        try run("INSERT \(Self.head) VALUES (1, 'new', 5, 5, 1, 5)")
        #expect(try lastRevision() == before + 1)
        try run("UPDATE photo SET width = 9, caption = 'x' WHERE externalId = 'new'")
        #expect(try lastRevision() == before + 2)
        try run("DELETE FROM photo WHERE externalId = 'new'")
        #expect(try lastRevision() == before + 3)
    }

    // MARK: - The law

    /// Every photo that exists on one side only, or differs, is covered: by a row of its stream that names its old
    /// place and id if it had one, and by one that names its new place and row if it has one.
    private func checkLog(of statement: String) throws {
        let before = try photos()
        let revision = try lastRevision()
        try run(statement)
        let afterwards = try photos()
        var left: Set<String> = []
        var reached: Set<String> = []
        let rows = try shell.read { database in
            try Row.fetchAll(database, sql: "SELECT * FROM change WHERE revision > ?", arguments: [revision])
        }
        for row in rows {
            let (streamID, rowID): (Int64, Int64) = (row["streamId"], row["photoId"])
            if let time: Int64 = row["oldTime"], let rank: Int64 = row["oldRank"] {
                let id: String = row["oldExternalId"]
                let (latitude, longitude): (Double?, Double?) = (row["oldLatitude"], row["oldLongitude"])
                left.insert(Self.old("\(streamID) \(time) \(rank) \(id)", latitude, longitude))
            }
            if let time: Int64 = row["newTime"], let rank: Int64 = row["newRank"] {
                reached.insert("\(streamID) \(time) \(rank) \(rowID)")
            }
        }
        for photo in before.subtracting(afterwards) {
            let place = Self.old(
                "\(photo.streamID) \(photo.time) \(photo.rank) \(photo.externalID)", photo.latitude, photo.longitude)
            #expect(left.contains(place), "\(photo) after\n\(statement)")
        }
        for photo in afterwards.subtracting(before) {
            let place = "\(photo.streamID) \(photo.time) \(photo.rank) \(photo.rowID)"
            #expect(reached.contains(place), "\(photo) after\n\(statement)")
        }
    }

    private static func old(_ place: String, _ latitude: Double?, _ longitude: Double?) -> String {
        "\(place) \(latitude.map { "\($0)" } ?? "") \(longitude.map { "\($0)" } ?? "")"
    }

    private func photos() throws -> Set<Seen> {
        try shell.read { database in
            let rows = try Row.fetchAll(database, sql: "SELECT * FROM photo")
            return Set(
                rows.map { row in
                    Seen(
                        streamID: row["streamId"], rowID: row["id"], externalID: row["externalId"],
                        time: row["orderTime"], rank: row["orderRank"], width: row["width"], height: row["height"],
                        hasCaption: row["hasCaption"], latitude: row["latitude"], longitude: row["longitude"]
                    )
                }
            )
        }
    }

    private func lastRevision() throws -> Int64 {
        try shell.read { try Int64.fetchOne($0, sql: "SELECT max(revision) FROM change") ?? 0 }
    }

    /// Runs a statement, which the schema may reject.
    private func run(_ statement: String) throws {
        try shell.writeWithoutTransaction { database in
            do {
                try database.execute(sql: statement)
            } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
                return
            }
        }
    }

    // MARK: - Random statements

    private static func randomStatement(_ random: inout SplitMix64) -> String {
        let verb = random.element(of: ["INSERT", "INSERT OR REPLACE", "INSERT OR IGNORE", "INSERT OR FAIL"])
        let update = random.element(of: ["UPDATE", "UPDATE OR REPLACE", "UPDATE OR IGNORE", "UPDATE OR FAIL"])
        let (stream, time, size) = (random.int(in: 1...2), random.int(in: 0...4), random.int(in: 1...9))
        let (id, other) = (random.int(in: 1...25), random.int(in: 1...25))
        let rank = random.int(in: 1...4)
        switch random.int(in: 0...13) {
        case 0, 1: return "\(verb) \(head) VALUES (\(stream), 'p\(id)', \(size), 5, \(time), 5)"
        case 2:
            return "\(verb) INTO photo (id, streamId, externalId, width, height) VALUES "
                + "(\(other), \(stream), 'p\(id)', \(size), 5)"
        case 3:
            return "\(verb) INTO photo (streamId, externalId, width, height, movedTime, movedRank, movedFromOrderTime) "
                + "VALUES (\(stream), 'p\(id)', \(size), 5, \(time), \(rank), -9223372036854775808)"
        case 4:
            return "INSERT \(head) VALUES (\(stream), 'p\(id)', \(size), 5, \(time), 5) "
                + "ON CONFLICT DO UPDATE SET takenAtMilliseconds = \(time), takenAtPrecision = 5, width = \(size)"
        case 5: return "\(update) photo SET externalId = 'p\(id)' WHERE id = \(other)"
        case 6: return "\(update) photo SET id = \(id) WHERE id = \(other)"
        case 7: return "\(update) photo SET streamId = \(stream) WHERE id > \(other)"
        case 8:
            return "\(update) photo SET movedTime = \(time), movedRank = \(rank), movedFromOrderTime = ownOrderTime "
                + "WHERE id = \(id)"
        case 9:
            return "\(update) photo SET takenAtMilliseconds = \(time), takenAtPrecision = 5 WHERE id % 5 = \(time)"
        case 10: return "\(update) photo SET width = \(size), caption = nullif('\(size % 2)', '0') WHERE id = \(id)"
        case 11:
            return "\(update) photo SET movedTime = NULL, movedRank = NULL, movedFromOrderTime = NULL WHERE id > \(id)"
        case 12: return "DELETE FROM photo WHERE id IN (\(id), \(other))"
        default:
            return "\(update) photo SET streamId = \(stream), id = \(id), externalId = 'p\(other)' "
                + "WHERE id = \(other)"
        }
    }
}
