import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

/// The offsets at which scrolling stops, the item that does not move in a change, and the items to prefetch.
@Suite struct ScrollingTests {
    /// Offsets in the direction of reading.
    private struct Offsets {
        let extent: Int64
        let viewport: Int64
        let isMirrored: Bool

        init(_ world: ElementWorld, viewport: Int64) {
            let size = world.snapshot.directory.contentSize
            extent = world.isHorizontal ? size.width : size.height
            self.viewport = viewport
            isMirrored = world.isHorizontal && world.configuration.layoutDirection == .rightToLeft
        }

        var greatest: Int64 { max(0, extent - viewport) }
        func clamped(_ offset: Int64) -> Int64 { max(0, min(offset, greatest)) }
        /// Reverses an offset of the visible bounds.
        func turned(_ offset: Int64) -> Int64 { isMirrored ? greatest - offset : offset }
    }

    /// The offsets at which scrolling may stop; `frames` are the returned ones.
    private static func places(
        _ world: ElementWorld, _ frames: [PixelRect], _ snapping: ScrollSnapping, _ offsets: Offsets
    ) -> [Int64] {
        let items = world.items
        let shown = items.filter { !$0.isHidden }
        switch snapping {
        case .none: return []
        case .lineStarts:
            let sections = Dictionary(grouping: shown, by: \.indexPath.section).values
            let lines = world.hasLines ? sections.flatMap { world.lines($0) } : shown.map { [$0] }
            let tops = lines.compactMap { line in line.map { world.along($0.frame).lowerBound }.min() }
            return (items.isEmpty ? [] : tops + [0, offsets.greatest]).map(offsets.clamped)
        case .itemCenters:
            return shown.map { frames[$0.index] }.filter { $0.width > 0 && $0.height > 0 }.map { frame in
                let range = world.along(frame)
                let middle = Double(range.lowerBound + range.upperBound - offsets.viewport) / 2
                return offsets.clamped(Int64(middle.rounded(.down)))
            }
        }
    }

