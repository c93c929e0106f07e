import PhotoStreamCollection
import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamLayoutTests

/// The visible updates of an edit, against all elements of both layouts compared one by one.
@Suite struct LayoutUpdatesTests {
    @Test(arguments: LayoutFamily.allCases, SampleAxes.all)
    func `updates agree with a comparison of all visible elements`(
        family: LayoutFamily, axes: SampleAxes
    ) throws {
        for seed in UInt64(0)..<8 {
            var random = SplitMix64(seed: seed)
            var world = try EditedWorld(family, axes, isList: seed % 2 == 0, using: &random, pins: true)
            for step in 0..<8 {
                let old = KeyedLayout(world, using: &random)
                var context = InvalidationContext()
                world.replaced = []
                for _ in 0..<random.int(in: 1...3) { context.formUnion(.edits([world.edit()])) }
                if random.oneIn(4) {
                    let length = world.layout.configuration.containerLength + Double(random.int(in: 0...50))
                    context.formUnion(.bounds(containerLength: length))
                }
                if random.oneIn(3) {
                    context.formUnion(
                        .elements(.badge, selection: random.oneIn(2) ? .all : .at([IndexPath(section: 0, item: 0)])))
                }
                if random.oneIn(3) { context.formUnion(.sections([0..<1])) }
                if random.oneIn(3) { context.formUnion(.items([1..<3])) }
                try world.layout.invalidate(with: context)
                let new = KeyedLayout(world, using: &random)
                let found = LayoutUpdates(
                    from: old.layout, to: new.layout, with: context, in: old.bounds, now: new.bounds)
                let difference = ExpectedUpdates(old, new, context, replaced: world.replaced).difference(from: found)
                #expect(difference == nil, "seed \(seed), step \(step)")
                if difference != nil { return }
            }
        }
    }

    @Test func `only elements that appear or disappear fade, unless the layout changes that`() throws {
        var layout = try CollectionLayout.squares(10)
        let before = layout.current
        let context = InvalidationContext.edits([
            .delete(1..<2), .insert(.squares(1), at: 0), .replace(.squares(1), at: 4), .move(8..<9, to: 9),
        ])
        try layout.invalidate(with: context)
        let bounds = PixelRect(x: 0, y: 0, width: 100, height: 1_000)
        let plain = LayoutUpdates(from: before, to: layout.current, with: context, in: bounds)
        #expect(plain.insertions.map(\.new?.index) == [0])
        #expect(plain.insertions.map(\.initial?.alpha) == [0])
        #expect(plain.insertions.map(\.initial?.frame) == [PixelRect(x: 0, y: 0, width: 100, height: 100)])
        #expect(plain.insertions.map(\.new?.alpha) == [1])
        #expect(plain.deletions.map(\.old?.index) == [1])
        #expect(plain.deletions.map(\.final?.alpha) == [0])
        #expect(plain.deletions.map(\.final?.frame) == [PixelRect(x: 0, y: 100, width: 100, height: 100)])
        #expect(plain.reloads.map(\.new?.index) == [4])
        #expect(plain.reloads.map(\.initial?.alpha) == [0])
        #expect(plain.reloads.map(\.final?.alpha) == [0])
        #expect(plain.moves.map { [$0.old?.index, $0.new?.index] } == [[0, 1], [9, 8], [8, 9]])
        #expect(plain.moves.allSatisfy { $0.initial == nil && $0.final == nil })

        let turned = LayoutUpdates(from: before, to: layout.current, with: context, in: bounds) { update in
            update.initial?.alpha = 0.5
            update.initial?.transform = .scale(x: 2, y: 2)
            update.final?.frame.x -= 100
        }
        #expect(turned.insertions.map(\.initial?.alpha) == [0.5])
        #expect(turned.insertions.map(\.initial?.transform) == [.scale(x: 2, y: 2)])
        #expect(turned.deletions.map(\.final?.frame.x) == [-100])
        #expect(turned.insertions.map(\.new) == plain.insertions.map(\.new))
        #expect(turned.moves == plain.moves)
    }

    @Test func `photos that move outside the visible bounds are not updates`() throws {
        var layout = try CollectionLayout.squares(200_000)
        let before = layout.current
        let context = InvalidationContext.edits([.insert(.squares(1), at: 100_000)])
        try layout.invalidate(with: context)
        let above = LayoutUpdates(
            from: before, to: layout.current, with: context, in: PixelRect(x: 0, y: 0, width: 100, height: 1_000))
        #expect(above.insertions + above.deletions + above.moves + above.reloads == [])
        let there = LayoutUpdates(
            from: before, to: layout.current, with: context,
            in: PixelRect(x: 0, y: 9_999_900, width: 100, height: 1_000))
        #expect(there.insertions.map(\.new?.index) == [100_000])
        #expect(there.moves.compactMap(\.old?.index) == Array(100_000..<100_009))
    }

