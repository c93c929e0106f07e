import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamStorage
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamService

/// The changes since a revision, compared with the gallery at that revision.
@Suite struct ChangesTests {
    @Test(.withoutPrimary, arguments: UInt64(0)..<5)
    func `changes agree with a comparison of then and now`(seed: UInt64) throws {
        let edited = try EditedGallery([0, 3, 400, 2_500, 60][Int(seed)], seed: seed)
        for _ in 0..<40 {
            try edited.edit()
            try edited.remember()
        }
        for (position, moment) in edited.moments.enumerated() {
            let answer = try edited.gallery.service.read { try $0.changes(of: Gallery.stream, since: moment.revision) }
            guard case .changes(let changes) = answer else {
                Issue.record("seed \(seed), moment \(position): \(answer)")
                continue
            }
            #expect(changes.revision == edited.moments.last?.revision)
            let expected = try expected(since: moment, edited)
            #expect(difference(changes.changes, expected) == nil, "seed \(seed), moment \(position)")
        }
    }

    private func expected(since moment: EditedGallery.Moment, _ edited: EditedGallery) throws -> [PhotoChange] {
        let now = try #require(edited.moments.last)
        let written = edited.written(since: moment)
        let old = Dictionary(uniqueKeysWithValues: moment.photos.map { ($0.photo.id, $0) })
        let new = Dictionary(uniqueKeysWithValues: now.photos.map { ($0.photo.id, $0) })
        var found: [(key: OrderKey, change: PhotoChange)] = []
        for photo in now.photos {
            let id = photo.photo.id
            guard let before = old[id] else {
                found.append((photo.key, PhotoChange(kind: .inserted, id: id, isUpdated: false, photo: photo.photo)))
                continue
            }
            let (isMoved, isWritten) = (before.key != photo.key, written.contains(id))
            guard isMoved || isWritten else {
                #expect(before.photo == photo.photo)
                continue
            }
            found.append(
                (
                    photo.key,
                    PhotoChange(kind: isMoved ? .moved : .updated, id: id, isUpdated: isWritten, photo: photo.photo)
                ))
        }
        for photo in moment.photos where new[photo.photo.id] == nil {
            found.append((photo.key, PhotoChange(kind: .deleted, id: photo.photo.id, isUpdated: false, photo: nil)))
        }
        return found.sorted { $0.key == $1.key ? $0.change.photo == nil : $0.key > $1.key }.map(\.change)
    }

