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
        let layout = LayoutSnapshot(key, items: sizes.map { ItemMetrics(pixelSize: $0) })
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
}
