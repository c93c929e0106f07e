import PhotoStreamCollection
import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamLayoutTests

/// A custom layout has rectangles, sections, directions and updates as the built-in ones have.
@Suite struct CustomLayoutTests {
    @Test(arguments: SampleAxes.all, [1.0, 2])
    func `items have the frames that the rule returns, in every section and chunk`(
        axes: SampleAxes, scale: Double
    ) throws {
        for seed in UInt64(0)..<8 {
            var random = SplitMix64(seed: seed)
            let configuration = configuration(axes, AnyPlacementRule(Helix()), scale: scale, using: &random)
            let lengths = [random.int(in: 0...70), 0, 2_049, random.int(in: 0...3_000), 0]
            let items = SampleMetrics.mixed(lengths.reduce(0, +), using: &random)
            let key = try LayoutKey(configuration)
            let snapshot = LayoutSnapshot(key, metrics: PackedMetrics(items), sectionLengths: lengths)
            var expected: [PixelRect] = []
            var (origin, first) = (insets(key, key.contentInset).0, 0)
            let across = insets(key, key.contentInset).2 + insets(key, key.sections.inset).2
            for length in lengths {
                let start = origin + key.sections.headerExtent + insets(key, key.sections.inset).0
                var end = start
                for position in 0..<length {
                    let frame = helixFrame(items[first + position], position, key, start, across)
                    end = max(end, frame.alongEnd)
                    expected.append(screen(frame, key, snapshot.directory.contentSize))
                }
                origin = end + insets(key, key.sections.inset).1 + key.sections.footerExtent
                first += length
            }
            #expect(snapshot.shownFrames == expected, "seed \(seed)")
            let size = snapshot.directory.contentSize
            let extent = origin + insets(key, key.contentInset).1
            #expect((axes.scroll == .horizontal ? size.width : size.height) == extent)
        }
    }

    @Test(arguments: SampleAxes.all, [true, false])
    func `rectangles, elements and points agree with a scan of all frames`(
        axes: SampleAxes, isHelix: Bool
    ) throws {
        for seed in UInt64(0)..<10 {
            var random = SplitMix64(seed: seed &* 5 &+ 1)
            let layout = isHelix ? AnyPlacementRule(Helix()) : AnyPlacementRule(CoverFlow(itemExtent: 61))
            var configuration = configuration(axes, layout, scale: 1, using: &random)
            configuration.badgeSize = Size(width: 5, height: 9)
            let items = SampleMetrics.dated(SampleMetrics.mixed(300, using: &random), using: &random)
            let world = try ElementWorld(configuration, items)
            for _ in 0..<20 {
                let rect = world.rect(using: &random)
                let all = ElementReference(world, visible: rect).elements
                let answer = world.snapshot.attributes(in: rect)
                let expected = all.filter { $0.frame.intersects(rect) }
                #expect(difference(answer.attributes, expected) == nil, "seed \(seed), \(rect)")
                let point = PixelPoint(x: rect.x, y: rect.y)
                let pixel = PixelRect(x: rect.x, y: rect.y, width: 1, height: 1)
                let onTop = world.items.last { $0.frame.intersects(pixel) }
                #expect(world.snapshot.indexPath(at: point) == onTop?.indexPath)
            }
        }
    }

    @Test func `answers with a limit continue where they ended`() throws {
        var random = SplitMix64(seed: 3)
        var configuration = configuration(
            SampleAxes(), AnyPlacementRule(CoverFlow(itemExtent: 40)), scale: 1, using: &random)
        configuration.badgeSize = Size(width: 5, height: 9)
        let items = SampleMetrics.dated(SampleMetrics.mixed(200, using: &random), using: &random)
        let snapshot = LayoutSnapshot(try LayoutKey(configuration), items: items)
        let everything = PixelRect(x: 0, y: 0, width: 100_000, height: 1_000_000)
        let whole = snapshot.attributes(in: everything).attributes
        var found: [LayoutAttributes] = []
        var next: IndexPath? = IndexPath(section: 0, item: 0)
        while let first = next, found.count <= whole.count {
            let answer = snapshot.attributes(in: everything, from: first, limit: 1)
            #expect(answer.attributes.count { $0.elementKind == .item } <= 1)
            found += answer.attributes
            next = answer.next
        }
        #expect(found.count == whole.count && Set(found) == Set(whole))
    }

