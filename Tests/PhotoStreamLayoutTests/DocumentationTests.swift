import Foundation
import PhotoStreamLayout
import PhotoStreamModel
import Testing

/// The worked example of the library's landing page, as it stands there.
@Suite struct DocumentationTests {
    private static let project = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    @Test func `the worked example gives the frames of its photos`() throws {
        // example
        let sizes = try [(4000, 3000), (3000, 4000), (1920, 1080)].map { try PixelSize(width: $0, height: $1) }
        let key = try LayoutKey(
            LayoutConfiguration(
                containerLength: 1200, displayScale: 2, interitemSpacing: 8, lineSpacing: 8,
                algorithm: .justified(JustifiedParameters(targetLineHeight: 300))))
        let layout = LayoutSnapshot(key, sizes: sizes)
        let content = layout.contentSize
        let visible = try layout.attributes(in: Rect(x: 0, y: 0, width: 1200, height: 900))
        let frames = visible.attributes.map { key.displayScale.points($0.frame) }
        let touched = layout.indexPath(at: PixelPoint(x: 1500, y: 40))
        // end
        // 2,400 pixels but for two gaps of 16, shared by ratios of 4:3, 3:4 and 16:9.
        let height = (2_368 / (4.0 / 3 + 3.0 / 4 + 16.0 / 9)).rounded() / 2
        #expect(content == Size(width: 1_200, height: height))
        #expect(frames.map(\.height) == [height, height, height])
        #expect(frames.map(\.y) == [0, 0, 0])
        let first = (2_368 * (4.0 / 3) / (4.0 / 3 + 3.0 / 4 + 16.0 / 9)).rounded() / 2
        #expect(frames[0] == Rect(x: 0, y: 0, width: first, height: height))
        #expect(frames[1].x == first + 8)
        #expect(frames[2].x + frames[2].width == 1_200)
        #expect(touched == IndexPath(section: 0, item: 2))
    }

    @Test func `the worked examples of a custom layout do what their page says`() throws {
        let photos = try (1...1_000).map { ItemMetrics(pixelSize: try PixelSize(width: $0, height: 500)) }
        // use
        let configuration = LayoutConfiguration(
            containerLength: 300, scrollDirection: .horizontal,
            algorithm: .custom(AnyCustomLayout(Carousel(itemExtent: 400))))
        var layout = try CollectionLayout(configuration, items: PackedMetrics(photos))
        let visible = try layout.attributes(in: Rect(x: 0, y: 0, width: 800, height: 300))
        // end
        #expect(visible.attributes.map(\.frame.x) == [0, 200, 400, 600])
        #expect(layout.contentSize == Size(width: 200 * 1_000 + 200, height: 300))
        let work = layout.work
        try layout.invalidate(with: .edits([.insert(PackedMetrics(photos[0..<1]), at: 0)]))
        #expect(layout.contentSize == Size(width: 200 * 1_001 + 200, height: 300))
        #expect(layout.work.chunksFolded == work.chunksFolded + 1)
        // adjusted
        let shown = layout.adjusted(by: Spotlight(middle: 400))
        let lit = shown.attributes(in: PixelRect(x: 0, y: 0, width: 800, height: 300)).attributes
        // end
        #expect(lit.map(\.alpha) == [0.5, 1, 0.5, 0.2])
        #expect(lit.map(\.zIndex) == [-5, 0, -5, -10])
    }

