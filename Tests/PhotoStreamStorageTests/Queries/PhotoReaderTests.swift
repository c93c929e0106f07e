import GRDB
import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamStorage

@Suite struct PhotoReaderTests {
    private let fixture: StreamFixture

    init() throws {
        fixture = try StreamFixture()
    }

    @Test func `every field is read as written`() throws {
        var full = PhotoRecord(id: try PhotoID("album/2024:ü😀.jpg"))
        full.size = .set(.init(try PixelSize(width: 4_000, height: 3_000), source: .ratio))
        full.orientation = .set(.leftMirrored)
        full.takenAt = .set(try CaptureTime(milliseconds: -1, utcOffsetMinutes: -570, precision: .millisecond))
        full.caption = .set("👩‍👩‍👧 at the \"sea\"\n\tthe end")
        full.alt = .set("")
        full.tags = .set(["a", "with \"quotes\"", "back\\slash", "", "ü😀", "line\nbreak", "a,b]"])
        full.location = .set("/photos/e\u{301}.jpg")
        full.coordinate = .set(try Coordinate(latitude: -33.5, longitude: 0.1))
        full.contentHash = .set("sha256:ff")
        full.placeholder = .set("LKO2?U%2Tw=w")
        full.color = .set(RGBColor(rawValue: 0xFFEEDD))
        let expected = Photo.applying(full, to: nil, by: .importer)
        try fixture.importing([full])
        let stored = try #require(try fixture.photo("album/2024:ü😀.jpg"))
        #expect(stored == expected)
        #expect(stored.isStoredAlike(expected))
        #expect(stored.pixelSize == (try PixelSize(width: 3_000, height: 4_000)))
    }

    @Test func `a record with only an id is 3 by 2 and undated`() throws {
        try fixture.importing([PhotoRecord(id: try PhotoID("x"))])
        let stored = try fixture.photos()[0]
        #expect(stored.photo == Photo(id: try PhotoID("x")))
        #expect(stored.key == OrderKey(time: OrderKey.undatedTime, rank: -stored.rowID << 20))
    }

    @Test(arguments: Orientation.allCases)
    func `an orientation is kept and swaps the sides once`(orientation: Orientation) throws {
        var turned = try record("x", width: 60, height: 40)
        turned.orientation = .set(orientation)
        try fixture.importing([turned])
        let photo = try #require(try fixture.photo("x"))
        #expect(photo.orientation == orientation)
        #expect(photo.encodedSize.description == "60x40")
    }

    @Test func `every precision, offset and extreme of a capture time is read as written`() throws {
        var times: [CaptureTime] = []
        for precision in 0...5 {
            times.append(
                try CaptureTime(
                    milliseconds: -62_135_596_800_000,
                    utcOffsetMinutes: nil,
                    precision: try #require(CaptureTime.Precision(rawValue: UInt8(precision)))
                )
            )
        }
        for offset in [-1_080, 0, 1_080] {
            times.append(try CaptureTime(milliseconds: 5, utcOffsetMinutes: offset, precision: .minute))
            times.append(
                try CaptureTime(
                    milliseconds: 253_402_300_799_999 - Int64(offset) * 60_000,
                    utcOffsetMinutes: offset,
                    precision: .second
                )
            )
        }
        try fixture.importing(
            times.enumerated().map { index, time in
                var record = PhotoRecord(id: try PhotoID("t\(index)"))
                record.takenAt = .set(time)
                return record
            }
        )
        for (index, time) in times.enumerated() {
            let stored = try fixture.database.read { reader in
                try #require(try reader.photo(streamID: fixture.stream.id, id: PhotoID("t\(index)")))
            }
            #expect(stored.photo.takenAt == time)
            #expect(stored.key.time == StreamOrder.newest.orderTime(of: time))
        }
    }

