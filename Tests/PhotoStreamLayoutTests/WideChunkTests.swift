import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

/// Numbers past 32 bits inside a chunk, origins past 32 bits, and sums over millions of photos.
@Suite struct WideChunkTests {
    @Test func `a chunk of towers past 32 bits has eight bytes an item and exact frames`() throws {
        let tower = ItemMetrics(pixelSize: try PixelSize(width: 1, height: 1_000))
        let configuration = LayoutConfiguration.masonry(1, width: 400, scale: 3)
        let layout = MasonryLayout(try LayoutKey(configuration))
        let items = [ItemMetrics](repeating: tower, count: 4_096)
        let placement = layout.place(PackedMetrics(items), from: layout.initialState)
        #expect(!placement.frames.isNarrow)
        #expect(placement.frames.numbers == (0..<4_096).map { UInt64($0) * 1_200_000 })
        #expect(placement.extent == 4_096 * 1_200_000)
        #expect(placement.advance == placement.extent)
        #expect(LayoutSnapshot(layout.key, items: items).frames == NaiveMasonry(configuration, items: items).frames)
    }

    @Test func `the last number of 32 bits is narrow and the next is wide`() throws {
        let layout = MasonryLayout(try LayoutKey(.masonry(1, width: 65_536)))
        // Two items of 2^31 and 2^31 - 1 pixels would end at 2^32 - 1; only steps of up to 2^26 exist, so many do.
        let tower = ItemMetrics(pixelSize: try PixelSize(width: 1, height: 1_000))
        let square = ItemMetrics(pixelSize: try PixelSize(width: 1, height: 1))
        let items = [ItemMetrics](repeating: tower, count: 65) + [ItemMetrics](repeating: square, count: 536)
        let below = layout.place(PackedMetrics(items), from: layout.initialState)
        #expect(below.extent == 1 << 32)
        #expect(below.frames.isNarrow)
        #expect(below.frames.numbers.last == 1 << 32 - 1 << 16)
        let above = layout.place(PackedMetrics(items + [square]), from: layout.initialState)
        #expect(!above.frames.isNarrow)
        #expect(above.frames.numbers == below.frames.numbers + [1 << 32])
    }

    @Test(arguments: [2, 3, 4, 8, 9, 16, 127, 128])
    func `the same items stand alike whether the run counts in 32 or in 64 bits`(columnCount: Int) throws {
        var random = SplitMix64(seed: UInt64(columnCount))
        let layout = MasonryLayout(
            try LayoutKey(.masonry(columnCount, width: Double(columnCount * 20 + 1), spacing: 1)))
        let items = PackedMetrics(SampleMetrics.realistic(500, using: &random))
        // The last column ends so low that it takes nothing: a million pixels down, or 2^40.
        func place(front: UInt64) throws -> ChunkPlacement {
            var bytes = [UInt8](repeating: 0, count: columnCount)
            var rest = front
            while rest >= 128 {
                bytes.append(UInt8(rest & 0x7F) | 0x80)
                rest >>= 7
            }
            bytes.append(UInt8(rest))
            return layout.place(items, from: try MasonryState(decoding: bytes, columnCount: columnCount))
        }
        let near = try place(front: 1_000_000)
        let far = try place(front: 1 << 40)
        #expect(near.frames.isNarrow && near.frames == far.frames)
        #expect(near.advance == far.advance && near.extent == far.extent)
        #expect(near.exitState.fronts.dropLast() == far.exitState.fronts.dropLast())
        #expect(far.exitState.fronts.last == 1 << 40 - far.advance)
    }

