import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamLayout

/// Masonries that are packed from the end of the stream, and the reasons for them.
@Suite struct AnchoredAtEndTests {
    /// A stream with a place for more photos before it.
    private struct World {
        let configuration: LayoutConfiguration
        let key: LayoutKey
        let items: [ItemMetrics]
        var random: SplitMix64

        init(_ axes: SampleAxes, seed: UInt64, count: Int? = nil) throws {
            random = SplitMix64(seed: seed)
            configuration = .sample(.masonryFromEnd, axes, using: &random)
            key = try LayoutKey(configuration)
            let drawn = random.int(in: 1...random.element(of: [3, 60, 400, 2_500]))
            items = SampleMetrics.dated(SampleMetrics.mixed(count ?? drawn, using: &random), using: &random)
        }

        /// Photos for the head of the stream: in the first section, or in a new one.
        mutating func newItems() -> [ItemMetrics] {
            let day = random.oneIn(2) ? items.first?.orderDay : 40_000
            return SampleMetrics.mixed(random.int(in: 1...40), using: &random).map { $0.with(day: day) }
        }
    }

    private static func square(_ width: Int = 1, _ height: Int = 1) throws -> ItemMetrics {
        ItemMetrics(pixelSize: try PixelSize(width: width, height: height))
    }

    @Test func `the last photo is at the end, and the ragged edge is under the header`() throws {
        let configuration = LayoutConfiguration(
            containerLength: 320, contentInset: EdgeInsets(top: 1, left: 0, bottom: 2, right: 0), interitemSpacing: 10,
            lineSpacing: 5, sections: SectionParameters(headerReferenceSize: 30, footerReferenceSize: 20),
            algorithm: .masonry(MasonryParameters(columns: .count(3), anchor: .end)))
        let items = [try Self.square(), try Self.square(2, 1), try Self.square(1, 2), try Self.square()]
        let snapshot = LayoutSnapshot(
            try LayoutKey(configuration), metrics: PackedMetrics(items), sectionLengths: [0, 4, 0])
        // From the end: columns of 100, 200 and 50, then the first photo over the lowest of them.
        #expect(
            snapshot.frames == [
                PixelRect(x: 220, y: 126, width: 100, height: 100), PixelRect(x: 220, y: 231, width: 100, height: 50),
                PixelRect(x: 110, y: 81, width: 100, height: 200), PixelRect(x: 0, y: 181, width: 100, height: 100),
            ])
        #expect(snapshot.directory.sections.map { [$0.origin, $0.end] } == [[1, 51], [51, 301], [301, 351]])
        #expect(snapshot.directory.sections.map(\.items) == [0..<0, 0..<4, 4..<4])
        #expect(snapshot.directory.contentSize.height == 353)
        // A column that a section leaves empty is filled before its first photo.
        let few = LayoutSnapshot(try LayoutKey(configuration), items: Array(items[2...]))
        #expect(few.insertionIndexPath(for: PixelPoint(x: 300, y: 100)) == IndexPath(section: 0, item: 0))
    }

    @Test(arguments: SampleAxes.all)
    func `photos inserted before all others do not move these relative to each other`(axes: SampleAxes) throws {
        for seed in UInt64(0)..<40 {
            var world = try World(axes, seed: seed)
            let new = world.newItems()
            let before = LayoutSnapshot(world.key, items: world.items)
            let after = LayoutSnapshot(world.key, items: new + world.items)
            let (old, now) = (before.directory.contentSize, after.directory.contentSize)
            // The end stays at the same position on the screen; content that scrolls from right to left ends at 0.
            let (right, down) = (
                axes.scroll == .horizontal && axes.layout == .leftToRight ? now.width - old.width : 0,
                axes.scroll == .vertical ? now.height - old.height : 0
            )
            let moved = before.frames.map {
                PixelRect(x: $0.x + right, y: $0.y + down, width: $0.width, height: $0.height)
            }
            #expect(Array(after.frames.dropFirst(new.count)) == moved, "seed \(seed)")
        }
    }

    @Test(arguments: UInt64(0)..<16)
    func `ends never decrease in stream order with shortest column`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var configuration = LayoutConfiguration.sample(.masonryFromEnd, using: &random)
        configuration.algorithm = .masonry(
            MasonryParameters(columns: .count(random.int(in: 1...6)), anchor: .end))
        let items = SampleMetrics.mixed(600, using: &random).enumerated().map { $1.with(day: 20_000 - $0 / 70) }
        let frames = LayoutSnapshot(try LayoutKey(configuration), items: items).frames
        #expect(zip(frames, frames.dropFirst()).allSatisfy { $0.maxY <= $1.maxY })
    }

    @Test(arguments: SampleAxes.all, [1, 7, 1_000])
    func `a chain of pages equals the layout, with cursors as bytes`(axes: SampleAxes, limit: Int) throws {
        for seed in UInt64(0)..<8 {
            let world = try World(axes, seed: seed, count: limit == 1 ? 50 : 2_300)
            let whole = LayoutSnapshot(world.key, items: world.items)
            let pages = try chain(whole, limit: limit) { _ in whole }
            #expect(pages == (0..<whole.itemCount).compactMap { whole.attributes(forItemAt: $0) }, "seed \(seed)")
        }
    }

    @Test(arguments: SampleAxes.all)
    func `photos added at the start between pages do not repeat, skip or shift photos`(axes: SampleAxes) throws {
        for seed in UInt64(0)..<8 {
            var world = try World(axes, seed: seed, count: 300)
            let whole = LayoutSnapshot(world.key, items: world.items)
            var items = world.items
            let pages = try chain(whole, limit: 23) { _ in
                items = world.newItems() + items
                return LayoutSnapshot(world.key, items: items)
            }
            #expect(pages == (0..<whole.itemCount).compactMap { whole.attributes(forItemAt: $0) }, "seed \(seed)")
        }
    }

    /// The items of all pages; between two of them the layout becomes another, with photos added at its head only.
    private func chain(
        _ whole: LayoutSnapshot, limit: Int, between: (Int) -> LayoutSnapshot
    ) throws -> [LayoutAttributes] {
        let engine = whole.directory.engine
        var cursor = engine.firstCursor(contentExtent: whole.directory.contentExtent)
        var (current, found) = (whole, [LayoutAttributes]())
        while found.count < whole.itemCount {
            let first = current.itemCount - whole.itemCount + found.count
            let page = current.page(after: cursor, from: first, limit: limit)
            #expect(page.items.count == min(limit, whole.itemCount - found.count))
            found += page.items
            cursor = try engine.cursor(decoding: page.next.encoded)
            #expect(cursor == page.next)
            current = between(found.count)
        }
        #expect(current.page(after: cursor, from: current.itemCount, limit: limit).items.isEmpty)
        return found
    }

    @Test func `frames take eight bytes if a reversed number does not fit in four`() throws {
        let (tower, square) = (try Self.square(1, 1_000), try Self.square())
        // Columns of 1,200 pixels: all tops of 1,790 towers lie above 2^31, the end of the last one below it.
        for (count, ratio, isNarrow) in [(3_578, 1_000.0, true), (3_580, 1_000, false), (3_580, nil, false)] {
            var configuration = LayoutConfiguration.masonry(2, width: 800, scale: 3)
            configuration.algorithm = .masonry(
                MasonryParameters(columns: .count(2), columnChoice: .roundRobin, spanWiderThan: ratio, anchor: .end))
            let key = try LayoutKey(configuration)
            let items = (0..<count).map { $0 % 2 == 0 ? square : tower }
            let engine = LayoutEngine(key)
            let frames = engine.place(PackedMetrics(items), from: engine.initialState).frames
            #expect(frames.isNarrow == isNarrow)
            #expect(engine.frames(decoding: frames.encoded, count: count) == frames)
            let expected = NaiveLayout(configuration, items: items)
            #expect(try CutLayout(key, items, lengths: [count]).shownFrames == expected.frames)
        }
    }
}
