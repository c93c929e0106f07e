import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

/// Numbers past 32 bits inside a chunk, origins past 32 bits, and sums over millions of photos.
@Suite struct WideChunkTests {
    private static func tower() throws -> ItemMetrics {
        ItemMetrics(pixelSize: try PixelSize(width: 1, height: 1_000))
    }

    private static func square() throws -> ItemMetrics { ItemMetrics(pixelSize: try PixelSize(width: 1, height: 1)) }

    private static func engine(_ configuration: LayoutConfiguration) throws -> LayoutEngine {
        LayoutEngine(try LayoutKey(configuration))
    }

    @Test func `a chunk of towers beyond 32 bits takes eight bytes per item and has exact frames`() throws {
        let configuration = LayoutConfiguration.masonry(1, width: 400, scale: 3)
        let engine = try Self.engine(configuration)
        let items = [ItemMetrics](repeating: try Self.tower(), count: 4_096)
        let placement = engine.place(PackedMetrics(items), from: engine.initialState)
        #expect(!placement.frames.isNarrow && placement.frames.byteCount == 8 * 4_096)
        #expect(placement.frames.numbers == (0..<4_096).map { UInt64($0) * 1_200_000 })
        #expect(placement.extents.greatestEnd == 4_096 * 1_200_000)
        #expect(placement.extents.advance == 4_096 * 1_200_000)
        let expected = NaiveLayout(configuration, items: items)
        #expect(try CutLayout(engine.key, items, lengths: [4_096]).shownFrames == expected.frames)
    }

    @Test func `the last number of 32 bits is narrow, and the next is wide`() throws {
        let engine = try Self.engine(.masonry(1, width: 65_536))
        // Items of 2^26 - 2^16 × 24 and of 2^16 pixels, together exactly 2^32.
        let items =
            [ItemMetrics](repeating: try Self.tower(), count: 65)
            + [ItemMetrics](repeating: try Self.square(), count: 536)
        let below = engine.place(PackedMetrics(items), from: engine.initialState)
        #expect(below.extents.greatestEnd == 1 << 32)
        #expect(below.frames.isNarrow)
        #expect(below.frames.numbers.last == 1 << 32 - 1 << 16)
        let above = engine.place(PackedMetrics(items + [try Self.square()]), from: engine.initialState)
        #expect(!above.frames.isNarrow)
        #expect(above.frames.numbers == below.frames.numbers + [1 << 32])
    }

    @Test(arguments: [2, 3, 4, 8, 9, 16, 127, 128])
    func `the same items have equal frames in runs of 32 and of 64 bits`(columnCount: Int) throws {
        var random = SplitMix64(seed: UInt64(columnCount))
        let engine = try Self.engine(.masonry(columnCount, width: Double(columnCount * 20 + 1), spacing: 1))
        let items = PackedMetrics(SampleMetrics.realistic(500, using: &random))
        // The last column ends so low that it takes nothing: a million pixels down, or 2^40.
        func place(front: UInt64) throws -> ChunkPlacement {
            let fronts = [UInt64](repeating: 0, count: columnCount - 1) + [front]
            return engine.place(items, from: try engine.state(decoding: MasonryBytes(fronts: fronts).bytes))
        }
        let (near, far) = (try place(front: 1_000_000), try place(front: 1 << 40))
        #expect(near.frames.isNarrow && near.frames == far.frames)
        #expect(near.extents.advance == far.extents.advance && near.extents.leastTop == far.extents.leastTop)
        let (nearFronts, farFronts) = (try MasonryBytes(near.exitState).fronts, try MasonryBytes(far.exitState).fronts)
        #expect(nearFronts.dropLast() == farFronts.dropLast())
        #expect(farFronts.last == 1 << 40 - UInt64(far.extents.advance))
    }

    @Test func `round robin with one far column keeps that column's items exact`() throws {
        let engine = try Self.engine(.masonry(2, width: 20, choice: .roundRobin))
        let state = try engine.state(decoding: MasonryBytes(fronts: [0, 1 << 40]).bytes)
        let items = PackedMetrics([ItemMetrics](repeating: try Self.square(), count: 4))
        let placement = engine.place(items, from: state)
        // A column takes the lowest bit of a number.
        #expect(placement.frames.numbers.map { $0 >> 1 } == [0, 1 << 40, 10, 1 << 40 + 10])
        #expect(placement.extents.greatestEnd == 1 << 40 + 20)
        #expect(try MasonryBytes(placement.exitState).fronts == [0, 1 << 40])
        #expect(placement.extents.advance == 20)
    }

