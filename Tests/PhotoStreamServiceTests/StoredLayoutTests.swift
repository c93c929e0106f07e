import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamTestSupport
import Testing

/// Nothing is computed twice, and no stored layout shows in an answer that it does not fit.
@Suite struct StoredLayoutTests {
    private let gallery: Gallery
    private let key: LayoutKey

    init() throws {
        var random = SplitMix64(seed: 11)
        gallery = try Gallery()
        try gallery.insert(6_000, using: &random)
        key = try LayoutKey(SampleLayouts.configurations[0])
    }

    @Test func `a repeated query folds nothing, in the same process and in a new one`() throws {
        let first = try gallery.service.read { try $0.layout(key, of: Gallery.stream).summary() }
        #expect(gallery.service.work.foldedChunkCount == 6)
        #expect(try gallery.service.read { try $0.layout(key, of: Gallery.stream).summary() } == first)
        #expect(gallery.service.work.foldedChunkCount == 6)
        try gallery.service.storeDerived()
        let other = try gallery.anotherService()
        #expect(try other.read { try $0.layout(key, of: Gallery.stream).summary() } == first)
        let deep = Rect(x: 0, y: 30_000, width: 1_203, height: 900)
        #expect(
            try other.read { try $0.layout(key, of: Gallery.stream).rect(.first(in: deep)) }
                == gallery.service.read { try $0.layout(key, of: Gallery.stream).rect(.first(in: deep)) })
        _ = try other.read { try $0.layout(key, of: Gallery.stream).page() }
        _ = try other.read { try $0.layout(key, of: Gallery.stream).item(at: 5_999) }
        #expect(other.work.foldedChunkCount == 0)
        try other.storeDerived()
        #expect(try other.cacheStatus().layouts.map(\.chunkCount) == [6])
    }

    @Test func `a caption with other words folds nothing, and a caption that is added or removed folds again`() throws {
        let photo = try #require(try gallery.photos().first { $0.caption != nil })
        _ = try gallery.service.warm(Gallery.stream, layout: key)
        var record = PhotoRecord(id: photo.id)
        record.caption = .set("other words")
        try gallery.service.edit(record, in: Gallery.stream)
        let before = gallery.service.work.foldedChunkCount
        let answer = try gallery.service.read { try $0.layout(key, of: Gallery.stream).locate(photo.id) }
        #expect(answer.item.photo.caption == "other words")
        #expect(gallery.service.work.foldedChunkCount == before)
        record.caption = .clear
        try gallery.service.edit(record, in: Gallery.stream)
        let without = try gallery.service.read { try $0.layout(key, of: Gallery.stream).locate(photo.id) }
        #expect(without.item.attributes.captionExtent == 0)
        #expect(gallery.service.work.foldedChunkCount > before)
    }

    @Test func `changing metadata that no layout uses folds nothing`() throws {
        _ = try gallery.service.warm(Gallery.stream, layout: key)
        let photo = try #require(try gallery.photos().first)
        let before = gallery.service.work.foldedChunkCount
        let bounds = Rect(x: 0, y: 0, width: 1_203, height: 900)
        for field in PhotoField.allCases where ![.size, .orientation, .takenAt, .coordinate].contains(field) {
            guard field != .text(.caption), field != .flag(.archived) else { continue }
            let revision = try gallery.service.read { try $0.stream(Gallery.stream) }.revision
            try gallery.service.edit(try PhotoRecord(id: photo.id, setting: field), in: Gallery.stream)
            let answer = try gallery.service.read { try $0.changes(of: Gallery.stream, since: revision) }
            guard case .changes(let changes) = answer else {
                Issue.record("no changes")
                return
            }
            #expect(changes.changes.map(\.id) == [photo.id], "\(field)")
            _ = try gallery.service.read { try $0.layout(key, of: Gallery.stream).rect(.first(in: bounds)) }
        }
        #expect(gallery.service.work.foldedChunkCount == before)
    }

    @Test func `an edit in the last chunk folds only that chunk`() throws {
        _ = try gallery.service.warm(Gallery.stream, layout: key)
        let last = try #require(try gallery.photos().last)
        var record = PhotoRecord(id: last.id)
        record.size = .set(PhotoRecord.EncodedSize(try PixelSize(width: 999, height: 1_001)))
        try gallery.service.edit(record, in: Gallery.stream)
        let before = gallery.service.work.foldedChunkCount
        _ = try gallery.service.read { try $0.layout(key, of: Gallery.stream).summary() }
        #expect(gallery.service.work.foldedChunkCount == before + 1)
    }

    @Test func `a photo before all others folds only one chunk if packing begins at the end`() throws {
        let fromEnd = try LayoutKey(SampleLayouts.configurations[3])
        _ = try gallery.service.warm(Gallery.stream, layout: fromEnd)
        var random = SplitMix64(seed: 4)
        let before = gallery.service.work.foldedChunkCount
        try gallery.insert(1, using: &random, takenAt: 500_000...500_000)
        let other = try gallery.anotherService()
        let answer = try other.read { try $0.layout(fromEnd, of: Gallery.stream).summary() }
        #expect(before == 6 && other.work.foldedChunkCount == 1)
        let photos = try gallery.photos()
        let naive = NaiveLayout(SampleLayouts.configurations[3], items: photos.map(\.metrics))
        #expect(answer.context.contentSize == naive.contentSize)
        for index in stride(from: 0, to: photos.count, by: 97) {
            let item = try other.read { try $0.layout(fromEnd, of: Gallery.stream).item(at: index) }.item
            #expect(item.attributes.frame == naive.frames[index])
        }
        try other.storeDerived()
        #expect(try other.verifyDerived().differences == [])
    }

    @Test func `missing frames are folded again, from both ends`() throws {
        for number in [2, 7] {
            let key = try LayoutKey(SampleLayouts.configurations[number])
            let everything = Rect(x: 0, y: 0, width: 1e6, height: 1e9)
            let before = try gallery.service.read {
                try $0.layout(key, of: Gallery.stream).rect(.first(in: everything), limit: 1_000)
            }
            _ = try gallery.service.warm(Gallery.stream, layout: key)
            #expect(try gallery.service.cacheStatus().layouts.contains { $0.framesCount > 0 })
            try gallery.shell("DELETE FROM layoutFrames")
            let other = try gallery.anotherService()
            let after = try other.read {
                try $0.layout(key, of: Gallery.stream).rect(.first(in: everything), limit: 1_000)
            }
            #expect(after == before)
            #expect(other.work.foldedChunkCount == 0)
        }
    }

    @Test func `a layout that a reader could not store is computed correctly by another process`() throws {
        let readOnly = try gallery.anotherService(.readOnly)
        let answer = try readOnly.read { try $0.layout(key, of: Gallery.stream).summary() }
        try readOnly.storeDerived()
        #expect(try gallery.service.cacheStatus().layouts.isEmpty)
        #expect(try gallery.service.read { try $0.layout(key, of: Gallery.stream).summary() } == answer)
    }

    @Test func `a layout of an older revision does not replace a newer one`() throws {
        let other = try gallery.anotherService()
        _ = try other.read { try $0.layout(key, of: Gallery.stream).summary() }
        try gallery.shell("DELETE FROM photo WHERE id % 7 = 0")
        _ = try gallery.service.warm(Gallery.stream, layout: key)
        try other.storeDerived()
        #expect(try gallery.service.verifyDerived().differences == [])
        #expect(
            try other.read { try $0.layout(key, of: Gallery.stream).summary() }
                == gallery.anotherService().read { try $0.layout(key, of: Gallery.stream).summary() })
    }

    @Test func `clearing removes all derived data, and it is computed again identically`() throws {
        let before = try gallery.service.warm(Gallery.stream, layout: key)
        try gallery.service.clearDerived()
        #expect(try gallery.service.cacheStatus().layouts.isEmpty)
        #expect(try gallery.service.warm(Gallery.stream, layout: key) == before)
        #expect(try gallery.service.cacheStatus().layouts.count == 1)
    }

    @Test func `verification reports a damaged frame, metric and position`() throws {
        let key = try LayoutKey(SampleLayouts.configurations[2])
        _ = try gallery.service.warm(Gallery.stream, layout: key)
        for index in [0, 3_000, 5_999] {
            _ = try gallery.service.read { try $0.layout(key, of: Gallery.stream).item(at: index) }
        }
        try gallery.service.storeDerived()
        #expect(try gallery.service.verifyDerived().placementCount == 6)
        #expect(try gallery.service.verifyDerived().framesCount == 3)
        func differences() throws -> [String] { try gallery.service.verifyDerived().differences }
        try gallery.shell("UPDATE layoutFrames SET frames = zeroblob(length(frames)) WHERE rowid = 1")
        #expect(try differences().map { $0.prefix(47) } == ["rows of layoutFrames with a wrong checksum: 1; "])
        try gallery.shell("UPDATE layoutChunk SET advance = advance + 1")
        #expect(try differences().contains { $0.hasPrefix("rows of layoutChunk with a wrong checksum: 6;") })
        try gallery.shell("UPDATE chunkContent SET metrics = zeroblob(length(metrics)) WHERE chunkId = 2")
        #expect(try differences().contains { $0.hasPrefix("rows of chunkContent with a wrong checksum: 1;") })
    }

    @Test func `a custom layout is refused by name and never stored`() throws {
        struct Own: PlacementRule {
            let name = "own"
            func initialRest(in space: LayoutSpace) -> [UInt8] { [] }
            func place(_ items: PackedMetrics, from rest: [UInt8], in space: LayoutSpace) -> RulePlacement {
                let frame = AxisFrame(along: 0, across: 0, alongExtent: 1, acrossExtent: 1)
                return RulePlacement(frames: Array(repeating: frame, count: items.count), shift: 0, rest: [])
            }
            func end(behind rest: [UInt8], in space: LayoutSpace) -> Int64 { 1 }
        }
        let key = try LayoutKey(
            LayoutConfiguration(containerLength: 100, algorithm: .placed(AnyPlacementRule(Own()))))
        let error = StreamServiceError.customLayout("own")
        #expect(throws: error) { try gallery.service.read { try $0.layout(key, of: Gallery.stream).summary() } }
        #expect(throws: error) { try gallery.service.read { try $0.layout(key, of: Gallery.stream).page() } }
        #expect(throws: error) { try gallery.service.warm(Gallery.stream, layout: key) }
        #expect(error.description.contains("\"own\""))
        #expect(try gallery.service.cacheStatus().layouts.isEmpty)
        #expect(try gallery.service.verifyDerived().differences == [])
    }

    @Test func `layouts that were used later go later, whatever the clocks of other processes say`() throws {
        let ahead = try gallery.anotherService(ahead: 86_400_000)
        func key(_ width: Int) throws -> LayoutKey {
            try LayoutKey(LayoutConfiguration(containerLength: Double(width)))
        }
        for width in 301...304 { _ = try ahead.warm(Gallery.stream, layout: key(width)) }
        for width in 401...402 { _ = try gallery.service.warm(Gallery.stream, layout: key(width)) }
        let status = try gallery.service.cacheStatus()
        #expect(status.layouts.count == 6)
        try gallery.service.setCacheBudget(status.byteCount - 1)
        for width in 501...502 { _ = try gallery.service.warm(Gallery.stream, layout: key(width)) }
        let stored = try gallery.service.cacheStatus().layouts.map(\.layoutKey)
        #expect(try stored == [502, 501, 402, 401, 304].map { "\(try key($0))" })
    }

    @Test func `the day of a layout's last use is written, and nothing else until the next day`() throws {
        gallery.clock.step = 0
        _ = try gallery.service.warm(Gallery.stream, layout: key)
        func use() throws -> Int64? {
            _ = try gallery.service.read { try $0.layout(key, of: Gallery.stream).summary() }
            try gallery.service.storeDerived()
            return try gallery.service.cacheStatus().layouts.first?.lastUsedMilliseconds
        }
        let day: Int64 = 86_400_000
        #expect(try use() == 0)
        for number in 1...3 {
            gallery.clock.advance(by: day)
            #expect(try use() == Int64(number) * day)
        }
        try gallery.shell("DELETE FROM layout")
        gallery.clock.advance(by: day / 2)
        #expect(try use() == nil)
        #expect(gallery.service.work.foldedChunkCount == 6)
    }

    @Test
    func `rows that an earlier version wrote for layouts without data are ignored, and deleted by the next store`()
        throws
    {
        _ = try gallery.service.warm(Gallery.stream, layout: key)
        try gallery.shell(
            """
            INSERT INTO layout VALUES (900, 1, 'a name', 1, 2, 0, 0, 3, 4, 5), (901, 1, 'damaged', 1, 2, 1, 0, 3, 4, 5)
            """)
        #expect(try gallery.service.cacheStatus().layouts.map(\.layoutKey) == [key.description])
        _ = try gallery.service.warm(Gallery.stream, layout: LayoutKey(SampleLayouts.configurations[1]))
        #expect(try gallery.shellOutput("SELECT count(*) FROM layout") == "2\n")
        #expect(try gallery.service.verifyDerived().differences == [])
    }

    @Test func `a store is retried if the file is locked`() throws {
        _ = try gallery.service.read { try $0.layout(key, of: Gallery.stream).summary() }
        let holder = try FileHolder(gallery.temporary.path)
        try gallery.service.storeDerived()
        #expect(try gallery.service.cacheStatus().layouts.isEmpty)
        try holder.release()
        _ = try gallery.service.read { try $0.layout(key, of: Gallery.stream).summary() }
        try gallery.service.storeDerived()
        #expect(try gallery.service.cacheStatus().layouts.count == 1)
        #expect(gallery.service.work.foldedChunkCount == 6)
    }

    @Test func `a deleted stream leaves no derived data`() throws {
        _ = try gallery.service.warm(Gallery.stream, layout: key)
        try gallery.shell("DELETE FROM stream")
        #expect(try gallery.service.cacheStatus().layouts.isEmpty)
        #expect(throws: StreamServiceError.unknownStream("gallery")) {
            try gallery.service.read { try $0.layout(key, of: Gallery.stream).summary() }
        }
    }
}
