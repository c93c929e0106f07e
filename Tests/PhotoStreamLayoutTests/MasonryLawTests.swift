import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

/// Laws of every masonry, independent of the reference.
@Suite struct MasonryLawTests {
    /// A layout of a seed.
    private struct World {
        let configuration: LayoutConfiguration
        let key: LayoutKey
        let frames: [PixelRect]
        let snapshot: LayoutSnapshot

        init(seed: UInt64) throws {
            var random = SplitMix64(seed: seed &+ 1_000)
            configuration = .sample(using: &random)
            key = try LayoutKey(configuration)
            let items = SampleMetrics.mixed(random.int(in: 0...random.element(of: [3, 100, 600])), using: &random)
            snapshot = LayoutSnapshot(key, items: items)
            frames = snapshot.frames
        }

        /// The columns, found from the first items of a stream: one is at the start of each.
        func columns() throws -> [PixelRect] {
            let square = ItemMetrics(pixelSize: try PixelSize(width: 1, height: 1))
            return LayoutSnapshot(key, items: [ItemMetrics](repeating: square, count: key.columnCount ?? 0)).frames
        }

        /// The frames of each column in stream order.
        var byColumn: [[PixelRect]] {
            Dictionary(grouping: frames, by: \.x).values.map { $0 }
        }
    }

    @Test(arguments: UInt64(0)..<64)
    func `no two items overlap`(seed: UInt64) throws {
        let world = try World(seed: seed)
        // Columns do not overlap, so only items of one column could.
        let columns = try world.columns()
        #expect(zip(columns, columns.dropFirst()).allSatisfy { $0.maxX <= $1.x })
        for frames in world.byColumn {
            #expect(zip(frames, frames.dropFirst()).allSatisfy { $0.maxY <= $1.y })
        }
        if world.frames.count <= 100 {
            for (index, frame) in world.frames.enumerated() {
                #expect(world.frames[..<index].allSatisfy { !$0.intersects(frame) })
            }
        }
    }

    @Test(arguments: UInt64(0)..<64)
    func `every item lies inside the content's insets and in a column`(seed: UInt64) throws {
        let world = try World(seed: seed)
        let (inset, size) = (world.key.contentInset, world.snapshot.directory.contentSize)
        let spans = Set(try world.columns().map { [$0.x, $0.width] })
        for frame in world.frames {
            #expect(frame.x >= inset.left && frame.maxX <= size.width - inset.right)
            #expect(frame.y >= inset.top && frame.maxY <= size.height - inset.bottom)
            #expect(frame.width >= 1 && frame.height >= 1)
            #expect(spans.contains([frame.x, frame.width]))
        }
    }

    @Test(arguments: UInt64(0)..<64)
    func `inside a column, the line spacing is exact and the first item begins at the inset`(seed: UInt64) throws {
        let world = try World(seed: seed)
        for frames in world.byColumn {
            #expect(frames.first?.y == world.key.contentInset.top)
            #expect(zip(frames, frames.dropFirst()).allSatisfy { $1.y - $0.maxY == world.key.lineSpacing })
        }
    }

    @Test(arguments: UInt64(0)..<64)
    func `columns and the spaces between them fill the width exactly`(seed: UInt64) throws {
        let world = try World(seed: seed)
        let columns = try world.columns()
        let (first, last) = (try #require(columns.first), try #require(columns.last))
        #expect(first.x == world.key.contentInset.left)
        #expect(last.maxX == world.key.containerLength - world.key.contentInset.right)
        for (column, next) in zip(columns, columns.dropFirst()) {
            #expect(next.x - column.maxX == world.key.interitemSpacing)
            #expect((0...1).contains(column.width - next.width))
        }
        #expect(first.width - last.width <= 1)
    }

    @Test(arguments: UInt64(0)..<64)
    func `tops never decrease in stream order with shortest column`(seed: UInt64) throws {
        let world = try World(seed: seed)
        if case .masonry(let masonry) = world.key.algorithm, masonry.columnChoice == .shortest {
            #expect(zip(world.frames, world.frames.dropFirst()).allSatisfy { $0.y <= $1.y })
        }
        for frames in world.byColumn {
            #expect(zip(frames, frames.dropFirst()).allSatisfy { $0.y < $1.y })
        }
    }

    @Test(arguments: UInt64(0)..<64)
    func `the content is the union of all frames and the insets`(seed: UInt64) throws {
        let world = try World(seed: seed)
        let inset = world.key.contentInset
        let end = world.frames.map(\.maxY).max() ?? inset.top
        let size = PixelExtent(width: world.key.containerLength, height: end + inset.bottom)
        #expect(world.snapshot.directory.contentSize == size)
        let scale = world.configuration.displayScale
        #expect(
            world.snapshot.contentSize
                == Size(width: Double(size.width) / scale, height: Double(size.height) / scale))
    }

    @Test func `an empty stream's content is its insets`() throws {
        var configuration = LayoutConfiguration.masonry(4, width: 320.5, scale: 2, spacing: 10)
        configuration.contentInset = EdgeInsets(top: 12.25, left: 1, bottom: 7, right: 1)
        let snapshot = LayoutSnapshot(try LayoutKey(configuration), items: [])
        // 24.5 pixels round up to 25.
        #expect(snapshot.directory.contentSize == PixelExtent(width: 641, height: 39))
        #expect(snapshot.contentSize == Size(width: 320.5, height: 19.5))
        #expect(snapshot.itemCount == 0)
        #expect(try snapshot.items(in: Rect(x: 0, y: 0, width: 1e9, height: 1e9)).isEmpty)
    }

    @Test func `no spacing follows the last item`() throws {
        let square = ItemMetrics(pixelSize: try PixelSize(width: 1, height: 1))
        for (count, height) in [(1, 40), (2, 40), (3, 87), (4, 87), (5, 134)] as [(Int, Int64)] {
            for choice in MasonryParameters.ColumnChoice.allCases {
                let snapshot = LayoutSnapshot(
                    try LayoutKey(.masonry(2, width: 87, choice: choice, spacing: 7)),
                    items: [ItemMetrics](repeating: square, count: count))
                #expect(snapshot.directory.contentSize.height == height)
            }
        }
    }

    @Test(arguments: UInt64(0)..<32)
    func `the shortest column ends at most the longest item above the highest`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let count = random.element(of: LayoutConfiguration.columnCounts)
        let layout = LayoutEngine(
            try LayoutKey(.sample(columnCount: count, columnChoice: .shortest, using: &random)))
        let items = SampleMetrics.mixed(random.int(in: 0...500), using: &random)
        let placement = layout.place(PackedMetrics(items), from: layout.initialState)
        let state = try MasonryBytes(placement.exitState)
        let highest = state.fronts.max() ?? 0
        #expect(highest <= UInt64(placement.extents.longestItem + layout.key.lineSpacing))
        #expect(state.nextColumn == 0)
    }

    @Test(arguments: UInt64(0)..<16)
    func `another scale moves the first item of each column by less than a pixel`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let count = random.int(in: 1...10)
        let width = Double(random.int(in: 300...2_000))
        let items = SampleMetrics.realistic(count, using: &random)
        let coarse = LayoutSnapshot(try LayoutKey(.masonry(count, width: width, scale: 1)), items: items)
        let fine = LayoutSnapshot(try LayoutKey(.masonry(count, width: width, scale: 8)), items: items)
        for (one, eight) in zip(coarse.frames, fine.frames) {
            #expect(abs(Double(one.x) - Double(eight.x) / 8) < Double(count))
            #expect(abs(Double(one.width) - Double(eight.width) / 8) <= 1)
        }
    }
}
