import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamTestSupport
import Testing

/// Maps of a file.
@Suite struct MapTests {
    private let gallery: Gallery
    private let key: LayoutKey

    init() throws {
        var random = SplitMix64(seed: 61)
        gallery = try Gallery()
        try gallery.insert(5_000, using: &random)
        key = try LayoutKey(SampleLayouts.map)
    }

    @Test func `a photo with a new position moves on the map, and no other layout is folded`() throws {
        let plain = try LayoutKey(SampleLayouts.configurations[0])
        _ = try gallery.service.warm(Gallery.stream, layout: plain)
        let before = try gallery.service.read { try $0.layout(key, of: Gallery.stream).summary() }
        let other = try gallery.anotherService()
        let id = PhotoID(stored: "photo-4000")
        for place in [Coordinate?.some(try Coordinate(latitude: 10, longitude: 20)), nil] {
            var record = PhotoRecord(id: id)
            record.coordinate = place.map { .set($0) } ?? .clear
            let folded = gallery.service.work.foldedChunkCount
            try gallery.service.edit(record, in: Gallery.stream)
            for service in [gallery.service, other] {
                let item = try service.read { try $0.layout(key, of: Gallery.stream).locate(id) }.item
                #expect(item.attributes.indexPath.section == (place == nil ? 1 : 0))
                #expect(
                    try service.read { try $0.layout(key, of: Gallery.stream).summary() }.context.revision
                        > before.context.revision)
            }
            _ = try gallery.service.warm(Gallery.stream, layout: plain)
            #expect(gallery.service.work.foldedChunkCount == folded)
            try gallery.restart()
            _ = try gallery.service.read { try $0.layout(plain, of: Gallery.stream).summary() }
            #expect(gallery.service.work.foldedChunkCount == 0)
            #expect(try gallery.service.verifyDerived().differences == [])
        }
    }

    @Test func `a map stores only its chunks, and reports immediately that it needs them`() throws {
        _ = try gallery.service.warm(Gallery.stream, layout: key)
        #expect(try gallery.service.cacheStatus().layouts.isEmpty)
        // The directory alone determines the extent of the content: the content of the chunks may be gone.
        let expected = try gallery.service.read { try $0.layout(key, of: Gallery.stream).summary() }
        try gallery.shell("DELETE FROM chunkContent")
        #expect(
            try gallery.anotherService(.readOnly).read { try $0.layout(key, of: Gallery.stream).summary() } == expected)
    }

    @Test func `a rectangle continues over both sections, even if the last photo has changed`() throws {
        let everything = Rect(x: 0, y: 0, width: 1e6, height: 1e6)
        let whole = try gallery.service.read {
            try $0.layout(key, of: Gallery.stream).rect(.first(in: everything), limit: 1_000)
        }
        var (items, elements) = (whole.items, whole.elements)
        var answer = whole
        while let cursor = answer.nextCursor {
            answer = try gallery.service.read {
                try $0.layout(of: Gallery.stream, after: cursor).rect(.after(cursor), limit: 700)
            }
            items += answer.items
            elements += answer.elements
        }
        #expect(items.count == 5_000 && Set(items.map(\.photo.id)).count == 5_000)
        #expect(elements.count == 5_000 + 2 * 3, "badges, headers, footers, backgrounds")
        #expect(zip(items, items.dropFirst()).allSatisfy { $0.attributes.indexPath < $1.attributes.indexPath })
        // The photo that ended an answer loses its place: the answer goes on after its old place.
        let first = try gallery.service.read {
            try $0.layout(key, of: Gallery.stream).rect(.first(in: everything), limit: 100)
        }
        var record = PhotoRecord(id: try #require(first.items.last).photo.id)
        record.coordinate = .clear
        try gallery.service.edit(record, in: Gallery.stream)
        let next = try gallery.service.read {
            try $0.layout(key, of: Gallery.stream).rect(.after(try #require(first.nextCursor)), limit: 100)
        }
        #expect(next.items.map(\.photo.id) == items[100..<200].map(\.photo.id))
        #expect(next.items.first?.attributes.indexPath == IndexPath(section: 0, item: 99))
    }

    @Test func `verification reports wrong positions and boxes`() throws {
        _ = try gallery.service.warm(Gallery.stream, layout: key)
        #expect(try gallery.service.verifyDerived().differences == [])
        try gallery.shell("UPDATE chunk SET locatedCount = locatedCount - 1 WHERE id = 1")
        let differences = try gallery.service.verifyDerived().differences
        #expect(differences.count == 1 && differences[0].hasPrefix("rows of chunk with a wrong checksum: 1;"))
        try gallery.shell("UPDATE chunkContent SET positions = zeroblob(length(positions)) WHERE chunkId = 2")
        #expect(try gallery.service.verifyDerived().differences.count == 2)
        try gallery.service.clearDerived()
        #expect(try gallery.service.verifyDerived().differences == [])
    }

    @Test(arguments: [
        "UPDATE chunk SET locatedCount = locatedCount + 1 WHERE id = 2",
        "UPDATE chunk SET minX = 4294967295, maxX = 0",
        "UPDATE chunk SET locatedCount = 0 WHERE id = 2", "UPDATE chunk SET maxY = NULL",
        "UPDATE chunk SET minX = 1, minY = 1", "UPDATE chunk SET locatedCount = 4096",
        "UPDATE chunkContent SET positions = x''", "UPDATE chunkContent SET positions = x'00'",
        "UPDATE chunkContent SET positions = zeroblob(length(positions))", "DELETE FROM chunkContent WHERE chunkId = 1",
    ])
    func `damaged positions are rebuilt`(damage: String) throws {
        let everything = Rect(x: 0, y: 0, width: 1e6, height: 1e6)
        let expected = try gallery.service.read {
            try $0.layout(key, of: Gallery.stream).rect(.first(in: everything), limit: 1_000)
        }
        try gallery.service.storeDerived()
        try gallery.shell(damage)
        let service = try gallery.anotherService()
        #expect(
            try service.read { try $0.layout(key, of: Gallery.stream).rect(.first(in: everything), limit: 1_000) }
                == expected)
        try service.clearDerived()
        #expect(
            try service.read { try $0.layout(key, of: Gallery.stream).rect(.first(in: everything), limit: 1_000) }
                == expected)
        #expect(try service.verifyDerived().differences == [])
    }

    @Test func `importing a known position again moves the photo there`() throws {
        var record = PhotoRecord(id: PhotoID(stored: "photo-7"))
        record.size = .set(PhotoRecord.EncodedSize(try PixelSize(width: 3, height: 2)))
        record.coordinate = .set(try Coordinate(latitude: 51.4779, longitude: 0))
        try gallery.load([record])
        let item = try gallery.service.read { try $0.layout(key, of: Gallery.stream).locate(record.id) }.item
        let world = try #require(key.worldFrame)
        // Greenwich is in the middle from west to east, regardless of the direction of reading.
        #expect(abs(item.attributes.center.x - Double(world.x) - Double(world.width) / 2) <= 1)
        #expect(item.attributes.zIndex == item.attributes.index && item.attributes.indexPath.section == 0)
    }
}
