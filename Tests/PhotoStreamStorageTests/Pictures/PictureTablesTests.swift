import GRDB
import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamStorage

/// The tables of picture files and of the results of decodes.
@Suite struct PictureTablesTests {
    private let fixture: StreamFixture
    private let rootID: Int64

    init() throws {
        fixture = try StreamFixture()
        try fixture.importing(["a", "b", "c", "d"].map { try record($0, at: Int64($0.utf8.first ?? 0)) })
        rootID = try fixture.database.write { [fixture] writer in
            _ = try writer.addRoot(
                "/pictures", resolvedPath: "/pictures", streamID: fixture.stream.id, machine: "here", now: 0)
            return writer.database.lastInsertedRowID
        }
    }

    private var stream: Int64 { fixture.stream.id }

    private func file(
        _ path: String, photo: String? = nil, byteCount: Int64 = 10, state: PictureFileRow.State = .read,
        reason: String? = nil
    ) -> PictureFileRow {
        PictureFileRow(
            rootID: rootID, path: path, photo: photo.map(PhotoID.init(stored:)), byteCount: byteCount,
            modifiedNanoseconds: 1_784_000_000_123_456_789, sidecars: "x.xmp 3 4",
            fieldSources: [.takenAt: .fileName, .text(.title): .sidecar, .coordinate: .embedded], state: state,
            reason: reason, photoSize: photo == nil ? nil : try? PixelSize(width: 400, height: 300))
    }

    private func save(_ files: [PictureFileRow]) throws {
        try fixture.database.write { try $0.savePictureFiles(streamID: stream, files) }
    }

    private func photo(_ id: String) throws -> PicturedPhoto {
        try #require(try fixture.database.read { try $0.picturedPhoto(streamID: stream, id: PhotoID(id)) })
    }

    private func row(
        _ seed: UInt8 = 1, state: PictureRow.State = .ready, reason: String? = nil, deaths: Int = 0
    ) -> PictureRow {
        PictureRow(
            byteCount: 10, modifiedNanoseconds: 5, orientation: .right, state: state,
            fileHash: [UInt8](repeating: seed, count: 32),
            key: PictureKey(bytes: [UInt8](repeating: seed, count: 16)),
            placeholder: [1, 2, seed], color: RGBColor(rawValue: 0x10_2030), failureKind: reason == nil ? nil : 4,
            reason: reason, deaths: deaths)
    }

    private func save(_ id: String, _ row: PictureRow, now: Int64 = 0) throws {
        let photo = try photo(id)
        try fixture.database.write { try $0.savePictures([(photo, row)], now: now) }
    }

    private func picture(_ id: String) throws -> PictureRow? {
        let rowID = try photo(id).rowID
        return try fixture.database.read { try $0.picture(photoRowID: rowID) }
    }

    private func count(_ sql: String) throws -> Int64? { try fixture.database.read { try $0.integer(sql) } }

    /// A row without its row id.
    private static func unstored(_ row: PictureFileRow) -> PictureFileRow {
        var row = row
        row.rowID = nil
        return row
    }