    @Test func `round robin below a far column keeps that column's items exact`() throws {
        let layout = MasonryLayout(try LayoutKey(.masonry(2, width: 20, choice: .roundRobin)))
        let square = ItemMetrics(pixelSize: try PixelSize(width: 1, height: 1))
        let state = try MasonryState(
            decoding: [0, 0, 0x80, 0x80, 0x80, 0x80, 0x80, 0x20], columnCount: 2)
        #expect(state.fronts == [0, 1 << 40])
        let placement = layout.place(PackedMetrics([square, square, square, square]), from: state)
        let frames = placement.frames.numbers.map { layout.frame($0, of: square, origin: 0) }
        #expect(frames.map(\.y) == [0, 1 << 40, 10, 1 << 40 + 10])
        #expect(placement.extent == 1 << 40 + 20)
        #expect(placement.exitState.fronts == [0, 1 << 40])
        #expect(placement.advance == 20)
    }

    @Test(arguments: MasonryParameters.ColumnChoice.allCases)
    func `origins past 2^32 change nothing but the origin`(choice: MasonryParameters.ColumnChoice) throws {
        let tower = ItemMetrics(pixelSize: try PixelSize(width: 1, height: 1_000))
        let configuration = LayoutConfiguration.masonry(3, width: 3_001, choice: choice, scale: 3, spacing: 2)
        var random = SplitMix64(seed: 9)
        // 3,000 towers of 3,000,000 pixels take each column to 3 × 10^9 and past 2^32 with the next 3,000.
        let items =
            [ItemMetrics](repeating: tower, count: 6_000) + SampleMetrics.mixed(500, using: &random)
        let snapshot = LayoutSnapshot(try LayoutKey(configuration), items: items)
        let expected = NaiveMasonry(configuration, items: items)
        #expect(snapshot.frames == expected.frames)
        #expect(snapshot.directory.endOrigin > 1 << 32)
        #expect(snapshot.directory.contentSize == expected.contentSize)
        let last = try #require(expected.frames.last)
        let rect = Rect(x: 0, y: Double(last.y) / 3, width: 3_001, height: 1)
        #expect(try snapshot.attributes(in: rect).map(\.index) == expected.indices(meeting: rect))
    }

    @Test func `two million photos end exactly where whole numbers say`() throws {
        let sizes = try [(1, 1_000), (3, 2), (7, 1_000), (1_000, 1), (999_983, 1_000_000)].map {
            try PixelSize(width: $0, height: $1)
        }
        let width: Int64 = 800_000
        let cycle = PackedMetrics(sizes.map { ItemMetrics(pixelSize: $0) })
        let run = PackedMetrics(words: (0..<400_000).flatMap { _ in cycle.words })
        let key = try LayoutKey(.masonry(1, width: 100_000, scale: 8))
        let directory = LayoutSnapshot(key, metrics: run).directory
        let cycleExtent = sizes.reduce(0) { $0 + NaiveMasonry.pictureExtent(of: $1, width: width) }
        #expect(directory.itemCount == 2_000_000)
        #expect(directory.contentSize.height == 400_000 * cycleExtent)
        #expect(directory.contentSize.height > 1 << 48)
    }

    @Test func `a run of two hundred thousand photos in several columns sums up exactly`() throws {
        let sizes = try [(3, 2), (2, 3), (7, 1_000), (4_032, 3_024)].map { try PixelSize(width: $0, height: $1) }
        let cycle = PackedMetrics(sizes.map { ItemMetrics(pixelSize: $0) })
        let run = PackedMetrics(words: (0..<50_000).flatMap { _ in cycle.words })
        let layout = MasonryLayout(try LayoutKey(.masonry(4, width: 402, choice: .roundRobin)))
        let placement = layout.place(run, from: layout.initialState)
        // Columns are 101, 101, 100 and 100 wide, and each holds one size only.
        let ends = zip(sizes, [101, 101, 100, 100] as [Int64]).map {
            50_000 * NaiveMasonry.pictureExtent(of: $0, width: $1)
        }
        #expect(placement.extent == ends.max())
        #expect(placement.advance == ends.min())
        #expect(placement.exitState.fronts == ends.map { $0 - placement.advance })
    }
}
