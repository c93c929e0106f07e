import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

/// The catalog of the library, and the example of its landing page.
@Suite struct DocumentationTests {
    /// The types that a program creates or calls.
    static let mainTypes: Set<String> = [
        "LayoutConfiguration", "LayoutKey", "LayoutSnapshot", "LayoutSource", "LayoutAttributes", "ItemMapping",
        "LayoutUpdates", "ScrollAnchor", "PlacementRule", "LayoutEngine", "LayoutDirectory", "LayoutPage",
        "LayoutCursor",
        "PixelSize", "PackedMetrics", "CaptureTime", "Photo", "PhotoRecord", "PositionIndex", "GeographicBounds",
        "Condition", "ConditionError",
    ]

    @Test func `every example is tested, and every tested example is shown`() throws {
        let library = try DocumentedLibrary("PhotoStreamLayout", with: ["PhotoStreamModel"])
        #expect(library.shown.count > 20)
        #expect(library.differences == [], "\(library.differences.joined(separator: "\n\n"))")
    }

    @Test func `each main type opens with an example`() throws {
        let library = try DocumentedLibrary("PhotoStreamLayout", with: ["PhotoStreamModel"])
        #expect(library.typesWithExamples == Self.mainTypes)
    }

    @Test func `the landing page lists every public type once`() throws {
        let library = try DocumentedLibrary("PhotoStreamLayout")
        #expect(library.types.count > 50)
        #expect(
            library.topics.sorted() == library.types.sorted(),
            "\(Set(library.types).symmetricDifference(library.topics))")
    }

    @Test func `the worked example returns the frames of its photos`() throws {
        // shown
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
}
