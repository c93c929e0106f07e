import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

@Suite struct ChunkDirectoryTests {
    /// A layout with an inset of 100 at the top and 7 at the bottom.
    private static func layout(_ choice: MasonryParameters.ColumnChoice = .shortest) throws -> MasonryLayout {
        var configuration = LayoutConfiguration.masonry(2, width: 20, choice: choice)
        configuration.contentInset = EdgeInsets(top: 100, left: 0, bottom: 7, right: 0)
        return MasonryLayout(try LayoutKey(configuration))
    }

    /// Chunks of 5, 0, 3 and 0 photos; the first ends lower than the third.
    private static func directory() throws -> ChunkDirectory {
        var directory = ChunkDirectory(try layout())
        directory.append(count: 5, advance: 10, extent: 500, longestItem: 490)
        directory.append(count: 0, advance: 0, extent: 0, longestItem: 0)
        directory.append(count: 3, advance: 30, extent: 60, longestItem: 25)
        directory.append(count: 0, advance: 0, extent: 0, longestItem: 0)
        return directory
    }

    @Test func `a directory without chunks holds nothing`() throws {
        let directory = ChunkDirectory(try Self.layout())
        #expect(directory.itemCount == 0)
        #expect(directory.endOrigin == 100)
        #expect(directory.contentSize == PixelExtent(width: 20, height: 107))
        #expect(directory.chunk(containing: 0) == nil)
        #expect(directory.chunks(meeting: PixelRect(x: 0, y: 0, width: 20, height: 1_000)).isEmpty)
    }

    @Test func `origins and first indices are prefix sums`() throws {
        let directory = try Self.directory()
        #expect(directory.entries.map(\.firstIndex) == [0, 5, 5, 8])
        #expect(directory.entries.map(\.count) == [5, 0, 3, 0])
        #expect(directory.entries.map(\.origin) == [100, 110, 110, 140])
        #expect(directory.itemCount == 8)
        #expect(directory.endOrigin == 140)
    }

    @Test func `an index is found in the chunk that holds it, past empty ones`() throws {
        let directory = try Self.directory()
        #expect((-1...8).map { directory.chunk(containing: $0) } == [nil, 0, 0, 0, 0, 0, 2, 2, 2, nil])
        #expect(directory.chunk(containing: .min) == nil)
        #expect(directory.chunk(containing: .max) == nil)
    }

    @Test func `the content ends with the lowest item of any chunk`() throws {
        #expect(try Self.directory().contentSize.height == 607)
    }

    @Test func `empty chunks alone are an empty stream`() throws {
        var directory = ChunkDirectory(try Self.layout())
        directory.append(count: 0, advance: 0, extent: 0, longestItem: 0)
        directory.append(count: 0, advance: 0, extent: 0, longestItem: 0)
        #expect(directory.contentSize.height == 107)
        #expect(directory.chunk(containing: 0) == nil)
    }

    @Test(
        arguments: [
            (0, 50, []), (0, 100, []), (0, 101, [0]), (100, 1, [0]), (109, 1, [0]), (109, 2, [0, 1, 2]),
            (169, 1, [0, 1, 2, 3]), (599, 1, [0, 1, 2, 3]), (600, 1, []), (0, 10_000, [0, 1, 2, 3]),
            (-1_000, 1_000, []), (200, 0, []),
        ] as [(Int64, Int64, [Int])])
    func `chunks that may meet a rectangle are a run by origin and greatest end`(
        y: Int64, height: Int64, expected: [Int]
    ) throws {
        let rect = PixelRect(x: 0, y: y, width: 20, height: height)
        let found = Array(try Self.directory().chunks(meeting: rect))
        // Empty chunks may be named or not; no other may be left out or added.
        #expect(found == expected)
        #expect(try Self.directory().chunks(meeting: PixelRect(x: 0, y: y, width: 0, height: height)).isEmpty)
    }

    @Test(arguments: UInt64(0)..<32)
    func `no chunk that meets a rectangle is missed`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let layout = MasonryLayout(try LayoutKey(.sample(using: &random)))
        var directory = ChunkDirectory(layout)
        var frames: [[PixelRect]] = []
        var state = layout.initialState
        for _ in 0..<random.int(in: 1...12) {
            let items = SampleMetrics.mixed(random.int(in: 0...40), using: &random)
            let placement = layout.place(PackedMetrics(items), from: state)
            let origin = directory.endOrigin
            frames.append(
                zip(placement.frames.numbers, items).map { layout.frame($0, of: $1, origin: origin) })
            directory.append(
                count: items.count, advance: placement.advance, extent: placement.extent,
                longestItem: placement.longestItem)
            state = placement.exitState
        }
        let height = Int(directory.contentSize.height)
        for _ in 0..<50 {
            let rect = PixelRect(
                x: 0, y: Int64(random.int(in: -10...height)), width: .max / 4,
                height: Int64(random.int(in: 1...random.element(of: [1, 500, height]))))
            let found = directory.chunks(meeting: rect)
            for (position, chunk) in frames.enumerated() where chunk.contains(where: { $0.intersects(rect) }) {
                #expect(found.contains(position))
            }
        }
    }

    // MARK: One item

    @Test(arguments: MasonryParameters.ColumnChoice.allCases)
    func `an item's attributes hold its index, path and frame, and nothing lies outside`(
        choice: MasonryParameters.ColumnChoice
    ) throws {
        var random = SplitMix64(seed: 8)
        let items = SampleMetrics.mixed(LayoutSnapshot.chunkCapacity * 2 + 10, using: &random)
        let configuration = LayoutConfiguration.masonry(3, width: 99.5, choice: choice, scale: 2, caption: 4)
        let snapshot = LayoutSnapshot(try LayoutKey(configuration), items: items)
        let reference = NaiveMasonry(configuration, items: items)
        #expect(snapshot.itemCount == items.count)
        #expect(snapshot.directory.entries.map(\.count) == [2_048, 2_048, 10])
        for index in items.indices {
            let expected = LayoutAttributes(
                elementKind: .item, index: index, indexPath: IndexPath(section: 0, item: index),
                frame: reference.frames[index], captionExtent: items[index].hasCaption ? 8 : 0, zIndex: 0)
            #expect(snapshot.attributes(forItemAt: index) == expected)
        }
        for index in [-1, items.count, .min, .max] { #expect(snapshot.attributes(forItemAt: index) == nil) }
    }

    @Test func `items and packed metrics give the same layout`() throws {
        var random = SplitMix64(seed: 8)
        let items = SampleMetrics.mixed(3_000, using: &random)
        let key = try LayoutKey(.sample(using: &random))
        let (one, other) = (LayoutSnapshot(key, items: items), LayoutSnapshot(key, metrics: PackedMetrics(items)))
        #expect(one.frames == other.frames && one.directory == other.directory)
    }
}
