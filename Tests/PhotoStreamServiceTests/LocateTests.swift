import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamStorage
import PhotoStreamTestSupport
import Testing

/// The page that a located photo's cursor names.
@Suite struct LocateTests {
    private static let limits = [1, 2, 3, 7, 40, 1_000]

    @Test(arguments: SampleLayouts.configurations.indices)
    func `the page of a located photo's cursor shows it in its place in the layout`(layout: Int) throws {
        var random = SplitMix64(seed: 80 + UInt64(layout))
        let gallery = try Gallery(chunkSize: ChunkSize(minimum: 16, target: 32, maximum: 64))
        try gallery.insert(900, using: &random)
        let key = try LayoutKey(SampleLayouts.configurations[layout])
        let photos = try gallery.photos()
        let all = try gallery.service.read {
            try $0.layout(key, of: Gallery.stream).items(from: 0, count: photos.count)
        }.items
        for index in [0, 1, photos.count - 1] + (0..<80).map({ _ in random.int(in: 0...photos.count - 1) }) {
            let limit = random.element(of: Self.limits)
            let located = try gallery.service.read {
                try $0.layout(key, of: Gallery.stream).locate(photos[index].id, limit: limit)
            }
            #expect(located.item == all[index])
            let page = try gallery.service.read {
                try $0.layout(key, of: Gallery.stream).page(.after(located.cursor), limit: limit)
            }
            let first = page.firstPosition
            #expect((first..<first + page.items.count).contains(index), "\(index), limit \(limit): from \(first)")
            #expect(difference(page.items, Array(all[first..<first + page.items.count])) == nil, "\(index), \(limit)")
            #expect(page.isInPlace && page.chainRevision == page.context.revision)
            #expect(located.cursor.utf8.count < 2_048)
            // A line is not split if it fits, and nothing else precedes the photo.
            let isLine = all[first].attributes.frame.y == all[index].attributes.frame.y
            #expect(first == index || isLine || key.scrollDirection == .horizontal)
            let next = try page.nextCursor.map { cursor in
                try gallery.service.read {
                    try $0.layout(of: Gallery.stream, after: cursor).page(.after(cursor), limit: 1_000)
                }
            }
            let end = first + page.items.count
            #expect(difference(next?.items ?? [], Array(all[end..<end + (next?.items.count ?? 0)])) == nil)
            #expect(next != nil || end == all.count)
        }
    }

    @Test func `a page of lines begins with the photo's line, if the limit allows it`() throws {
        let gallery = try Gallery()
        try gallery.load(
            try (0..<40).map { number in
                var record = PhotoRecord(id: PhotoID(stored: "photo-\(number)"))
                record.size = .set(PhotoRecord.EncodedSize(try PixelSize(width: 100, height: 100)))
                return record
            })
        let flow = FlowParameters(itemSize: .uniform(Size(width: 100, height: 100)))
        let grid = GridParameters(columns: .count(10))
        for algorithm in [LayoutConfiguration.Algorithm.flow(flow), .grid(grid)] {
            let key = try LayoutKey(LayoutConfiguration(containerLength: 1_000, algorithm: algorithm))
            let id = try gallery.photos()[17].id
            for (limit, first) in [(100, 10), (8, 10), (7, 17), (1, 17)] {
                let located = try gallery.service.read {
                    try $0.layout(key, of: Gallery.stream).locate(id, limit: limit)
                }
                let page = try gallery.service.read {
                    try $0.layout(of: Gallery.stream, after: located.cursor).page(.after(located.cursor), limit: limit)
                }
                #expect(page.firstPosition == first && page.items.contains(located.item), "\(limit)")
            }
        }
    }

    @Test(arguments: SampleLayouts.configurations.indices)
    func `a located photo's chain keeps its place when photos are inserted before it`(layout: Int) throws {
        var random = SplitMix64(seed: 90)
        let gallery = try Gallery()
        try gallery.insert(300, using: &random)
        let key = try LayoutKey(SampleLayouts.configurations[layout])
        for index in [0, 123] {
            let photos = try gallery.photos()
            let located = try gallery.service.read { try $0.layout(key, of: Gallery.stream).locate(photos[index].id) }
            let before = try gallery.service.read {
                try $0.layout(of: Gallery.stream, after: located.cursor).page(.after(located.cursor))
            }
            try gallery.insert(3, using: &random, takenAt: 500_000...600_000)
            let after = try gallery.service.read {
                try $0.layout(of: Gallery.stream, after: located.cursor).page(.after(located.cursor))
            }
            #expect(after.items == before.items)
            #expect(after.items.contains(located.item) && after.context.revision > after.chainRevision)
            #expect(after.firstPosition == before.firstPosition + 3)
        }
    }

    @Test func `an invalid limit of pages is refused`() throws {
        var random = SplitMix64(seed: 91)
        let gallery = try Gallery()
        try gallery.insert(1, using: &random)
        let key = try LayoutKey(SampleLayouts.configurations[0])
        let id = try gallery.photos()[0].id
        for limit in [0, 1_001] {
            #expect(throws: StreamServiceError.invalidLimit(limit, maximum: 1_000)) {
                try gallery.service.read { try $0.layout(key, of: Gallery.stream).locate(id, limit: limit) }
            }
        }
    }
}
