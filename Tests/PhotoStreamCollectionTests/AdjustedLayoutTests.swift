import PhotoStreamCollection
import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamLayoutTests

/// An adjusted layout is the layout with every element changed, for every query.
@Suite struct AdjustedLayoutTests {
    @Test(arguments: LayoutFamily.allCases, SampleAxes.all)
    func `a rectangle returns the changed elements that meet it`(family: LayoutFamily, axes: SampleAxes) throws {
        for seed in UInt64(0)..<6 {
            var random = SplitMix64(seed: seed &* 17 &+ 2)
            let world = try ElementWorld(family, axes, using: &random)
            let disorder = Disorder(outset: random.element(of: [1, 9, 200]))
            let adjusted = world.snapshot.adjusted(by: disorder)
            for _ in 0..<15 {
                let rect = world.rect(using: &random)
                let expected = changed(ElementReference(world, visible: rect).elements, disorder).filter {
                    $0.frame.intersects(rect)
                }
                #expect(difference(adjusted.attributes(in: rect).attributes, expected) == nil, "seed \(seed), \(rect)")
                let items = expected.filter { $0.elementKind == .item }.sorted { $0.index < $1.index }
                #expect(difference(adjusted.items(in: rect), items) == nil)
                let pixel = PixelRect(x: rect.x, y: rect.y, width: 1, height: 1)
                let under = changed(world.items.filter { !$0.isHidden }, disorder).filter {
                    $0.frame.intersects(pixel)
                }
                let level = under.map(\.zIndex).max()
                let onTop = under.last { $0.zIndex == level }
                #expect(adjusted.indexPath(at: PixelPoint(x: rect.x, y: rect.y)) == onTop?.indexPath)
            }
        }
    }

    @Test(arguments: LayoutFamily.allCases)
    func `a single element is changed as in a rectangle`(family: LayoutFamily) throws {
        var random = SplitMix64(seed: 12)
        let world = try ElementWorld(family, SampleAxes(), using: &random)
        let disorder = Disorder(outset: 30)
        let adjusted = world.snapshot.adjusted(by: disorder)
        for element in changed(ElementReference(world).elements, disorder) {
            switch element.elementKind {
            case .item: #expect(adjusted.attributes(forItemAt: element.indexPath) == element)
            case .supplementary:
                #expect(adjusted.attributes(forSupplementary: element.elementKind, at: element.indexPath) == element)
            case .decoration:
                #expect(adjusted.attributes(forDecoration: element.elementKind, at: element.indexPath) == element)
            }
        }
        #expect(adjusted.directory.contentSize == world.snapshot.directory.contentSize)
    }

    @Test(arguments: LayoutFamily.allCases)
    func `answers with a limit contain each changed element once`(family: LayoutFamily) throws {
        var random = SplitMix64(seed: 31)
        let world = try ElementWorld(family, SampleAxes(), using: &random)
        let adjusted = world.snapshot.adjusted(by: Disorder(outset: 50))
        let rect = PixelRect(x: 0, y: 0, width: 1 << 30, height: 1 << 30)
        let whole = adjusted.attributes(in: rect).attributes
        var found: [LayoutAttributes] = []
        var next: IndexPath? = IndexPath(section: 0, item: 0)
        while let first = next, found.count <= whole.count {
            let answer = adjusted.attributes(in: rect, from: first, limit: 7)
            found += answer.attributes
            next = answer.next
        }
        #expect(found.count == whole.count && Set(found) == Set(whole))
    }

