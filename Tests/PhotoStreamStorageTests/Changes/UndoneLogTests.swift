import Foundation
import GRDB
import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamStorage

/// The log restores every value that a condition, a layout or a text read of a photo before a write, by any writer.
@Suite struct UndoneLogTests {
    private static let logged = SharedTable.loggedColumns
    private static let core = ["width", "height", "hasCaption", "externalId", "latitude", "longitude"]
    private typealias Values = [String: DatabaseValue]

    /// The photo at each place; photos that are hidden in a stack have none.
    private struct State: Equatable {
        struct Place: Hashable {
            let stream: Int64
            let time: Int64
            let rank: Int64
        }

        var photos: [Place: Values] = [:]

        init(_ database: Database) throws {
            for row in try Row.fetchAll(database, sql: "SELECT * FROM photo WHERE stackRank = 0") {
                let place = Place(stream: row["streamId"], time: row["orderTime"], rank: row["orderRank"])
                photos[place] = Dictionary(
                    uniqueKeysWithValues: (core + logged).map { ($0, row[$0] as DatabaseValue) })
            }
        }

        /// Undoes a row of the log; later ones must have been undone before.
        mutating func undo(_ row: Row) {
            let stream: Int64 = row["streamId"]
            func place(_ side: String) -> Place? {
                guard let time: Int64 = row["\(side)Time"], let rank: Int64 = row["\(side)Rank"] else { return nil }
                return Place(stream: stream, time: time, rank: rank)
            }
            let kind: Int64 = row["kind"]
            guard let old = place("old") else {
                if let new = place("new") { photos[new] = nil }
                return
            }
            if kind == 3, photos[old] != nil { return }
            var values = place("new").flatMap { photos.removeValue(forKey: $0) } ?? [:]
            let mask: Int64 = row["changedColumns"]
            for name in core { values[name] = row[UndoneLogTests.old(name)] }
            for (bit, name) in logged.enumerated() {
                let value: DatabaseValue = row[UndoneLogTests.old(name)]
                if mask & 1 << bit != 0 { values[name] = value } else { #expect(value.isNull) }
            }
            photos[old] = values
        }
    }

    private static func old(_ name: String) -> String { "old\(name.prefix(1).uppercased())\(name.dropFirst())" }

    private let temporary: TemporaryDatabase
    private let database: PhotoDatabase
    private let shell: DatabaseQueue

    init() throws {
        temporary = try TemporaryDatabase()
        database = try temporary.open()
        for name in ["one", "two"] { _ = try database.write { try $0.createStream(named: StreamName(name), now: 0) } }
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        shell = try DatabaseQueue(path: temporary.path, configuration: configuration)
    }

