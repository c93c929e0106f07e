import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamStorage
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamService

/// A gallery that remembers its states at its revisions, and the photos that were written in between.
final class EditedGallery {
    /// The gallery at a revision.
    struct Moment {
        let revision: Revision
        let photos: [StoredPhoto]
        /// The number of edits that were made before.
        let editCount: Int

        var metrics: PackedMetrics { PackedMetrics(photos.map(\.itemMetrics)) }

        /// The moment with some of its photos.
        func filtered(by isIncluded: (StoredPhoto) -> Bool) -> Moment {
            Moment(revision: revision, photos: photos.filter(isIncluded), editCount: editCount)
        }
    }

    let gallery: Gallery
    private(set) var moments: [Moment] = []
    /// Of each edit the photos whose fields it wrote to.
    private var edits: [Set<PhotoID>] = []
    private var random: SplitMix64

    init(_ count: Int, seed: UInt64) throws {
        random = SplitMix64(seed: seed)
        gallery = try Gallery()
        try gallery.service.createStream(StreamName(stored: "other"))
        try gallery.insert(count, using: &random)
        try remember()
    }

    /// The photos that were written to since a moment.
    func written(since moment: Moment) -> Set<PhotoID> {
        edits[moment.editCount...].reduce(into: []) { $0.formUnion($1) }
    }

    func remember() throws {
        let database = try PhotoDatabase(path: gallery.temporary.path, access: .existing)
        defer { try? database.close() }
        let photos = try database.read { reader in
            let row = try #require(try reader.stream(named: Gallery.stream))
            return try reader.photos(streamID: row.id, after: nil, limit: .max)
        }
        let revision = try gallery.service.read { try $0.stream(Gallery.stream) }.revision
        moments.append(Moment(revision: revision, photos: photos, editCount: edits.count))
    }

    /// One change, of a kind that the generator chooses.
    func edit() throws {
        let photos = try gallery.photos()
        guard photos.count > 2 else {
            try gallery.insert(30, using: &random)
            return edits.append([])
        }
        let (photo, other) = (random.element(of: photos), random.element(of: photos))
        edits.append(
            random.oneIn(2)
                ? try editByService(photo, other) : try editByShell(photo.id.rawValue, other.id.rawValue))
    }

    private func editByService(_ photo: Photo, _ other: Photo) throws -> Set<PhotoID> {
        var record = PhotoRecord(id: photo.id)
        switch random.int(in: 0...6) {
        case 0:
            try gallery.insert(random.int(in: 1...60), using: &random)
            return []
        case 1:
            try gallery.service.deletePhotos([photo.id], from: Gallery.stream)
            return []
        case 2, 3:
            guard photo.id != other.id else { return [] }
            _ = try gallery.service.movePhoto(
                photo.id, to: random.oneIn(2) ? .before(other.id) : .after(other.id), in: Gallery.stream)
            return []
        case 4:
            let size = photo.pixelSize
            record.size = .set(
                PhotoRecord.EncodedSize(
                    try PixelSize(width: 100 + Int(size.height) % 700, height: 101 + Int(size.width) % 700)))
        case 5: record.caption = photo.caption == nil ? .set("new \(edits.count)") : .clear
        default:
            let time = Int64(random.int(in: 0...120_000)) * 2 + ((photo.takenAt?.milliseconds ?? 0) & 1 ^ 1)
            record.takenAt = .set(
                try CaptureTime(milliseconds: time * 40_000, utcOffsetMinutes: 60, precision: .millisecond))
        }
        let before = try gallery.service.read { try $0.photo(photo.id, of: Gallery.stream) }
        let after = try gallery.service.edit(record, in: Gallery.stream)
        return before == after ? [] : [photo.id]
    }

