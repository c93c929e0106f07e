import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamLayout

/// Justified lines that are broken all together.
@Suite struct OptimalBreaksTests {
    private static let shapes = [(3, 2), (2, 3), (1, 1), (12, 1), (1, 12)].map {
        ItemMetrics(pixelSize: PixelSize(uncheckedWidth: $0.0, height: $0.1))
    }

    @Test(arguments: JustifiedParameters.WidowPolicy.allCases, [0, 1, 2, 3])
    func `every sequence of up to six photos is divided in the best way`(
        widows: JustifiedParameters.WidowPolicy, breakoutEvery: Int
    ) throws {
        for (shapeCount, greatest) in [(3, 6), (5, 4)] {
            let configuration = Self.configuration(
                length: 100, target: 40, spacing: 3, widows: widows, breakoutEvery: breakoutEvery)
            let key = try LayoutKey(configuration)
            for count in 0...greatest {
                for number in 0..<(0..<count).reduce(1, { product, _ in product * shapeCount }) {
                    var rest = number
                    let items = (0..<count).map { _ in
                        defer { rest /= shapeCount }
                        return Self.shapes[rest % shapeCount]
                    }
                    let found = LayoutSnapshot(key, items: items).shownFrames
                    guard found == NaiveLayout(configuration, items: items).frames else {
                        Issue.record("\(items.map(\.pixelSize))")
                        return
                    }
                }
            }
        }
    }

