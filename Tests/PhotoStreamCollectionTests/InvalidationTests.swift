import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamCollection
@testable import PhotoStreamLayoutTests

/// The counted cost of an edit, and the marks of an invalidation.
@Suite struct InvalidationTests {
    private static let count = 50_000

    /// A masonry in sections of one day, with that many photos each.
    private func layout(
        photosADay: Int, sectioning: Sectioning = .day, isList: Bool = false,
        _ algorithm: LayoutConfiguration.Algorithm = .masonry(MasonryParameters())
    ) throws -> CollectionLayout {
        var random = SplitMix64(seed: 9)
        let items = SampleMetrics.realistic(Self.count, using: &random).enumerated().map { index, item in
            item.with(day: 20_000 - index / photosADay)
        }
        let configuration = LayoutConfiguration(
            containerLength: 1_000, interitemSpacing: 8, lineSpacing: 8,
            sections: SectionParameters(sectioning: isList ? .none : sectioning, headerReferenceSize: 30),
            algorithm: algorithm)
        let firsts = stride(from: 0, to: Self.count, by: photosADay)
        let lengths = isList ? firsts.map { min(photosADay, Self.count - $0) } : nil
        return try CollectionLayout(configuration, items: PackedMetrics(items), sectionLengths: lengths)
    }

    /// Makes an edit and counts its cost.
    private func work(
        of context: InvalidationContext, in layout: inout CollectionLayout
    ) throws -> (chunks: Int, items: Int, reused: Int) {
        _ = layout.contentSize
        let before = layout.work
        try layout.invalidate(with: context)
        #expect(layout.work == before)
        _ = layout.contentSize
        let after = layout.work
        return (
            after.chunksFolded - before.chunksFolded, after.itemsFolded - before.itemsFolded,
            after.chunksReused - before.chunksReused
        )
    }

    private func photo(_ day: Int?) -> PackedMetrics {
        PackedMetrics([ItemMetrics(pixelSize: PixelSize(uncheckedWidth: 30, height: 50), orderDay: day)])
    }

    @Test(arguments: [30, 300, 1_000, 1_900], [false, true])
    func `an edit in a section places one chunk and keeps the others`(photosADay: Int, isList: Bool) throws {
        var random = SplitMix64(seed: UInt64(photosADay))
        var layout = try layout(photosADay: photosADay, isList: isList)
        let chunkCount = layout.directory.chunks.count - 1
        for _ in 0..<20 {
            let section = layout.directory.sections[random.int(in: 1...layout.directory.sections.count - 2)]
            let index = random.int(in: section.items.lowerBound + 1...section.items.upperBound - 1)
            let day = isList ? nil : 20_000 - section.position
            let insertion = try work(of: .edits([.insert(photo(day), at: index)]), in: &layout)
            #expect(insertion.chunks == 1)
            #expect(insertion.reused == chunkCount - 1)
            #expect(insertion.items <= ChunkSizes.standard.greatest)
            #expect(try work(of: .edits([.delete(index..<index + 1)]), in: &layout).chunks == 1)
            // At the section's own ends as well, whose photos belong to the section's chunk.
            let first = try work(of: .edits([.insert(photo(day), at: section.items.lowerBound)]), in: &layout)
            #expect(first.chunks <= (isList ? 2 : 1))
            let end = ItemEdit.insert(photo(day), at: section.items.upperBound + 1, section: section.position)
            #expect(try work(of: .edits([end]), in: &layout).chunks == 1)
        }
    }

    @Test func `lines meet their old breaks within two chunks`() throws {
        var random = SplitMix64(seed: 3)
        var layout = try layout(photosADay: Self.count, .justified(JustifiedParameters(targetLineHeight: 200)))
        for _ in 0..<20 {
            let index = random.int(in: 0...Self.count)
            let found = try work(of: .edits([.insert(photo(20_000), at: index)]), in: &layout)
            #expect(found.chunks <= 2)
        }
    }