    @Test func `the page's example works`() throws {
        let (configuration, photos) = (LayoutConfiguration.masonry(2, width: 200), PackedMetrics.squares(20))
        let (newPhotos, visibleBounds) = (PackedMetrics.squares(1), PixelRect(x: 0, y: 0, width: 200, height: 300))

        var layout = try CollectionLayout(configuration, items: photos)
        let before = layout.current
        let context = InvalidationContext.edits([.insert(newPhotos, at: 0), .delete(7..<9)])
        try layout.invalidate(with: context)
        #expect(layout.contentSize == Size(width: 200, height: 1_000))
        let updates = LayoutUpdates(from: before, to: layout.current, with: context, in: visibleBounds)
        #expect(updates.insertions.first?.initial?.alpha == 0)
        #expect(updates.moves.map(\.old?.index) == [0, 1, 2, 3, 4, 5])
        #expect(updates.deletions.isEmpty)
    }

}

extension CollectionLayout {
    /// Squares of 100 pixels, one under the other.
    static func squares(_ count: Int) throws -> CollectionLayout {
        try CollectionLayout(.masonry(1, width: 100), items: .squares(count))
    }
}

/// The identity of an element, known to the test and not to the layout.
struct ElementID: Hashable {
    let kind: ElementKind
    let name: [Int]
}

/// All elements of a layout by their identities.
struct KeyedLayout {
    let layout: PlacedLayout
    let bounds: PixelRect
    private(set) var elements: [(id: ElementID, attributes: LayoutAttributes)] = []

    init(_ world: EditedWorld, using random: inout SplitMix64) {
        layout = world.layout.current
        let size = layout.directory.contentSize
        bounds = PixelRect(
            x: Int64(random.int(in: -10...Int(size.width) / 2)), y: Int64(random.int(in: -10...Int(size.height))),
            width: Int64(random.int(in: 1...Int(size.width) + 20)),
            height: Int64(random.int(in: 1...random.element(of: [100, 1_000, Int(size.height) + 20]))))
        var counts: [Int: Int] = [:]
        var names: [[Int]] = []
        for section in layout.directory.sections {
            if world.lengths != nil, names.count < world.sectionIDs.count {
                names.append([world.sectionIDs[names.count]])
            } else {
                let mark = Int(section.mark.rawValue)
                names.append([mark, counts[mark, default: 0]])
                counts[mark, default: 0] += 1
            }
        }
        elements = layout.everything(visibleBounds: bounds).map { element in
            switch element.elementKind {
            case .item, .badge, .separator:
                (ElementID(kind: element.elementKind, name: [world.ids[element.index]]), element)
            default: (ElementID(kind: element.elementKind, name: names[element.indexPath.section]), element)
            }
        }
    }

    func isVisible(_ attributes: LayoutAttributes?) -> Bool { attributes?.frame.intersects(bounds) ?? false }
}

/// Updates that a comparison of everything finds.
struct ExpectedUpdates {
    private var insertions: [LayoutAttributes] = []
    private var deletions: [LayoutAttributes] = []
    private var moves: [[LayoutAttributes]] = []
    private var reloads: [[LayoutAttributes]] = []

    init(_ old: KeyedLayout, _ new: KeyedLayout, _ context: InvalidationContext, replaced: Set<Int>) {
        let before = Dictionary(uniqueKeysWithValues: old.elements.map { ($0.id, $0.attributes) })
        let after = Dictionary(uniqueKeysWithValues: new.elements.map { ($0.id, $0.attributes) })
        let isMap = new.layout.directory.engine.key.description.hasPrefix("map-")
        for (id, attributes) in new.elements {
            let counterpart = before[id]
            guard new.isVisible(attributes) || old.isVisible(counterpart) else { continue }
            guard let counterpart else {
                insertions.append(attributes)
                continue
            }
            let isNamed =
                context.elements[id.kind]?.contains(attributes.indexPath) == true
                || context.sections.contains { $0.contains(attributes.indexPath.section) }
                || id.kind == .item
                    && (replaced.contains(id.name[0]) || context.items.contains { $0.contains(attributes.index) })
            var renamed = counterpart
            (renamed.index, renamed.indexPath) = (attributes.index, attributes.indexPath)
            // In a map, it counts photos, so it is not a property of this one alone.
            if isMap { renamed.zIndex = attributes.zIndex }
            if isNamed {
                reloads.append([counterpart, attributes])
            } else if renamed != attributes {
                moves.append([counterpart, attributes])
            }
        }
        for (id, attributes) in old.elements where after[id] == nil && old.isVisible(attributes) {
            deletions.append(attributes)
        }
    }

    /// The difference, in a few words.
    func difference(from found: LayoutUpdates) -> String? {
        func pairs(_ updates: [ElementUpdate]) -> Set<[LayoutAttributes]> {
            Set(updates.map { [$0.old, $0.new].compactMap(\.self) })
        }
        let all = [
            ("insertions", pairs(found.insertions), Set(insertions.map { [$0] }), found.insertions.count),
            ("deletions", pairs(found.deletions), Set(deletions.map { [$0] }), found.deletions.count),
            ("moves", pairs(found.moves), Set(moves), found.moves.count),
            ("reloads", pairs(found.reloads), Set(reloads), found.reloads.count),
        ]
        for (name, found, expected, count) in all where found != expected || count != expected.count {
            let example = found.symmetricDifference(expected).first?.map { "\($0.elementKind.name) \($0.frame)" }
            return "\(name): \(count), not \(expected.count); \(example ?? [])"
        }
        return nil
    }
}
