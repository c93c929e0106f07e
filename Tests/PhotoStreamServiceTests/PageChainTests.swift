import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamTestSupport
import Testing

/// A chain of pages is one layout, regardless of changes to the stream between two of them.
@Suite struct PageChainTests {
    @Test(arguments: SampleLayouts.configurations.indices, [1, 7, 100, 1_000])
    func `a chain of pages equals the whole layout`(layout: Int, limit: Int) throws {
        var random = SplitMix64(seed: UInt64(limit))
        let gallery = try Gallery()
        try gallery.insert(limit == 1 ? 60 : 2_500, using: &random)
        let key = try LayoutKey(SampleLayouts.configurations[layout])
        let photos = try gallery.photos()
        let naive = NaiveLayout(SampleLayouts.configurations[layout], items: photos.map(\.metrics))
        let pages = try chain(gallery, key, limit: limit) { _ in }
        #expect(difference(pages.flatMap(\.items).map(\.attributes.frame), naive.frames) == nil)
        #expect(pages.flatMap(\.items).map(\.photo.id) == photos.map(\.id))
        #expect(pages.allSatisfy { $0.isInPlace && $0.items.count <= limit })
        #expect(pages.dropLast().allSatisfy { $0.isTruncated && !$0.items.isEmpty })
        // A page of lines ends with a line.
        #expect(layout > 3 || pages.dropLast().allSatisfy { $0.items.count == limit })
    }

    @Test(arguments: SampleLayouts.configurations.indices)
    func `photos added at the start between pages do not repeat, skip or shift photos`(layout: Int) throws {
        var random = SplitMix64(seed: 5)
        let gallery = try Gallery()
        try gallery.insert(3_000, using: &random)
        let configuration = SampleLayouts.configurations[layout]
        let before = try gallery.photos()
        let naive = NaiveLayout(configuration, items: before.map(\.metrics))
        let pages = try chain(gallery, try LayoutKey(configuration), limit: 100) { page in
            try gallery.insert(page % 3, using: &random, takenAt: 500_000...600_000)
            if page % 5 == 0 { try gallery.restart() }
        }
        #expect(pages.flatMap(\.items).map(\.photo.id) == before.map(\.id))
        #expect(difference(pages.flatMap(\.items).map(\.attributes.frame), naive.frames) == nil)
        #expect(pages.flatMap(\.items).map(\.attributes.index) == Array(before.indices))
        #expect(Set(pages.map(\.chainRevision)).count == 1)
    }

