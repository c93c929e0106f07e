import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

/// Queries at the ends of all numbers are answered, and bytes of any kind are read or refused.
@Suite struct FarQuestionTests {
    @Test(arguments: LayoutFamily.allCases, SampleAxes.all)
    func `a rectangle of any size is answered`(family: LayoutFamily, axes: SampleAxes) throws {
        var random = SplitMix64(seed: 5)
        let world = try ElementWorld(family, axes, using: &random)
        let everything = world.snapshot.attributes(in: PixelRect(x: 0, y: 0, width: 1 << 40, height: 1 << 40))
        #expect(everything.attributes.filter { $0.elementKind == .item } == world.items.filter { !$0.isHidden })
        let shown = world.itemsInOrder.filter { !$0.isHidden }
        let far = PixelRect(x: .min, y: .min, width: .max, height: .max)
        let huge = PixelRect(x: -(1 << 50), y: -(1 << 50), width: .max, height: .max)
        #expect(world.snapshot.items(in: huge) == shown)
        #expect(world.snapshot.items(in: far).isEmpty)
        #expect(world.snapshot.items(in: PixelRect(x: .max, y: .max, width: .max, height: .max)).isEmpty)
        _ = world.snapshot.attributes(in: huge, visibleBounds: far)
        _ = world.snapshot.scrollAnchor(in: huge)
        _ = world.snapshot.targetContentOffset(forProposed: .max, viewport: .max, snapping: .itemCenters)
        let count = world.items.count
        #expect(world.snapshot.frames(from: 1, count: .max).count == max(0, count - 1))
        #expect(world.snapshot.frames(from: .max, count: .max).isEmpty)
    }

    @Test(arguments: LayoutFamily.allCases)
    func `any bytes are a valid state or cursor, or are refused`(family: LayoutFamily) throws {
        var random = SplitMix64(seed: 77)
        let key = try LayoutKey(.sample(family, SampleAxes(), using: &random))
        let engine = LayoutEngine(key)
        let items = PackedMetrics(SampleMetrics.dated(SampleMetrics.mixed(40, using: &random), using: &random))
        let snapshot = LayoutSnapshot(key, metrics: items)
        func page(after cursor: LayoutCursor, limit: Int) -> LayoutPage? {
            family == .masonryFromEnd
                ? snapshot.page(after: cursor, from: 0, limit: limit)
                : engine.page(after: cursor, items, isEnd: true, limit: limit)
        }
        var cursors = [engine.firstCursor(contentExtent: 5_000)]
        while cursors.count < 12, let page = page(after: cursors[cursors.count - 1], limit: 3) {
            cursors.append(page.next)
        }
        var accepted = 0
        for turn in 0..<4_000 {
            var bytes = random.element(of: cursors).encoded
            if turn % 4 == 0 {
                bytes = (0..<random.int(in: 0...30)).map { _ in UInt8(random.int(in: 0...255)) }
            } else if !bytes.isEmpty {
                bytes[random.int(in: 0...bytes.count - 1)] = UInt8(random.int(in: 0...127))
            }
            guard let cursor = try? engine.cursor(decoding: bytes) else { continue }
            accepted += 1
            _ = page(after: cursor, limit: 7)
        }
        #expect(accepted > 100)
    }
}
