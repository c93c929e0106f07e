import GRDB
import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamStorage

@Suite struct DeletedPhotosTests {
    private let temporary: TemporaryDatabase
    private let database: PhotoDatabase
    private static let day: Int64 = 86_400_000

    init() throws {
        temporary = try TemporaryDatabase()
        database = try PhotoDatabase(path: temporary.path, access: .readWrite)
    }

    private func stream(_ order: StreamOrder = .newest) throws -> Int64 {
        try database.write { try $0.createStream(named: StreamName("s"), order: order, now: 1) }.id
    }

    private func load(_ records: [PhotoRecord], into stream: Int64, restoring: Bool = false) throws -> [ImportOutcome] {
        var seen = RowIDSet()
        return try database.importRecords(records[...], into: stream, restoringDeleted: restoring, seen: &seen).outcomes
    }

    private func photos(_ stream: Int64) throws -> [StoredPhoto] {
        try database.read { try $0.photos(streamID: stream, after: nil, limit: 1_000) }
    }

    private func delete(_ ids: [PhotoID], from stream: Int64, at now: Int64 = 1) throws -> Int {
        try database.write { try $0.deletePhotos(streamID: stream, ids: ids, now: now) }
    }

    @discardableResult
    private func restore(_ id: PhotoID, in stream: Int64) throws -> StoredPhoto? {
        try database.write { try $0.restorePhoto(streamID: stream, id: id) }
    }

    private func deleted(_ stream: Int64) throws -> [String] {
        let found = try database.read { try $0.deletedPhotos(streamID: stream, after: nil, limit: 1_000, within: .max) }
        return try #require(found).photos.map(\.photo.id.rawValue)
    }

    /// A record with every field.
    private func whole(_ id: String, at milliseconds: Int64?) throws -> PhotoRecord {
        var record = try record(id, at: milliseconds)
        record.coordinate = .set(try Coordinate(latitude: 1.5, longitude: -2.25))
        record.color = .set(RGBColor(rawValue: 0x12_34_56))
        record.orientation = .set(.left)
        record.tags = .set(["place/Rome", "b"])
        for text in PhotoText.allCases { record[text] = .set("\(text) of \(id)") }
        for number in PhotoNumber.allCases { record[number] = .set(number.range.upperBound) }
        return record
    }

    @Test(arguments: StreamOrder.allCases, [1, 2, 3] as [UInt64])
    func `a deleted and restored photo is unchanged, and so is its place`(order: StreamOrder, seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let stream = try stream(order)
        _ = try load((0..<80).map { try whole("p\($0)", at: $0 % 9 == 0 ? nil : Int64($0 / 6)) }, into: stream)
        for _ in 0..<60 {
            let ids = try photos(stream).map(\.photo.id)
            let (id, other) = (random.element(of: ids), random.element(of: ids))
            guard id != other else { continue }
            _ = try database.write { try $0.move(streamID: stream, id: id, to: .after(other)) }
        }
        let before = try photos(stream)
        for _ in 0..<20 {
            let doomed = before.map(\.photo.id).shuffled(using: &random).prefix(random.int(in: 1...40))
            #expect(try delete(Array(doomed), from: stream) == doomed.count)
            #expect(try photos(stream).count == before.count - doomed.count)
            #expect(try deleted(stream) == doomed.reversed().map(\.rawValue))
            for id in doomed.shuffled(using: &random) { try restore(id, in: stream) }
            #expect(try photos(stream) == before)
            #expect(try deleted(stream) == [])
        }
    }

