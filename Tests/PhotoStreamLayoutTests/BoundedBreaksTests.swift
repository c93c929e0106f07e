import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamLayout

/// Optimal breaks keep a bounded number of breaks and photos open, regardless of the options, and can stop anywhere.
@Suite struct BoundedBreaksTests {
    /// Options that once kept every break of a section open.
    struct Options: CustomTestStringConvertible, Sendable {
        let length: Double
        let target: Double
        let breakoutEvery: Int

        var configuration: LayoutConfiguration {
            LayoutConfiguration(
                containerLength: length,
                algorithm: .justified(
                    JustifiedParameters(targetLineHeight: target, breaks: .optimal, breakoutEvery: breakoutEvery)))
        }

        var testDescription: String { "\(length) wide, \(target) high, breakout every \(breakoutEvery)" }
    }

    private static let extremes = [
        Options(length: 9_000, target: 240, breakoutEvery: 1_000_000),
        Options(length: 99_990, target: 240, breakoutEvery: 1_000_000),
        Options(length: 100_000, target: 1, breakoutEvery: 0),
        Options(length: 99_990, target: 240, breakoutEvery: 0),
    ]

    @Test func `breakouts in lines of dozens of photos equal the reference`() throws {
        let configuration = Self.dozens(1_000)
        let items = Self.photos(260)
        let snapshot = LayoutSnapshot(try LayoutKey(configuration), items: items)
        #expect(snapshot.shownFrames == NaiveLayout(configuration, items: items).frames)
    }

    @Test func `a breakout that never comes changes no line`() throws {
        let items = Self.photos(260)
        let frames = try [1_000, 0].map { try LayoutSnapshot(LayoutKey(Self.dozens($0)), items: items).frames }
        #expect(frames[0] == frames[1])
        // 36 photos of the mean ratio fill a line at the target, the last line is a widow.
        #expect(Set(frames[1].map(\.y)).count == 8)
    }

    @Test(arguments: [(900.0, 20.0), (9_000, 240)])
    func `lines that are decided early are near the target`(length: Double, target: Double) throws {
        let items = Self.photos(3_000)
        let deviations = try [1_000_000, 0].map { period in
            let options = Options(length: length, target: target, breakoutEvery: period)
            let frames = try LayoutSnapshot(LayoutKey(options.configuration), items: items).frames
            // All lines but the last, which may be a widow.
            let heights = Dictionary(frames.map { ($0.y, $0.height) }, uniquingKeysWith: { first, _ in first })
                .sorted { $0.key < $1.key }.map(\.value).dropLast()
            let squares = heights.reduce(0) { $0 + (Double($1) - target) * (Double($1) - target) }
            return (squares / Double(heights.count)).squareRoot()
        }
        // The optimum over all lines, and a fiftieth of the target.
        #expect(deviations[0] <= deviations[1] + target / 50)
    }

    /// Lines of dozens of photos.
    private static func dozens(_ breakoutEvery: Int) -> LayoutConfiguration {
        LayoutConfiguration(
            containerLength: 900,
            algorithm: .justified(
                JustifiedParameters(
                    targetLineHeight: 20, minimumLineHeight: 5, maximumLineHeight: 80, breaks: .optimal,
                    breakoutEvery: breakoutEvery)))
    }

    @Test(arguments: extremes)
    func `at most 1,024 photos are open, wherever a chunk ends`(options: Options) throws {
        let items = PackedMetrics(Self.photos(3_000))
        let engine = LayoutEngine(try LayoutKey(options.configuration))
        var (state, start, greatest) = (engine.initialState, 0, 0)
        while start < items.count {
            let end = min(start + 250, items.count)
            let placement = engine.place(items[start..<end], from: state)
            let open = try open(placement)
            #expect(open.items.count <= 1_024 && open.bound.isEmpty)
            greatest = max(greatest, open.items.count)
            #expect(try engine.state(decoding: placement.exitState.encoded) == placement.exitState)
            (state, start) = (placement.exitState, end)
        }
        #expect(greatest > 250)
        // The same state, however it was reached.
        #expect(engine.place(items, from: engine.initialState).exitState == state)
    }

    @Test(arguments: extremes)
    func `a chain of pages equals the whole, and its cursors stay small`(options: Options) throws {
        let items = PackedMetrics(Self.photos(1_500))
        let key = try LayoutKey(options.configuration)
        let (engine, whole) = (LayoutEngine(key), LayoutSnapshot(key, metrics: items))
        var cursor = engine.firstCursor(contentExtent: 0)
        var frames: [PixelRect] = []
        while frames.count < items.count {
            var (page, wanted): (LayoutPage?, Int) = (nil, 40)
            while page == nil {
                let end = min(frames.count + wanted + 1, items.count)
                page = engine.page(
                    after: cursor, items[frames.count..<end], isEnd: end == items.count, limit: 40)
                wanted *= 2
            }
            guard let page else { break }
            frames += page.items.map(\.frame)
            let bytes = page.next.encoded
            #expect(bytes.count <= 2_048)
            cursor = try engine.cursor(decoding: bytes)
        }
        #expect(frames == whole.frames)
    }

    @Test func `cancellation is checked every 64 photos, read again or new`() throws {
        struct Ended: Error {}
        let engine = LayoutEngine(try LayoutKey(Self.extremes[3].configuration))
        let items = PackedMetrics(Self.photos(1_000))
        var looks = 0
        let placement = engine.place(items, from: engine.initialState, checking: { looks += 1 })
        #expect(placement == engine.place(items, from: engine.initialState))
        #expect(looks == 16)
        let openCount = try open(placement).items.count
        #expect(openCount > 128)
        looks = 0
        _ = engine.place(items[0..<64], from: placement.exitState, checking: { looks += 1 })
        #expect(looks == (openCount + 63) / 64 + 1)
        looks = 0
        #expect(throws: Ended.self) {
            try engine.place(items, from: engine.initialState) {
                looks += 1
                if looks == 3 { throw Ended() }
            }
        }
        #expect(looks == 3)
        #expect(throws: Ended.self) {
            try engine.page(
                after: engine.firstCursor(contentExtent: 0), items, isEnd: false, limit: 10,
                checking: { throw Ended() })
        }
    }

    private func open(_ placement: ChunkPlacement) throws -> OpenBreaks {
        placement.exitState.of(OpenBreaks.self)
    }

    /// Photos of many ratios, so that no two ways cost the same.
    private static func photos(_ count: Int) -> [ItemMetrics] {
        var random = SplitMix64(seed: 3)
        return (0..<count).map { _ in
            ItemMetrics(pixelSize: PixelSize(uncheckedWidth: Int32(random.int(in: 600...1_900)), height: 1_000))
        }
    }
}
