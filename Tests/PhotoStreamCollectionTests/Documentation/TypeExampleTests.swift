import PhotoStreamCollection
import PhotoStreamLayout
import PhotoStreamModel
import Testing

/// The examples with which the main types open.
@Suite struct TypeExampleTests {
    private let photos: PackedMetrics
    /// Cells of 100 points, four in a line.
    private let configuration = LayoutConfiguration(
        containerLength: 400, algorithm: .grid(GridParameters(columns: .count(4))))

    init() throws {
        photos = PackedMetrics(sizes: [PixelSize](repeating: try PixelSize(width: 100, height: 100), count: 2_000))
    }

    @Test func `a layout follows an edit`() throws {
        let (newPhotos, bounds) = (photos[0..<4], Rect(x: 0, y: 0, width: 400, height: 200))
        let pixels = PixelRect(x: 0, y: 0, width: 400, height: 200)
        // shown
        var layout = try CollectionLayout(configuration, items: photos)
        let before = layout.current
        let context = InvalidationContext.edits([.insert(newPhotos, at: 0)])
        try layout.invalidate(with: context)
        let visible = try layout.attributes(in: bounds)  // brings the layout up to date, once
        let updates = LayoutUpdates(from: before, to: layout.current, with: context, in: pixels)
        // end
        #expect(visible.attributes.map(\.index) == Array(0..<8))
        #expect(updates.insertions.count == 4 && updates.moves.count == 8)
    }

    @Test func `the layout before an edit does not change`() throws {
        var layout = try CollectionLayout(configuration, items: photos)
        // shown
        let before = layout.current
        try layout.invalidate(with: .edits([.delete(0..<100)]))
        let shrunk = before.contentSize.height - layout.contentSize.height
        // end
        #expect(shrunk == 2_500)
    }

    @Test func `contexts can be united`() throws {
        var layout = try CollectionLayout(configuration, items: photos)
        // shown
        var context = InvalidationContext.edits([.insert(photos, at: 0)])
        context.formUnion(.bounds(containerLength: 800))
        try layout.invalidate(with: context)
        // end
        #expect(layout.contentSize == Size(width: 800, height: 200_000))
    }

    @Test func `a layout with an adjustment`() throws {
        let layout = LayoutSnapshot(try LayoutKey(configuration), metrics: photos)
        let visible = PixelRect(x: 0, y: 0, width: 400, height: 100)
        // shown
        let shown = layout.adjusted(by: Faded(alpha: 0.5))
        let elements = shown.attributes(in: visible).attributes
        let offset = shown.base.targetContentOffset(forProposed: 900, viewport: 600, snapping: .lineStarts)
        // end
        #expect(elements.map(\.alpha) == [0.5, 0.5, 0.5, 0.5])
        #expect(offset == 900)
    }
}

// shown
struct Faded: LayoutAdjustment {
    var alpha: Double
    var outset: Int64 { 0 }

    func adjust(_ attributes: inout LayoutAttributes) {
        attributes.alpha *= alpha
    }
}
// end
