import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamCollection
@testable import PhotoStreamLayoutTests

/// A layout that follows edits against one that is made from scratch.
@Suite struct EditingLawTests {
    @Test(arguments: LayoutFamily.allCases, SampleAxes.all)
    func `edits leave the same layout as placing everything again, bit for bit`(
        family: LayoutFamily, axes: SampleAxes
    ) throws {
        for seed in UInt64(0)..<6 {
            var random = SplitMix64(seed: seed)
            var world = try EditedWorld(family, axes, isList: seed % 2 == 0, using: &random)
            for step in 0..<30 {
                // Now and then several invalidations before one question.
                for _ in 0..<random.int(in: 1...3) {
                    let edits = (0..<random.int(in: 1...random.element(of: [1, 1, 4]))).map { _ in world.edit() }
                    try world.layout.invalidate(with: .edits(edits))
                }
                let difference = try world.difference(using: &random)
                #expect(difference == nil, "seed \(seed), step \(step)")
                #expect(world.layout.itemCount == world.layout.current.itemCount)
                if difference != nil { return }
            }
        }
    }

    @Test(arguments: LayoutFamily.allCases)
    func `a configuration change in between does not change that`(family: LayoutFamily) throws {
        for seed in UInt64(0)..<6 {
            var random = SplitMix64(seed: seed &+ 500)
            var world = try EditedWorld(family, SampleAxes(), isList: seed % 2 == 0, using: &random)
            for step in 0..<12 {
                var context = InvalidationContext.edits([world.edit()])
                switch random.int(in: 0...4) {
                case 0: context.formUnion(.bounds(containerLength: world.layout.configuration.containerLength + 1))
                case 1:
                    var other = world.layout.configuration
                    other.lineSpacing = Double(random.int(in: 0...9))
                    let sectioning = random.element(of: Sectioning.allCases)
                    other.sections.sectioning = family == .map ? .none : sectioning
                    other.layoutDirection = random.element(of: LayoutDirection.allCases)
                    other.contentInset.top = Double(random.int(in: 0...9))
                    context.formUnion(.configuration(other))
                case 2: context.formUnion(.items([0..<3]))
                case 3: context.formUnion(.sections([random.int(in: 0...2)..<5]))
                default: context.formUnion(.elements(.sectionHeader))
                }
                try world.layout.invalidate(with: context)
                let difference = try world.difference(using: &random)
                #expect(difference == nil, "seed \(seed), step \(step)")
                if difference != nil { return }
            }
        }
    }

    @Test(arguments: LayoutFamily.allCases)
    func `items are found if a section ends with its chunk`(
        family: LayoutFamily
    ) throws {
        var random = SplitMix64(seed: 12)
        for photosADay in [1, 3, 16, 24] {
            let items = SampleMetrics.mixed(200, using: &random).enumerated().map { index, item in
                item.with(day: 20_000 - index / photosADay)
            }
            var configuration = LayoutConfiguration(
                containerLength: 400, lineSpacing: 17,
                sections: SectionParameters(sectioning: family == .map ? .none : .day))
            configuration.algorithm = family.algorithm(columnCount: 4, using: &random)
            var layout = try CollectionLayout(
                configuration, items: PackedMetrics(items), sectionLengths: nil, chunkSizes: EditedWorld.sizes)
            try layout.invalidate(with: .edits([.delete(100..<101), .delete(40..<42)]))
            let current = layout.current
            for index in 0..<current.itemCount {
                let item = try #require(current.attributes(forItemAt: index))
                guard !item.isHidden else { continue }
                for y in [item.frame.y, item.frame.maxY - 1] {
                    let row = PixelRect(x: item.frame.x, y: y, width: item.frame.width, height: 1)
                    #expect(current.items(in: row).contains(item))
                }
            }
        }
    }

    @Test func `elements at a chunk's end are found if the next section begins right after it`() throws {
        // A section begins after each chunk; the last pixels of its longest column are as far down as the spacing.
        let configuration = LayoutConfiguration(
            containerLength: 200, lineSpacing: 10,
            algorithm: .masonry(MasonryParameters(columns: .count(2), orderTolerance: 1)))
        let items = try (0..<24).map { ItemMetrics(pixelSize: try PixelSize(width: 1, height: $0 % 3 + 1)) }
        let lengths = [4, 4, 4, 4, 4, 4]
        let layout = try CollectionLayout(
            configuration, items: PackedMetrics(items), sectionLengths: lengths,
            chunkSizes: ChunkSizes(new: 4, least: 2, greatest: 8))
        let placed = layout.current
        #expect(placed.directory.chunks.count > 3)
        for (index, frame) in placed.frames(from: 0, count: items.count).enumerated() {
            let lastPixels = PixelRect(x: frame.x, y: frame.maxY - 1, width: 1, height: 1)
            #expect(placed.items(in: lastPixels).map(\.index) == [index])
        }
    }