    private func editByShell(_ id: String, _ other: String) throws -> Set<PhotoID> {
        switch random.int(in: 0...11) {
        case 9:
            try gallery.shell("UPDATE OR REPLACE photo SET streamId = 2 WHERE streamId = 1 AND externalId = '\(id)'")
            return []
        case 10:
            let back = "SELECT externalId FROM photo WHERE streamId = 2 ORDER BY id LIMIT 1"
            let returned = try gallery.shellOutput(back).split(separator: "\n").map { PhotoID(stored: String($0)) }
            try gallery.shell(
                "UPDATE OR REPLACE photo SET streamId = 1 WHERE streamId = 2 AND externalId = (\(back))")
            return Set(returned)
        case 0:
            let condition = "streamId = 1 AND id % 97 = \(random.int(in: 0...96))"
            let ids = try ids(where: condition)
            try gallery.shell(
                "UPDATE photo SET width = height % 900 + 1, height = 400, caption = 'shell' WHERE \(condition)")
            return ids
        case 1:
            try gallery.shell("DELETE FROM photo WHERE id % 89 = \(random.int(in: 0...88))")
            return []
        case 2:
            // Takes two rows away without a word, and puts one there.
            try gallery.shell(
                """
                REPLACE INTO photo (id, streamId, externalId, width, height, takenAtMilliseconds, takenAtPrecision)
                SELECT id + 1, streamId, externalId, 300, 200, 50000, 4 FROM photo
                WHERE streamId = 1 AND externalId = '\(id)'
                """)
            return [PhotoID(stored: id)]
        case 3:
            try gallery.shell(
                """
                INSERT OR REPLACE INTO photo (streamId, externalId, width, height) VALUES (1, '\(id)', 7, 5);
                INSERT OR IGNORE INTO photo (streamId, externalId, width, height) VALUES (1, '\(other)', 7, 5);
                """)
            return [PhotoID(stored: id)]
        case 4:
            try gallery.shell(
                """
                INSERT INTO photo (streamId, externalId, width, height) VALUES (1, '\(id)', 7, 5)
                ON CONFLICT (streamId, externalId) DO UPDATE SET caption = 'upsert \(edits.count)', alt = 'x'
                """)
            return [PhotoID(stored: id)]
        case 5:
            guard id != other else { return [] }
            try gallery.shell(
                "UPDATE OR REPLACE photo SET externalId = '\(other)' WHERE streamId = 1 AND externalId = '\(id)'")
            return [PhotoID(stored: other)]
        case 6:
            guard id != other else { return [] }
            try gallery.shell(
                """
                UPDATE photo SET externalId = 'swap' WHERE streamId = 1 AND externalId = '\(id)';
                UPDATE photo SET externalId = '\(id)' WHERE streamId = 1 AND externalId = '\(other)';
                UPDATE photo SET externalId = '\(other)' WHERE externalId = 'swap';
                """)
            return [PhotoID(stored: id), PhotoID(stored: other)]
        case 7:
            // Came and went: no answer may mention it. And the freed row id is used again.
            try gallery.shell(
                """
                INSERT INTO photo (streamId, externalId, width, height) VALUES (1, 'fleeting', 7, 5);
                UPDATE photo SET width = 8 WHERE externalId = 'fleeting';
                DELETE FROM photo WHERE externalId = 'fleeting';
                INSERT INTO photo (streamId, externalId, width, height) VALUES (1, 'row \(edits.count)', 9, 5);
                """)
            return []
        case 8:
            // Away and back, under another row.
            try gallery.shell(
                """
                CREATE TEMP TABLE kept AS
                SELECT width, height, caption FROM photo WHERE streamId = 1 AND externalId = '\(id)';
                DELETE FROM photo WHERE streamId = 1 AND externalId = '\(id)';
                INSERT INTO photo (streamId, externalId, width, height, caption)
                SELECT 1, '\(id)', width, height, caption FROM kept;
                """)
            return [PhotoID(stored: id)]
        default:
            try gallery.shell(
                "UPDATE OR REPLACE photo SET id = id + 100000 WHERE streamId = 1 AND externalId = '\(id)'")
            return [PhotoID(stored: id)]
        }
    }

    private func ids(where condition: String) throws -> Set<PhotoID> {
        let text = try gallery.shellOutput("SELECT externalId FROM photo WHERE \(condition)")
        return Set(text.split(separator: "\n").map { PhotoID(stored: String($0)) })
    }
}
