import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamService

/// The frames of a page without its photos are exactly those of the page, regardless of their source.
@Suite struct FramesPageTests {
    @Test(arguments: SampleLayouts.configurations.indices, [1, 7, 100])
    func `frames from the chunks equal those of the pages`(layout: Int, limit: Int) throws {
        var random = SplitMix64(seed: UInt64(limit))
        let gallery = try Gallery()
        try gallery.insert(limit == 1 ? 60 : 1_500, using: &random)
        let key = try LayoutKey(SampleLayouts.configurations[layout])
        // Cached, so that no photo is read for them.
        _ = try gallery.service.read { try $0.layout(key, of: Gallery.stream).summary() }
        var page = try gallery.service.read { try $0.layout(key, of: Gallery.stream).page(limit: limit) }
        let first = try gallery.service.read {
            try $0.layout(key, of: Gallery.stream).page(limit: limit, withPhotos: false)
        }
        #expect(first == page.withoutPhotos)
        while let cursor = page.nextCursor {
            page = try gallery.service.read {
                try $0.layout(key, of: Gallery.stream).page(.after(cursor), limit: limit)
            }
            let frames = try gallery.service.read {
                try $0.layout(key, of: Gallery.stream).page(.after(cursor), limit: limit, withPhotos: false)
            }
            #expect(frames == page.withoutPhotos)
        }
    }

    @Test(arguments: SampleLayouts.configurations.indices)
    func `frames equal those of the pages while photos are inserted and deleted`(layout: Int) throws {
        var random = SplitMix64(seed: 31)
        let gallery = try Gallery()
        try gallery.insert(900, using: &random)
        let key = try LayoutKey(SampleLayouts.configurations[layout])
        var page = try gallery.service.read { try $0.layout(key, of: Gallery.stream).page(limit: 60) }
        var round = 0
        while let cursor = page.nextCursor {
            try gallery.insert(round % 3, using: &random)
            if round % 4 == 1 {
                let photo = try #require(try gallery.photos().dropFirst(round * 40).first)
                try gallery.service.deletePhotos([photo.id], from: Gallery.stream)
            }
            if round % 2 == 0 { _ = try gallery.service.read { try $0.layout(key, of: Gallery.stream).summary() } }
            page = try gallery.service.read { try $0.layout(key, of: Gallery.stream).page(.after(cursor), limit: 60) }
            let frames = try gallery.service.read {
                try $0.layout(key, of: Gallery.stream).page(.after(cursor), limit: 60, withPhotos: false)
            }
            #expect(frames == page.withoutPhotos)
            round += 1
        }
        #expect(round > 5)
    }

    @Test func `the frames of a rectangle and of items are those with photos`() throws {
        var random = SplitMix64(seed: 7)
        let gallery = try Gallery()
        try gallery.insert(300, using: &random)
        let rect = Rect(x: 0, y: 500, width: 1e6, height: 2_000)
        for configuration in SampleLayouts.configurations {
            let key = try LayoutKey(configuration)
            try gallery.service.read { session in
                let layout = try session.layout(key, of: Gallery.stream)
                let (met, items) = (try layout.rect(.first(in: rect), limit: 50), try layout.items(from: 20, count: 90))
                let places = try layout.rect(.first(in: rect), limit: 50, withPhotos: false)
                #expect(met.frames == met.items.map(\.attributes) && items.frames == items.items.map(\.attributes))
                #expect(places.frames == met.frames && places.items.isEmpty && places.elements == met.elements)
                #expect(places.nextCursor == met.nextCursor)
                let found = try layout.items(from: 20, count: 90, withPhotos: false)
                #expect(found.frames == items.frames && found.items.isEmpty && found.count == 300)
            }
        }
    }
}

extension PageAnswer {
    /// The same page as an answer of places alone.
    fileprivate var withoutPhotos: PageAnswer {
        #expect(frames == items.map(\.attributes))
        return PageAnswer(
            context: context, frames: frames, items: [], firstPosition: firstPosition, nextCursor: nextCursor,
            chainRevision: chainRevision, isInPlace: isInPlace)
    }
}
