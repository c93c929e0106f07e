import PhotoStreamLayout
import PhotoStreamModel
import Testing

/// The code of the articles.
@Suite struct ArticleTests {
    /// 1,000 squares.
    private let sizes: [PixelSize]

    init() throws {
        sizes = [PixelSize](repeating: try PixelSize(width: 100, height: 100), count: 1_000)
    }

    @Test func `infinite scroll`() throws {
        let sizes = sizes
        // shown
        let key = try LayoutKey(
            LayoutConfiguration(
                containerLength: 400, displayScale: 2, algorithm: .grid(GridParameters(columns: .count(4)))))
        let layout = LayoutSnapshot(key, sizes: sizes)
        let content = layout.contentSize
        // end
        #expect(content == Size(width: 400, height: 25_000))
        let offset: Int64 = 10_100
        // shown
        let visible = PixelRect(x: 0, y: offset, width: 800, height: 1200)
        let elements = layout.attributes(in: visible).attributes
        // end
        // Lines of 200 pixels: half of the fifty-first is visible, and half of the fifty-seventh.
        #expect(elements.map(\.index) == Array(200..<228))
        // shown
        let anchor = layout.scrollAnchor(in: visible)
        let narrowKey = try LayoutKey(
            LayoutConfiguration(
                containerLength: 300, displayScale: 2, algorithm: .grid(GridParameters(columns: .count(3)))))
        let narrow = LayoutSnapshot(narrowKey, sizes: sizes)
        let newOffset = anchor.flatMap { narrow.contentOffset(for: $0, index: $0.index, viewport: visible.height) }
        // end
        // The first visible photo is number 200, which begins 100 pixels above the screen.
        let sameOffset: Int64 = 66 * 200 + 100
        #expect(newOffset == sameOffset)
        let photos = PackedMetrics(sizes: sizes)
        // shown
        let engine = LayoutEngine(key)
        var cursor = engine.firstCursor(contentExtent: 0)
        while let page = engine.page(
            after: cursor, photos[cursor.index..<photos.count], isEnd: true, limit: 100), !page.items.isEmpty
        {
            print(page.items.count, page.items[0].frame.y)
            cursor = page.next
        }
        // end
        #expect(cursor.index == 1_000)
    }
}