    @Test func `a page reports whether its frames are those of the current layout`() throws {
        var random = SplitMix64(seed: 6)
        let gallery = try Gallery()
        try gallery.insert(300, using: &random)
        let key = try LayoutKey(SampleLayouts.configurations[0])
        let first = try gallery.service.read { try $0.layout(key, of: Gallery.stream).page(limit: 50) }
        let last = try #require(try gallery.photos().last)
        try gallery.service.deletePhotos([last.id], from: Gallery.stream)
        let second = try gallery.service.read {
            try $0.layout(key, of: Gallery.stream).page(.after(try #require(first.nextCursor)), limit: 50)
        }
        #expect(second.isInPlace, "the changed photo lies after the page")
        #expect(second.context.revision > second.chainRevision)
        try gallery.insert(1, using: &random, takenAt: 500_000...500_000)
        let third = try gallery.service.read {
            try $0.layout(key, of: Gallery.stream).page(.after(try #require(second.nextCursor)), limit: 50)
        }
        #expect(!third.isInPlace, "a photo above has moved the current layout")
        #expect(third.chainRevision == first.chainRevision)
        #expect(third.items.first?.attributes.index == 100)
    }

    @Test func `a page of a layout packed from the end keeps its distance from the end`() throws {
        var random = SplitMix64(seed: 16)
        let gallery = try Gallery()
        try gallery.insert(900, using: &random)
        let key = try LayoutKey(SampleLayouts.configurations[3])
        var page = try gallery.service.read { try $0.layout(key, of: Gallery.stream).page(limit: 50) }
        let first = page
        var found: Set<Bool> = []
        for round in 0..<16 {
            // The first new photos fill free space, which moves nothing.
            if round % 2 == 0 { try gallery.insert(1 + 5 * round, using: &random, takenAt: 500_000...500_000) }
            page = try gallery.service.read {
                try $0.layout(key, of: Gallery.stream).page(.after(try #require(page.nextCursor)), limit: 50)
            }
            let (height, began) = (try height(of: page), try height(of: first))
            #expect(page.isInPlace == (height == began))
            found.insert(page.isInPlace)
            for item in page.items {
                let now = try gallery.service.read { try $0.layout(key, of: Gallery.stream).locate(item.photo.id) }
                    .item
                    .attributes.frame
                #expect(item.attributes.frame.x == now.x && item.attributes.frame.y == now.y - (height - began))
            }
        }
        #expect(found == [true, false])
        // A change after the place changes the distance of everything before it.
        let last = try #require(try gallery.photos().last)
        try gallery.service.deletePhotos([last.id], from: Gallery.stream)
        let rest = try gallery.service.read {
            try $0.layout(key, of: Gallery.stream).page(.after(try #require(page.nextCursor)), limit: 100)
        }
        #expect(rest.items.map(\.attributes.index) == Array(850..<899) && rest.nextCursor == nil)
        let end = try #require(rest.items.map(\.attributes.frame.maxY).max())
        #expect(try end == height(of: first) - 5 - 9)
    }

    private func height(of page: PageAnswer) throws -> Int64 {
        try #require(page.context.contentSize).height
    }

    @Test func `a chain continues after the position of a deleted photo`() throws {
        var random = SplitMix64(seed: 8)
        let gallery = try Gallery()
        try gallery.insert(200, using: &random)
        let key = try LayoutKey(SampleLayouts.configurations[2])
        let photos = try gallery.photos()
        let first = try gallery.service.read { try $0.layout(key, of: Gallery.stream).page(limit: 100) }
        try gallery.service.deletePhotos([photos[99].id, photos[50].id], from: Gallery.stream)
        let second = try gallery.service.read {
            try $0.layout(key, of: Gallery.stream).page(.after(try #require(first.nextCursor)), limit: 100)
        }
        #expect(second.items.map(\.photo.id) == photos[100...].map(\.id))
        #expect(second.nextCursor == nil)
    }

    @Test func `a caption that is added to a decided line does not make it thicker`() throws {
        let gallery = try Gallery()
        try gallery.load(
            (0..<12).map { number in
                var record = PhotoRecord(id: PhotoID(stored: "photo-\(number)"))
                record.size = .set(PhotoRecord.EncodedSize(try PixelSize(width: 300, height: 200)))
                return record
            })
        let key = try LayoutKey(SampleLayouts.configurations[4])
        let pages = try chain(gallery, key, limit: 1) { page in
            if page == 1 { try gallery.shell("UPDATE photo SET caption = 'late' WHERE id < 12") }
        }
        let items = pages.flatMap(\.items).map(\.attributes)
        let decided = items.filter { $0.frame.y == items[0].frame.y }
        #expect(items.count == 12 && decided.count > 1 && decided.count < 12)
        #expect(decided.allSatisfy { $0.frame.height == items[0].frame.height && $0.captionExtent == 0 })
        #expect(items[decided.count].frame.y >= items[0].frame.maxY)
        #expect(items[decided.count].captionExtent > 0)
    }

    @Test func `an empty stream has an empty page, and only insets as its content size`() throws {
        let gallery = try Gallery()
        let key = try LayoutKey(SampleLayouts.configurations[0])
        let page = try gallery.service.read { try $0.layout(key, of: Gallery.stream).page() }
        #expect(page.items.isEmpty && page.nextCursor == nil && page.isInPlace)
        let layout = try gallery.service.read { try $0.layout(key, of: Gallery.stream).summary() }
        #expect(layout.context.contentSize == PixelExtent(width: 2_406, height: 36))
    }

    private func chain(
        _ gallery: Gallery, _ key: LayoutKey, limit: Int, between: (Int) throws -> Void
    ) throws -> [PageAnswer] {
        var pages = [try gallery.service.read { try $0.layout(key, of: Gallery.stream).page(limit: limit) }]
        while let cursor = pages.last?.nextCursor {
            try between(pages.count)
            pages.append(
                try gallery.service.read { try $0.layout(key, of: Gallery.stream).page(.after(cursor), limit: limit) })
        }
        return pages
    }
}