    @Test(arguments: LayoutFamily.allCases)
    func `elements that an adjustment adds follow their items`(family: LayoutFamily) throws {
        var random = SplitMix64(seed: 14)
        let world = try ElementWorld(family, SampleAxes(), using: &random)
        let adjusted = world.snapshot.adjusted(by: Buttons()).adjusted(by: Disorder(outset: 9))
        for _ in 0..<20 {
            let rect = world.rect(using: &random)
            let expected = ElementReference(world, visible: rect).elements.flatMap { element in
                [element] + (element.elementKind == .item ? added(to: element) : [])
            }
            let found = adjusted.attributes(in: rect).attributes
            #expect(
                difference(found, changed(expected, Disorder(outset: 9)).filter { $0.frame.intersects(rect) }) == nil)
        }
        for item in world.items where !item.isHidden {
            for element in changed(added(to: item), Disorder(outset: 9)) {
                #expect(adjusted.attributes(forSupplementary: element.elementKind, at: item.indexPath) == element)
            }
        }
        let nothing = ElementKind.supplementary("never heard of")
        #expect(adjusted.attributes(forSupplementary: nothing, at: IndexPath(section: 0, item: 0)) == nil)
    }

    private func added(to item: LayoutAttributes) -> [LayoutAttributes] {
        Buttons().elements(on: item).map {
            LayoutAttributes(
                elementKind: .supplementary($0.kind), index: item.index, indexPath: item.indexPath, frame: $0.frame,
                zIndex: $0.zIndex)
        }
    }

    @Test func `updates contain the changed elements`() throws {
        var random = SplitMix64(seed: 8)
        let items = SampleMetrics.mixed(400, using: &random)
        var layout = try CollectionLayout(.masonry(3, width: 300), items: PackedMetrics(items))
        let disorder = Disorder(outset: 25)
        let old = layout.current
        let context = InvalidationContext.edits([
            .delete(4..<6), .insert(PackedMetrics(SampleMetrics.mixed(2, using: &random)), at: 9),
        ])
        try layout.invalidate(with: context)
        let bounds = PixelRect(x: 0, y: 0, width: 300, height: 900)
        let plain = LayoutUpdates(from: old, to: layout.current, with: context, in: bounds)
        let updates = LayoutUpdates(
            from: old.adjusted(by: disorder), to: layout.current.adjusted(by: disorder), with: context, in: bounds)
        #expect(updates != plain)
        let everything = layout.current.adjusted(by: disorder)
        for update in updates.moves {
            let new = try #require(update.new)
            #expect(everything.attributes(forItemAt: new.index) == new)
            #expect(update.old?.frame != new.frame)
        }
        let inserted = updates.insertions.compactMap(\.new)
        #expect(inserted.map(\.index).contains(9) && inserted.map(\.index).contains(10))
        #expect(inserted.allSatisfy { everything.attributes(forItemAt: $0.index) == $0 })
        let deleted = updates.deletions.compactMap(\.old)
        #expect(deleted.map(\.index).contains(4) && deleted.map(\.index).contains(5))
        #expect(deleted.allSatisfy { old.adjusted(by: disorder).attributes(forItemAt: $0.index) == $0 })
    }

    @Test func `an item that an adjustment hides keeps its frame`() throws {
        struct Hiding: LayoutAdjustment {
            let outset: Int64 = 0
            func adjust(_ attributes: inout LayoutAttributes) { attributes.isHidden = true }
        }
        var random = SplitMix64(seed: 6)
        let items = SampleMetrics.mixed(50, using: &random)
        let plain = LayoutSnapshot(try LayoutKey(.masonry(3, width: 300)), items: items)
        let hidden = plain.adjusted(by: Hiding())
        let bounds = PixelRect(x: 0, y: 300, width: 300, height: 400)
        #expect(hidden.frame(forItemAt: 9) == plain.frame(forItemAt: 9))
        let updates = LayoutUpdates(from: hidden, to: hidden, with: InvalidationContext(), in: bounds)
        #expect(updates.insertions.isEmpty && updates.deletions.isEmpty && updates.moves.isEmpty)
        let revealed = LayoutUpdates(from: hidden, to: plain, with: InvalidationContext(), in: bounds)
        #expect(revealed.insertions.isEmpty && !revealed.moves.isEmpty)
    }

    @Test func `an outer adjustment receives the changes of the inner one`() throws {
        struct Further: LayoutAdjustment {
            let outset: Int64 = 3
            func adjust(_ attributes: inout LayoutAttributes) { attributes.frame.x += 3 }
        }
        var random = SplitMix64(seed: 6)
        let items = SampleMetrics.mixed(50, using: &random)
        let snapshot = LayoutSnapshot(try LayoutKey(.masonry(3, width: 300)), items: items)
        let twice = snapshot.adjusted(by: Further()).adjusted(by: Further())
        let plain = try #require(snapshot.attributes(forItemAt: 7)?.frame)
        let moved = try #require(twice.attributes(forItemAt: 7)?.frame)
        #expect(moved.x == plain.x + 6)
        // Found at its new position, not at its old one.
        let edge = PixelRect(x: moved.maxX - 1, y: moved.y, width: 1, height: 1)
        #expect(twice.items(in: edge).contains { $0.index == 7 })
        let before = PixelRect(x: plain.x, y: plain.y, width: 1, height: 1)
        #expect(!twice.items(in: before).contains { $0.index == 7 })
    }

    private func changed(_ elements: [LayoutAttributes], _ disorder: Disorder) -> [LayoutAttributes] {
        elements.map { element in
            var result = element
            disorder.adjust(&result)
            return result
        }
    }
}