    @Test func `files are returned unchanged, in the order of their paths, page by page`() throws {
        let paths = ["z.jpg", "a/b.jpg", "a/é.jpg", "a.jpg", "a/b/c.jpg", "a!/x.jpg", "ab/y.jpg", "🎈.jpg"]
        let files = paths.map { file($0, photo: $0 == "a.jpg" ? "a" : nil) }
        try save(files)
        try save(files)
        let expected = files.sorted { Array($0.path.utf8).lexicographicallyPrecedes(Array($1.path.utf8)) }
        for limit in [1, 3, 100] {
            var found: [PictureFileRow] = []
            while true {
                let page = try fixture.database.read {
                    try $0.pictureFiles(streamID: stream, rootID: rootID, after: found.last?.path, limit: limit)
                }
                found += page
                if page.count < limit { break }
            }
            #expect(found.map(Self.unstored) == expected)
        }
        func below(_ folder: String, after path: String? = nil) throws -> [String] {
            try fixture.database.read {
                try $0.pictureFiles(streamID: stream, rootID: rootID, below: folder, after: path, limit: 9).map(\.path)
            }
        }
        #expect(try below("a") == ["a/b.jpg", "a/b/c.jpg", "a/é.jpg"])
        #expect(try below("a", after: "a!") == ["a/b.jpg", "a/b/c.jpg", "a/é.jpg"])
        #expect(try below("a", after: "a/b.jpg") == ["a/b/c.jpg", "a/é.jpg"])
        #expect(try below("a/b") == ["a/b/c.jpg"])
        let one = try fixture.database.read { try $0.pictureFile(streamID: stream, rootID: rootID, path: "a.jpg") }
        #expect(one.map(Self.unstored) == file("a.jpg", photo: "a"))
        try fixture.database.write {
            try $0.deletePictureFiles(streamID: stream, rootID: rootID, paths: ["a.jpg", "missing"])
        }
        #expect(
            try fixture.database.read { try $0.pictureFile(streamID: stream, rootID: rootID, path: "a.jpg") } == nil)
    }

    @Test func `files are found by their state`() throws {
        try save([
            file("1"), file("2", state: .failed, reason: "cut off"), file("3", state: .failed, reason: "cut off"),
            file("4", state: .failed, reason: "empty"), file("5", state: .ignored, reason: "no picture"), file("6"),
        ])
        try fixture.database.write { try $0.markVanished(streamID: stream, rootID: rootID, paths: ["6"], at: 1) }
        func paths(_ state: PictureFileRow.State, limit: Int = 9) throws -> [String] {
            try fixture.database.read { try $0.pictureFiles(streamID: stream, in: state, limit: limit).map(\.path) }
        }
        #expect(try paths(.read) == ["1"] && paths(.ignored) == ["5"] && paths(.vanished) == ["6"])
        #expect(try paths(.failed) == ["2", "3", "4"] && paths(.failed, limit: 2) == ["2", "3"])
    }

    @Test func `a moved file is found among the missing ones by its name or by its content`() throws {
        try save([
            file("old/a.jpg", photo: "a"), file("old/b.jpg", photo: "b"), file("a.jpg", photo: "c", byteCount: 11),
            file("xa.jpg", photo: "d"),
        ])
        var decoded = row(7)
        decoded.modifiedNanoseconds = file("").modifiedNanoseconds
        decoded.pictureHash = [UInt8](repeating: 7, count: 32)
        try save("b", decoded)
        func named(_ name: String) throws -> [String] {
            let time = file("").modifiedNanoseconds
            return try fixture.database.read {
                try $0.vanishedPictureFiles(
                    streamID: stream, byteCount: 10, modifiedNanoseconds: time, lastName: name
                ).map(\.path)
            }
        }
        func hashed(_ seed: UInt8) throws -> [String] {
            try fixture.database.read {
                let content = FileContent(
                    pictureHash: [UInt8](repeating: seed, count: 32), fileHash: [UInt8](repeating: 99, count: 32))
                return try $0.pictureFiles(streamID: stream, content: content).filter { $0.state == .vanished }
                    .map(\.path)
            }
        }
        #expect(try named("a.jpg") == [] && hashed(7) == [])
        let paths = ["old/a.jpg", "old/b.jpg", "a.jpg", "xa.jpg"]
        try fixture.database.write { try $0.markVanished(streamID: stream, rootID: rootID, paths: paths, at: 1) }
        #expect(try named("a.jpg") == ["old/a.jpg"] && named("b.jpg") == ["old/b.jpg"] && named("%") == [])
        #expect(try hashed(7) == ["old/b.jpg"] && hashed(8) == [])
        #expect(try fixture.database.read { try $0.hasVanishedContent(streamID: stream) })
    }

    @Test func `a renamed photo keeps everything but its id and location, and the change is logged`() throws {
        var record = PhotoRecord(id: try PhotoID("e"))
        record.location = .set("/pictures/e.jpg")
        record.title = .set("From the file")
        var seen = RowIDSet()
        _ = try fixture.database.importRecords([record], into: stream, by: .file, seen: &seen)
        try fixture.database.write {
            var edit = PhotoRecord(id: record.id)
            edit.caption = .set("Mine")
            _ = try $0.edit(streamID: stream, record: edit)
        }
        try save("e", row())
        let before = try #require(try fixture.photo("e"))
        let revision = try #require(try fixture.database.read { try $0.lastRevision(streamID: stream) })
        func rename(_ id: String, to newID: String) throws -> Bool {
            try fixture.database.write {
                try $0.renamePhoto(
                    streamID: stream, from: PhotoID(id), to: PhotoID(newID), location: "/pictures/\(newID).jpg")
            }
        }
        #expect(try !rename("e", to: "a") && !rename("none", to: "f"))
        #expect(try rename("e", to: "f"))
        var expected = before
        expected.id = try PhotoID("f")
        expected.location = "/pictures/f.jpg"
        #expect(try fixture.photo("f") == expected && fixture.photo("e") == nil)
        #expect(try picture("f") == row())
        #expect(try fixture.database.read { try $0.lastRevision(streamID: stream) } ?? Revision(0) > revision)
        // A location of a record stays.
        try fixture.importing([try PhotoRecord(id: PhotoID("a"), setting: .text(.location))])
        let location = try fixture.photo("a")?.location
        #expect(try rename("a", to: "g"))
        #expect(try fixture.photo("g")?.location == location && location != nil)
    }

    @Test func `results are saved, found by key, listed while pending, and counted`() throws {
        #expect(try pending() == ["d", "c", "b", "a"])
        try save("b", row())
        try save("c", row())
        try save("d", row(2, state: .failed, reason: "cut off", deaths: PictureRow.deathLimit))
        #expect(try picture("b") == row())
        #expect(try pending() == ["a"])
        // A process did not survive its second isolated retry.
        try save("a", row(3, state: .failed, deaths: 2))
        #expect(try pending() == ["a"])
        let key = try #require(row().key)
        try fixture.database.read { reader in
            #expect(try reader.photos(pictureKey: key).map(\.id.rawValue) == ["b", "c"])
            #expect(try reader.pictureCounts(streamID: stream) == PictureCounts(ready: 2, failed: 1, pending: 1))
            let reasons = try reader.pictureFailureReasons(streamID: stream)
            #expect(reasons.map(\.reason) == ["cut off"] && reasons.map(\.count) == [1])
            let rows = try reader.pictures(photoRowIDs: 1...4)
            #expect(rows.count == 4 && rows[2] == row())
        }
        let rowID = try photo("b").rowID
        try fixture.database.write { try $0.deletePictures(streamID: stream, photoRowIDs: [rowID], now: 0) }
        #expect(try pending() == ["b", "a"])
    }

    /// The photos without a result, read one by one.
    private func pending() throws -> [String] {
        var photos: [PicturedPhoto] = []
        while true {
            let page = try fixture.database.read {
                try $0.picturedPhotos(streamID: stream, after: photos.last?.key, ifPending: true, limit: 1)
            }
            guard let photo = page.first else { return photos.map(\.id.rawValue) }
            photos.append(photo)
        }
    }

    @Test func `no write of these tables raises a revision or adds a row to the change log`() throws {
        let before = try count("SELECT max(revision) + 1000000 * count(*) FROM change")
        try save([file("a.jpg", photo: "a")])
        try save("a", row())
        try fixture.database.write {
            try $0.markVanished(streamID: stream, rootID: rootID, paths: ["a.jpg"], at: 1)
            try $0.deletePictures(streamID: stream, photoRowIDs: [1], now: 9)
        }
        #expect(try count("SELECT max(revision) + 1000000 * count(*) FROM change") == before)
    }

    @Test(
        arguments: [
            ("DELETE FROM photo WHERE externalId = 'a'", false, false),
            ("UPDATE photo SET location = 'x' WHERE externalId = 'a'", false, true),
            ("UPDATE photo SET orientation = 3 WHERE externalId = 'a'", false, true),
            ("UPDATE photo SET caption = 'x', location = NULL, orientation = 1 WHERE externalId = 'a'", true, true),
            ("UPDATE photo SET externalId = 'z' WHERE externalId = 'a'", true, true),
            ("UPDATE photo SET id = 77 WHERE externalId = 'a'", false, false),
            ("UPDATE OR REPLACE photo SET externalId = 'a' WHERE externalId = 'b'", false, false),
            (
                "UPDATE OR REPLACE photo SET id = (SELECT id FROM photo WHERE externalId = 'a') WHERE externalId = 'b'",
                false, false
            ),
            ("REPLACE INTO photo (streamId, externalId, width, height) VALUES (1, 'a', 4, 3)", false, false),
            ("REPLACE INTO photo (id, streamId, externalId, width, height) VALUES (1, 1, 'z', 4, 3)", false, false),
            (
                """
                INSERT INTO photo (streamId, externalId, width, height) VALUES (1, 'a', 4, 3)
                ON CONFLICT DO UPDATE SET caption = 'x'
                """, true, true
            ),
            ("INSERT OR IGNORE INTO photo (streamId, externalId, width, height) VALUES (1, 'a', 4, 3)", true, true),
            ("DELETE FROM stream", false, nil),
        ] as [(String, Bool, Bool?)])
    func `a write by any program keeps exactly the results that are still valid`(
        sql: String, keepsPicture: Bool, keepsLink: Bool?
    ) throws {
        try save([file("a.jpg", photo: "a")])
        try save("a", row())
        #expect(try photo("a").rowID == 1)
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        let shell = try DatabaseQueue(path: fixture.temporary.path, configuration: configuration)
        try shell.write { try $0.execute(sql: sql) }
        #expect(try count("SELECT count(*) FROM picture") == (keepsPicture ? 1 : 0))
        if let keepsLink {
            #expect(try count("SELECT count(*) FROM pictureFile") == 1)
            #expect(try count("SELECT count(*) FROM pictureFile WHERE photoId = 1") == (keepsLink ? 1 : 0))
        } else {
            #expect(try count("SELECT count(*) FROM pictureFile") == 0)
        }
        #expect(try fixture.database.read { try $0.fileProblems() } == [])
    }

    @Test func `a result for a photo that changed meanwhile is ignored`() throws {
        let before = try photo("a")
        try fixture.importing([try PhotoRecord(id: PhotoID("a"), setting: .text(.location))])
        #expect(try fixture.database.write { try $0.savePictures([(before, row())], now: 0) } == 0)
        #expect(try picture("a") == nil)
    }

    @Test func `the revision increases at most once a second, and always eventually`() throws {
        func revision(_ now: Int64) throws -> Int64 {
            try fixture.database.read { try $0.pictureRevision(streamID: stream, now: now).rawValue }
        }
        #expect(try revision(0) == 0)
        try save("a", row(1), now: 10_000)
        #expect(try revision(10_000) == 1 && revision(99_000) == 1)
        try save("a", row(2), now: 10_400)
        #expect(try revision(10_400) == 1 && revision(10_999) == 1)
        #expect(try revision(11_000) == 2 && revision(99_000) == 2)
        try save("a", row(3), now: 12_000)
        #expect(try revision(12_000) == 3)
        // The clock is set back.
        try save("a", row(4), now: 5_000)
        #expect(try revision(5_000) == 4)
    }

    @Test(arguments: UInt64(0)..<30)
    func `no reader keeps a validator for longer than a second after a write`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var revision = PictureRevision()
        var now: Int64 = 1_784_000_000_000
        var steps: [Int64] = []
        for _ in 0..<200 {
            now += Int64(random.int(in: 0...700))
            let before = revision.value(at: now)
            revision.noteWrite(at: now)
            #expect(revision.value(at: now) >= before)
            #expect(revision.value(at: now + 1_000) > before, "a second later, the write shows")
            if revision.raisedAt != steps.last { steps.append(revision.raisedAt) }
        }
        #expect(zip(steps, steps.dropFirst()).allSatisfy { $1 - $0 >= 1_000 })
    }

    @Test func `a deleted photo keeps its placeholder and colour, and its undo does not`() throws {
        func deleted() throws -> [DeletedPhoto] {
            let found = try fixture.database.read {
                try $0.deletedPhotos(streamID: stream, after: nil, limit: 9, within: .max)
            }
            return try #require(found).photos
        }
        try save("a", row())
        try save("b", row(state: .failed, reason: "damaged"))
        let before = try fixture.photo("a")
        let ids = try ["a", "b", "c"].map { try PhotoID($0) }
        try fixture.database.write { _ = try $0.deletePhotos(streamID: stream, ids: ids, now: 1) }
        #expect(try deleted().map(\.decodedPlaceholder) == [nil, nil, [1, 2, 1]])
        #expect(try deleted().map(\.decodedColor) == [nil, nil, RGBColor(rawValue: 0x10_2030)])
        for id in ids { _ = try fixture.database.write { try $0.restorePhoto(streamID: stream, id: id) } }
        #expect(try fixture.photo("a") == before && deleted().isEmpty)
        #expect(try picture("a") == nil, "the picture is decoded again")
    }

    @Test func `a file import sets only fields that no record has set, on the same path as records`() throws {
        var seen = RowIDSet()
        let file = try PhotoRecord(id: PhotoID("a"), setting: .text(.title))
        #expect(try fixture.database.importRecords([file], into: stream, by: .file, seen: &seen).outcomes == [.updated])
        #expect(try fixture.photo("a")?.fileFields == [.text(.title)])
        #expect(
            try fixture.importing([try PhotoRecord(id: PhotoID("a"), setting: .text(.title), isSecond: true)]) == [
                .updated
            ])
        #expect(try fixture.photo("a")?.fileFields == [])
        seen = RowIDSet()
        #expect(
            try fixture.database.importRecords([file], into: stream, by: .file, seen: &seen).outcomes == [.unchanged])
        // New photos, with and without triggers.
        let many = try (0..<200).map { try PhotoRecord(id: PhotoID("n\($0)"), setting: .text(.title)) }
        seen = RowIDSet()
        _ = try fixture.database.importRecords(
            many[...], into: stream, by: .file, seen: &seen, budgetMilliseconds: 9_000)
        #expect(try count("SELECT count(*) FROM photo WHERE fileFields = 4096") == 200)
    }
}
