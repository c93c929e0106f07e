import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamTestSupport
import Testing

/// The frames of a page without its photos are the very ones of the page, wherever they come from.
@Suite struct FramesPageTests {
    @Test(arguments: SampleLayouts.configurations.indices, [1, 7, 100])
    func `frames from the chunks equal those of the pages`(layout: Int, limit: Int) throws {
        var random = SplitMix64(seed: UInt64(limit))
        let gallery = try Gallery()
        try gallery.insert(limit == 1 ? 60 : 1_500, using: &random)
        let key = try LayoutKey(SampleLayouts.configurations[layout])
        // Cached, so that no photo is read for them.
        _ = try gallery.service.read { try $0.layout(of: Gallery.stream, key) }
        var page = try gallery.service.read { try $0.page(of: Gallery.stream, key, limit: limit) }
        #expect(try gallery.service.read { try $0.frames(of: Gallery.stream, key, limit: limit) } == FramesPage(page))
        while let cursor = page.nextCursor {
            page = try gallery.service.read { try $0.page(after: cursor, of: Gallery.stream, limit: limit) }
            let frames = try gallery.service.read { try $0.frames(after: cursor, of: Gallery.stream, limit: limit) }
            #expect(frames == FramesPage(page))
        }
    }

    @Test(arguments: SampleLayouts.configurations.indices)
    func `frames equal those of the pages while photos are inserted and deleted`(layout: Int) throws {
        var random = SplitMix64(seed: 31)
        let gallery = try Gallery()
        try gallery.insert(900, using: &random)
        let key = try LayoutKey(SampleLayouts.configurations[layout])
        var page = try gallery.service.read { try $0.page(of: Gallery.stream, key, limit: 60) }
        var round = 0
        while let cursor = page.nextCursor {
            try gallery.insert(round % 3, using: &random)
            if round % 4 == 1 {
                let photo = try #require(try gallery.photos().dropFirst(round * 40).first)
                try gallery.service.deletePhotos([photo.id], from: Gallery.stream)
            }
            if round % 2 == 0 { _ = try gallery.service.read { try $0.layout(of: Gallery.stream, key) } }
            page = try gallery.service.read { try $0.page(after: cursor, of: Gallery.stream, limit: 60) }
            let frames = try gallery.service.read { try $0.frames(after: cursor, of: Gallery.stream, limit: 60) }
            #expect(frames == FramesPage(page))
            round += 1
        }
        #expect(round > 5)
    }
}
