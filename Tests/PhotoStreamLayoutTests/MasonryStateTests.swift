import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

/// A layout is a fold: it can stop after any photo and go on from a few bytes.
@Suite struct MasonryStateTests {
    @Test(arguments: UInt64(0)..<64)
    func `placing in any number of pieces equals placing at once`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let layout = MasonryLayout(try LayoutKey(.sample(using: &random)))
        let items = SampleMetrics.mixed(random.int(in: 0...900), using: &random)
        let whole = layout.place(PackedMetrics(items), from: layout.initialState)

        var tops: [Int64] = []
        var columns: [UInt64] = []
        var state = layout.initialState
        var (origin, lowest, longest, start): (Int64, Int64, Int64, Int) = (0, 0, 0, 0)
        while start < items.count {
            let end = min(items.count, start + random.int(in: 0...random.element(of: [1, 9, 300])))
            let piece = layout.place(PackedMetrics(items[start..<end]), from: state)
            for (number, item) in zip(piece.frames.numbers, items[start..<end]) {
                let frame = layout.frame(number, of: item, origin: origin)
                tops.append(frame.y)
                columns.append(UInt64(frame.x))
            }
            if start < end { lowest = max(lowest, origin + piece.extent) }
            longest = max(longest, piece.longestItem)
            origin += piece.advance
            state = try MasonryState(decoding: piece.exitState.encoded, columnCount: layout.columns.count)
            #expect(state == piece.exitState)
            start = end
        }
        let frames = zip(whole.frames.numbers, items).map { layout.frame($0, of: $1, origin: 0) }
        #expect(tops == frames.map(\.y))
        #expect(columns == frames.map { UInt64($0.x) })
        #expect(state == whole.exitState)
        #expect(origin == whole.advance)
        #expect(lowest == whole.extent)
        #expect(longest <= whole.longestItem)
    }

    @Test(arguments: MasonryParameters.ColumnChoice.allCases)
    func `a stream can stop and go on from bytes after every single photo`(
        choice: MasonryParameters.ColumnChoice
    ) throws {
        var random = SplitMix64(seed: 5)
        let items = SampleMetrics.mixed(200, using: &random)
        let layout = MasonryLayout(try LayoutKey(.sample(columnCount: 5, columnChoice: choice, using: &random)))
        let whole = layout.place(PackedMetrics(items), from: layout.initialState)
        for split in 0...items.count {
            let head = layout.place(PackedMetrics(items[..<split]), from: layout.initialState)
            let state = try MasonryState(decoding: head.exitState.encoded, columnCount: 5)
            let tail = layout.place(PackedMetrics(items[split...]), from: state)
            #expect(tail.exitState == whole.exitState)
            #expect(head.advance + tail.advance == whole.advance)
        }
    }

    @Test func `a run of no photos leaves the state as it is`() throws {
        for choice in MasonryParameters.ColumnChoice.allCases {
            let layout = MasonryLayout(try LayoutKey(.masonry(3, width: 100, choice: choice)))
            let item = ItemMetrics(pixelSize: try PixelSize(width: 3, height: 2))
            let state = layout.place(PackedMetrics([item, item]), from: layout.initialState).exitState
            let placement = layout.place(PackedMetrics([ItemMetrics]()), from: state)
            #expect(placement.exitState == state)
            #expect(placement.advance == 0 && placement.extent == 0 && placement.longestItem == 0)
            #expect(placement.frames.count == 0)
        }
    }

    @Test func `the exit state holds the fronts of all columns below the shortest`() throws {
        let layout = MasonryLayout(try LayoutKey(.masonry(3, width: 30, choice: .roundRobin, spacing: 0)))
        let heights = [10, 25, 7, 1]
        let items = try heights.map { ItemMetrics(pixelSize: try PixelSize(width: 10, height: $0)) }
        let placement = layout.place(PackedMetrics(items), from: layout.initialState)
        #expect(placement.exitState.fronts == [4, 18, 0])
        #expect(placement.exitState.nextColumn == 1)
        #expect(placement.advance == 7)
        #expect(placement.extent == 25)
    }

    @Test func `the longest item's bound is at least the longest and at most twice that`() throws {
        for seed in UInt64(0)..<32 {
            var random = SplitMix64(seed: seed)
            let layout = MasonryLayout(try LayoutKey(.sample(using: &random)))
            let items = SampleMetrics.mixed(random.int(in: 1...30), using: &random)
            let placement = layout.place(PackedMetrics(items), from: layout.initialState)
            let widest = layout.columns.width(of: 0)
            let longest = try #require(items.map { layout.columns.itemExtent(of: $0, width: widest) }.max())
            #expect((longest...2 * longest).contains(placement.longestItem))
        }
    }

    // MARK: Bytes

    @Test func `the bytes are the next column, then the fronts, seven bits a byte`() throws {
        let bytes: [UInt8] = [2, 0, 0x7F, 0x80, 0x01, 0xFF, 0xFF, 0x03]
        let state = try MasonryState(decoding: bytes, columnCount: 4)
        #expect(state.nextColumn == 2)
        #expect(state.fronts == [0, 127, 128, 65_535])
        #expect(state.encoded == bytes)
    }

    @Test(
        arguments: [
            ([], 1, "no bytes"),
            ([0], 1, "a front is missing"),
            ([0, 0], 2, "the second front is missing"),
            ([0, 0x80], 1, "a front ends early"),
            ([0, 0, 0], 1, "a byte follows"),
            ([1, 0], 1, "the next column is the first that there is not"),
            ([128, 1, 0], 128, "the next column is 128 of 128"),
            ([0, 1], 1, "no front is zero"),
            ([0, 5, 7, 9], 3, "no front is zero"),
            ([0, 0, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x10], 2, "a front of 2^53"),
            ([0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F], 2, "a front of 63 bits"),
            ([0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01], 2, "a front of 64 bits"),
            ([0, 0, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80], 2, "a front without an end"),
        ] as [([UInt8], Int, String)])
    func `damaged bytes are refused`(bytes: [UInt8], columnCount: Int, what: String) {
        #expect(throws: LayoutError.invalidState, "\(what)") {
            try MasonryState(decoding: bytes, columnCount: columnCount)
        }
    }

    @Test func `every beginning of a state's bytes is refused`() throws {
        var random = SplitMix64(seed: 3)
        let layout = MasonryLayout(try LayoutKey(.sample(columnCount: 9, columnChoice: .roundRobin, using: &random)))
        let items = SampleMetrics.mixed(40, using: &random)
        let bytes = layout.place(PackedMetrics(items), from: layout.initialState).exitState.encoded
        for count in 0..<bytes.count {
            #expect(throws: LayoutError.invalidState) {
                try MasonryState(decoding: bytes.prefix(count), columnCount: 9)
            }
        }
        #expect(throws: LayoutError.invalidState) { try MasonryState(decoding: bytes + [0], columnCount: 9) }
        #expect(throws: LayoutError.invalidState) { try MasonryState(decoding: bytes, columnCount: 8) }
        #expect(throws: LayoutError.invalidState) { try MasonryState(decoding: bytes, columnCount: 10) }
    }

    @Test(arguments: UInt64(0)..<32)
    func `random bytes are either refused or a state that can be laid out from`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let layout = MasonryLayout(try LayoutKey(.masonry(3, width: 100, choice: .roundRobin)))
        let items = PackedMetrics(SampleMetrics.mixed(10, using: &random))
        for _ in 0..<200 {
            let bytes = (0..<random.int(in: 0...12)).map { _ in
                UInt8(random.oneIn(3) ? random.int(in: 0...2) : random.int(in: 0...255))
            }
            guard let state = try? MasonryState(decoding: bytes, columnCount: 3) else { continue }
            let placement = layout.place(items, from: state)
            #expect(placement.exitState.fronts.min() == 0)
            #expect(try MasonryState(decoding: state.encoded, columnCount: 3) == state)
        }
    }

    @Test func `columns that stand further apart than 2^48 pixels are still a state`() throws {
        // Round robin over towers and panoramas gets there after some 700,000 photos.
        let layout = MasonryLayout(try LayoutKey(.masonry(2, width: 100_000, choice: .roundRobin, scale: 8)))
        let apart: [UInt8] = [0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x3F, 0]
        let state = try MasonryState(decoding: apart, columnCount: 2)
        #expect(state.fronts == [1 << 48 - 1, 0])
        let tower = ItemMetrics(pixelSize: try PixelSize(width: 1, height: 1_000))
        let exit = layout.place(PackedMetrics([tower]), from: state).exitState
        #expect(exit.fronts == [1 << 48 - 1 + 400_000_000, 0])
        #expect(try MasonryState(decoding: exit.encoded, columnCount: 2) == exit)
    }

    @Test func `the fronts that ten million of the greatest items leave are a state of under 2 KB`() throws {
        let greatest: Int64 = 10_000_000 * 800_160_000
        var bytes: [UInt8] = [127]
        for _ in 0..<127 {
            var rest = greatest
            while rest >= 128 {
                bytes.append(UInt8(rest & 0x7F) | 0x80)
                rest >>= 7
            }
            bytes.append(UInt8(rest))
        }
        bytes.append(0)
        #expect(bytes.count < 2_048)
        let state = try MasonryState(decoding: bytes, columnCount: 128)
        #expect(state.fronts == [Int64](repeating: greatest, count: 127) + [0])
        #expect(state.encoded == bytes)
        // And a layout goes on from it without an overflow.
        let layout = MasonryLayout(try LayoutKey(.masonry(128, width: 100_000, scale: 8)))
        let tower = ItemMetrics(pixelSize: try PixelSize(width: 1, height: 1_000))
        let exit = layout.place(PackedMetrics([tower, tower]), from: state).exitState
        #expect(exit.fronts == [Int64](repeating: greatest - 12_500_000, count: 127) + [0])
    }
}