    @Test(arguments: StreamOrder.allCases)
    func `a photo whose row id was reused returns to its place`(order: StreamOrder) throws {
        let stream = try stream(order)
        _ = try load((0..<6).map { try record("p\($0)", at: 1_000) }, into: stream)
        let last = try #require(try photos(stream).first { $0.photo.id.rawValue == "p5" })
        let ids = try photos(stream).map(\.photo.id.rawValue)
        #expect(try delete([last.photo.id], from: stream) == 1)
        _ = try load([try record("new", at: 1_000)], into: stream)
        #expect(try photos(stream).first { $0.photo.id.rawValue == "new" }?.rowID == last.rowID)
        try restore(last.photo.id, in: stream)
        #expect(try photos(stream).map(\.photo.id.rawValue).filter { $0 != "new" } == ids)
        // A moved photo whose rank was taken.
        _ = try database.write { try $0.move(streamID: stream, id: PhotoID("p3"), to: .before(PhotoID("p0"))) }
        let moved = try photos(stream).map(\.photo.id.rawValue)
        #expect(try delete([PhotoID("p3")], from: stream) == 1)
        _ = try database.write { try $0.move(streamID: stream, id: PhotoID("p4"), to: .before(PhotoID("p0"))) }
        try restore(PhotoID("p3"), in: stream)
        #expect(try photos(stream).map(\.photo.id.rawValue).filter { $0 != "p4" } == moved.filter { $0 != "p4" })
    }

    @Test func `an import skips deleted photos, also in a dry run`() throws {
        let stream = try stream()
        let records = try (0..<300).map { try record("p\($0)", at: Int64($0)) }
        _ = try load(records, into: stream)
        let doomed = try [PhotoID("p3"), PhotoID("p250")]
        #expect(try delete(doomed, from: stream) == 2)
        // New ones first, so that the fast path meets them.
        let again = try (300..<400).map { try record("p\($0)", at: Int64($0)) } + records + [records[3]]
        var dryRun = try ImportDryRun(database: database, streamID: stream)
        let expected = try dryRun.outcomes(of: again[...])
        #expect(expected.count { $0 == .deleted } == 3)
        #expect(try load(again, into: stream) == expected)
        #expect(try photos(stream).count == 398)
        var restoring = try ImportDryRun(database: database, streamID: stream, restoringDeleted: true)
        let outcomes = try restoring.outcomes(of: again[...])
        #expect(outcomes.count { $0 == .inserted } == 2)
        #expect(try load(again, into: stream, restoring: true) == outcomes)
        #expect(try photos(stream).count == 400 && deleted(stream) == [])
        let sorted = try photos(stream).map(\.photo.id.rawValue)
        #expect(sorted == (0..<400).reversed().map { "p\($0)" })
    }

