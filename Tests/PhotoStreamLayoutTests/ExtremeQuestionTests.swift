import Foundation
import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

/// Every query at the ends of all numbers, of layouts whose options are all at the ends of their ranges.
///
/// Each run tries a part of the pairs; `PHOTOSTREAM_SWEEP=1` tries all, over a million queries.
@Suite struct ExtremeQuestionTests {
    private static let isWhole = ProcessInfo.processInfo.environment["PHOTOSTREAM_SWEEP"] != nil

    @Test(arguments: ExtremeOption.algorithms)
    func `every query is answered for each pair of extreme options`(algorithm: String) throws {
        var (random, tally) = (SplitMix64(seed: 14), Tally())
        let options = ExtremeOption.shared + ExtremeOption.own(algorithm)
        let clock = ContinuousClock()
        let elapsed = clock.measure {
            for first in options.indices {
                for second in options[(first + 1)...].indices where options[second].name != options[first].name {
                    for length in [1_000, 100_000.0] {
                        guard Self.isWhole || random.oneIn(25) else { continue }
                        var configuration = LayoutConfiguration(
                            containerLength: length, algorithm: ExtremeOption.plain(algorithm))
                        options[first].apply(&configuration)
                        options[second].apply(&configuration)
                        tally.ask(
                            configuration, "\(options[first]), \(options[second]), \(length)",
                            oneIn: 24, using: &random)
                    }
                }
            }
        }
        print("\(algorithm): pairs of extreme options, \(tally), \(elapsed)")
        #expect(tally.faults == [])
        #expect(tally.layouts > 0)
    }

    @Test(arguments: ExtremeOption.algorithms)
    func `every query is answered for many extreme options at once`(algorithm: String) throws {
        var (random, tally) = (SplitMix64(seed: 60), Tally())
        let options = Dictionary(grouping: ExtremeOption.shared + ExtremeOption.own(algorithm), by: \.name)
            .sorted { $0.key < $1.key }.map(\.value)
        let clock = ContinuousClock()
        let elapsed = clock.measure {
            for _ in 0..<(Self.isWhole ? 2_000 : 40) {
                var configuration = LayoutConfiguration(
                    containerLength: random.element(of: [1_000, 100_000]), algorithm: ExtremeOption.plain(algorithm))
                let share = random.int(in: 1...4)
                var names: [String] = []
                for values in options where random.oneIn(share) {
                    let option = random.element(of: values)
                    option.apply(&configuration)
                    names.append(option.description)
                }
                tally.ask(configuration, names.joined(separator: ", "), oneIn: 24, using: &random)
            }
        }
        print("\(algorithm): many extreme options, \(tally), \(elapsed)")
        #expect(tally.faults == [])
        #expect(tally.layouts > 0)
    }

    @Test func `an item of one pixel on a map is found from a point far outside`() throws {
        let key = try LayoutKey(
            LayoutConfiguration(
                containerLength: 500, algorithm: .map(MapParameters(itemSize: Size(width: 1, height: 50)))))
        let point = try key.displayScale.pixel(holding: Point(x: 1e19, y: 0))
        for items in [[], SampleMetrics.located] {
            let layout = LayoutSnapshot(key, items: items)
            #expect(layout.indexPath(at: point) == nil)
            #expect(layout.items(in: PixelRect(x: point.x, y: 0, width: 1, height: 1)) == [])
            #expect(layout.items(in: PixelRect(x: 0, y: .max - 1, width: 1, height: 1)) == [])
        }
    }

    @Test func `a cursor whose line has no length is refused`() throws {
        let key = try LayoutKey(
            LayoutConfiguration(
                containerLength: 100, algorithm: .justified(JustifiedParameters(targetLineHeight: 10, tolerance: 0))))
        let engine = LayoutEngine(key)
        let items = PackedMetrics(
            [ItemMetrics](repeating: ItemMetrics(pixelSize: try PixelSize(width: 1, height: 1)), count: 30))
        let page = try #require(
            engine.page(after: engine.firstCursor(contentExtent: 0), items, isEnd: true, limit: 2))
        let bytes = page.next.encoded
        #expect(try engine.cursor(decoding: bytes) == page.next)
        // The line's ratios are the only number of five bytes: ten times 2^32.
        let length = try #require(bytes.indices.first { bytes[$0...].starts(with: [0x80, 0x80, 0x80, 0x80, 0xA0]) })
        for number in [[0], [1], [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F]] as [[UInt8]] {
            var other = bytes
            other.replaceSubrange(length..<length + 6, with: number)
            #expect(throws: LayoutError.invalidState) { try engine.cursor(decoding: other) }
        }
    }
}

/// The result of a sweep.
private struct Tally: CustomStringConvertible {
    private(set) var layouts = 0
    private(set) var refused = 0
    private(set) var questions = 0
    private(set) var faults: [String] = []

    /// Asks layouts of no photo, of one and of some everything.
    mutating func ask(
        _ configuration: LayoutConfiguration, _ name: String, oneIn share: Int, using random: inout SplitMix64
    ) {
        guard let key = try? LayoutKey(configuration) else {
            refused += 1
            return
        }
        if (try? LayoutKey(parsing: key.description)) != key { faults.append("\(name): the key's text") }
        layouts += 1
        for count in [0, 1, random.int(in: 2...24)] {
            let items = SampleMetrics.dated(SampleMetrics.mixed(count, using: &random), using: &random)
            let snapshot = LayoutSnapshot(key, items: items)
            var questions = ExtremeQuestions(snapshot)
            questions.ask(oneIn: share, using: &random)
            self.questions += questions.count
            faults += questions.faults.prefix(3).map { "\(name), \(count) photos: \($0)" }
            let naive = NaiveLayout(configuration, items: items)
            if snapshot.shownFrames != naive.frames { faults.append("\(name), \(count) photos: the frames") }
        }
    }

    var description: String { "\(layouts) layouts, \(refused) refused, \(questions) questions" }
}

extension SampleMetrics {
    /// Some photos with a position.
    fileprivate static var located: [ItemMetrics] {
        var random = SplitMix64(seed: 3)
        return (0..<20).map { _ in
            ItemMetrics(
                pixelSize: PixelSize(uncheckedWidth: 3, height: 2),
                position: WorldPosition(anyPlace(using: &random)))
        }
    }
}