    /// Runs a write and undoes its rows of the log.
    private func check(_ name: String, _ write: () throws -> Void) throws {
        let (before, revision) = try shell.read {
            (try State($0), try Int64.fetchOne($0, sql: "SELECT max(revision) FROM change") ?? 0)
        }
        try write()
        var (after, rows) = try shell.read {
            (
                try State($0),
                try Row.fetchAll(
                    $0, sql: "SELECT * FROM change WHERE revision > ? ORDER BY revision DESC", arguments: [revision])
            )
        }
        for row in rows { after.undo(row) }
        #expect(after == before, "\(name)")
        let wrong = try shell.read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT streamId, stack FROM photo WHERE stack IS NOT NULL GROUP BY 1, 2 HAVING sum(stackRank = 0) <> 1
                    """)
        }
        #expect(wrong.isEmpty, "each stack has one cover: \(name)")
        rows.removeAll()
    }

    private func run(_ statement: String) throws {
        try check(statement) {
            try shell.writeWithoutTransaction { database in
                do {
                    try database.execute(sql: statement)
                } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
                    return
                }
            }
        }
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `undoing the log of any statements restores every value`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<300 { try run(Self.statement(&random)) }
    }

    @Test(arguments: [4, 5, 6] as [UInt64])
    func `the photos of any earlier state are those that the file had then`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var states: [(revision: Int64, stream: Int64, photos: [PhotoID: Photo])] = []
        for step in 0..<300 {
            try shell.writeWithoutTransaction { database in
                do {
                    try database.execute(sql: Self.statement(&random))
                } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
                    return
                }
            }
            guard step % 4 == 0 else { continue }
            for stream in [1, 2] as [Int64] {
                try database.read { reader in
                    let photos = try reader.photos(streamID: stream, after: nil, limit: .max).map(\.photo)
                    states.append(
                        (
                            try reader.lastRevision() ?? 0, stream,
                            Dictionary(uniqueKeysWithValues: photos.map { ($0.id, $0) })
                        ))
                }
            }
        }
        #expect(states.count { $0.photos.count > 3 } > 20)
        for state in states {
            let ids = Set(state.photos.keys)
            var found: [PhotoID: Photo] = [:]
            try database.read { reader in
                try reader.forEachPhoto(ids, streamID: state.stream, at: state.revision) { found[$0] = $1 }
            }
            #expect(
                found.mapValues(Self.withLoggedFields) == state.photos.mapValues(Self.withLoggedFields),
                "revision \(state.revision)")
        }
    }

    /// The photo without the values that are not logged.
    private static func withLoggedFields(_ photo: Photo) -> Photo {
        var photo = photo
        (photo.fileFields, photo.clearedFields, photo.captionSource) = ([], [], nil)
        return photo
    }

    @Test func `the former values of all fields are logged`() {
        // No condition, layout or text reads who wrote a caption.
        let columns = Set(PhotoField.allCases.flatMap(\.row.columns).map(\.description)).subtracting(["captionSource"])
        #expect(columns.subtracting(Self.core + Self.logged).isEmpty)
    }

    @Test func `the program's writers log the same values`() throws {
        var seen = RowIDSet()
        let records = try (0..<200).map { try record("p\($0)", at: Int64($0) * 1_000) }
        try check("import") { _ = try database.importRecords(records[...], into: 1, seen: &seen) }
        var edited = records[3]
        (edited.rating, edited.title, edited.caption) = (.set(4), .set("A title"), .set("Words"))
        edited.size = .set(.init(try PixelSize(width: 9, height: 7)))
        try check("edit") { _ = try database.write { try $0.edit(streamID: 1, record: edited) } }
        edited.caption = .clear
        try check("clear") { _ = try database.write { try $0.edit(streamID: 1, record: edited) } }
        seen = RowIDSet()
        var again = records
        for position in again.indices { again[position].alt = .set("Again \(position)") }
        try check("import again") { _ = try database.importRecords(again[...], into: 1, seen: &seen) }
        try check("prune") {
            _ = try database.write { try $0.deletePhotosForever(streamID: 1, ids: [edited.id], now: 1) }
        }
    }

    @Test func `an insertion has no previous values, and a deletion has all`() throws {
        try run("INSERT INTO photo (streamId, externalId, width, height, rating) VALUES (1, 'a', 4, 3, 2)")
        try run("UPDATE photo SET favourite = 1, archived = 1")
        try run("UPDATE photo SET rating = NULL")
        try run("UPDATE photo SET rating = 1, title = 'x'")
        try run("UPDATE photo SET rating = 1")
        try run("DELETE FROM photo")
        let rows = try shell.read { try Row.fetchAll($0, sql: "SELECT * FROM change ORDER BY revision") }
        let bits: [Int64?] = [nil, 0x5000_0000, 64, 68, 0, 0x7FFF_FFFF]
        #expect(rows.map { $0["changedColumns"] as Int64? } == bits)
        #expect(rows.map { $0["oldRating"] as Int64? } == [nil, nil, 2, nil, nil, 1])
        #expect(rows.map { $0["oldFavourite"] as Int64? } == [nil, 0, nil, nil, nil, 1])
        #expect(Set(rows.map { $0["tag"] as Int64 }).count == 6)
    }

    private static func statement(_ random: inout SplitMix64) -> String {
        let update = random.element(of: ["UPDATE", "UPDATE OR REPLACE", "UPDATE OR IGNORE", "UPDATE OR FAIL"])
        let verb = random.element(of: ["INSERT", "INSERT OR REPLACE", "INSERT OR IGNORE", "INSERT OR FAIL"])
        let (stream, time, size) = (random.int(in: 1...2), random.int(in: 0...4), random.int(in: 1...9))
        let (id, other, rank) = (random.int(in: 1...20), random.int(in: 1...20), random.int(in: 1...4))
        let text = random.element(of: ["NULL", "'a'", "'b c'", "'日本'"])
        let number = random.element(of: ["NULL", "0", "3"])
        let stack = random.element(of: [
            "NULL, 0, NULL", "'A', 0, 1", "'A', \(rank), 1", "'B', 0, 0", "'B', \(rank), 2",
        ])
        switch random.int(in: 0...13) {
        case 11, 12:
            return "\(update) photo SET (stack, stackRank, stackKind, movedTime, movedRank, movedFromOrderTime) = "
                + "(\(stack), NULL, NULL, NULL) WHERE id = \(id)"
        case 13:
            return "\(verb) INTO photo (streamId, externalId, width, height, stack, stackRank, stackKind) VALUES "
                + "(\(stream), 'p\(id)', \(size), 5, \(stack))"
        case 0, 1:
            return "\(verb) INTO photo (streamId, externalId, width, height, caption, rating, tags) VALUES "
                + "(\(stream), 'p\(id)', \(size), 5, \(text), \(number), '[]')"
        case 2:
            return "\(verb) INTO photo (id, streamId, externalId, width, height, title, color) VALUES "
                + "(\(other), \(stream), 'p\(id)', \(size), 5, \(text), \(number))"
        case 3:
            return "\(update) photo SET caption = \(text), alt = \(text), rating = \(number) WHERE id > \(id)"
        case 4:
            return
                "\(update) photo SET \(random.element(of: ["title", "camera", "location", "placeholder", "lens"])) = \(text), "
                + "contentHash = \(text), editedFields = \(size), orientation = \(min(size, 8)) WHERE id = \(id)"
        case 5:
            return "\(update) photo SET movedTime = \(time), movedRank = \(rank), movedFromOrderTime = ownOrderTime, "
                + "latitude = \(size), longitude = 2, iso = \(size), aperture = \(other), people = '[]' WHERE id = \(id)"
        case 6:
            return "\(update) photo SET takenAtMilliseconds = \(time), takenAtPrecision = \(time), "
                + "utcOffsetMinutes = \(number), metricsSource = \(size % 3), "
                + "takenAtSource = \(number), exposureTime = \(size), focalLength = \(id), "
                + "duration = \(number), codec = \(text), favourite = \(size % 2), archived = \(time % 2) WHERE id % 5 = \(time)"
        case 7: return "\(update) photo SET streamId = \(stream), externalId = 'p\(id)' WHERE id = \(other)"
        case 8: return "\(update) photo SET id = \(id) WHERE id = \(other)"
        case 9: return "DELETE FROM photo WHERE id IN (\(id), \(other))"
        default:
            return "INSERT INTO photo (streamId, externalId, width, height) VALUES (\(stream), 'p\(id)', \(size), 5) "
                + "ON CONFLICT DO UPDATE SET width = \(size), caption = \(text), takenAtMilliseconds = NULL, "
                + "takenAtPrecision = NULL, utcOffsetMinutes = NULL"
        }
    }
}