    @Test func `an undivided masonry is placed from the edit on`() throws {
        var layout = try layout(photosADay: Self.count)
        let chunkCount = layout.directory.chunks.count - 1
        let atEnd = try work(of: .edits([.insert(photo(20_000), at: Self.count)]), in: &layout)
        #expect(atEnd.chunks == 1)
        #expect(atEnd.reused == chunkCount - 1)
        // The same metrics leave the same state.
        let same = PackedMetrics([SampleMetrics.first(of: 9)])
        #expect(try work(of: .edits([.replace(same, at: 0)]), in: &layout).chunks == 1)
    }

    @Test func `many invalidations cost one update at the next query`() throws {
        var layout = try layout(photosADay: 1_000)
        #expect(layout.work == LayoutWork())
        _ = layout.contentSize
        #expect(layout.work.passes == 1)
        #expect(layout.work.itemsFolded == Self.count)
        let before = layout.work
        for _ in 0..<10 { try layout.invalidate(with: .edits([.insert(photo(19_995), at: 5_500)])) }
        for spacing in 1...50 {
            var configuration = layout.configuration
            configuration.lineSpacing = Double(spacing)
            try layout.invalidate(with: .configuration(configuration))
        }
        for length in 900...950 { try layout.invalidate(with: .bounds(containerLength: Double(length))) }
        #expect(layout.work == before)
        #expect(layout.itemCount == Self.count + 10)
        _ = try layout.attributes(in: Rect(x: 0, y: 0, width: 100, height: 100))
        #expect(layout.work.passes == 2)
        #expect(layout.work.itemsFolded - before.itemsFolded == Self.count + 10)
        #expect(layout.configuration.lineSpacing == 50)
        #expect(layout.configuration.containerLength == 950)
        let paid = layout.work
        _ = (layout.directory, layout.contentSize, layout.current, layout.attributes(forItemAt: 7))
        #expect(layout.work == paid)
    }

    @Test func `packed from the end, a photo at the start costs one chunk, and one at the end may cost all`() throws {
        for sectioning in Sectioning.allCases {
            var random = SplitMix64(seed: 2)
            let items = SampleMetrics.realistic(20_000, using: &random).enumerated().map { index, item in
                item.with(day: 20_000 - index / 900)
            }
            let configuration = LayoutConfiguration(
                containerLength: 1_000, lineSpacing: 8, sections: SectionParameters(sectioning: sectioning),
                algorithm: .masonry(MasonryParameters(anchor: .end)))
            var layout = try CollectionLayout(configuration, items: PackedMetrics(items))
            func cost(_ edit: ItemEdit) throws -> Int {
                _ = layout.contentSize
                let before = layout.work.chunksFolded
                try layout.invalidate(with: .edits([edit]))
                _ = layout.contentSize
                return layout.work.chunksFolded - before
            }
            let one = PackedMetrics([ItemMetrics(pixelSize: try PixelSize(width: 3, height: 2)).with(day: 20_000)])
            #expect(try cost(.insert(one, at: 0, section: nil)) == 1, "\(sectioning)")
            let last = PackedMetrics([
                ItemMetrics(pixelSize: try PixelSize(width: 3, height: 2)).with(day: items.last?.orderDay)
            ])
            let atEnd = try cost(.insert(last, at: layout.itemCount, section: nil))
            // If new sections begin there, everything before them keeps its place.
            #expect(sectioning == .none ? atEnd > 5 : atEnd >= 1, "\(sectioning): \(atEnd)")
            #expect(try cost(.delete(0..<1)) == 1)
        }
    }

    @Test func `only changes that affect frames place photos again`() throws {
        var layout = try layout(photosADay: 1_000)
        let chunkCount = layout.directory.chunks.count - 1
        #expect(try work(of: .everything, in: &layout).items == Self.count)
        #expect(try work(of: .bounds(containerLength: 900), in: &layout).items == Self.count)
        #expect(try work(of: .bounds(containerLength: 900), in: &layout) == (0, 0, 0))
        #expect(try work(of: .elements(.sectionHeader), in: &layout) == (0, 0, 0))
        #expect(try work(of: .items([5..<6, 40_000..<40_001]), in: &layout) == (0, 0, 0))
        #expect(try work(of: .sections([3..<4]), in: &layout) == (0, 0, 0))
        // Items that were named before an edit do not cost more than the edit either.
        var named = InvalidationContext.items([5..<6])
        named.formUnion(.edits([.replace(photo(3), at: 7)]))
        #expect(try work(of: named, in: &layout).chunks == 1)
        var configuration = layout.configuration
        // What only moves or mirrors places nothing again.
        configuration.contentInset = EdgeInsets(top: 30, left: 0, bottom: 3, right: 0)
        configuration.layoutDirection = .rightToLeft
        configuration.badgeSize = Size(width: 10, height: 10)
        #expect(try work(of: .configuration(configuration), in: &layout) == (0, 0, chunkCount))
        configuration.lineSpacing = 9
        #expect(try work(of: .configuration(configuration), in: &layout).items == Self.count)
        #expect(try work(of: .dataSource(photo(3)), in: &layout) == (1, 1, 0))
        #expect(layout.directory.itemCount == 1)
    }