    @Test func `chunks without lines of their own know the greatest end above them`() throws {
        // Four photos of one day, then lines of twenty over chunks of sixteen.
        let items = (0..<200).map { PackedMetrics.squares(1)[0].with(day: $0 < 4 ? 20_000 : 19_999) }
        let configuration = LayoutConfiguration(
            containerLength: 200, sections: SectionParameters(sectioning: .day, headerReferenceSize: 30),
            algorithm: .flow(FlowParameters(itemSize: .height(10))))
        var layout = try CollectionLayout(
            configuration, items: PackedMetrics(items), sectionLengths: nil, chunkSizes: EditedWorld.sizes)
        _ = layout.contentSize
        let before = layout.work
        try layout.invalidate(with: .edits([.delete(0..<4)]))
        #expect(layout.current.directory.chunks == layout.current.appendedDirectory.chunks)
        #expect(layout.work.chunksReused > before.chunksReused)
    }

    @Test func `a copy made before an edit does not change`() throws {
        var random = SplitMix64(seed: 4)
        for family in LayoutFamily.allCases {
            var world = try EditedWorld(family, SampleAxes(), isList: false, using: &random)
            for _ in 0..<20 {
                let (copy, old) = (world.layout, world.layout.current)
                let before = old.everything()
                try world.layout.invalidate(with: .edits([world.edit(), world.edit()]))
                _ = world.layout.contentSize
                #expect(difference(copy.everything(), before) == nil)
                #expect(difference(old.everything(), before) == nil)
            }
        }
    }
}

extension EditedWorld {
    /// A world of a family with every kind of element.
    init(
        _ family: LayoutFamily, _ axes: SampleAxes, isList: Bool, using random: inout SplitMix64, pins: Bool = false
    ) throws {
        var configuration = LayoutConfiguration.sample(family, axes, using: &random)
        configuration.badgeSize = random.oneIn(2) ? .zero : Size(width: 3, height: 4)
        configuration.sections.headersPinToVisibleBounds = pins && random.oneIn(2)
        configuration.sections.footersPinToVisibleBounds = pins && random.oneIn(2)
        configuration.sections.separatorThickness = random.oneIn(2) ? 0 : 1
        try self.init(
            configuration, count: random.oneIn(4) ? 0 : random.int(in: 1...200), isList: isList && family != .map,
            seed: UInt64(random.int(in: 0...1_000_000)))
    }

    /// The first difference between the layout and both references: the engine from scratch, and one without it.
    func difference(using random: inout SplitMix64) throws -> String? {
        let (current, scratch) = (layout.current, try scratch())
        if let found = current.difference(from: scratch, using: &random) { return found }
        if current.directory.chunks != current.appendedDirectory.chunks { return "the directory's chunks" }
        if let marks = current.list?.marks, !marks.isEmpty, current.directory.sections.map(\.mark) != marks {
            return "the sections' marks"
        }
        let naive = NaiveLayout(layout.configuration, items: items, sectionLengths: lengths)
        if current.directory.contentSize != naive.contentSize { return "the reference's content size" }
        if current.shownFrames != naive.frames { return "the reference's frames" }
        let sections = current.directory.sections.map { NaivePlace(items: $0.items, origin: $0.origin, end: $0.end) }
        let expected = naive.sections.map { NaivePlace(items: $0.items, origin: $0.origin, end: $0.end) }
        // A list without sections is one section to the engine, none to the reference.
        return sections == expected || lengths == [] ? nil : "the reference's sections"
    }

    private struct NaivePlace: Equatable {
        let items: Range<Int>
        let origin: Int64
        let end: Int64
    }
}

extension PlacedLayout {
    /// The directory that appending every chunk gives.
    fileprivate var appendedDirectory: LayoutDirectory {
        var directory = LayoutDirectory(engine)
        for chunk in engine.foldOrder(ofChunks: chunks.count).map({ chunks[$0] }) {
            directory.append(
                count: chunk.count, extents: chunk.result.placement.extents, sections: chunk.result.placement.sections)
        }
        directory.finish(ending.result)
        return directory
    }
}