    @Test(arguments: MasonryParameters.ColumnChoice.allCases)
    func `origins beyond 2^32 change only the origin`(choice: MasonryParameters.ColumnChoice) throws {
        let configuration = LayoutConfiguration.masonry(3, width: 3_001, choice: choice, scale: 3, spacing: 2)
        var random = SplitMix64(seed: 9)
        // 3,000 towers of 3,000,000 pixels take each column to 3 × 10^9 and past 2^32 with the next 3,000.
        let items =
            [ItemMetrics](repeating: try Self.tower(), count: 6_000) + SampleMetrics.mixed(500, using: &random)
        let snapshot = LayoutSnapshot(try LayoutKey(configuration), items: items)
        let expected = NaiveLayout(configuration, items: items)
        #expect(snapshot.shownFrames == expected.frames)
        #expect(snapshot.directory.contentSize.height > 1 << 32)
        #expect(snapshot.directory.contentSize == expected.contentSize)
        let last = try #require(expected.frames.last ?? nil)
        let rect = Rect(x: 0, y: Double(last.y) / 3, width: 3_001, height: 1)
        #expect(try snapshot.items(in: rect).map(\.index) == expected.indices(meeting: rect))
    }

    @Test func `ten million photos end exactly as by integer arithmetic`() throws {
        let sizes = try [(1, 1_000), (3, 2), (7, 1_000), (1_000, 1), (999_983, 1_000_000)].map {
            try PixelSize(width: $0, height: $1)
        }
        let width: Int64 = 800_000
        let cycle = PackedMetrics(sizes.map { ItemMetrics(pixelSize: $0) })
        let run = PackedMetrics(words: (0..<2_000_000).flatMap { _ in cycle.words })
        let key = try LayoutKey(.masonry(1, width: 100_000, scale: 8))
        let directory = LayoutSnapshot(key, metrics: run).directory
        let cycleExtent = sizes.reduce(0) { $0 + NaiveLayout.pictureExtent(of: $1, width: width) }
        #expect(directory.itemCount == 10_000_000)
        #expect(directory.contentSize.height == 2_000_000 * cycleExtent)
        #expect(directory.contentSize.height > 1 << 48)
    }

    @Test(arguments: [
        LayoutConfiguration.Algorithm.justified(JustifiedParameters(targetLineHeight: 100)),
        .flow(FlowParameters(itemSize: .height(100))), .grid(GridParameters(columns: .count(4))),
    ])
    func `ten million squares in lines end exactly as by integer arithmetic`(
        algorithm: LayoutConfiguration.Algorithm
    ) throws {
        // Four squares of 100 fill each line.
        let square = PackedMetrics([ItemMetrics(pixelSize: try PixelSize(width: 7, height: 7))])
        let run = PackedMetrics(words: repeatElement(square.words[0], count: 10_000_000))
        let configuration = LayoutConfiguration(
            containerLength: 430, displayScale: 3, interitemSpacing: 10, lineSpacing: 7, algorithm: algorithm)
        let snapshot = LayoutSnapshot(try LayoutKey(configuration), metrics: run)
        #expect(snapshot.directory.contentSize.height == 3 * (2_500_000 * 107 - 7))
        #expect(
            snapshot.frame(forItemAt: 9_999_999)
                == PixelRect(x: 990, y: 3 * (2_500_000 * 107 - 107), width: 300, height: 300))
    }

    @Test(arguments: LayoutFamily.allCases, [1, 1.5, 2, 3])
    func `the thinnest and the widest real photos equal the reference`(
        family: LayoutFamily, scale: Double
    ) throws {
        // Ratios of 0.0019 and 477.6.
        let items = try [(19, 10_000), (4_776, 10), (3, 2), (4_776, 10), (19, 10_000), (4_776, 10)].map {
            ItemMetrics(pixelSize: try PixelSize(width: $0, height: $1))
        }
        for seed in UInt64(0)..<10 {
            var random = SplitMix64(seed: seed)
            let configuration = LayoutConfiguration.sample(family, scale: scale, using: &random)
            let found = LayoutSnapshot(try LayoutKey(configuration), items: items)
            #expect(Difference(found, NaiveLayout(configuration, items: items))?.description == nil)
            #expect(found.shownFrames.allSatisfy { $0.map { $0.width >= 1 && $0.height >= 1 } ?? true })
        }
    }

    @Test func `a run of two hundred thousand photos in several columns has an exact sum`() throws {
        let sizes = try [(3, 2), (2, 3), (7, 1_000), (4_032, 3_024)].map { try PixelSize(width: $0, height: $1) }
        let cycle = PackedMetrics(sizes.map { ItemMetrics(pixelSize: $0) })
        let run = PackedMetrics(words: (0..<50_000).flatMap { _ in cycle.words })
        let engine = try Self.engine(.masonry(4, width: 402, choice: .roundRobin))
        let placement = engine.place(run, from: engine.initialState)
        // Columns are 101, 101, 100 and 100 wide, and each holds one size only.
        let ends = zip(sizes, [101, 101, 100, 100] as [Int64]).map {
            50_000 * NaiveLayout.pictureExtent(of: $0, width: $1)
        }
        #expect(placement.extents.greatestEnd == ends.max())
        #expect(placement.extents.advance == ends.min())
        #expect(
            try MasonryBytes(placement.exitState).fronts == ends.map { UInt64($0 - placement.extents.advance) })
    }
}
