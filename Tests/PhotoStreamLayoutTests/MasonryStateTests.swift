import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

/// The state that a masonry keeps, and its bytes.
@Suite struct MasonryStateTests {
    /// A masonry without sections in that many columns of ten pixels.
    private static func engine(
        _ columnCount: Int, _ choice: MasonryParameters.ColumnChoice = .roundRobin, width: Double? = nil,
        scale: Double = 1
    ) throws -> LayoutEngine {
        LayoutEngine(
            try LayoutKey(
                .masonry(columnCount, width: width ?? Double(columnCount * 10), choice: choice, scale: scale)))
    }

    @Test(arguments: MasonryParameters.ColumnChoice.allCases)
    func `a stream can stop after every photo and continue from bytes`(
        choice: MasonryParameters.ColumnChoice
    ) throws {
        var random = SplitMix64(seed: 5)
        let items = SampleMetrics.mixed(200, using: &random)
        let engine = LayoutEngine(
            try LayoutKey(.sample(columnCount: 5, columnChoice: choice, using: &random)))
        let whole = engine.place(PackedMetrics(items), from: engine.initialState)
        for split in 0...items.count {
            let head = engine.place(PackedMetrics(items[..<split]), from: engine.initialState)
            let state = try engine.state(decoding: head.exitState.encoded)
            #expect(state == head.exitState)
            let tail = engine.place(PackedMetrics(items[split...]), from: state)
            #expect(tail.exitState == whole.exitState)
            #expect(head.extents.advance + tail.extents.advance == whole.extents.advance)
        }
    }

    @Test func `the exit state contains the fronts of all columns below the shortest`() throws {
        let engine = try Self.engine(3)
        let heights = [10, 25, 7, 1]
        let items = try heights.map { ItemMetrics(pixelSize: try PixelSize(width: 10, height: $0)) }
        let placement = engine.place(PackedMetrics(items), from: engine.initialState)
        #expect(try MasonryBytes(placement.exitState) == MasonryBytes(nextColumn: 1, fronts: [4, 18, 0]))
        #expect(placement.extents.advance == 7)
        #expect(placement.extents.greatestEnd == 25)
        #expect(placement.extents.leastTop == 0)
    }

    @Test func `the bound of the longest item is at least its length and at most twice that`() throws {
        for seed in UInt64(0)..<32 {
            var random = SplitMix64(seed: seed)
            let configuration = LayoutConfiguration.sample(using: &random)
            let engine = LayoutEngine(try LayoutKey(configuration))
            let items = SampleMetrics.mixed(random.int(in: 1...30), using: &random)
            let placement = engine.place(PackedMetrics(items), from: engine.initialState)
            let width = try #require(NaiveLayout.columnSpans(configuration).map(\.length).max())
            let longest = try #require(
                items.map {
                    NaiveLayout.pictureExtent(of: $0.pixelSize, width: width)
                        + ($0.hasCaption ? engine.key.captionExtent : 0)
                }.max())
            let greatest = 2 * (longest + engine.key.lineSpacing)
            #expect((longest...greatest).contains(placement.extents.longestItem))
        }
    }

    // MARK: Bytes

    @Test func `the bytes are the section, whether it has items, the next column and the fronts`() throws {
        let bytes: [UInt8] = [1, 1, 2, 0, 0x7F, 0x80, 0x01, 0xFF, 0xFF, 0x03]
        let state = try Self.engine(4).state(decoding: bytes)
        #expect(try MasonryBytes(state) == MasonryBytes(nextColumn: 2, fronts: [0, 127, 128, 65_535]))
        #expect(state.encoded == bytes)
        #expect(state.pendingCount == 0)
    }

    @Test(
        arguments: [
            ([], 1, "no bytes"),
            ([1], 1, "whether it has items is missing"),
            ([1, 2, 0, 0], 1, "neither items nor none"),
            ([0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01, 1, 0, 0], 1, "a section past every mark"),
            ([1, 1], 1, "the next column is missing"),
            ([1, 1, 0], 1, "a front is missing"),
            ([1, 1, 0, 0], 2, "the second front is missing"),
            ([1, 1, 0, 0x80], 1, "a front ends early"),
            ([1, 1, 0, 0, 0], 1, "a byte follows"),
            ([1, 1, 1, 0], 1, "the next column is the first that there is not"),
            ([1, 1, 128, 1, 0], 128, "the next column is 128 of 128"),
            ([1, 1, 0, 1], 1, "no front is zero"),
            ([1, 1, 0, 5, 7, 9], 3, "no front is zero"),
            ([1, 1, 0, 0, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x10], 2, "a front of 2^53"),
            ([1, 1, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F], 2, "a front of 63 bits"),
            ([1, 1, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01], 2, "a front of 64 bits"),
            ([1, 1, 0, 0, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80], 2, "one without an end"),
        ] as [([UInt8], Int, String)])
    func `damaged bytes are refused`(bytes: [UInt8], columnCount: Int, what: String) throws {
        let engine = try Self.engine(columnCount)
        #expect(throws: LayoutError.invalidState, "\(what)") { try engine.state(decoding: bytes) }
    }

    @Test func `a state with another number of columns is refused`() throws {
        let state = try Self.engine(9).initialState.encoded
        for count in [1, 8, 10, 128] {
            let engine = try Self.engine(count)
            #expect(throws: LayoutError.invalidState) { try engine.state(decoding: state) }
        }
    }

    @Test func `columns that end further apart than 2^48 pixels are a valid state`() throws {
        // Round robin over towers and panoramas gets there after some 700,000 photos.
        let engine = try Self.engine(2, width: 100_000, scale: 8)
        let state = try engine.state(decoding: [1, 1, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x3F, 0])
        #expect(try MasonryBytes(state).fronts == [1 << 48 - 1, 0])
        let tower = ItemMetrics(pixelSize: try PixelSize(width: 1, height: 1_000))
        let exit = engine.place(PackedMetrics([tower]), from: state).exitState
        #expect(try MasonryBytes(exit).fronts == [1 << 48 - 1 + 400_000_000, 0])
        #expect(try engine.state(decoding: exit.encoded) == exit)
    }

    @Test func `the fronts after ten million of the longest items are a state of under 2 KB`() throws {
        let greatest: UInt64 = 10_000_000 * 800_160_000
        let bytes = MasonryBytes(fronts: [UInt64](repeating: greatest, count: 127) + [0]).bytes
        #expect(bytes.count < 2_048)
        let engine = try Self.engine(128, .shortest, width: 100_000, scale: 8)
        let state = try engine.state(decoding: bytes)
        #expect(state.encoded == bytes)
        // And a layout goes on from it without an overflow.
        let tower = ItemMetrics(pixelSize: try PixelSize(width: 1, height: 1_000))
        let exit = engine.place(PackedMetrics([tower, tower]), from: state).exitState
        #expect(try MasonryBytes(exit).fronts == [UInt64](repeating: greatest - 12_500_000, count: 127) + [0])
    }
}