    @Test(.withoutPrimary) func `an unknown difference requires a reload, with the reason`() throws {
        var random = SplitMix64(seed: 1)
        let gallery = try Gallery()
        try gallery.insert(12, using: &random)
        func reason(_ revision: Int64) throws -> ReloadAnswer.Reason? {
            guard
                case .reload(let reload) = try gallery.service.read({
                    try $0.changes(of: Gallery.stream, since: $0.reader.tagged(revision))
                })
            else { return nil }
            return reload.reason
        }
        #expect(try reason(12) == nil)
        #expect(try reason(0) == nil)
        #expect(try reason(13) == .ahead)
        try gallery.shell("INSERT INTO stream (name, createdAtMilliseconds) VALUES ('other', 0)")
        try gallery.shell("INSERT INTO photo (streamId, externalId, width, height) VALUES (2, 'a', 3, 2)")
        // Row 13 is the other stream's, so this one is not so far; with another row it is, but never was at 13.
        #expect(try reason(13) == .ahead)
        try gallery.insert(1, using: &random)
        #expect(try reason(13) == .otherStream)
        #expect(try reason(12) == nil)
        try gallery.shell(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10001)
            INSERT INTO photo (streamId, externalId, width, height) SELECT 1, 'many ' || i, 3, 2 FROM n
            """)
        #expect(try reason(14) == .tooMany(10_000))
        #expect(try reason(15) == nil)
        // The log is trimmed at the next write of ours.
        try gallery.shell(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 111000)
            INSERT INTO change (streamId, photoId, kind, newTime, newRank) SELECT 2, 1, 0, 5, i FROM n
            """)
        try gallery.insert(1, using: &random)
        #expect(try reason(15) == .trimmed)
        #expect(throws: StreamServiceError.invalidRevision(-1)) { try reason(-1) }
        #expect(throws: StreamServiceError.unknownStream("unknown")) {
            try gallery.service.read { try $0.changes(of: StreamName(stored: "unknown"), since: Revision(0)) }
        }
    }

    @Test(arguments: [
        "UPDATE photo SET alt = 'x' WHERE id <= 10001", "DELETE FROM photo WHERE id <= 10001",
        "UPDATE photo SET alt = 'x' WHERE id <= 10000; UPDATE photo SET takenAtMilliseconds = id, takenAtPrecision = 5 WHERE id > 10000",
        "DELETE FROM photo WHERE id <= 5000; UPDATE photo SET alt = 'x' WHERE id > 5000 AND id <= 10001",
    ])
    func `too many changes require reading the stream again`(sql: String) throws {
        let gallery = try Self.manyPhotos()
        let revision = try gallery.service.read { try $0.stream(Gallery.stream) }.revision
        try gallery.shell(sql)
        guard
            case .reload(let reload) = try gallery.service.read({ try $0.changes(of: Gallery.stream, since: revision) })
        else { throw Unexpected() }
        #expect(reload.reason == .tooMany(10_000))
        #expect(reload.description.contains("more than 10000 photos have changed since revision \(revision);"))
    }

    @Test(arguments: [
        // Came and went; deleted and came again; written to many times; replaced in silence.
        (
            "INSERT INTO photo (streamId, externalId, width, height) SELECT 1, 'x' || id, 3, 2 FROM photo;"
                + "DELETE FROM photo WHERE externalId LIKE 'x%'", 0
        ),
        (
            "CREATE TEMP TABLE kept AS SELECT externalId AS e FROM photo WHERE id <= 6000; DELETE FROM photo WHERE id <= 6000;"
                + "INSERT INTO photo (streamId, externalId, width, height) SELECT 1, e, 3, 2 FROM kept", 6_000
        ),
        ("UPDATE photo SET alt = 'x' WHERE id <= 6000; UPDATE photo SET alt = 'y' WHERE id <= 6000", 6_000),
        (
            "REPLACE INTO photo (streamId, externalId, width, height) SELECT 1, externalId, 3, 2 FROM photo WHERE id <= 6000",
            6_000
        ),
        (
            "INSERT INTO photo (streamId, externalId, width, height) SELECT 1, 'x' || id, 3, 2 FROM photo WHERE id <= 6000;"
                + "UPDATE photo SET alt = 'x' WHERE id > 12002", 6_000
        ),
    ])
    func `many rows of the log with few changes are answered`(sql: String, count: Int) throws {
        let gallery = try Self.manyPhotos()
        let revision = try gallery.service.read { try $0.stream(Gallery.stream) }.revision
        try gallery.shell(sql)
        guard
            case .changes(let answer) = try gallery.service.read({ try $0.changes(of: Gallery.stream, since: revision) }
            )
        else { throw Unexpected() }
        #expect(answer.changes.count == count)
    }

    private static func manyPhotos() throws -> Gallery {
        let gallery = try Gallery()
        try gallery.shell(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12002)
            INSERT INTO photo (streamId, externalId, width, height) SELECT 1, 'many ' || i, 3, 2 FROM n
            """)
        return gallery
    }

    @Test func `a stream that was created again under its name requires a reload`() throws {
        var random = SplitMix64(seed: 2)
        let gallery = try Gallery()
        try gallery.insert(5, using: &random)
        try gallery.service.deleteStream(Gallery.stream, evenWithPhotos: true)
        try gallery.service.createStream(Gallery.stream)
        try gallery.insert(5, using: &random)
        let answer = try gallery.service.read { try $0.changes(of: Gallery.stream, since: $0.reader.tagged(5)) }
        guard case .reload(let reload) = answer else { throw Unexpected() }
        #expect(reload.reason == .otherStream)
    }

    @Test func `a photo changed during a chain of pages is in the changes since the chain's revision`() throws {
        var random = SplitMix64(seed: 3)
        let gallery = try Gallery()
        try gallery.insert(50, using: &random)
        let key = try LayoutKey(SampleLayouts.configurations[0])
        let page = try gallery.service.read { try $0.layout(key, of: Gallery.stream).page(limit: 10) }
        let gone = page.items[3].photo.id
        try gallery.service.deletePhotos([gone], from: Gallery.stream)
        let answer = try gallery.service.read { try $0.changes(of: Gallery.stream, since: page.chainRevision) }
        guard case .changes(let changes) = answer else { throw Unexpected() }
        #expect(changes.changes == [PhotoChange(kind: .deleted, id: gone, isUpdated: false, photo: nil)])
    }

    @Test func `a photo that was moved and moved back is not listed`() throws {
        var random = SplitMix64(seed: 4)
        let gallery = try Gallery()
        try gallery.insert(6, using: &random, takenAt: 5_000...5_000)
        let ids = try gallery.photos().map(\.id)
        let service = gallery.service
        func move(_ id: PhotoID, behind other: PhotoID) throws {
            try #expect(service.movePhoto(id, to: .after(other), in: Gallery.stream))
        }
        try move(ids[5], behind: ids[0])
        let revision = try service.read { try $0.stream(Gallery.stream) }.revision
        try move(ids[5], behind: ids[2])
        try move(ids[5], behind: ids[0])
        func changes() throws -> [PhotoChange] {
            guard case .changes(let answer) = try service.read({ try $0.changes(of: Gallery.stream, since: revision) })
            else { throw Unexpected() }
            return answer.changes
        }
        #expect(try changes() == [])
        // Rows that were written in between are.
        try move(ids[5], behind: ids[2])
        var record = PhotoRecord(id: ids[5])
        record.alt = .set("written")
        _ = try service.edit(record, in: Gallery.stream)
        try move(ids[5], behind: ids[0])
        #expect(try changes().map(\.kind) == [.updated])
    }

    @Test func `a position that was written with a move is reported even if the photo is moved back`() throws {
        var random = SplitMix64(seed: 5)
        let gallery = try Gallery()
        try gallery.insert(3, using: &random, takenAt: 5_000...5_000)
        let ids = try gallery.photos().map(\.id)
        _ = try gallery.service.movePhoto(ids[2], to: .after(ids[0]), in: Gallery.stream)
        let revision = try gallery.service.read { try $0.stream(Gallery.stream) }.revision
        let row = "WHERE externalId = '\(ids[2])'"
        try gallery.shell(
            """
            UPDATE photo SET movedRank = movedRank + 1, latitude = 7, longitude = 8 \(row);
            UPDATE photo SET movedRank = movedRank - 1 \(row);
            """)
        guard
            case .changes(let answer) = try gallery.service.read({ try $0.changes(of: Gallery.stream, since: revision) }
            )
        else { throw Unexpected() }
        #expect(answer.changes.map(\.id) == [ids[2]])
        #expect(answer.changes.first?.kind == .updated)
    }

    private struct Unexpected: Error {}
}
