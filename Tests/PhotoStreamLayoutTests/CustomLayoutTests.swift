import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

/// A custom layout gets everything that the built-in ones get.
@Suite struct CustomLayoutTests {
    @Test(arguments: SampleAxes.all, [1.0, 2])
    func `items stand where the layout puts them, section by section, from chunk to chunk`(
        axes: SampleAxes, scale: Double
    ) throws {
        for seed in UInt64(0)..<8 {
            var random = SplitMix64(seed: seed)
            let configuration = configuration(axes, AnyCustomLayout(Helix()), scale: scale, using: &random)
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
    func `rectangles, elements and points are answered as a look at everything says`(
        axes: SampleAxes, isHelix: Bool
    ) throws {
        for seed in UInt64(0)..<10 {
            var random = SplitMix64(seed: seed &* 5 &+ 1)
            let layout = isHelix ? AnyCustomLayout(Helix()) : AnyCustomLayout(CoverFlow(itemExtent: 61))
            var configuration = configuration(axes, layout, scale: 1, using: &random)
            configuration.badgeSize = Size(width: 5, height: 9)
            let items = SampleMetrics.dated(SampleMetrics.mixed(300, using: &random), using: &random)
            let world = try ElementWorld(configuration, items)
            for _ in 0..<20 {
                let rect = world.rect(using: &random)
                let all = withSupplementaryElements(ElementReference(world, visible: rect).elements, layout)
                let answer = world.snapshot.attributes(in: rect)
                let expected = all.filter { $0.frame.intersects(rect) }
                #expect(difference(answer.attributes, expected) == nil, "seed \(seed), \(rect)")
                let point = PixelPoint(x: rect.x, y: rect.y)
                let pixel = PixelRect(x: rect.x, y: rect.y, width: 1, height: 1)
                let onTop = world.items.last { $0.frame.intersects(pixel) }
                #expect(world.snapshot.indexPath(at: point) == onTop?.indexPath)
            }
            for element in withSupplementaryElements(ElementReference(world).elements, layout) {
                guard case .supplementary = element.elementKind else { continue }
                #expect(
                    world.snapshot.attributes(forSupplementary: element.elementKind, at: element.indexPath) == element)
            }
            let nothing = ElementKind.supplementary("never heard of")
            #expect(
                world.snapshot.attributes(forSupplementary: nothing, at: IndexPath(section: 0, item: 0)) == nil)
        }
    }

