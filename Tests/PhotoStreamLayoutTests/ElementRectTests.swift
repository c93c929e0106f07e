import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

/// A question for everything in a rectangle against a look at every element.
@Suite struct ElementRectTests {
    @Test(arguments: LayoutFamily.allCases, SampleAxes.all)
    func `a rectangle returns every element that meets it, once and in order`(
        family: LayoutFamily, axes: SampleAxes
    ) throws {
        for seed in UInt64(0)..<12 {
            var random = SplitMix64(seed: seed &* 91 &+ 3)
            let world = try ElementWorld(family, axes, using: &random)
            for _ in 0..<25 {
                let rect = world.rect(using: &random)
                let visible = random.oneIn(3) ? world.rect(using: &random) : nil
                let answer = world.snapshot.attributes(in: rect, visibleBounds: visible)
                let expected = ElementReference(world, visible: visible ?? rect).elements.filter {
                    $0.frame.intersects(rect)
                }
                #expect(difference(answer.attributes, expected) == nil, "seed \(seed), \(rect)")
                #expect(!answer.isTruncated)
            }
        }
    }

    @Test(arguments: LayoutFamily.allCases, SampleAxes.all)
    func `consecutive answers contain each element once, within the limit and in order`(
        family: LayoutFamily, axes: SampleAxes
    ) throws {
        for seed in UInt64(0)..<12 {
            var random = SplitMix64(seed: seed &* 37 &+ 11)
            let world = try ElementWorld(family, axes, using: &random)
            for _ in 0..<6 {
                let rect = world.rect(using: &random)
                let limit = random.element(of: [1, 2, 3, 10, 50])
                let whole = world.snapshot.attributes(in: rect).attributes
                let order = Dictionary(uniqueKeysWithValues: whole.enumerated().map { ($1, $0) })
                var seen: Set<LayoutAttributes> = []
                var next: IndexPath? = IndexPath(section: 0, item: 0)
                var turns = 0
                while let first = next {
                    let page = world.snapshot.attributes(in: rect, from: first, limit: limit)
                    let places = page.attributes.compactMap { order[$0] }
                    #expect(places.count == page.attributes.count)
                    #expect(zip(places, places.dropFirst()).allSatisfy { $0 < $1 })
                    #expect(seen.isDisjoint(with: page.attributes))
                    let itemCount = page.attributes.count { $0.elementKind == .item }
                    #expect(itemCount <= limit)
                    #expect(page.attributes.count - itemCount <= 4 * limit)
                    if page.next == nil { #expect(seen.count + page.attributes.count == whole.count) }
                    seen.formUnion(page.attributes)
                    next = page.next
                    turns += 1
                    try #require(turns <= whole.count + 1, "no end after \(turns) answers")
                }
            }
        }
    }

    @Test(arguments: LayoutFamily.allCases, SampleAxes.all)
    func `an answer that is cut equals the answer with that limit`(family: LayoutFamily, axes: SampleAxes) throws {
        var comparedCount = 0
        for seed in UInt64(0)..<12 {
            var random = SplitMix64(seed: seed &* 53 &+ 7)
            let world = try ElementWorld(family, axes, using: &random)
            for _ in 0..<6 {
                let rect = world.rect(using: &random)
                let limit = random.element(of: [2, 3, 10, 50])
                let whole = world.snapshot.attributes(in: rect, limit: limit)
                let items = whole.attributes.filter { $0.elementKind == .item }.map(\.indexPath)
                if items.isEmpty { continue }
                #expect(whole.cut(toItems: items.count) == whole)
                for count in 1..<items.count {
                    let expected = world.snapshot.attributes(in: rect, limit: count)
                    // Elements without items may have ended it earlier.
                    let (last, left) = (items[count - 1], items[count])
                    let next = last.section == left.section ? left : IndexPath(section: left.section, item: 0)
                    guard expected.next == next else { continue }
                    #expect(whole.cut(toItems: count) == expected, "seed \(seed), \(rect), \(count) of \(limit)")
                    comparedCount += 1
                }
            }
        }
        #expect(comparedCount > 20)
    }

    @Test func `an answer ends before the limit only if there are many elements without items`() throws {
        let configuration = LayoutConfiguration(
            containerLength: 100, sections: SectionParameters(headerReferenceSize: 10),
            algorithm: .grid(GridParameters(columns: .count(1))))
        let items = Array(repeating: ItemMetrics(pixelSize: try PixelSize(width: 1, height: 1)), count: 3)
        let lengths = [1] + Array(repeating: 0, count: 50) + [2]
        let world = try ElementWorld(configuration, items, sectionLengths: lengths)
        let rect = PixelRect(x: 0, y: 0, width: 100, height: 10_000)
        let page = world.snapshot.attributes(in: rect, limit: 3)
        #expect(page.attributes.count { $0.elementKind == .item } == 1)
        #expect(page.attributes.count == 13)
        #expect(page.next == IndexPath(section: 12, item: 0))
        #expect(world.snapshot.attributes(in: rect).attributes.count == 3 + lengths.count)
    }

    @Test func `an empty, outside or unlimited rectangle returns nothing, an invalid one throws`() throws {
        var random = SplitMix64(seed: 5)
        let world = try ElementWorld(.justified, SampleAxes(), using: &random)
        let snapshot = world.snapshot
        let size = snapshot.directory.contentSize
        for rect in [
            PixelRect(x: 0, y: 0, width: 0, height: 100), PixelRect(x: 5, y: 5, width: 100, height: 0),
            PixelRect(x: 0, y: size.height, width: size.width, height: 10),
            PixelRect(x: size.width, y: 0, width: 10, height: size.height),
            PixelRect(x: -10, y: 0, width: 10, height: size.height),
        ] {
            let answer = snapshot.attributes(in: rect)
            #expect(answer.attributes.isEmpty && !answer.isTruncated)
        }
        let everything = PixelRect(x: 0, y: 0, width: size.width, height: size.height)
        let behind = snapshot.attributes(in: everything, from: IndexPath(section: 99_999, item: 0))
        #expect(behind.attributes.isEmpty && !behind.isTruncated)
        #expect(snapshot.attributes(in: everything, limit: 0).attributes.isEmpty)
        #expect(snapshot.attributes(in: everything, limit: 0).isTruncated)
        let inPoints = try snapshot.attributes(in: Rect(x: -1e300, y: -1e300, width: 2e300, height: 2e300))
        #expect(inPoints == snapshot.attributes(in: everything))
        for value in [Double.nan, .infinity, -.infinity] {
            #expect(throws: LayoutError.self) { try snapshot.attributes(in: Rect(x: value, y: 0, width: 1, height: 1)) }
            #expect(throws: LayoutError.self) {
                try snapshot.attributes(
                    in: Rect(x: 0, y: 0, width: 1, height: 1), visibleBounds: Rect(x: 0, y: 0, width: value, height: 1))
            }
        }
        #expect(throws: LayoutError.self) { try snapshot.attributes(in: Rect(x: 0, y: 0, width: -1, height: 1)) }
    }

