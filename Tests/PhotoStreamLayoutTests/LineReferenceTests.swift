import Foundation
import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

/// Justified lines and flows of fractional lengths, compared with the naive reference and the worked examples of their pages.
@Suite struct LineReferenceTests {
    private static let scales = [1, 1.5, 3.0]

    @Test(arguments: JustifiedParameters.Breaks.allCases, scales)
    func `justified lines equal the reference`(breaks: JustifiedParameters.Breaks, scale: Double) throws {
        for seed in UInt64(0)..<60 {
            var random = SplitMix64(seed: seed &* 31 &+ UInt64(scale * 2))
            var configuration = Self.configuration(scale, using: &random)
            let target = Self.part(random.int(in: 40...random.element(of: [90, 500, 1_400])))
            configuration.algorithm = .justified(
                JustifiedParameters(
                    targetLineHeight: target, tolerance: random.element(of: [0, 0.1, 0.25, 1.0 / 3, 1]),
                    minimumLineHeight: random.oneIn(3) ? max(1, target * 0.7) : nil,
                    maximumLineHeight: random.oneIn(3) ? target * 1.3 : nil,
                    widows: random.element(of: JustifiedParameters.WidowPolicy.allCases), breaks: breaks,
                    breakoutEvery: random.element(of: [0, 0, 1, 2, 3, 7])))
            let count = random.int(in: 0...random.element(of: [3, 12, 45, 200]))
            let items = Self.items(count, using: &random)
            try compareWithReference(configuration, items)
        }
    }

    @Test(arguments: scales)
    func `a flow equals the reference`(scale: Double) throws {
        for seed in UInt64(0)..<120 {
            var random = SplitMix64(seed: seed &* 37 &+ UInt64(scale * 2))
            var configuration = Self.configuration(scale, using: &random)
            func length() -> Double { Self.part(random.int(in: 7...900)) }
            let sizes: [FlowParameters.ItemSize] = [
                .uniform(Size(width: length(), height: length())), .height(length()), .own,
            ]
            configuration.algorithm = .flow(FlowParameters(itemSize: random.element(of: sizes)))
            let items = Self.items(random.int(in: 0...60), using: &random)
            try compareWithReference(configuration, items)
        }
    }

    @Test func `the worked example of justified lines matches its page`() throws {
        let items = try Self.photos([(3, 2), (3, 2), (2, 3), (1, 1), (3, 1), (3, 2)])
        func frames(_ breaks: JustifiedParameters.Breaks) throws -> [String] {
            let configuration = LayoutConfiguration(
                containerLength: 100, interitemSpacing: 4, lineSpacing: 4,
                algorithm: .justified(JustifiedParameters(targetLineHeight: 33.5, breaks: breaks)))
            let layout = LayoutSnapshot(try LayoutKey(configuration), items: items)
            if breaks == .greedy { #expect(layout.directory.contentSize.height == 168) }
            return layout.frames.map { "\($0.x),\($0.y) \($0.width)×\($0.height)" }
        }
        let greedy = try frames(.greedy)
        #expect(greedy == ["0,0 48×32", "52,0 48×32", "0,36 38×58", "42,36 58×58", "0,98 100×33", "0,135 50×33"])
        try Self.expectShown(greedy, on: "Justified.md")
        #expect(try frames(.optimal).map { $0.split(separator: "×")[1] } == ["25", "25", "25", "24", "24", "24"])
    }

    @Test func `the worked example of a flow matches its page`() throws {
        var items = try Self.photos([(4, 3), (3, 4), (1, 1), (2, 1)])
        items[1] = ItemMetrics(pixelSize: items[1].pixelSize, hasCaption: true)
        func frames(_ width: Double) throws -> [String] {
            let configuration = LayoutConfiguration(
                containerLength: width, interitemSpacing: 4, lineSpacing: 5, captionExtent: 10,
                algorithm: .flow(FlowParameters(itemSize: .height(30))))
            let layout = LayoutSnapshot(try LayoutKey(configuration), items: items)
            #expect(layout.directory.contentSize.height == 75)
            return layout.frames.map { "\($0.x),\($0.y) \($0.width)×\($0.height)" }
        }
        #expect(try frames(101) == ["0,0 40×30", "44,0 23×40", "71,0 30×30", "20,45 60×30"])
        try Self.expectShown(frames(101), on: "Flow.md")
        #expect(try frames(102) == ["0,0 40×30", "44,0 23×40", "72,0 30×30", "21,45 60×30"])
    }

    /// Checks that the worked example of a page shows each of the frames.
    private static func expectShown(_ frames: [String], on name: String) throws {
        let project = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let page = try String(contentsOf: project.appending(path: "Documentation/Layouts/\(name)"), encoding: .utf8)
        let example = try #require(page.components(separatedBy: "### A worked example\n").dropFirst().first)
            .components(separatedBy: "\n#")[0]
        for frame in frames { #expect(example.contains("`\(frame)`"), "\(name)") }
    }

    // MARK: Samples

    private func compareWithReference(_ configuration: LayoutConfiguration, _ items: [ItemMetrics]) throws {
        let layout = LayoutSnapshot(try LayoutKey(configuration), items: items)
        let reference = NaiveLayout(configuration, items: items)
        #expect(layout.shownFrames == reference.frames, "\(configuration), \(items.map(\.pixelSize))")
        #expect(layout.directory.contentSize == reference.contentSize, "\(configuration)")
    }

    /// A length that is neither a whole number of points nor of pixels.
    private static func part(_ sevenths: Int) -> Double { max(1, Double(sevenths) / 7) }

    private static func configuration(_ scale: Double, using random: inout SplitMix64) -> LayoutConfiguration {
        func length(_ greatest: Int) -> Double { random.oneIn(3) ? 0 : Double(random.int(in: 0...greatest)) / 7 }
        return LayoutConfiguration(
            containerLength: Double(random.int(in: 700...random.element(of: [900, 4_000, 9_000]))) / 7,
            displayScale: scale, scrollDirection: random.oneIn(3) ? .horizontal : .vertical,
            contentInset: EdgeInsets(top: length(90), left: length(90), bottom: length(90), right: length(90)),
            interitemSpacing: length(60), lineSpacing: length(80), captionExtent: length(200))
    }

    private static func items(_ count: Int, using random: inout SplitMix64) -> [ItemMetrics] {
        switch random.int(in: 0...3) {
        case 0: SampleMetrics.mixed(count, using: &random)
        case 1: SampleMetrics.extreme(count, using: &random)
        default: SampleMetrics.realistic(count, using: &random)
        }
    }

    private static func photos(_ sides: [(Int, Int)]) throws -> [ItemMetrics] {
        try sides.map { ItemMetrics(pixelSize: try PixelSize(width: $0.0, height: $0.1)) }
    }
}