    @Test(arguments: [true, false])
    func `a layout placed in parts equals the whole`(isHelix: Bool) throws {
        var random = SplitMix64(seed: 9)
        let layout = isHelix ? AnyPlacementRule(Helix()) : AnyPlacementRule(CoverFlow(itemExtent: 90))
        let key = try LayoutKey(configuration(SampleAxes(), layout, scale: 2, using: &random))
        let items = SampleMetrics.dated(SampleMetrics.mixed(700, using: &random), using: &random)
        let whole = LayoutSnapshot(key, items: items)
        let cut = try CutLayout(key, items, lengths: [1, 13, 0, 200], encodes: false)
        #expect(cut.shownFrames == whole.shownFrames)
        // No database or cursor holds a state of it.
        let engine = LayoutEngine(key)
        #expect(throws: LayoutError.invalidState) { try engine.state(decoding: engine.initialState.encoded) }
    }

    @Test func `an edit is repaired until a state equals the stored one`() throws {
        var random = SplitMix64(seed: 4)
        let key = try LayoutKey(configuration(SampleAxes(), AnyPlacementRule(Helix()), scale: 1, using: &random))
        let engine = LayoutEngine(key)
        let items = SampleMetrics.mixed(4_000, using: &random)
        let place = { (items: ArraySlice<ItemMetrics>) in engine.place(PackedMetrics(items), from: engine.initialState)
        }
        let before = place(items[0..<1_000]).exitState
        // Inserting a whole turn of items leaves the helix at the same step; fewer items do not.
        let turn = SampleMetrics.mixed(Helix.stepCount, using: &random)
        #expect(place((turn + items[0..<1_000])[...]).exitState == before)
        #expect(place((turn.dropFirst() + items[0..<1_000])[...]).exitState != before)
    }