    @Test(arguments: LayoutFamily.runs)
    func `a rectangle over many chunks equals the sections one by one, and requests each chunk once`(
        family: LayoutFamily
    ) throws {
        var random = SplitMix64(seed: 4_711)
        var world = try ElementWorld(family, SampleAxes(), using: &random)
        var configuration = world.configuration
        configuration.sections.separatorThickness = 3
        configuration.lineSpacing = 5
        configuration.badgeSize = Size(width: 9, height: 9)
        let items = SampleMetrics.dated(SampleMetrics.realistic(9_000, using: &random), using: &random)
        var lengths = Array(repeating: 1, count: 1_000) + [2_500, 0, 0, 1_000]
        lengths.append(9_000 - lengths.reduce(0, +))
        world = try ElementWorld(configuration, items, sectionLengths: lengths)
        let elements = ElementReference(world).elements
        let size = world.snapshot.directory.contentSize
        for part in Int64(0)..<40 {
            let rect = PixelRect(x: 0, y: size.height * part / 40, width: size.width, height: 700)
            let source = CountingSource(world.snapshot)
            let answer = source.attributes(in: rect, visibleBounds: PixelRect(x: 0, y: 0, width: 0, height: 0))
            #expect(difference(answer.attributes, elements.filter { $0.frame.intersects(rect) }) == nil)
            #expect(source.log.positions.count == Set(source.log.positions).count)
        }
        let whole = CountingSource(world.snapshot)
        let everything = PixelRect(x: 0, y: 0, width: size.width, height: size.height)
        #expect(
            difference(whole.attributes(in: everything).attributes, elements.filter { $0.frame.intersects(everything) })
                == nil)
        #expect(whole.log.positions == whole.log.positions.sorted())
    }

    @Test(arguments: [LayoutFamily.shortestColumn, .roundRobin, .uniformFlow, .flowOfHeight, .justified, .grid])
    func `of a hundred thousand sections with one item, only those in the rectangle are read`(
        family: LayoutFamily
    ) throws {
        var random = SplitMix64(seed: 99)
        var configuration = LayoutConfiguration(
            containerLength: 400, lineSpacing: 4,
            sections: SectionParameters(
                headerReferenceSize: 20, footerReferenceSize: 10, headersPinToVisibleBounds: true,
                footersPinToVisibleBounds: true, hasBackground: true, separatorThickness: 2),
            badgeSize: Size(width: 10, height: 10))
        configuration.algorithm = family.algorithm(columnCount: 3, using: &random)
        let count = 100_000
        let items = SampleMetrics.realistic(count, using: &random)
        let snapshot = LayoutSnapshot(
            try LayoutKey(configuration), metrics: PackedMetrics(items),
            sectionLengths: Array(repeating: 1, count: count))
        let extent = snapshot.directory.contentSize.height
        for _ in 0..<50 {
            let rect = PixelRect(x: 0, y: Int64(random.int(in: 0...Int(extent))), width: 400, height: 600)
            let source = CountingSource(snapshot)
            let answer = source.attributes(in: rect)
            #expect(source.log.positions.count <= 2)
            let sections = Set(answer.attributes.map(\.indexPath.section))
            #expect(sections.count == (sections.max() ?? -1) - (sections.min() ?? 0) + 1)
            #expect(answer.attributes.allSatisfy { $0.frame.intersects(rect) })
        }
        let whole = CountingSource(snapshot)
        let all = whole.attributes(in: PixelRect(x: 0, y: 0, width: 400, height: extent)).attributes
        #expect(all.count { $0.elementKind == .sectionHeader } == count)
        #expect(all.count { $0.elementKind == .sectionBackground } == count)
        #expect(whole.log.positions.count <= snapshot.directory.chunks.count)
    }
}

/// A source that records the chunks that are requested.
struct CountingSource: LayoutSource {
    final class Log {
        var positions: [Int] = []
    }

    let snapshot: LayoutSnapshot
    let log = Log()

    init(_ snapshot: LayoutSnapshot) {
        self.snapshot = snapshot
    }

    var directory: LayoutDirectory { snapshot.directory }

    func placedChunk(at position: Int) -> PlacedChunk {
        log.positions.append(position)
        return snapshot.placedChunk(at: position)
    }
}
