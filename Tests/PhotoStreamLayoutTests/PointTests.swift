import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

/// Points: the item at a point, and the position of an item that is dropped there.
@Suite struct PointTests {
    /// A point in, next to or far from the content; half of them on the edge of an item.
    private static func point(_ world: ElementWorld, using random: inout SplitMix64) -> PixelPoint {
        let size = world.snapshot.directory.contentSize
        if random.oneIn(2), world.snapshot.itemCount > 0 {
            let frame = world.items[random.int(in: 0...world.snapshot.itemCount - 1)].frame
            return PixelPoint(
                x: random.element(of: [frame.x - 1, frame.x, frame.x + frame.width / 2, frame.maxX - 1, frame.maxX]),
                y: random.element(of: [frame.y - 1, frame.y, frame.y + frame.height / 2, frame.maxY - 1, frame.maxY]))
        }
        if random.oneIn(20) { return PixelPoint(x: .max, y: .min) }
        return PixelPoint(
            x: Int64(random.int(in: -50...Int(size.width) + 50)), y: Int64(random.int(in: -50...Int(size.height) + 50)))
    }

    @Test(arguments: LayoutFamily.allCases, SampleAxes.all)
    func `the item at a point is the last whose frame contains it`(family: LayoutFamily, axes: SampleAxes) throws {
        for seed in UInt64(0)..<10 {
            var random = SplitMix64(seed: seed &* 17 &+ 5)
            let world = try ElementWorld(family, axes, using: &random)
            for _ in 0..<60 {
                let point = Self.point(world, using: &random)
                let pixel = PixelRect(x: point.x, y: point.y, width: 1, height: 1)
                let isFar = point.x == .max
                let expected = isFar ? nil : world.frames.lastIndex { $0.intersects(pixel) }
                #expect(
                    world.snapshot.indexPath(at: point) == expected.map { world.items[$0].indexPath },
                    "seed \(seed), \(point)")
            }
        }
    }

    /// The item nearest to the nearest pixel of the content, among all shown items: by distance, then by order.
    private static func nearest(_ point: PixelPoint, _ items: [LayoutAttributes], in size: PixelExtent) -> IndexPath? {
        let x = min(max(point.x, 0), max(0, size.width - 1))
        let y = min(max(point.y, 0), max(0, size.height - 1))
        let shown = items.filter { $0.frame.width > 0 && $0.frame.height > 0 }
        let pixel = PixelRect(x: x, y: y, width: 1, height: 1)
        // Of several on top of each other, the point is in the topmost.
        let holding = shown.filter { $0.frame.intersects(pixel) }
        if let top = holding.map(\.zIndex).max() { return holding.last { $0.zIndex == top }?.indexPath }
        func square(_ frame: PixelRect) -> UInt128 {
            let across = frame.x > x ? frame.x - x : x >= frame.x + frame.width ? x - frame.x - frame.width + 1 : 0
            let down = frame.y > y ? frame.y - y : y >= frame.y + frame.height ? y - frame.y - frame.height + 1 : 0
            return UInt128(across) * UInt128(across) + UInt128(down) * UInt128(down)
        }
        return shown.min { (square($0.frame), $0.index) < (square($1.frame), $1.index) }?.indexPath
    }

    @Test(arguments: LayoutFamily.allCases, SampleAxes.all)
    func `the nearest item agrees with a scan of all frames`(family: LayoutFamily, axes: SampleAxes) throws {
        for seed in UInt64(0)..<6 {
            var random = SplitMix64(seed: seed &* 29 &+ 3)
            let world = try ElementWorld(family, axes, using: &random)
            let size = world.snapshot.directory.contentSize
            for _ in 0..<40 {
                let point = Self.point(world, using: &random)
                #expect(
                    world.snapshot.indexPath(nearestTo: point) == Self.nearest(point, world.itemsInOrder, in: size),
                    "seed \(seed), \(point)")
            }
        }
    }

    @Test(arguments: LayoutFamily.allCases, SampleAxes.all)
    func `the nearest item is found over huge insets and between many chunks`(
        family: LayoutFamily, axes: SampleAxes
    ) throws {
        var random = SplitMix64(seed: 77)
        for hasInsets in [false, true] {
            var configuration = LayoutConfiguration.sample(family, axes, using: &random)
            if hasInsets {
                configuration.containerLength = 60_000
                configuration.sections.inset = EdgeInsets(top: 9_000, left: 9_000, bottom: 9_000, right: 9_000)
                configuration.contentInset = EdgeInsets(top: 9_000, left: 9_000, bottom: 9_000, right: 9_000)
            }
            let items = SampleMetrics.dated(SampleMetrics.mixed(2_500, using: &random), using: &random)
            let world = try ElementWorld(configuration, items)
            let size = world.snapshot.directory.contentSize
            for _ in 0..<12 {
                let point = PixelPoint(
                    x: Int64(random.int(in: 0...Int(size.width))), y: Int64(random.int(in: 0...Int(size.height))))
                #expect(
                    world.snapshot.indexPath(nearestTo: point) == Self.nearest(point, world.itemsInOrder, in: size),
                    "\(hasInsets), \(point)")
            }
        }
    }

    @Test(arguments: [PixelPoint(x: 900, y: -5_000_000), PixelPoint(x: .max, y: 90_000), PixelPoint(x: .min, y: .max)])
    func `the nearest item is found by reading few chunks`(point: PixelPoint) throws {
        var random = SplitMix64(seed: 5)
        let items = SampleMetrics.mixed(20_000, using: &random)
        for family in LayoutFamily.runs {
            var configuration = LayoutConfiguration(containerLength: 1_000)
            configuration.algorithm = family.algorithm(columnCount: 4, using: &random)
            let snapshot = LayoutSnapshot(try LayoutKey(configuration), metrics: PackedMetrics(items))
            let counting = CountingSource(snapshot)
            let path = counting.indexPath(nearestTo: point)
            #expect(path != nil)
            #expect(
                counting.log.positions.count <= 6,
                "\(family): \(counting.log.positions.count) of \(snapshot.directory.chunks.count)")
        }
    }

    @Test(arguments: LayoutFamily.allCases, SampleAxes.all)
    func `the position of a dragged item agrees with the rules for a scan of all frames`(
        family: LayoutFamily, axes: SampleAxes
    ) throws {
        for seed in UInt64(0)..<10 {
            var random = SplitMix64(seed: seed &* 23 &+ 1)
            let world = try ElementWorld(family, axes, using: &random)
            let items = world.itemsInOrder
            let sections = ElementReference(world).sections
            for _ in 0..<60 {
                var point = Self.point(world, using: &random)
                let found = world.snapshot.insertionIndexPath(for: point)
                // A point far outside has the same answer as the nearest pixel next to the content.
                point.x = min(max(point.x, -1 << 40), 1 << 40)
                point.y = min(max(point.y, -1 << 40), 1 << 40)
                let pixel = PixelRect(x: point.x, y: point.y, width: 1, height: 1)
                let place = (world.along(pixel).lowerBound, world.across(pixel).lowerBound)
                let expected = Self.insertion(place, items, items.map(\.frame), sections, world)
                #expect(found == expected, "seed \(seed), \(point)")
            }
        }
    }

    /// The rule of the documentation, word for word: `items` in the layout, `frames` as returned.
    private static func insertion(
        _ place: (Int64, Int64), _ items: [LayoutAttributes], _ frames: [PixelRect], _ sections: [Range<Int64>],
        _ world: ElementWorld
    ) -> IndexPath {
        let (along, across) = place
        guard !sections.isEmpty else { return IndexPath(section: 0, item: 0) }
        let section = sections.lastIndex { $0.lowerBound <= along } ?? 0
        let shown = items.filter { $0.indexPath.section == section && !$0.isHidden }
        guard !shown.isEmpty else { return IndexPath(section: section, item: 0) }
        /// The distance from a pixel to the nearest one of a range.
        func distance(_ pixel: Int64, _ range: Range<Int64>) -> Int64 {
            pixel < range.lowerBound
                ? range.lowerBound - pixel : pixel >= range.upperBound ? pixel - range.upperBound + 1 : 0
        }
        func isPast(_ pixel: Int64, _ range: Range<Int64>) -> Bool {
            Double(pixel) + 0.5 >= Double(range.lowerBound + range.upperBound) / 2
        }
        let isMap = if case .map = world.configuration.algorithm { true } else { false }
        if isMap, section == 0 {
            func distances(_ item: LayoutAttributes) -> Int64 {
                max(
                    distance(along, world.along(frames[item.index])), distance(across, world.across(frames[item.index]))
                )
            }
            let cell = shown.dropFirst().reduce(shown[0]) { distances($1) < distances($0) ? $1 : $0 }
            let isBehind = isPast(along, world.along(frames[cell.index]))
            return IndexPath(section: 0, item: cell.indexPath.item + (isBehind ? 1 : 0))
        }
        if world.hasLines || isMap {
            let nearest = shown.dropFirst().reduce(shown[0]) { nearest, item in
                distance(along, world.along(frames[item.index])) < distance(along, world.along(frames[nearest.index]))
                    ? item : nearest
            }
            let line = world.lines(shown).first { $0.contains(nearest) } ?? []
            let behind = line.first { !isPast(across, world.across(frames[$0.index])) }
            return behind?.indexPath ?? IndexPath(section: section, item: line[line.count - 1].indexPath.item + 1)
        }
        // Columns of other sections show the position of an empty one.
        let columns = Set(world.columns).sorted { $0.lowerBound < $1.lowerBound }
        let column = columns.min { distance(across, $0) < distance(across, $1) }
        let cells = shown.filter { item in column.map { world.across(item.frame).overlaps($0) } ?? false }
        guard
            let cell = cells.min(by: {
                distance(along, world.along(frames[$0.index])) < distance(along, world.along(frames[$1.index]))
            })
        else {
            let isFromEnd =
                if case .masonry(let masonry) = world.configuration.algorithm { masonry.anchor == .end } else { false }
            return IndexPath(section: section, item: isFromEnd ? 0 : world.sectionLengths[section])
        }
        var path = cell.indexPath
        if isPast(along, world.along(frames[cell.index])) { path.item += 1 }
        return path
    }

    @Test func `an example of each layout has the expected items`() throws {
        let items = Array(repeating: ItemMetrics(pixelSize: try PixelSize(width: 1, height: 1)), count: 7)
        var configuration = LayoutConfiguration(
            containerLength: 110, interitemSpacing: 10, lineSpacing: 10,
            sections: SectionParameters(headerReferenceSize: 20),
            algorithm: .grid(GridParameters(columns: .count(3), aspectRatio: 1)))
        // Cells of 30; the first section lies at 0 ..< 90, the second, empty, at 90 ..< 110, the third at 110 ..< 160.
        let grid = try ElementWorld(configuration, items, sectionLengths: [5, 0, 2]).snapshot
        func path(_ source: LayoutSnapshot, _ x: Int64, _ y: Int64) -> [Int] {
            let path = source.insertionIndexPath(for: PixelPoint(x: x, y: y))
            return [path.section, path.item]
        }
        #expect(path(grid, 0, -100) == [0, 0])
        #expect(path(grid, 14, 30) == [0, 0])
        #expect(path(grid, 15, 30) == [0, 1])
        #expect(path(grid, 109, 30) == [0, 3])
        // Between the lines, the nearer one decides, and in a tie the first: the gap is at 50 ..< 60.
        #expect(path(grid, 0, 54) == [0, 0])
        #expect(path(grid, 0, 55) == [0, 3])
        #expect(path(grid, 109, 80) == [0, 5])
        #expect(path(grid, 50, 100) == [1, 0])
        #expect(path(grid, 109, 10_000) == [2, 2])
        #expect(path(grid, 0, 10_000) == [2, 0])
        configuration.algorithm = .masonry(MasonryParameters(columns: .count(3)))
        let masonry = try ElementWorld(configuration, items, sectionLengths: [5, 0, 2]).snapshot
        #expect(path(masonry, 0, 30) == [0, 0])
        #expect(path(masonry, 0, 40) == [0, 1])
        #expect(path(masonry, 34, 60) == [0, 3])
        #expect(path(masonry, 35, 60) == [0, 4])
        // The third column of the last section is empty.
        #expect(path(masonry, 109, 131) == [2, 2])
    }

    @Test func `a point in points becomes its pixel, and invalid numbers throw`() throws {
        let scale = try DisplayScale(1.5)
        #expect(try scale.pixel(holding: Point(x: 2, y: -0.1)) == PixelPoint(x: 3, y: -1))
        #expect(try scale.pixel(holding: Point(x: 1.99, y: 1e300)) == PixelPoint(x: 2, y: 1 << 60))
        #expect(throws: LayoutError.self) { try scale.pixel(holding: Point(x: .nan, y: 0)) }
        #expect(throws: LayoutError.self) { try scale.pixel(holding: Point(x: 0, y: .infinity)) }
    }

    @Test func `an empty stream has no item at any point, and the first goes to the first section`() throws {
        for sectioning in Sectioning.allCases {
            for family in sectioning == .none ? LayoutFamily.allCases : LayoutFamily.runs {
                var random = SplitMix64(seed: 1)
                var configuration = LayoutConfiguration(containerLength: 500)
                configuration.sections.sectioning = sectioning
                configuration.algorithm = family.algorithm(columnCount: 2, using: &random)
                let snapshot = LayoutSnapshot(try LayoutKey(configuration), items: [])
                let point = PixelPoint(x: 10, y: 10)
                #expect(snapshot.indexPath(at: point) == nil)
                #expect(snapshot.indexPath(nearestTo: point) == nil)
                #expect(snapshot.insertionIndexPath(for: point) == IndexPath(section: 0, item: 0))
            }
        }
    }
}

extension ElementWorld {
    /// The extents of the columns of a masonry across the scroll axis, from a long section of square photos.
    fileprivate var columns: [Range<Int64>] {
        let square = ItemMetrics(pixelSize: PixelSize(uncheckedWidth: 1, height: 1))
        var plain = configuration
        if case .masonry(let parameters) = configuration.algorithm {
            plain.algorithm = .masonry(MasonryParameters(columns: parameters.columns))
        }
        guard let many = try? ElementWorld(plain, Array(repeating: square, count: 128), sectionLengths: [128])
        else { return [] }
        return many.items.map { many.across($0.frame) }
    }
}