    @Test(arguments: LayoutFamily.allCases, SampleAxes.all)
    func `scrolling stops at the nearest of all offsets in its direction`(
        family: LayoutFamily, axes: SampleAxes
    ) throws {
        for seed in UInt64(0)..<10 {
            var random = SplitMix64(seed: seed &* 41 &+ 2)
            let world = try ElementWorld(family, axes, using: &random)
            let frames = world.items.map(\.frame)
            for snapping in [ScrollSnapping.none, .lineStarts, .itemCenters] {
                let offsets = Offsets(world, viewport: Int64(random.element(of: [0, 1, 17, 300, 1_001, 100_000])))
                let places = Self.places(world, frames, snapping, offsets)
                for _ in 0..<20 {
                    let offset = Int64(random.int(in: -100...Int(offsets.extent) + 100))
                    let velocity = random.element(of: [-2.5, 0, 0.1, .nan])
                    let found = world.snapshot.targetContentOffset(
                        forProposed: offset, velocity: velocity, viewport: offsets.viewport, snapping: snapping)
                    #expect(
                        found == Self.rest(offset, velocity, places, offsets),
                        "seed \(seed), \(snapping), \(offset), \(velocity), \(offsets.viewport)")
                }
            }
        }
    }

    /// The offset that is nearest in the direction of the velocity.
    private static func rest(_ offset: Int64, _ velocity: Double, _ places: [Int64], _ offsets: Offsets) -> Int64 {
        let proposed = offsets.turned(offsets.clamped(offset))
        let isForwards = offsets.isMirrored ? velocity < 0 : velocity > 0
        let isBackwards = offsets.isMirrored ? velocity > 0 : velocity < 0
        let allowed = places.filter { isForwards ? $0 >= proposed : isBackwards ? $0 <= proposed : true }
        // Ascending, so that in a tie the first in reading order wins.
        let nearest = (allowed.isEmpty ? places : allowed).sorted().min {
            abs($0 - proposed) < abs($1 - proposed)
        }
        return offsets.turned(nearest ?? proposed)
    }

    @Test func `scrolling stops inside the content for any proposed offset`() throws {
        var random = SplitMix64(seed: 3)
        let world = try ElementWorld(.grid, SampleAxes(), using: &random)
        let extent = world.snapshot.directory.contentSize.height
        for snapping in [ScrollSnapping.none, .lineStarts, .itemCenters] {
            for viewport in [Int64.min, -1, 0, 10, extent, .max] {
                for offset in [Int64.min, -1, 0, extent, .max] {
                    let found = world.snapshot.targetContentOffset(
                        forProposed: offset, velocity: 1, viewport: viewport, snapping: snapping)
                    #expect((0...max(0, extent - max(0, viewport))).contains(found))
                }
            }
        }
    }

    @Test(arguments: LayoutFamily.allCases, SampleAxes.all)
    func `the visible bounds stop inside the content on both axes, as near as possible across the scroll axis`(
        family: LayoutFamily, axes: SampleAxes
    ) throws {
        let ends: [Int64] = [.min, -(1 << 53) - 1, -1, 0, 1 << 53, .max]
        for seed in UInt64(0)..<5 {
            var random = SplitMix64(seed: seed &* 23 &+ 11)
            let world = try ElementWorld(family, axes, using: &random)
            let size = world.snapshot.directory.contentSize
            for _ in 0..<40 {
                func any(_ extent: Int64) -> Int64 {
                    random.int(in: 0...2) == 0
                        ? random.element(of: ends) : Int64(random.int(in: -50...Int(extent) + 50))
                }
                let proposed = PixelPoint(x: any(size.width), y: any(size.height))
                let viewport = PixelExtent(width: any(size.width), height: any(size.height))
                let snapping = random.element(of: [ScrollSnapping.none, .lineStarts, .itemCenters])
                let velocity = random.element(of: [-1.0, 0, 1])
                let found = world.snapshot.targetContentOffset(
                    forProposed: proposed, velocity: velocity, viewport: viewport, snapping: snapping)
                let isSideways = world.isHorizontal
                let along = world.snapshot.targetContentOffset(
                    forProposed: isSideways ? proposed.x : proposed.y, velocity: velocity,
                    viewport: isSideways ? viewport.width : viewport.height, snapping: snapping)
                #expect((isSideways ? found.x : found.y) == along)
                let greatest = PixelPoint(
                    x: max(0, size.width - max(0, viewport.width)), y: max(0, size.height - max(0, viewport.height)))
                #expect((0...greatest.x).contains(found.x) && (0...greatest.y).contains(found.y), "seed \(seed)")
                let (across, wanted) = isSideways ? (found.y, proposed.y) : (found.x, proposed.x)
                let end = isSideways ? greatest.y : greatest.x
                #expect(across == (wanted < 0 ? 0 : wanted > end ? end : wanted), "seed \(seed), \(proposed)")
            }
        }
    }

    @Test func `the next line is found across empty sections`() throws {
        let configuration = LayoutConfiguration(
            containerLength: 100, sections: SectionParameters(headerReferenceSize: 100),
            algorithm: .grid(GridParameters(columns: .count(1))))
        let items = Array(repeating: ItemMetrics(pixelSize: try PixelSize(width: 1, height: 1)), count: 2)
        let lengths = [1] + Array(repeating: 0, count: 1_000) + [1]
        let snapshot = try ElementWorld(configuration, items, sectionLengths: lengths).snapshot
        func rest(_ offset: Int64, _ velocity: Double) -> Int64 {
            snapshot.targetContentOffset(
                forProposed: offset, velocity: velocity, viewport: 50, snapping: .lineStarts)
        }
        #expect(rest(101, 1) == 100_300)
        #expect(rest(100_299, -1) == 100)
        #expect(rest(50_200, 0) == 100)
        #expect(rest(50_201, 0) == 100_300)
        #expect(rest(100_301, 1) == snapshot.directory.contentSize.height - 50)
    }

    @Test(arguments: LayoutFamily.allCases, SampleAxes.all)
    func `an anchor returns the offset at which it was taken`(family: LayoutFamily, axes: SampleAxes) throws {
        for seed in UInt64(0)..<10 {
            var random = SplitMix64(seed: seed &* 5 &+ 9)
            let world = try ElementWorld(family, axes, using: &random)
            let offsets = Offsets(world, viewport: Int64(random.element(of: [1, 200, 900])))
            for _ in 0..<20 {
                let offset = Int64(random.int(in: 0...Int(offsets.greatest)))
                let bounds = Self.bounds(world, offset, offsets.viewport)
                let visible = world.items.filter { $0.frame.intersects(bounds) }.map(\.index).min()
                let anchor = world.snapshot.scrollAnchor(in: bounds)
                #expect(anchor?.index == visible)
                guard let anchor else { continue }
                #expect(anchor.indexPath == world.itemsInOrder[anchor.index].indexPath)
                let found = world.snapshot.contentOffset(
                    for: anchor, index: anchor.index, viewport: offsets.viewport)
                // Content that is shorter than the bounds begins at the end at which reading begins.
                #expect(found == (offsets.extent < offsets.viewport ? 0 : offset))
                #expect(world.snapshot.contentOffset(for: anchor, index: -1, viewport: 1) == nil)
            }
        }
    }

    @Test(arguments: LayoutFamily.allCases, SampleAxes.all)
    func `an anchor keeps its item in place under insertions above, and visible at another width`(
        family: LayoutFamily, axes: SampleAxes
    ) throws {
        for seed in UInt64(0)..<10 {
            var random = SplitMix64(seed: seed &* 13 &+ 4)
            var configuration = LayoutConfiguration.sample(family, axes, using: &random)
            configuration.sections.sectioning = .none
            let items = SampleMetrics.realistic(200, using: &random)
            let old = try ElementWorld(configuration, items)
            let new = try ElementWorld(configuration, SampleMetrics.realistic(30, using: &random) + items)
            let viewport = Int64(random.int(in: 10...400))
            let (before, after) = (Offsets(old, viewport: viewport), Offsets(new, viewport: viewport))
            let bounds = Self.bounds(old, Int64(random.int(in: 0...Int(before.greatest))), viewport)
            guard let anchor = old.snapshot.scrollAnchor(in: bounds) else { continue }
            let offset = try #require(
                new.snapshot.contentOffset(for: anchor, index: anchor.index + 30, viewport: viewport))
            let (was, now) = (old.itemsInOrder[anchor.index].frame, new.itemsInOrder[anchor.index + 30])
            let moved = Self.bounds(new, offset, viewport)
            let isAtEnd = offset == 0 || offset == after.greatest
            // Relative to the bounds nothing has moved, unless the content ends or the item has become so small that it
            // would have left them; in a flow or a justified line an item may.
            if !isAtEnd, now.frame.width == was.width, now.frame.height == was.height {
                #expect(
                    new.along(now.frame).lowerBound - new.along(moved).lowerBound
                        == old.along(was).lowerBound - old.along(bounds).lowerBound)
            }
            configuration.containerLength *= 1.7
            let wide = try ElementWorld(configuration, items)
            let wideOffset = try #require(
                wide.snapshot.contentOffset(for: anchor, index: anchor.index, viewport: viewport))
            let frame = wide.itemsInOrder[anchor.index]
            if !frame.isHidden {
                #expect(wide.along(frame.frame).overlaps(wide.along(Self.bounds(wide, wideOffset, viewport))))
            }
        }
    }

    /// Visible bounds over the whole container.
    private static func bounds(_ world: ElementWorld, _ offset: Int64, _ viewport: Int64) -> PixelRect {
        let size = world.snapshot.directory.contentSize
        return world.isHorizontal
            ? PixelRect(x: offset, y: 0, width: viewport, height: size.height)
            : PixelRect(x: 0, y: offset, width: size.width, height: viewport)
    }
}