    @Test(arguments: [true, false], [true, false])
    func `edits leave the same layout as placing everything again`(
        isHelix: Bool, isSectioned: Bool
    ) throws {
        var random = SplitMix64(seed: 21)
        let layout = isHelix ? AnyPlacementRule(Helix()) : AnyPlacementRule(CoverFlow(itemExtent: 61))
        var configuration = configuration(SampleAxes(), layout, scale: 1, using: &random)
        configuration.sections.sectioning = isSectioned ? .month : .none
        var items = SampleMetrics.dated(SampleMetrics.mixed(9_000, using: &random), using: &random)
        var collection = try CollectionLayout(configuration, items: PackedMetrics(items))
        _ = collection.contentSize
        for step in 0..<12 {
            let index = random.int(in: 0...items.count)
            // A whole turn of photos leaves the helix at the same step.
            let count = step % 2 == 0 ? Helix.stepCount : random.int(in: 1...5)
            let new = SampleMetrics.mixed(count, using: &random).map {
                ItemMetrics(
                    pixelSize: $0.pixelSize, hasCaption: $0.hasCaption,
                    orderDay: items[min(index, items.count - 1)].orderDay)
            }
            let before = collection.work
            try collection.invalidate(with: .edits([.insert(PackedMetrics(new), at: index)]))
            items.insert(contentsOf: new, at: index)
            let scratch = LayoutSnapshot(try LayoutKey(configuration), items: items)
            #expect(collection.contentSize == scratch.contentSize, "step \(step)")
            #expect(collection.shownFrames == scratch.shownFrames, "step \(step)")
            if !isHelix || step % 2 == 0 { #expect(collection.work.chunksFolded - before.chunksFolded <= 3) }
        }
    }

    @Test func `items may extend beyond their section and are found there`() throws {
        /// Sections that end at the start of their items.
        struct Flat: PlacementRule {
            let name = "flat"
            func initialRest(in space: LayoutSpace) -> [UInt8] { [] }
            func place(_ items: PackedMetrics, from rest: [UInt8], in space: LayoutSpace) -> RulePlacement {
                let frame = AxisFrame(along: 0, across: 0, alongExtent: 100, acrossExtent: space.length)
                return RulePlacement(frames: Array(repeating: frame, count: items.count), shift: 0, rest: [])
            }
            func end(behind rest: [UInt8], in space: LayoutSpace) -> Int64 { 0 }
        }
        let configuration = LayoutConfiguration(
            containerLength: 50, sections: SectionParameters(headerReferenceSize: 20, hasBackground: true),
            algorithm: .placed(AnyPlacementRule(Flat())))
        let items = Array(repeating: ItemMetrics(pixelSize: try PixelSize(width: 1, height: 1)), count: 3)
        let snapshot = LayoutSnapshot(
            try LayoutKey(configuration), metrics: PackedMetrics(items), sectionLengths: [1, 1, 1])
        // Headers at 0, 20, 40; the items at 20, 40, 60, each 100 high.
        let found = snapshot.attributes(in: PixelRect(x: 0, y: 45, width: 10, height: 5)).attributes
        #expect(found.filter { $0.elementKind == .item }.map(\.index) == [0, 1])
        #expect(found.filter { $0.elementKind == .sectionHeader }.map(\.indexPath.section) == [2])
        let below = snapshot.attributes(in: PixelRect(x: 0, y: 130, width: 10, height: 5)).attributes
        #expect(below.map(\.index) == [1, 2] && below.allSatisfy { $0.elementKind == .item })
    }

    @Test(arguments: ["", "Helix", "a,b", "a=b", String(repeating: "x", count: 201)])
    func `a name that is invalid in a key is refused`(name: String) {
        struct Named: PlacementRule {
            let name: String
            func initialRest(in space: LayoutSpace) -> [UInt8] { [] }
            func place(_ items: PackedMetrics, from rest: [UInt8], in space: LayoutSpace) -> RulePlacement {
                RulePlacement(frames: [], shift: 0, rest: [])
            }
            func end(behind rest: [UInt8], in space: LayoutSpace) -> Int64 { 0 }
        }
        let configuration = LayoutConfiguration(
            containerLength: 100, algorithm: .placed(AnyPlacementRule(Named(name: name))))
        #expect(throws: LayoutError.invalidLayoutName(name)) { try LayoutKey(configuration) }
        #expect(LayoutError.invalidLayoutName(name).description.contains("\"\(name)\""))
    }

    @Test func `a key contains the layout's name, but cannot be parsed`() throws {
        let configuration = LayoutConfiguration(
            containerLength: 100, algorithm: .placed(AnyPlacementRule(CoverFlow(itemExtent: 9))))
        let key = try LayoutKey(configuration)
        #expect(key.description.hasPrefix("custom-\(LayoutKey.engineVersion),length=100,"))
        #expect(key.description.hasSuffix(",name=cover-flow:9"))
        #expect(throws: LayoutError.invalidKey(key.description)) { try LayoutKey(parsing: key.description) }
        var other = configuration
        other.algorithm = .placed(AnyPlacementRule(CoverFlow(itemExtent: 10)))
        #expect(try LayoutKey(other) != key)
    }

    private func configuration(
        _ axes: SampleAxes, _ layout: AnyPlacementRule, scale: Double, using random: inout SplitMix64
    ) -> LayoutConfiguration {
        var configuration = LayoutConfiguration.sample(.roundRobin, axes, scale: scale, using: &random)
        configuration.containerLength += 200
        configuration.sections.separatorThickness = 0
        configuration.algorithm = .placed(layout)
        return configuration
    }

    /// Before, after and leading, by the axes of a key.
    private func insets(_ key: LayoutKey, _ insets: LayoutKey.PixelInsets) -> (Int64, Int64, Int64) {
        key.scrollDirection == .horizontal
            ? (insets.left, insets.right, insets.top) : (insets.top, insets.bottom, insets.left)
    }

    private func helixFrame(
        _ item: ItemMetrics, _ position: Int, _ key: LayoutKey, _ start: Int64, _ across: Int64
    ) -> AxisFrame {
        let side = max(1, key.availableLength / 3)
        let other = max(1, min(4 * side, side * Int64(item.pixelSize.height) / Int64(item.pixelSize.width)))
        let step = Int64(position % 24)
        return AxisFrame(
            along: start + Int64(position) * (7 + key.lineSpacing),
            across: across + (key.availableLength - side) * min(step, 24 - step) / 12, alongExtent: other,
            acrossExtent: side)
    }

    private func screen(_ frame: AxisFrame, _ key: LayoutKey, _ content: PixelExtent) -> PixelRect {
        var rect =
            key.scrollDirection == .horizontal
            ? PixelRect(x: frame.along, y: frame.across, width: frame.alongExtent, height: frame.acrossExtent)
            : PixelRect(x: frame.across, y: frame.along, width: frame.acrossExtent, height: frame.alongExtent)
        if key.layoutDirection == .rightToLeft { rect.x = content.width - rect.maxX }
        return rect
    }
}
