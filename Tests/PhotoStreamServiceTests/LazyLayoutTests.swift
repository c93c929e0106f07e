import Foundation
import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamStorage
import PhotoStreamTestSupport
import Synchronization
import Testing

@testable import PhotoStreamService

/// Nothing is computed that an answer does not need, and nothing is stored that is not needed again.
@Suite struct LazyLayoutTests {
    private let gallery: Gallery
    private let key: LayoutKey

    init() throws {
        var random = SplitMix64(seed: 31)
        gallery = try Gallery()
        try gallery.insert(9_000, using: &random)
        key = try LayoutKey(SampleLayouts.configurations[0])
    }

    @Test func `no page waits for the whole layout unless frames are measured from its end`() throws {
        for configuration in SampleLayouts.configurations {
            let key = try LayoutKey(configuration)
            let needsWhole = LayoutEngine(key).framesNeedContentExtent
            var page = try gallery.service.read { try $0.layout(key, of: Gallery.stream).page(limit: 500) }
            for _ in 0..<5 {
                page = try gallery.service.read {
                    try $0.layout(key, of: Gallery.stream).page(.after(try #require(page.nextCursor)), limit: 500)
                }
            }
            #expect((page.context.contentSize != nil) == needsWhole)
            #expect(gallery.service.work.resolvedLayoutCount == (needsWhole ? 1 : 0))
            guard needsWhole else { continue }
            try gallery.restart()
        }
    }

    @Test func `a layout is stored once it is used again ten seconds after its first use in the process`() throws {
        gallery.clock.step = 0
        func use(_ service: PhotoStreamService) throws -> [Int] {
            for _ in 0..<2 { _ = try service.read { try $0.layout(key, of: Gallery.stream).summary() } }
            try service.storeDerived()
            return try service.cacheStatus().layouts.map(\.chunkCount)
        }
        #expect(try use(gallery.service) == [])
        gallery.clock.advance(by: 9_999)
        #expect(try use(gallery.service) == [])
        #expect(try gallery.shellOutput("SELECT count(*) FROM layout") == "0\n")
        gallery.clock.advance(by: 1)
        let other = try gallery.anotherService()
        #expect(try use(other) == [])
        #expect(try use(gallery.service) == [9])
        #expect(gallery.service.work.writtenPlacementCount == 9 && other.work.writtenPlacementCount == 0)
    }

    @Test func `the widths of a drag leave nothing in the file`() throws {
        gallery.clock.step = 10
        _ = try gallery.service.warm(Gallery.stream, layout: key)
        let before = try gallery.service.cacheStatus()
        for width in 300..<450 {
            let key = try LayoutKey(LayoutConfiguration(containerLength: Double(width)))
            _ = try gallery.service.read { try $0.layout(key, of: Gallery.stream).summary() }
            _ = try gallery.service.read {
                try $0.layout(key, of: Gallery.stream).rect(.first(in: Rect(x: 0, y: 0, width: 400, height: 900)))
            }
            try gallery.service.storeDerived()
        }
        #expect(try gallery.service.cacheStatus() == before)
        #expect(before.layouts.count == 1)
    }

    @Test func `frames are stored only if reading them is faster than making them`() throws {
        let top = Rect(x: 0, y: 0, width: 600, height: 900)
        var storing: [Int] = []
        for (number, configuration) in SampleLayouts.configurations.enumerated() {
            let key = try LayoutKey(configuration)
            _ = try gallery.service.warm(Gallery.stream, layout: key)
            for _ in 0..<2 {
                _ = try gallery.service.read { try $0.layout(key, of: Gallery.stream).rect(.first(in: top)) }
            }
            try gallery.service.storeDerived()
            let layouts = try gallery.service.cacheStatus().layouts
            if layouts.contains(where: { $0.layoutKey == key.description && $0.framesCount > 0 }) {
                storing.append(number)
            }
        }
        #expect(storing == [2, 7])
    }

    @Test func `frames of served chunks are stored once`() throws {
        let key = try LayoutKey(SampleLayouts.configurations[2])
        _ = try gallery.service.warm(Gallery.stream, layout: key)
        #expect(gallery.service.work.writtenFramesCount == 0)
        let top = Rect(x: 0, y: 0, width: 1_203, height: 900)
        let expected = try gallery.service.read { try $0.layout(key, of: Gallery.stream).rect(.first(in: top)) }
        #expect(gallery.service.work.placedAgainCount == 1)
        try gallery.service.storeDerived()
        #expect(gallery.service.work.writtenFramesCount == 1)
        #expect(try gallery.service.cacheStatus().layouts.first?.framesCount == 1)
        let other = try gallery.anotherService()
        #expect(try other.read { try $0.layout(key, of: Gallery.stream).rect(.first(in: top)) } == expected)
        #expect(other.work.placedAgainCount == 0 && other.work.foldedChunkCount == 0)
        try other.storeDerived()
        #expect(other.work.writtenFramesCount == 0)
        #expect(try other.verifyDerived().framesCount == 1)
        #expect(try other.verifyDerived().differences == [])
    }

    @Test func `frames that another process folded from another state are not used`() throws {
        let key = try LayoutKey(SampleLayouts.configurations[2])
        let (first, second) = (gallery.service, try gallery.anotherService())
        let photo = try #require(try gallery.photos().first)
        let everything = Rect(x: 0, y: 0, width: 1e6, height: 1e9)
        _ = try first.warm(Gallery.stream, layout: key)
        let expected = try first.read {
            try $0.layout(key, of: Gallery.stream).rect(.first(in: everything), limit: 1_000)
        }
        _ = try first.read { try $0.layout(key, of: Gallery.stream).item(at: 8_999) }
        let last = try first.read { try $0.layout(key, of: Gallery.stream).item(at: 8_999) }.item
        try first.storeDerived()
        // What the other stores holds after its edit only.
        let (width, height) = (photo.pixelSize.width, photo.pixelSize.height)
        try gallery.shell("UPDATE photo SET width = 500, height = 499 WHERE externalId = '\(photo.id)'")
        _ = try second.read { try $0.layout(key, of: Gallery.stream).rect(.first(in: everything)) }
        _ = try second.read { try $0.layout(key, of: Gallery.stream).item(at: 8_999) }
        try second.storeDerived()
        try gallery.shell("UPDATE photo SET width = \(width), height = \(height) WHERE externalId = '\(photo.id)'")
        let now = try first.read { try $0.layout(key, of: Gallery.stream).rect(.first(in: everything), limit: 1_000) }
        #expect(difference(now.items.map(\.attributes), expected.items.map(\.attributes)) == nil)
        #expect(try first.read { try $0.layout(key, of: Gallery.stream).item(at: 8_999) }.item == last)
        try first.storeDerived()
        #expect(try second.verifyDerived().differences == [])
    }

    @Test func `stored layouts stay within the budget, and the least recently used one is removed whole`() throws {
        func key(_ width: Int) throws -> LayoutKey {
            let spans = MasonryParameters(spanWiderThan: 1.4)
            return try LayoutKey(LayoutConfiguration(containerLength: Double(width), algorithm: .masonry(spans)))
        }
        var bytes: [Int64] = []
        for width in 1...6 {
            let key = try key(300 + width)
            _ = try gallery.service.warm(Gallery.stream, layout: key)
            for index in stride(from: 0, to: 9_000, by: 1_000) {
                _ = try gallery.service.read { try $0.layout(key, of: Gallery.stream).item(at: index) }
            }
            try gallery.service.storeDerived()
            bytes.append(
                try #require(try gallery.service.cacheStatus().layouts.first { $0.layoutKey == "\(key)" })
                    .byteCount)
        }
        #expect(try gallery.service.cacheStatus().byteCount == bytes.reduce(0, +))
        try gallery.service.setCacheBudget(bytes[3...].reduce(0, +))
        var status = try gallery.service.cacheStatus()
        #expect(status.layouts.map(\.byteCount).reversed() == Array(bytes[3...]))
        #expect(status.byteCount == status.budget)
        // One more drives out the oldest; a budget under one layout's frames keeps checkpoints only.
        let newest = try key(400)
        _ = try gallery.service.warm(Gallery.stream, layout: newest)
        status = try gallery.service.cacheStatus()
        #expect(status.layouts.count == 3 && status.byteCount <= status.budget)
        try gallery.service.setCacheBudget(bytes[0] / 2)
        status = try gallery.service.cacheStatus()
        #expect(status.layouts.map(\.layoutKey) == ["\(newest)"] && status.byteCount <= status.budget)
        for index in stride(from: 0, to: 9_000, by: 500) {
            _ = try gallery.service.read { try $0.layout(newest, of: Gallery.stream).item(at: index) }
        }
        try gallery.service.storeDerived()
        status = try gallery.service.cacheStatus()
        #expect(status.layouts.first?.chunkCount == 9 && status.byteCount <= status.budget)
        #expect(try gallery.service.verifyDerived().differences == [])
        #expect(throws: StreamServiceError.invalidBudget(-1)) { try gallery.service.setCacheBudget(-1) }
    }

    @Test func `a layout that exceeds the budget is refused by warm and not stored repeatedly`() throws {
        try gallery.service.setCacheBudget(500)
        #expect {
            try gallery.service.warm(Gallery.stream, layout: key)
        } throws: { error in
            if case StreamServiceError.budgetTooSmall(let needed, 500) = error { needed > 500 } else { false }
        }
        let written = gallery.service.work.writtenPlacementCount
        for index in stride(from: 0, to: 9_000, by: 1_000) {
            _ = try gallery.service.read { try $0.layout(key, of: Gallery.stream).item(at: index) }
            try gallery.service.storeDerived()
        }
        #expect(gallery.service.work.writtenPlacementCount == written && written == 0)
        #expect(try gallery.service.cacheStatus().byteCount == 0)
    }

    @Test func `a layout that the budget refuses is tried again ten seconds later, one that outgrows it is deleted`()
        throws
    {
        let service = gallery.service
        gallery.clock.step = 0
        try service.setCacheBudget(500)
        func use() throws -> Int? {
            _ = try service.read { try $0.layout(key, of: Gallery.stream).summary() }
            _ = try service.read { try $0.layout(key, of: Gallery.stream).item(at: 8_999) }
            try service.storeDerived()
            return try service.cacheStatus().layouts.first?.chunkCount
        }
        #expect(try use() == nil)
        gallery.clock.advance(by: 10_000)
        #expect(try use() == nil)
        let foldedCount = service.work.foldedChunkCount
        try service.setCacheBudget(1 << 20)
        gallery.clock.advance(by: 9_999)
        #expect(try use() == nil)
        gallery.clock.advance(by: 1)
        #expect(try use() == 9)
        #expect(service.work.foldedChunkCount == foldedCount)
        try service.setCacheBudget(2_000)
        #expect(try service.cacheStatus().layouts.count == 1)
        try gallery.shell(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40000)
            INSERT INTO photo (streamId, externalId, width, height) SELECT 1, 'more ' || i, 3, 2 FROM n
            """)
        #expect(try use() == nil)
        // Nothing that was deleted with it is taken for stored.
        try service.setCacheBudget(1 << 20)
        gallery.clock.advance(by: 10_000)
        #expect(try use() == 48)
        #expect(try service.verifyDerived().differences == [])
    }

    @Test(.withoutPrimary)
    func `the bytes of layouts are counted incrementally`() throws {
        let justified = try LayoutKey(SampleLayouts.configurations[7])
        _ = try gallery.service.warm(Gallery.stream, layout: justified)
        for index in stride(from: 0, to: 9_000, by: 1_000) {
            _ = try gallery.service.read { try $0.layout(justified, of: Gallery.stream).item(at: index) }
        }
        try gallery.service.storeDerived()
        try gallery.shell("UPDATE photo SET width = 700, height = 500 WHERE id % 3000 = 0")
        _ = try gallery.service.warm(Gallery.stream, layout: justified)
        #expect(gallery.service.work.writtenPlacementCount > 9)
        #expect(try gallery.service.verifyDerived().differences == [])
        // Who counted all of it would set this right in silence.
        try gallery.service.database.write { writer in
            let id = try #require(try writer.reader.layoutSizes().first?.layout.id)
            try writer.addBytes(7, toLayout: id)
        }
        try gallery.shell("UPDATE photo SET width = 900, height = 500 WHERE id % 3000 = 0")
        _ = try gallery.service.warm(Gallery.stream, layout: justified)
        let differences = try gallery.service.verifyDerived().differences
        #expect(differences.count == 1 && differences.first?.contains("bytes are counted") == true, "\(differences)")
    }

    @Test func `an edit folds from its chunk until a state equals the stored one, and counts reused chunks`() throws {
        let justified = try LayoutKey(SampleLayouts.configurations[4])
        _ = try gallery.service.warm(Gallery.stream, layout: justified)
        let photos = try gallery.photos()
        try gallery.shell("UPDATE photo SET width = 700, height = 500 WHERE externalId = '\(photos[3_000].id)'")
        let before = gallery.service.work
        _ = try gallery.service.read { try $0.layout(justified, of: Gallery.stream).summary() }
        let work = gallery.service.work
        #expect(work.foldedChunkCount - before.foldedChunkCount <= 2)
        #expect(work.foldedChunkCount + work.reusedChunkCount - before.foldedChunkCount - before.reusedChunkCount == 9)
        try gallery.shell("UPDATE photo SET alt = 'no geometry' WHERE externalId = '\(photos[3_000].id)'")
        _ = try gallery.service.read { try $0.layout(justified, of: Gallery.stream).summary() }
        #expect(gallery.service.work.foldedChunkCount == work.foldedChunkCount)
        #expect(gallery.service.work.hitCount == work.hitCount + 1)
    }
}