    @Test func `answers within a limit go on, also where items carry many elements`() throws {
        var random = SplitMix64(seed: 3)
        var configuration = configuration(
            SampleAxes(), AnyCustomLayout(CoverFlow(itemExtent: 40)), scale: 1, using: &random)
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
    func `a layout that was cut anywhere and a chain of pages are the whole`(isHelix: Bool) throws {
        var random = SplitMix64(seed: 9)
        let layout = isHelix ? AnyCustomLayout(Helix()) : AnyCustomLayout(CoverFlow(itemExtent: 90))
        let key = try LayoutKey(configuration(SampleAxes(), layout, scale: 2, using: &random))
        let items = SampleMetrics.dated(SampleMetrics.mixed(700, using: &random), using: &random)
        let whole = LayoutSnapshot(key, items: items)
        #expect(try CutLayout(key, items, lengths: [1, 13, 0, 200]).shownFrames == whole.shownFrames)
        let (engine, metrics) = (LayoutEngine(key), PackedMetrics(items))
        var cursor = engine.firstCursor(contentExtent: whole.directory.contentSize.height)
        var found: [LayoutAttributes] = []
        while found.count < items.count {
            cursor = try engine.cursor(decoding: cursor.encoded)
            let rest = metrics[found.count..<items.count]
            let page = try #require(engine.page(after: cursor, rest, isEnd: true, limit: 37))
            found += page.items
            cursor = page.next
        }
        #expect(found == items.indices.compactMap { whole.attributes(forItemAt: $0) })
    }

    @Test func `an edit is repaired as soon as the state is what it was`() throws {
        var random = SplitMix64(seed: 4)
        let key = try LayoutKey(configuration(SampleAxes(), AnyCustomLayout(Helix()), scale: 1, using: &random))
        let engine = LayoutEngine(key)
        let items = SampleMetrics.mixed(4_000, using: &random)
        let place = { (items: ArraySlice<ItemMetrics>) in engine.place(PackedMetrics(items), from: engine.initialState)
        }
        let before = place(items[0..<1_000]).exitState
        // As many more items as a turn has steps leave the helix where it was; fewer do not.
        let turn = SampleMetrics.mixed(Helix.stepCount, using: &random)
        #expect(place((turn + items[0..<1_000])[...]).exitState == before)
        #expect(place((turn.dropFirst() + items[0..<1_000])[...]).exitState != before)
    }

    @Test(arguments: [true, false], [true, false])
    func `edits are repaired as in any layout, and leave what a layout from scratch gives`(
        isHelix: Bool, isSectioned: Bool
    ) throws {
        var random = SplitMix64(seed: 21)
        let layout = isHelix ? AnyCustomLayout(Helix()) : AnyCustomLayout(CoverFlow(itemExtent: 61))
        var configuration = configuration(SampleAxes(), layout, scale: 1, using: &random)
        configuration.sections.sectioning = isSectioned ? .month : .none
        var items = SampleMetrics.dated(SampleMetrics.mixed(9_000, using: &random), using: &random)
        var collection = try CollectionLayout(configuration, items: PackedMetrics(items))
        _ = collection.contentSize
        for step in 0..<12 {
            let index = random.int(in: 0...items.count)
            // A turn's worth of photos leaves the helix where it was.
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

    @Test func `items may reach out of their section, and are found there`() throws {
        /// Sections that end where their items begin.
        struct Flat: CustomLayout {
            let name = "flat"
            func initialRest(in space: LayoutSpace) -> [UInt8] { [] }
            func place(_ items: PackedMetrics, from rest: [UInt8], in space: LayoutSpace) -> CustomPlacement {
                let frame = AxisFrame(along: 0, across: 0, alongExtent: 100, acrossExtent: space.length)
                return CustomPlacement(frames: Array(repeating: frame, count: items.count), shift: 0, rest: [])
            }
            func end(behind rest: [UInt8], in space: LayoutSpace) -> Int64 { 0 }
            func isRest(_ rest: [UInt8], in space: LayoutSpace) -> Bool { rest.isEmpty }
        }
        let configuration = LayoutConfiguration(
            containerLength: 50, sections: SectionParameters(headerReferenceSize: 20, hasBackground: true),
            algorithm: .custom(AnyCustomLayout(Flat())))
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
    func `a name that cannot stand in a key is refused`(name: String) {
        struct Named: CustomLayout {
            let name: String
            func initialRest(in space: LayoutSpace) -> [UInt8] { [] }
            func place(_ items: PackedMetrics, from rest: [UInt8], in space: LayoutSpace) -> CustomPlacement {
                CustomPlacement(frames: [], shift: 0, rest: [])
            }
            func end(behind rest: [UInt8], in space: LayoutSpace) -> Int64 { 0 }
            func isRest(_ rest: [UInt8], in space: LayoutSpace) -> Bool { rest.isEmpty }
        }
        let configuration = LayoutConfiguration(
            containerLength: 100, algorithm: .custom(AnyCustomLayout(Named(name: name))))
        #expect(throws: LayoutError.invalidLayoutName(name)) { try LayoutKey(configuration) }
        #expect(LayoutError.invalidLayoutName(name).description.contains("\"\(name)\""))
    }

    @Test func `a key names the layout, and its text alone makes none`() throws {
        let configuration = LayoutConfiguration(
            containerLength: 100, algorithm: .custom(AnyCustomLayout(CoverFlow(itemExtent: 9))))
        let key = try LayoutKey(configuration)
        #expect(key.description.hasPrefix("custom-\(LayoutKey.engineVersion),length=100,"))
        #expect(key.description.hasSuffix(",name=cover-flow:9"))
        #expect(throws: LayoutError.invalidKey(key.description)) { try LayoutKey(parsing: key.description) }
        var other = configuration
        other.algorithm = .custom(AnyCustomLayout(CoverFlow(itemExtent: 10)))
        #expect(try LayoutKey(other) != key)
    }

    @Test(arguments: [[], [24, 0, 0, 0], [0, 0, 0], Array(repeating: 0, count: 1_025)] as [[UInt8]])
    func `bytes that are not a state of the layout are refused`(rest: [UInt8]) throws {
        var random = SplitMix64(seed: 1)
        let key = try LayoutKey(configuration(SampleAxes(), AnyCustomLayout(Helix()), scale: 1, using: &random))
        let engine = LayoutEngine(key)
        let valid = engine.initialState.encoded
        #expect(try engine.state(decoding: valid) == engine.initialState)
        #expect(throws: LayoutError.invalidState) { try engine.state(decoding: valid.dropLast(4) + rest) }
    }

    @Test func `frames survive being written, wherever they stand`() throws {
        var random = SplitMix64(seed: 1)
        let key = try LayoutKey(configuration(SampleAxes(), AnyCustomLayout(Helix()), scale: 1, using: &random))
        let engine = LayoutEngine(key)
        let frames = engine.place(PackedMetrics(SampleMetrics.mixed(100, using: &random)), from: engine.initialState)
            .frames
        #expect(engine.frames(decoding: frames.encoded, count: 100) == frames)
        #expect(engine.frames(decoding: frames.encoded, count: 99) == nil)
        #expect(engine.frames(decoding: frames.encoded.dropLast(), count: 100) == nil)
    }

    private func configuration(
        _ axes: SampleAxes, _ layout: AnyCustomLayout, scale: Double, using random: inout SplitMix64
    ) -> LayoutConfiguration {
        var configuration = LayoutConfiguration.sample(.roundRobin, axes, scale: scale, using: &random)
        configuration.containerLength += 200
        configuration.sections.separatorThickness = 0
        configuration.algorithm = .custom(layout)
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

    /// Elements with those that the layout puts on items, after each item and its badge.
    private func withSupplementaryElements(
        _ elements: [LayoutAttributes], _ layout: AnyCustomLayout
    ) -> [LayoutAttributes] {
        var result: [LayoutAttributes] = []
        var pending: [LayoutAttributes] = []
        for element in elements {
            if element.elementKind != .badge {
                result += pending
                pending = []
            }
            result.append(element)
            guard element.elementKind == .item else { continue }
            pending = layout.base.supplementaryElements(forItemAt: element.indexPath, in: element.frame).map {
                LayoutAttributes(
                    elementKind: .supplementary($0.kind), index: element.index, indexPath: element.indexPath,
                    frame: $0.frame, zIndex: $0.zIndex)
            }
        }
        return result + pending
    }
}