    @Test(arguments: UInt64(0)..<8)
    func `long sections of equal photos equal the reference`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let configuration = Self.regular(using: &random)
        let items = Self.regularItems(random.int(in: 200...900), using: &random)
        let found = LayoutSnapshot(try LayoutKey(configuration), items: items).shownFrames
        #expect(difference(found, NaiveLayout(configuration, items: items).frames) == nil)
    }

    /// Photos that are all alike, in lines whose paths never meet.
    struct Equals: CustomTestStringConvertible, Sendable {
        let width: Int32
        let height: Int32
        let length: Double
        var spacing = 0.0
        var breakoutEvery = 0

        var testDescription: String { "\(width):\(height) in \(length), breakout every \(breakoutEvery)" }
    }

    @Test(arguments: [
        Equals(width: 3, height: 2, length: 300), Equals(width: 4, height: 3, length: 240),
        Equals(width: 2, height: 3, length: 240), Equals(width: 1, height: 1, length: 240, spacing: 3),
        Equals(width: 4, height: 3, length: 323, spacing: 3, breakoutEvery: 100),
    ])
    func `half of the lines are decided once 1,024 photos are open, as in the reference`(equals: Equals) throws {
        let configuration = Self.configuration(
            length: equals.length, target: 40, spacing: equals.spacing, breakoutEvery: equals.breakoutEvery)
        let size = PixelSize(uncheckedWidth: equals.width, height: equals.height)
        // The bound is reached at photo 1,024, and again after the decided half.
        let items = [ItemMetrics](repeating: ItemMetrics(pixelSize: size), count: 1_600)
        let expected = NaiveLayout(configuration, items: items).frames
        #expect(difference(LayoutSnapshot(try LayoutKey(configuration), items: items).shownFrames, expected) == nil)
        // Without the bound, the lines are others; with a bound of 1,023 or 1,025, too.
        let unbound = NaiveLayout(configuration, items: items, undecidedLimit: items.count).frames
        #expect(difference(unbound, expected) != nil)
    }

    @Test(arguments: [(300.0, 20), (200, 20)])
    func `the search restarts when too many breaks are open`(length: Double, breakoutEvery: Int) throws {
        var random = SplitMix64(seed: 1)
        var configuration = Self.configuration(length: length, target: 40, spacing: 0)
        configuration.algorithm = .justified(
            JustifiedParameters(
                targetLineHeight: 40, minimumLineHeight: 10, maximumLineHeight: 160, breaks: .optimal,
                breakoutEvery: breakoutEvery))
        let items = Self.wideItems(500, using: &random)
        let key = try LayoutKey(configuration)
        let whole = LayoutSnapshot(key, items: items).shownFrames
        #expect(difference(whole, NaiveLayout(configuration, items: items).frames) == nil)
        #expect(difference(try CutLayout(key, items, lengths: [13]).shownFrames, whole) == nil)
        let chain = try PageChain(key, limit: 20) { _ in items }
        #expect(difference(chain.frames, whole) == nil)
        #expect(chain.greatestCursor <= 2_048)
    }

    @Test(arguments: UInt64(0)..<8)
    func `a section can stop after any photo and continue from the bytes of its state`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let configuration = Self.regular(using: &random)
        let items = Self.regularItems(300, using: &random)
        let key = try LayoutKey(configuration)
        let whole = LayoutSnapshot(key, items: items).shownFrames
        for lengths in [[1], [2, 0, 5], [37], [299]] {
            let cut = try CutLayout(key, items, lengths: lengths)
            #expect(difference(cut.shownFrames, whole) == nil, "\(lengths)")
        }
        // The same state, however it was come to.
        let steps = try CutLayout(key, items, lengths: [1]).states
        #expect(try CutLayout(key, items, lengths: [250]).states == [steps[249], steps[299]])
    }

    @Test(arguments: UInt64(0)..<8, [1, 7, 40, 300])
    func `a chain of pages equals the whole, and its cursors stay small`(seed: UInt64, limit: Int) throws {
        var random = SplitMix64(seed: seed)
        var configuration = Self.regular(using: &random)
        var items = Self.regularItems(400, using: &random)
        if random.oneIn(3) {
            configuration.sections.sectioning = .day
            items = SampleMetrics.dated(items, using: &random)
        }
        let chain = try PageChain(try LayoutKey(configuration), limit: limit) { _ in items }
        let naive = NaiveLayout(configuration, items: items)
        #expect(difference(chain.frames, naive.frames) == nil)
        #expect(chain.pageLengths.allSatisfy { (1...limit).contains($0) })
        #expect(chain.greatestCursor <= 2_048)
    }

    @Test(arguments: [0, 3, 20, 1_000])
    func `a cursor does not depend on how far its page read, nor on earlier pages`(breakoutEvery: Int) throws {
        // Lines of four, unless one of three is needed: paths of photos that are all alike never meet.
        let configuration = Self.configuration(length: 240, target: 40, spacing: 0, breakoutEvery: breakoutEvery)
        let key = try LayoutKey(configuration)
        let (engine, items) = (LayoutEngine(key), PackedMetrics([ItemMetrics](repeating: Self.shapes[0], count: 2_500)))
        let whole = LayoutSnapshot(key, metrics: items)
        var (cursor, boundCount) = (engine.firstCursor(contentExtent: 0), 0)
        while cursor.index < 1_200 {
            let start = cursor.index
            let pages = [start + 64, items.count, 2_300, start + 1_100].compactMap { end in
                engine.page(after: cursor, items[start..<min(end, items.count)], isEnd: end == items.count, limit: 33)
            }
            let page = try #require(pages.last)
            for other in pages {
                // A page ends with the lines that are decided by its photos.
                #expect(other.items == Array(page.items.prefix(other.items.count)))
                #expect(other.items.count < page.items.count || other.next == page.next)
            }
            #expect(page.items.map(\.frame) == Array(whole.frames[start..<start + page.items.count]))
            // A cursor of another chain, and of no chain.
            let other = try #require(
                engine.page(
                    after: engine.firstCursor(contentExtent: 0), items, isEnd: true, limit: page.next.index))
            #expect(other.next.encoded == page.next.encoded)
            boundCount += page.next.state.of(OpenBreaks.self).bound.count
            cursor = try engine.cursor(decoding: page.next.encoded)
        }
        #expect(boundCount > 0)
    }

    @Test(arguments: UInt64(0)..<8)
    func `a chain continues whatever happens to the photos after its cursor`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let configuration = Self.regular(using: &random)
        let streams = (0..<4).map { turn in
            turn == 0 ? Self.regularItems(300, using: &random) : SampleMetrics.mixed(300, using: &random)
        }
        let chain = try PageChain(try LayoutKey(configuration), limit: 12) { streams[$0 % 4] }
        #expect(chain.frames.count == 300)
        let shown = chain.frames.compactMap { $0 }
        // Lines follow each other, and photos of a line: no later photo begins above or next to an earlier one.
        #expect(zip(shown, shown.dropFirst()).allSatisfy { $1.y > $0.y || $1.y == $0.y && $1.x >= $0.x + $0.width })
        #expect(zip(shown, shown.dropFirst()).allSatisfy { $1.y == $0.y || $1.y >= $0.y + min($0.height, 1) })
    }

    @Test func `photos that fit no line follow the documented policy`() throws {
        func frames(_ sizes: [(Int32, Int32)]) throws -> [PixelRect?] {
            let items = sizes.map { ItemMetrics(pixelSize: PixelSize(uncheckedWidth: $0.0, height: $0.1)) }
            return LayoutSnapshot(
                try LayoutKey(Self.configuration(length: 600, target: 100, spacing: 0)), items: items
            ).shownFrames
        }
        func rect(_ x: Int64, _ y: Int64, _ width: Int64, _ height: Int64) -> PixelRect {
            PixelRect(x: x, y: y, width: width, height: height)
        }
        // A single photo or tower has the target's height; a panorama fills the line at the minimum height.
        #expect(try frames([(3, 2)]) == [rect(0, 0, 150, 100)])
        #expect(try frames([(1, 50)]) == [rect(0, 0, 2, 100)])
        #expect(try frames([(50, 1)]) == [rect(0, 0, 600, 50)])
        // A tower before a panorama shares its line rather than fill one alone.
        #expect(try frames([(1, 50), (50, 1)]).map { $0?.y } == [0, 0])
        // Greedy lines would be of four, and of two at 200.
        #expect(try frames([(3, 2), (3, 2), (3, 2), (3, 2), (3, 1), (3, 1)]).map { $0?.y } == [0, 0, 0, 0, 100, 100])
    }

    @Test func `a key contains the breaks only if they are not greedy`() throws {
        var configuration = Self.configuration(length: 600, target: 100, spacing: 0)
        let key = try LayoutKey(configuration)
        #expect(key.description.hasSuffix(",widows=natural,breakout=0,breaks=optimal"))
        #expect(try LayoutKey(parsing: key.description) == key)
        configuration.algorithm = .justified(JustifiedParameters(targetLineHeight: 100))
        let greedy = try LayoutKey(configuration).description
        #expect(greedy.hasSuffix(",widows=natural,breakout=0"))
        #expect(throws: LayoutError.invalidKey(greedy + ",breaks=greedy")) {
            try LayoutKey(parsing: greedy + ",breaks=greedy")
        }
    }

    @Test func `a state with other bytes is refused`() throws {
        let engine = LayoutEngine(try LayoutKey(Self.configuration(length: 600, target: 100, spacing: 0)))
        let items = PackedMetrics([ItemMetrics](repeating: Self.shapes[0], count: 11))
        let bytes = engine.place(items, from: engine.initialState).exitState.encoded
        #expect(try engine.state(decoding: bytes).encoded == bytes)
        for length in 0..<bytes.count {
            #expect(throws: LayoutError.invalidState) { try engine.state(decoding: bytes[..<length]) }
        }
        #expect(throws: LayoutError.invalidState) { try engine.state(decoding: bytes + [0]) }
    }

    @Test func `the sum of squared deviations is never above the greedy one's`() throws {
        for seed in UInt64(0)..<20 {
            var random = SplitMix64(seed: seed)
            let items = SampleMetrics.realistic(random.int(in: 20...60), using: &random)
            func deviation(_ breaks: JustifiedParameters.Breaks) throws -> Int64 {
                var configuration = Self.configuration(length: 1_200, target: 235, spacing: 0, widows: .justify)
                configuration.algorithm = .justified(
                    JustifiedParameters(targetLineHeight: 235, widows: .justify, breaks: breaks))
                let lines = Dictionary(
                    grouping: LayoutSnapshot(try LayoutKey(configuration), items: items).shownFrames.compactMap { $0 }
                ) { $0.y }
                return lines.values.reduce(0) { $0 + ($1[0].height - 235) * ($1[0].height - 235) }
            }
            #expect(try deviation(.optimal) <= deviation(.greedy))
        }
    }

    // MARK: Samples

    private static func configuration(
        length: Double, target: Double, spacing: Double, widows: JustifiedParameters.WidowPolicy = .natural,
        breakoutEvery: Int = 0
    ) -> LayoutConfiguration {
        LayoutConfiguration(
            containerLength: length, interitemSpacing: spacing, lineSpacing: spacing,
            algorithm: .justified(
                JustifiedParameters(
                    targetLineHeight: target, widows: widows, breaks: .optimal, breakoutEvery: breakoutEvery)))
    }

    /// One on which like photos keep many ways open, for long or for ever.
    private static func regular(using random: inout SplitMix64) -> LayoutConfiguration {
        configuration(
            length: Double(random.int(in: 100...random.element(of: [300, 600, 1_500]))),
            target: Double(random.element(of: [20, 35, 50])), spacing: Double(random.int(in: 0...4)),
            widows: random.element(of: JustifiedParameters.WidowPolicy.allCases),
            breakoutEvery: random.element(of: [0, 0, 0, 1, 2, 5, 20]))
    }

    private static func wideItems(_ count: Int, using random: inout SplitMix64) -> [ItemMetrics] {
        (0..<count).map { _ in
            ItemMetrics(pixelSize: PixelSize(uncheckedWidth: Int32(random.int(in: 900...1_900)), height: 1_000))
        }
    }

    private static func regularItems(_ count: Int, using random: inout SplitMix64) -> [ItemMetrics] {
        if random.oneIn(4) { return wideItems(count, using: &random) }
        let rarely = random.element(of: [3, 20, 1_000])
        return (0..<count).map { _ in shapes[random.oneIn(rarely) ? random.int(in: 0...2) : 0] }
    }

    /// The first difference between two lists.
    private func difference(_ found: [PixelRect?], _ expected: [PixelRect?]) -> String? {
        guard let index = zip(found, expected).enumerated().first(where: { $1.0 != $1.1 })?.offset else {
            return found.count == expected.count ? nil : "\(found.count) photos, not \(expected.count)"
        }
        return "\(index): \(String(describing: found[index])), not \(String(describing: expected[index]))"
    }
}