    @Test func `deleted photos are forgotten after 30 days, when pruned, and when a photo takes their id`() throws {
        let stream = try stream()
        _ = try load(try ["a", "b", "c", "d"].map { try record($0, at: 1) }, into: stream)
        #expect(try delete([PhotoID("a")], from: stream, at: 1) == 1)
        #expect(try delete([PhotoID("b")], from: stream, at: 30 * Self.day + 1) == 1)
        #expect(try deleted(stream) == ["b", "a"])
        #expect(try delete([PhotoID("c")], from: stream, at: 30 * Self.day + 2) == 1)
        #expect(try deleted(stream) == ["c", "b"])
        #expect(try restore(PhotoID("a"), in: stream) == nil)
        #expect(
            try database.write {
                try $0.deletePhotosForever(streamID: stream, ids: [PhotoID("b"), PhotoID("d")], now: 5)
            } == 1)
        #expect(try deleted(stream) == ["c"])
        _ = try database.write { try $0.add(streamID: stream, record: record("c", at: 2)) }
        #expect(try deleted(stream) == [])
        #expect(try restore(PhotoID("c"), in: stream) == nil)
    }

    @Test func `deletions by batches can be undone or are permanent`() throws {
        let stream = try stream()
        _ = try load(try (0..<200).map { try record("p\($0)", at: 1) }, into: stream)
        let ids = try photos(stream).map(\.photo.id)
        #expect(try database.deletePhotos(ids[..<100], from: stream, now: 5, forever: false).count == 100)
        #expect(try database.deletePhotos(ids[100...], from: stream, now: 5, forever: true).count == 100)
        #expect(try Set(deleted(stream)) == Set(ids[..<100].map(\.rawValue)))
        #expect(try database.deletePhotos(ids[..<1], from: stream, now: 5, forever: true) == [false])
        #expect(try deleted(stream).count == 99)
    }

    @Test func `a list continues after a photo, within its byte limit, and ends with the stream`() throws {
        let stream = try stream()
        _ = try load(try (0..<9).map { try record("p\($0)", at: 1) }, into: stream)
        for number in 0..<9 { _ = try delete([PhotoID("p\(number)")], from: stream, at: Int64(number)) }
        let page = try database.read {
            try $0.deletedPhotos(streamID: stream, after: PhotoID("p5"), limit: 3, within: 1_000)
        }
        let found = try #require(page)
        #expect(found.photos.map(\.photo.id.rawValue) == ["p4", "p3", "p2"] && found.isTruncated)
        #expect(found.photos.map(\.deletedAt) == [4, 3, 2])
        let cut = try database.read { try $0.deletedPhotos(streamID: stream, after: nil, limit: 9, within: 5) }
        #expect(cut?.photos.count == 2 && cut?.isTruncated == true)
        #expect(
            try database.read { try $0.deletedPhotos(streamID: stream, after: PhotoID("x"), limit: 3, within: 9) }
                == nil)
        try database.write { _ = try $0.deleteStream(named: StreamName("s")) }
        #expect(try database.read { try $0.integer("SELECT count(*) FROM deletedPhoto") } == 0)
    }

    @Test func `rows that no photo can have do not keep the others from being read`() throws {
        let stream = try stream()
        _ = try load(try (0..<5).map { try record("p\($0)", at: 1) }, into: stream)
        for number in 0..<5 { _ = try delete([PhotoID("p\(number)")], from: stream, at: Int64(number)) }
        for change in [
            "width = 0 WHERE externalId = 'p1'", "deletedAtMilliseconds = -5 WHERE externalId = 'p2'",
            "deletedAtMilliseconds = 9223372036854775807 WHERE externalId = 'p3'",
            "id = 9223372036854775807 WHERE externalId = 'p4'",
        ] {
            try temporary.write("UPDATE deletedPhoto SET \(change)")
        }
        #expect(try deleted(stream) == ["p3", "p2", "p0"])
        let page = try database.read { try $0.deletedPhotos(streamID: stream, after: nil, limit: 2, within: .max) }
        #expect(page?.photos.map(\.deletedAt) == [253_402_300_799_999, 0] && page?.isTruncated == true)
        // One that is asked for by its id has any row.
        let found = try database.read { reader in
            try (0..<5).map { try reader.deletedPhoto(streamID: stream, id: PhotoID("p\($0)")) != nil }
        }
        #expect(found == [true, false, true, true, true])
    }

    @Test func `a deleted photo with values that no photo can have is imported as a new one`() throws {
        let stream = try stream()
        let records = try ["p0", "p1"].map { try record($0, at: 1) }
        _ = try load(records, into: stream)
        _ = try delete(records.map(\.id), from: stream)
        try temporary.write("UPDATE deletedPhoto SET width = 0 WHERE externalId = 'p0'")
        #expect(try restore(PhotoID("p0"), in: stream) == nil)
        #expect(try load(records, into: stream, restoring: true) == [.inserted, .inserted])
        #expect(try photos(stream).map(\.photo.id.rawValue).sorted() == ["p0", "p1"])
        #expect(try deleted(stream) == [])
    }

    @Test func `a stream with an id that no stream gets does not keep the others from being read`() throws {
        let stream = try stream()
        for id in [-1, 0] {
            try temporary.write(
                "INSERT INTO stream (id, name, createdAtMilliseconds, streamOrder) VALUES (\(id), 'x\(id)', 1, 0)")
        }
        #expect(try database.read { try $0.streams().map(\.id) } == [stream])
        #expect(try database.read { try $0.streamsAndViews(after: "", of: nil, limit: 9).map(\.id) } == [stream])
        #expect(try database.read { try $0.stream(named: StreamName("x0")) } == nil)
    }

    @Test func `deletedPhoto has every column of photo that SQLite does not compute`() throws {
        let columns = try DatabaseQueue(path: temporary.path).read { database in
            func names(_ table: String) throws -> Set<String> {
                Set(try String.fetchAll(database, sql: "SELECT name FROM pragma_table_info('\(table)')"))
            }
            return (try names("photo"), try names("deletedPhoto"))
        }
        let own = [
            "deletedAtMilliseconds", "photoId", "orderTime", "orderRank", "decodedPlaceholder", "decodedColor",
            "isPruned",
        ]
        #expect(columns.1 == columns.0.union(own))
    }
}
