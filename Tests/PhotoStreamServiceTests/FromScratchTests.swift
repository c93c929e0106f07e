import Foundation
import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamTestSupport
import Testing

/// After any change, by anybody, every answer equals a layout made from nothing by code that shares none with ours.
@Suite struct FromScratchTests {
    @Test(arguments: UInt64(0)..<6)
    func `after any sequence of edits every answer equals a layout from scratch`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let gallery = try Gallery()
        try gallery.insert([0, 1, 700, 2_048, 5_000, 9_000][Int(seed)], using: &random)
        try check(gallery)
        for _ in 0..<12 {
            try step(gallery, using: &random)
            try check(gallery)
        }
        #expect(try gallery.service.verifyDerived().differences == [])
    }

    @Test func `growing and shrinking a stream splits and merges its chunks without a trace in the answers`() throws {
        var random = SplitMix64(seed: 77)
        let gallery = try Gallery()
        for round in 0..<8 {
            // New photos at the head, a thousand at a time: the first chunk grows until it splits.
            try gallery.insert(1_000, using: &random, takenAt: 200_000 + round * 10...200_009 + round * 10)
            try check(gallery)
        }
        for _ in 0..<5 {
            try gallery.shell("DELETE FROM photo WHERE id IN (SELECT id FROM photo ORDER BY orderTime LIMIT 1500)")
            try check(gallery)
        }
    }

    /// One change to the gallery, of a kind that the generator chooses.
    private func step(_ gallery: Gallery, using random: inout SplitMix64) throws {
        let photos = try gallery.photos()
        guard photos.count > 2 else { return try gallery.insert(50, using: &random) }
        let (photo, other) = (random.element(of: photos), random.element(of: photos))
        switch random.int(in: 0...13) {
        case 12:
            var record = PhotoRecord(id: photo.id)
            record.coordinate = random.oneIn(3) ? .clear : .set(SampleMetrics.anyPlace(using: &random))
            try gallery.service.edit(record, in: Gallery.stream)
        case 13:
            let rest = random.int(in: 0...96)
            try gallery.shell("UPDATE photo SET latitude = 48.5, longitude = -id % 180 WHERE id % 97 = \(rest)")
            try gallery.shell("UPDATE photo SET latitude = NULL, longitude = NULL WHERE id % 101 = \(rest)")
        case 0: try gallery.insert(random.int(in: 1...300), using: &random)
        case 1: try gallery.insert(random.int(in: 1...40), using: &random, takenAt: 300_000...300_100)
        case 2: try gallery.service.deletePhotos([photo.id], from: Gallery.stream)
        case 3:
            // A move from or to the photos without a date would change the day, which the reference takes from the photo.
            guard photo.id != other.id, (photo.takenAt == nil) == (other.takenAt == nil) else { return }
            _ = try gallery.service.movePhoto(
                photo.id, random.oneIn(2) ? .before(other.id) : .after(other.id), in: Gallery.stream)
        case 4:
            var record = PhotoRecord(id: photo.id)
            record.size = .set(PhotoRecord.OwnSize(SampleMetrics.mixed(1, using: &random)[0].pixelSize))
            try gallery.service.edit(record, in: Gallery.stream)
        case 5:
            var record = PhotoRecord(id: photo.id)
            record.caption = random.oneIn(2) ? .set("another caption") : .clear
            try gallery.service.edit(record, in: Gallery.stream)
        case 6:
            var record = PhotoRecord(id: photo.id)
            let time = Int64(random.int(in: 0...120_000))
            record.takenAt = .set(try CaptureTime(milliseconds: time, utcOffsetMinutes: 60, precision: .second))
            try gallery.service.edit(record, in: Gallery.stream)
        case 7: try gallery.restart()
        case 8: try gallery.service.clearDerived()
        case 9:
            let rest = random.int(in: 0...96)
            try gallery.shell("UPDATE photo SET width = height, caption = ' ' WHERE id % 97 = \(rest)")
        case 10: try gallery.shell("DELETE FROM photo WHERE id % 89 = \(random.int(in: 0...88))")
        default:
            try gallery.shell(
                """
                REPLACE INTO photo (id, streamId, externalId, width, height, takenAtMilliseconds, takenAtPrecision)
                SELECT id + 1, streamId, externalId, 300, 200, 50000, 4 FROM photo WHERE id = \(random.int(in: 1...500))
                """)
        }
    }

    private func check(_ gallery: Gallery) throws {
        let photos = try gallery.photos()
        for configuration in SampleLayouts.configurations {
            let key = try LayoutKey(configuration)
            let naive = NaiveLayout(configuration, items: photos.map(\.metrics))
            try expectSame(gallery.service, key, naive, photos)
            try gallery.service.storeDerived()
        }
        #expect(try gallery.service.verifyDerived().differences == [])
    }

    private func expectSame(
        _ service: PhotoStreamService, _ key: LayoutKey, _ naive: NaiveLayout, _ photos: [Photo]
    ) throws {
        let layout = try service.layout(of: Gallery.stream, key)
        #expect(layout.context.contentSize == naive.contentSize)
        #expect(layout.count == photos.count)
        // Every frame, by rectangles that follow each other.
        var found: [PlacedPhoto] = []
        let everything = Rect(x: 0, y: 0, width: 1e9, height: 1e12)
        var answer = try service.elements(in: everything, of: Gallery.stream, key, limit: 1_000)
        found += answer.items
        while let cursor = answer.nextCursor {
            answer = try service.elements(after: cursor, of: Gallery.stream, limit: 1_000)
            found += answer.items
        }
        #expect(difference(found.map(\.attributes.index), naive.itemsBySection.flatMap(\.self)) == nil)
        found.sort { $0.attributes.index < $1.attributes.index }
        #expect(difference(found.map(\.attributes.frame), naive.frames) == nil)
        #expect(difference(found.map(\.attributes.captionExtent), naive.captionExtents) == nil)
        #expect(difference(found.map(\.attributes.index), Array(photos.indices)) == nil)
        #expect(difference(found.map(\.photo), photos) == nil)
        for index in [0, photos.count / 2, photos.count - 1] where photos.indices.contains(index) {
            #expect(try service.item(at: index, of: Gallery.stream, key).item == found[index])
            #expect(try service.locate(photos[index].id, in: Gallery.stream, key).item == found[index])
        }
        let page = try service.page(of: Gallery.stream, key, limit: 40)
        #expect(page.items == Array(found.prefix(page.items.count)))
        #expect(page.items.isEmpty == found.isEmpty)
    }
}
