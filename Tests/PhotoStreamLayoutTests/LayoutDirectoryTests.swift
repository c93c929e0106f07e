import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

/// The search for chunks and items.
@Suite struct LayoutDirectoryTests {
    /// A masonry of two columns with an inset of 100 at the top and 7 at the bottom.
    private static func engine() throws -> LayoutEngine {
        var configuration = LayoutConfiguration.masonry(2, width: 20)
        configuration.contentInset = EdgeInsets(top: 100, left: 0, bottom: 7, right: 0)
        return LayoutEngine(try LayoutKey(configuration))
    }

    @Test func `an empty directory has no chunks, sections or items`() throws {
        let engine = try Self.engine()
        var directory = LayoutDirectory(engine)
        directory.finish(engine.close(engine.initialState))
        #expect(directory.itemCount == 0)
        #expect(directory.contentExtent == 107)
        #expect(directory.contentSize == PixelExtent(width: 20, height: 107))
        for index in [-1, 0, 1, .min, .max] {
            #expect(directory.chunk(containing: index) == nil && directory.chunk(placing: index) == nil)
        }
        #expect(directory.sections.map(\.items) == [0..<0])
        #expect(directory.sections.map { [$0.origin, $0.end] } == [[100, 100]])
    }

    @Test(arguments: LayoutFamily.runs)
    func `an index is found in its own chunk and in the one that places it, past empty ones`(
        family: LayoutFamily
    ) throws {
        var random = SplitMix64(seed: 3)
        let items = SampleMetrics.dated(SampleMetrics.realistic(60, using: &random), using: &random)
        let lengths = [5, 0, 3, 0, 0, 1, 1, 1, 9]
        let source = try CutLayout(try LayoutKey(.sample(family, using: &random)), items, lengths: lengths)
        let directory = source.directory
        let counts = directory.chunks.dropLast().map(\.items.count)
        #expect((directory.engine.foldsBackward ? counts.reversed() : counts).prefix(9) == lengths[...])
        #expect(directory.chunks.last?.items == 60..<60)
        for index in items.indices {
            let holding = try #require(directory.chunk(containing: index))
            #expect(directory.chunks[holding].items.contains(index))
            let placing = try #require(directory.chunk(placing: index))
            #expect(directory.chunks[placing].placed.contains(index))
            #expect(placing >= holding)
        }
        for index in [-1, 60, .min, .max] {
            #expect(directory.chunk(containing: index) == nil && directory.chunk(placing: index) == nil)
        }
        // Together chunks hold and place every item once.
        var (held, placed) = (0, 0)
        for chunk in directory.chunks {
            #expect(chunk.items.lowerBound == held && chunk.placed.lowerBound == placed)
            (held, placed) = (chunk.items.upperBound, chunk.placed.upperBound)
        }
        #expect(held == 60 && placed == 60)
    }

    @Test(arguments: LayoutFamily.allCases)
    func `an item's attributes contain its index, path and frame, and none exist outside`(
        family: LayoutFamily
    ) throws {
        var random = SplitMix64(seed: 8)
        let configuration = LayoutConfiguration.sample(family, SampleAxes.all[3], using: &random)
        let items = SampleMetrics.dated(
            SampleMetrics.mixed(LayoutSnapshot.chunkCapacity * 2 + 10, using: &random), using: &random)
        let snapshot = LayoutSnapshot(try LayoutKey(configuration), items: items)
        let reference = NaiveLayout(configuration, items: items)
        #expect(snapshot.itemCount == items.count)
        #expect(snapshot.directory.chunks.map(\.items.count) == [2_048, 2_048, 10, 0])
        for (section, expected) in reference.sections.enumerated() {
            for (item, index) in reference.itemsBySection[section].enumerated() {
                let path = IndexPath(section: section, item: item)
                #expect(snapshot.indexPath(of: index) == path)
                #expect(snapshot.index(of: path) == index)
                guard let frame = reference.frames[index] else { continue }
                let attributes = LayoutAttributes(
                    elementKind: .item, index: index, indexPath: path, frame: frame,
                    captionExtent: reference.captionExtents[index], zIndex: family == .map && section == 0 ? index : 0)
                #expect(snapshot.attributes(forItemAt: index) == attributes)
                #expect(snapshot.attributes(forItemAt: path) == attributes)
            }
            let behind = IndexPath(section: section, item: expected.items.count)
            #expect(snapshot.attributes(forItemAt: behind) == nil)
            #expect(snapshot.attributes(forItemAt: IndexPath(section: section, item: -1)) == nil)
        }
        for index in [-1, items.count, .min, .max] { #expect(snapshot.attributes(forItemAt: index) == nil) }
        for section in [-1, reference.sections.count, .min, .max] {
            #expect(snapshot.attributes(forItemAt: IndexPath(section: section, item: 0)) == nil)
        }
        for section in [0, reference.sections.count - 1] {
            #expect(snapshot.attributes(forItemAt: IndexPath(section: section, item: .max)) == nil)
            #expect(snapshot.attributes(forItemAt: IndexPath(section: section, item: .min)) == nil)
        }
    }

    @Test func `items and packed metrics give the same layout`() throws {
        var random = SplitMix64(seed: 8)
        let items = SampleMetrics.mixed(3_000, using: &random)
        let key = try LayoutKey(.sample(using: &random))
        let (one, other) = (LayoutSnapshot(key, items: items), LayoutSnapshot(key, metrics: PackedMetrics(items)))
        #expect(one.frames == other.frames && one.directory.chunks == other.directory.chunks)
    }
}
