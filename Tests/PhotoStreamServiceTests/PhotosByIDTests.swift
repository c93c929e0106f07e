import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamTestSupport
import Testing

/// Photos and frames that are requested by ids.
@Suite struct PhotosByIDTests {
    @Test(arguments: SampleLayouts.configurations.indices)
    func `photos by several ids equal those by each id`(number: Int) throws {
        var random = SplitMix64(seed: UInt64(number))
        let gallery = try Gallery()
        try gallery.insert(3_000, using: &random)
        let key = try LayoutKey(SampleLayouts.configurations[number])
        let photos = try gallery.photos()
        var ids = (0..<40).map { _ in random.element(of: photos).id }
        ids.insert(PhotoID(stored: "none"), at: 5)
        ids.insert(PhotoID(stored: "a,b"), at: 0)
        let expected = ids.reduce(into: [PhotoID]()) { if !$0.contains($1) { $0.append($1) } }
        let missing = [PhotoID(stored: "a,b"), PhotoID(stored: "none")]
        try gallery.service.read { session in
            let list = try session.photos(withIDs: ids, of: Gallery.stream)
            #expect(list.photos.map(\.id) == expected.filter { !missing.contains($0) })
            #expect(list.missing == missing && !list.isTruncated)
            let answer = try session.layout(key, of: Gallery.stream).items(withIDs: ids)
            #expect(answer.missing == missing && answer.count == photos.count)
            #expect(answer.items.map(\.photo) == list.photos)
            for item in answer.items {
                let located = try session.layout(key, of: Gallery.stream).locate(item.id)
                #expect(located.item == item)
            }
        }
    }

    @Test func `an answer that would be too large ends early and can be continued`() throws {
        let gallery = try Gallery()
        try gallery.shell(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
            INSERT INTO photo (streamId, externalId, width, height, caption)
            SELECT 1, 'long ' || i, 3, 2, printf('%.*c', 60000, 'x') FROM n
            """)
        let key = try LayoutKey(SampleLayouts.configurations[0])
        var rest = (1...300).map { PhotoID(stored: "long \($0)") } + [PhotoID(stored: "none")]
        var (found, counts): ([PhotoID], [Int]) = ([], [])
        while !rest.isEmpty {
            let answer = try gallery.service.read { try $0.photos(withIDs: rest, of: Gallery.stream) }
            let items = try gallery.service.read { try $0.layout(key, of: Gallery.stream).items(withIDs: rest) }
            #expect(items.items.map(\.id) == answer.photos.map(\.id) && items.missing == answer.missing)
            #expect(!answer.photos.isEmpty)
            found += answer.photos.map(\.id)
            counts.append(answer.photos.count)
            let told = Set(answer.photos.map(\.id) + (answer.missing ?? []))
            rest.removeAll { told.contains($0) }
            #expect(answer.isTruncated == !rest.isEmpty && items.isTruncated == answer.isTruncated)
        }
        #expect(found == (1...300).map { PhotoID(stored: "long \($0)") })
        #expect(counts.count == 3)
    }

    @Test func `too few and too many ids are refused`() throws {
        let gallery = try Gallery()
        let key = try LayoutKey(SampleLayouts.configurations[0])
        for count in [0, 1_001] {
            let ids = Array(repeating: PhotoID(stored: "x"), count: count)
            let error = StreamServiceError.invalidIDCount(count, maximum: 1_000)
            #expect(throws: error) { try gallery.service.read { try $0.photos(withIDs: ids, of: Gallery.stream) } }
            #expect(throws: error) {
                try gallery.service.read { try $0.layout(key, of: Gallery.stream).items(withIDs: ids) }
            }
            #expect(error.description == "\(count) ids are asked for, but must be 1 to 1000")
        }
    }
}