    @Test func `stream order is newest first, in a tie the first imported first, undated last`() throws {
        try fixture.importing([
            try record("undated1"), try record("old", at: -5), try record("same1", at: 10), try record("same2", at: 10),
            try record("undated2"), try record("new", at: 20),
        ])
        let expected = ["new", "same1", "same2", "old", "undated1", "undated2"]
        for pageSize in 1...7 {
            #expect(try fixture.photos(pageSize: pageSize).map(\.photo.id.rawValue) == expected)
        }
        let keys = try fixture.photos().map(\.key)
        #expect(keys == keys.sorted(by: >))
        #expect(
            try fixture.database.read { try $0.orderKey(streamID: fixture.stream.id, id: PhotoID("old")) } == keys[3]
        )
    }

    @Test func `a page starts after a place without a photo`() throws {
        try fixture.importing([try record("a", at: 30), try record("b", at: 10)])
        let page = try fixture.database.read {
            try $0.photos(streamID: fixture.stream.id, after: OrderKey(time: 4 * 20, rank: 0), limit: 5)
        }
        #expect(page.map(\.photo.id.rawValue) == ["b"])
        let none = try fixture.database.read { try $0.photos(streamID: fixture.stream.id, after: nil, limit: 0) }
        #expect(none.isEmpty)
    }

    @Test func `rows are returned in the requested order, and a missing one is damage`() throws {
        try fixture.importing([try record("a", at: 1), try record("b", at: 2), try record("c", at: 3)])
        let ids = try fixture.photos().map(\.rowID)
        let asked = [ids[2], ids[0], ids[2], ids[1]]
        #expect(try fixture.database.read { try $0.photos(rowIDs: asked) }.map(\.rowID) == asked)
        let error = #expect(throws: ReadInterruption.self) {
            try fixture.database.read { try $0.photos(rowIDs: [ids[0], 999]) }
        }
        guard case .damage(nil, let message)? = error else { return #expect(Bool(false), "\(error as Any)") }
        #expect(message == "photo row 999 is missing though the stream's chunks name it")
    }

    @Test func `a count is exact and of one stream`() throws {
        try fixture.importing((0..<257).map { try record("p\($0)", at: Int64($0)) })
        let other = try fixture.database.write { try $0.createStream(named: StreamName("other"), now: 0) }
        #expect(try fixture.database.read { try $0.photoCount(in: fixture.stream.id) } == 257)
        #expect(try fixture.database.read { try $0.photoCount(in: other.id) } == 0)
    }

    @Test func `rows written by a shell can be read`() throws {
        try fixture.database.write { writer in
            try writer.database.execute(
                sql: """
                    INSERT INTO photo (streamId, externalId, width, height, caption, tags)
                    VALUES (?, 'x', 4, 3, '  ', '[1, "two", null, "thr\\u00e9e"]')
                    """,
                arguments: [fixture.stream.id]
            )
        }
        let photo = try #require(try fixture.photo("x"))
        #expect(photo.tags == ["two", "thrée"])
        #expect(photo.caption == nil)
    }

    @Test func `streams are created, renamed and deleted, and errors name them`() throws {
        let database = fixture.database
        let (holiday, other) = (try StreamName("holiday"), try StreamName("other"))
        let taken = StorageError(.constraint, message: "stream \"holiday\" already exists")
        #expect(failure { try database.write { try $0.createStream(named: holiday, now: 1) } } == taken)
        try database.write { try $0.createStream(named: other, now: 1) }
        #expect(failure { try database.write { try $0.renameStream(named: other, to: holiday) } } == taken)
        try database.write { try $0.renameStream(named: other, to: StreamName("ä")) }
        #expect(try database.read { try $0.streams() }.map(\.name.rawValue) == ["holiday", "ä"])
        #expect(
            failure { try database.write { try $0.deleteStream(named: other) } }
                == StorageError(.notFound, message: "there is no stream \"other\"")
        )
        try fixture.importing([try record("x")])
        try database.write { try $0.deleteStream(named: holiday) }
        #expect(try database.read { try $0.stream(named: holiday) } == nil)
        #expect(try database.read { try $0.photoCount(in: fixture.stream.id) } == 0)
        let again = try database.write { try $0.createStream(named: holiday, now: 2) }
        #expect(again.id > fixture.stream.id)
    }

    @Test func `a write that throws is rolled back and rethrows`() throws {
        struct Refusal: Error {}
        #expect(throws: Refusal.self) {
            try fixture.database.write { writer in
                try writer.createStream(named: StreamName("gone"), now: 1)
                throw Refusal()
            }
        }
        #expect(throws: Refusal.self) { try fixture.database.read { _ in throw Refusal() } }
        #expect(try fixture.database.read { try $0.stream(named: StreamName("gone")) } == nil)
    }

    @Test func `a read sees one state`() throws {
        try fixture.importing([try record("a", at: 1)])
        let other = try fixture.temporary.open()
        try fixture.database.read { reader in
            #expect(try reader.photoCount(in: fixture.stream.id) == 1)
            try other.write { _ = try $0.deletePhotosForever(streamID: fixture.stream.id, ids: [PhotoID("a")], now: 1) }
            #expect(try reader.photoCount(in: fixture.stream.id) == 1)
        }
        #expect(try fixture.database.read { try $0.photoCount(in: fixture.stream.id) } == 0)
    }

    @Test func `an edit marks its fields and takes precedence over imports; repeating it writes nothing`() throws {
        try fixture.importing([try record("a", at: 1)])
        var edit = PhotoRecord(id: try PhotoID("a"))
        edit.caption = .set("mine")
        let edited = try fixture.database.write { try $0.edit(streamID: fixture.stream.id, record: edit) }
        #expect(edited?.photo.caption == "mine")
        #expect(edited?.photo.captionSource == .person)
        #expect(edited?.photo.editedFields == [.text(.caption)])
        let revision = try fixture.database.read { try $0.lastRevision() }
        let again = try fixture.database.write { try $0.edit(streamID: fixture.stream.id, record: edit) }
        #expect(again == edited)
        #expect(try fixture.database.read { try $0.lastRevision() } == revision)
        var theirs = try record("a", at: 2)
        theirs.caption = .set("theirs")
        #expect(try fixture.importing([theirs]) == [.updated])
        #expect(try fixture.photo("a")?.caption == "mine")
        #expect(try fixture.photo("a")?.takenAt?.milliseconds == 2)
        edit.id = try PhotoID("missing")
        #expect(try fixture.database.write { try $0.edit(streamID: fixture.stream.id, record: edit) } == nil)
    }

    @Test func `photos are deleted once`() throws {
        try fixture.importing((0..<5).map { try record("p\($0)") })
        let ids = try ["p1", "p3", "p1", "missing"].map { try PhotoID($0) }
        #expect(
            try fixture.database.write { try $0.deletePhotosForever(streamID: fixture.stream.id, ids: ids, now: 1) }
                == 2)
        #expect(try fixture.photos().map(\.photo.id.rawValue) == ["p0", "p2", "p4"])
        #expect(
            try fixture.database.write {
                try $0.deletePhotosForever(streamID: fixture.stream.id, ids: [ids[0]], now: 1)
            } == 0)
    }
}
