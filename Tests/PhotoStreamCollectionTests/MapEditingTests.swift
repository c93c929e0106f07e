import PhotoStreamCollection
import PhotoStreamLayout
import PhotoStreamModel
import Testing

@testable import PhotoStreamLayoutTests

/// Edits of a map.
@Suite struct MapEditingTests {
    @Test func `only the photo with a new place moves`() throws {
        let items = try [MapTests.item(0, 1), MapTests.item(40, 40), MapTests.item(-40, -40), MapTests.unplaced]
        var layout = try CollectionLayout(MapTests.configuration(), items: PackedMetrics(items))
        let before = layout.current
        let context = InvalidationContext.edits([.replace(PackedMetrics([try MapTests.item(60, 60)]), at: 1)])
        try layout.invalidate(with: context)
        let all = PixelRect(x: 0, y: 0, width: 600, height: 1_000)
        let updates = LayoutUpdates(from: before, to: layout.current, with: context, in: all)
        #expect(updates.reloads.compactMap(\.new?.index) == [1])
        #expect(updates.moves.isEmpty && updates.insertions.isEmpty && updates.deletions.isEmpty)
        // Without its position, it comes before the other one that has none.
        try layout.invalidate(with: .edits([.replace(PackedMetrics([MapTests.unplaced]), at: 1)]))
        #expect(layout.attributes(forItemAt: 1)?.indexPath == IndexPath(section: 1, item: 0))
        #expect(layout.attributes(forItemAt: 3)?.indexPath == IndexPath(section: 1, item: 1))
        #expect(layout.current.directory.sections.map(\.items.count) == [2, 2])
    }

    @Test func `a map refuses a list of sections`() throws {
        let lists = LayoutError.unsupported(option: "section lengths", by: "map")
        #expect(throws: lists) {
            try CollectionLayout(MapTests.configuration(), items: .squares(3), sectionLengths: [1, 2])
        }
        var layout = try CollectionLayout(.masonry(2, width: 300), items: .squares(3), sectionLengths: [1, 2])
        #expect(throws: lists) { try layout.invalidate(with: .configuration(MapTests.configuration())) }
        #expect(layout.contentSize.width == 300)
        layout = try CollectionLayout(MapTests.configuration(), items: .squares(3))
        #expect(throws: lists) { try layout.invalidate(with: .dataSource(.squares(3), sectionLengths: [3])) }
        try layout.invalidate(with: .configuration(.masonry(2, width: 300)))
        try layout.invalidate(with: .dataSource(.squares(3), sectionLengths: [3]))
        #expect(throws: lists) { try layout.invalidate(with: .configuration(MapTests.configuration())) }
    }
}
