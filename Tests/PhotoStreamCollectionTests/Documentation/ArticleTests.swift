import PhotoStreamCollection
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

    @Test func `following edits`() throws {
        let photos = PackedMetrics(sizes: sizes)
        let newPhotos = PackedMetrics(sizes: sizes[0..<2])
        let configuration = LayoutConfiguration(
            containerLength: 400, algorithm: .grid(GridParameters(columns: .count(4))))
        // shown
        var layout = try CollectionLayout(configuration, items: photos)
        let before = layout.current
        let context = InvalidationContext.edits([.insert(newPhotos, at: 0), .delete(7..<9)])
        try layout.invalidate(with: context)  // marks only
        let content = layout.contentSize  // brings the layout up to date, once
        // end
        #expect(content == before.contentSize)
        #expect(layout.work.passes == 2)
        let visibleBounds = PixelRect(x: 0, y: 0, width: 400, height: 300)
        // shown
        let updates = LayoutUpdates(from: before, to: layout.current, with: context, in: visibleBounds) { update in
            update.initial?.transform = .scale(x: 0.5, y: 0.5)
            update.final?.alpha = 0.2
        }
        // end
        // Two new photos, two that are gone (5 and 6 before), the others two further on up to number 6.
        #expect(updates.insertions.map(\.new?.index) == [0, 1])
        #expect(updates.insertions.allSatisfy { $0.initial?.alpha == 0 && $0.initial?.transform.m11 == 0.5 })
        #expect(updates.deletions.map(\.old?.index) == [5, 6])
        #expect(updates.deletions.allSatisfy { $0.final?.alpha == 0.2 })
        #expect(updates.moves.map(\.new?.index) == [2, 3, 4, 5, 6])
        // shown
        let anchor = before.scrollAnchor(in: visibleBounds) { updates.mapping.newIndex(of: $0) != nil }
        if let anchor, let index = updates.mapping.newIndex(of: anchor.index) {
            let offset = layout.contentOffset(for: anchor, index: index, viewport: visibleBounds.height)
            print("scroll to \(offset ?? 0)")
        }
        // end
        #expect(anchor?.index == 0)
        let (oldBounds, newBounds) = (
            Rect(x: 0, y: 0, width: 400, height: 300), Rect(x: 0, y: 50, width: 600, height: 300)
        )
        // shown
        if let context = try layout.invalidationContext(forBoundsChange: oldBounds, new: newBounds) {
            try layout.invalidate(with: context)
        }
        // end
        #expect(layout.contentSize == Size(width: 600, height: 250 * 150))
        #expect(try layout.invalidationContext(forBoundsChange: newBounds, new: newBounds) == nil)
    }

    @Test func `custom layouts`() throws {
        let photos = try (1...1_000).map { ItemMetrics(pixelSize: try PixelSize(width: $0, height: 500)) }
        // shown
        let configuration = LayoutConfiguration(
            containerLength: 300, scrollDirection: .horizontal,
            algorithm: .custom(Carousel(itemExtent: 400)))
        var layout = try CollectionLayout(configuration, items: PackedMetrics(photos))
        let visible = try layout.attributes(in: Rect(x: 0, y: 0, width: 800, height: 300))
        // end
        #expect(visible.attributes.map(\.frame.x) == [0, 200, 400, 600])
        #expect(layout.contentSize == Size(width: 200 * 1_000 + 200, height: 300))
        let work = layout.work
        try layout.invalidate(with: .edits([.insert(PackedMetrics(photos[0..<1]), at: 0)]))
        #expect(layout.contentSize == Size(width: 200 * 1_001 + 200, height: 300))
        #expect(layout.work.chunksFolded == work.chunksFolded + 1)
        // shown
        let shown = layout.adjusted(by: Spotlight(middle: 400))
        let lit = shown.attributes(in: PixelRect(x: 0, y: 0, width: 800, height: 300)).attributes
        // end
        #expect(lit.map(\.alpha) == [0.5, 1, 0.5, 0.2])
        #expect(lit.map(\.zIndex) == [-5, 0, -5, -10])
    }
}

// shown
struct Carousel: PlacementRule {
    var itemExtent: Int64
    var name: String { "carousel:\(itemExtent)" }

    func initialRest(in space: LayoutSpace) -> [UInt8] { [] }

    func place(_ items: PackedMetrics, from rest: [UInt8], in space: LayoutSpace) -> RulePlacement {
        let frames = (0..<Int64(items.count)).map { position in
            AxisFrame(
                along: position * itemExtent / 2, across: 0, alongExtent: itemExtent, acrossExtent: space.length)
        }
        return RulePlacement(frames: frames, shift: Int64(items.count) * itemExtent / 2, rest: [])
    }

    func end(behind rest: [UInt8], in space: LayoutSpace) -> Int64 { itemExtent / 2 }
}
// end

// shown
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