/// All pages of a stream, connected only by encoded cursors.
private struct PageChain {
    private(set) var frames: [PixelRect?] = []
    private(set) var pageLengths: [Int] = []
    private(set) var greatestCursor = 0

    /// Requests pages until there are no more.
    ///
    /// - Parameters:
    ///   - key: The layout.
    ///   - limit: The most photos on a page.
    ///   - stream: The photos at the time of a page, by the page's position.
    /// - Throws: The engine's error about a cursor that it wrote itself.
    init(_ key: LayoutKey, limit: Int, stream: (Int) -> [ItemMetrics]) throws {
        let engine = LayoutEngine(key)
        var cursor = engine.firstCursor(contentExtent: 0)
        while frames.count < stream(pageLengths.count).count {
            let items = stream(pageLengths.count)
            var (page, wanted): (LayoutPage?, Int) = (nil, limit)
            repeat {
                let end = min(items.count, frames.count + wanted + 1)
                page = engine.page(
                    after: cursor, PackedMetrics(items[frames.count..<end]), isEnd: end == items.count, limit: limit)
                wanted *= 2
            } while page == nil
            guard let page, !page.items.isEmpty else { return }
            frames += page.items.map { $0.isHidden ? nil : $0.frame }
            pageLengths.append(page.items.count)
            greatestCursor = max(greatestCursor, page.next.encoded.count)
            cursor = try engine.cursor(decoding: page.next.encoded)
        }
    }
}