    @Test func `the page of a custom layout shows the lines that are tested`() throws {
        let page = try String(
            contentsOf: Self.project.appending(path: "Documentation/Layouts/Custom.md"), encoding: .utf8)
        let shown = page.components(separatedBy: "```swift\n").dropFirst().map {
            $0.components(separatedBy: "\n```")[0]
        }
        let source = try String(contentsOfFile: #filePath, encoding: .utf8)
        func tested(_ name: String, indent: Int) throws -> String {
            let start = String(repeating: " ", count: indent) + "// \(name)\n"
            let lines = try #require(source.components(separatedBy: start).dropFirst().first)
                .components(separatedBy: "\n" + String(repeating: " ", count: indent) + "// end")[0]
            return lines.components(separatedBy: "\n").map { String($0.dropFirst(indent)) }.joined(separator: "\n")
        }
        #expect(shown.count == 3)
        #expect(try shown[0] == tested("carousel", indent: 0))
        #expect(try shown[1] == tested("use", indent: 8))
        #expect(try shown[2] == tested("spotlight", indent: 0) + "\n\n" + tested("adjusted", indent: 8))
    }

    @Test func `the landing page shows the lines that are tested`() throws {
        let page = try String(
            contentsOf: Self.project.appending(
                path: "Sources/PhotoStreamLayout/PhotoStreamLayout.docc/PhotoStreamLayout.md"), encoding: .utf8)
        let shown = try #require(page.components(separatedBy: "```swift\n").dropFirst().first)
            .components(separatedBy: "\n```")[0]
        let source = try String(contentsOfFile: #filePath, encoding: .utf8)
        let tested = try #require(source.components(separatedBy: "        // example\n").dropFirst().first)
            .components(separatedBy: "\n        // end")[0]
        let lines = tested.split(separator: "\n").map { $0.dropFirst(8) }.joined(separator: "\n")
        #expect(shown == lines)
        #expect(lines.split(separator: "\n").count <= 11)
    }

    @Test func `the topics of the landing page name every public type once`() throws {
        let sources = Self.project.appending(path: "Sources/PhotoStreamLayout")
        let page = try String(
            contentsOf: sources.appending(path: "PhotoStreamLayout.docc/PhotoStreamLayout.md"), encoding: .utf8)
        let topics = try #require(page.components(separatedBy: "## Topics\n").dropFirst().first)
            .matches(of: /- ``(\w+)``/).map { String($0.1) }
        // What is declared at the left margin: types in types are listed by the page of the outer one.
        let declaration = /^public (?:final |indirect )*(?:struct|enum|protocol|class|actor|typealias) (\w+)/
        var types: [String] = []
        for file in try #require(FileManager.default.enumerator(atPath: sources.path)) {
            guard let name = file as? String, name.hasSuffix(".swift") else { continue }
            let source = try String(contentsOf: sources.appending(path: name), encoding: .utf8)
            types += source.matches(of: declaration.anchorsMatchLineEndings()).map { String($0.1) }
        }
        #expect(types.count > 50)
        #expect(topics.sorted() == types.sorted(), "\(Set(types).symmetricDifference(topics))")
    }
}

// carousel
struct Carousel: CustomLayout {
    var itemExtent: Int64
    var name: String { "carousel:\(itemExtent)" }

    func initialRest(in space: LayoutSpace) -> [UInt8] { [] }

    func place(_ items: PackedMetrics, from rest: [UInt8], in space: LayoutSpace) -> CustomPlacement {
        let frames = (0..<Int64(items.count)).map { position in
            AxisFrame(
                along: position * itemExtent / 2, across: 0, alongExtent: itemExtent, acrossExtent: space.length)
        }
        return CustomPlacement(frames: frames, shift: Int64(items.count) * itemExtent / 2, rest: [])
    }

    func end(behind rest: [UInt8], in space: LayoutSpace) -> Int64 { itemExtent / 2 }

    func isRest(_ rest: [UInt8], in space: LayoutSpace) -> Bool { rest.isEmpty }
}
// end

// spotlight
struct Spotlight: LayoutAdjustment {
    var middle: Double
    var outset: Int64 { 0 }

    func adjust(_ attributes: inout LayoutAttributes) {
        let distance = abs(attributes.center.x - middle) / 400
        attributes.alpha = max(0.2, 1 - distance)
        attributes.transform = .scale(x: max(0.5, 1 - distance / 2), y: max(0.5, 1 - distance / 2))
        attributes.zIndex = -Int(distance * 10)
    }
}
// end