    @Test func `a refused configuration invalidates nothing`() throws {
        var layout = try layout(photosADay: 1_000)
        _ = layout.contentSize
        let before = layout.current.contentSize
        #expect(throws: LayoutError.self) { try layout.invalidate(with: .bounds(containerLength: .nan)) }
        #expect(layout.configuration.containerLength == 1_000)
        #expect(layout.contentSize == before)
        #expect(layout.work.passes == 1)
    }

    @Test func `united contexts reload all elements of a kind after an edit`() {
        var context = InvalidationContext.items([3..<4])
        context.formUnion(.sections([1..<2]))
        context.formUnion(.elements(.badge, selection: .at([IndexPath(section: 0, item: 1)])))
        context.formUnion(.elements(.badge, selection: .at([IndexPath(section: 2, item: 1)])))
        context.formUnion(.bounds(containerLength: 300))
        #expect(context.items == [3..<4])
        #expect(context.elements[.badge] == .at([IndexPath(section: 0, item: 1), IndexPath(section: 2, item: 1)]))
        context.formUnion(.edits([.delete(0..<1)]))
        #expect(context.items == [0..<Int.max])
        #expect(context.sections == [0..<Int.max])
        #expect(context.elements[.badge] == .all)
        #expect(context.containerLength == 300)
        #expect(!context.invalidatesEverything)
        context.formUnion(.everything)
        context.formUnion(.dataSource(.squares(2)))
        #expect(context.edits.isEmpty)
        #expect(context.invalidatesEverything)
    }

    @Test func `bounds invalidate by their width, and by scrolling if something is pinned`() throws {
        var layout = try layout(photosADay: 1_000)
        let old = Rect(x: 0, y: 0, width: 1_000, height: 500)
        let scrolled = Rect(x: 0, y: 50, width: 1_000, height: 500)
        let narrower = Rect(x: 0, y: 0, width: 900, height: 500)
        #expect(try layout.invalidationContext(forBoundsChange: old, new: scrolled) == nil)
        #expect(try layout.invalidationContext(forBoundsChange: old, new: old) == nil)
        #expect(
            try layout.invalidationContext(forBoundsChange: old, new: narrower) == .bounds(containerLength: 900))
        // A container of 1,000 points at scale 1 takes 999.5 to 1,000.4 as it is.
        for (width, isAnother) in [(999.6, false), (1_000.4, false), (1_000.5, true), (999.4, true)] {
            let bounds = Rect(x: 0.7, y: 0.3, width: width, height: 500)
            let context = try layout.invalidationContext(forBoundsChange: old, new: bounds)
            #expect((context != nil) == isAnother, "\(width)")
        }
        #expect(throws: LayoutError.self) {
            try layout.invalidationContext(forBoundsChange: old, new: Rect(x: .nan, y: 0, width: 1, height: 1))
        }
        var configuration = layout.configuration
        configuration.sections.headersPinToVisibleBounds = true
        try layout.invalidate(with: .configuration(configuration))
        let pinned = try layout.invalidationContext(forBoundsChange: old, new: scrolled)
        #expect(pinned == .elements(.sectionHeader))
        #expect(layout.work.passes == 0)
    }
}

extension SampleMetrics {
    /// The first photo that a seed gives.
    fileprivate static func first(of seed: UInt64) -> ItemMetrics {
        var random = SplitMix64(seed: seed)
        return realistic(1, using: &random)[0].with(day: 20_000)
    }
}
