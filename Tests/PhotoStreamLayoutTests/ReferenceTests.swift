import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

/// Every algorithm against the reference that shares no code with the engine, frame by frame.
@Suite struct ReferenceTests {
    @Test(arguments: LayoutFamily.allCases, SampleAxes.all)
    func `any configuration and stream equal the reference`(family: LayoutFamily, axes: SampleAxes) throws {
        for scale in LayoutConfiguration.displayScales {
            for seed in UInt64(0)..<20 {
                var random = SplitMix64(seed: seed &+ UInt64(scale * 1_000))
                let configuration = LayoutConfiguration.sample(family, axes, scale: scale, using: &random)
                let count = random.int(in: 0...random.element(of: [4, 60, 200]))
                let plain =
                    switch seed % 4 {
                    case 0: SampleMetrics.extreme(count, using: &random)
                    case 1: SampleMetrics.realistic(count, using: &random)
                    default: SampleMetrics.mixed(count, using: &random)
                    }
                let items = SampleMetrics.dated(plain, using: &random)
                guard try agrees(configuration, items, "seed \(seed), scale \(scale)") else { return }
            }
        }
    }

    @Test(arguments: LayoutFamily.allCases, ScrollDirection.allCases)
    func `every sequence of up to six items equals the reference`(
        family: LayoutFamily, scroll: ScrollDirection
    ) throws {
        if family == .map, scroll == .horizontal { return }
        // Two of the four have a place, one of these east of the map's seam.
        let (town, corner) = try (Coordinate(latitude: 50, longitude: 8), Coordinate(latitude: -85, longitude: -180))
        let places = [nil, town, nil, corner]
        let kinds = try zip([(3, 2), (1, 2), (50, 1), (1, 50)], places).map { sides, place in
            ItemMetrics(
                pixelSize: try PixelSize(width: sides.0, height: sides.1), hasCaption: sides.0 == 3,
                position: place.map(WorldPosition.init))
        }
        var random = SplitMix64(seed: 15)
        var configuration = LayoutConfiguration(
            containerLength: 103, scrollDirection: scroll, interitemSpacing: 3, lineSpacing: 4, captionExtent: 5)
        configuration.algorithm = family.algorithm(columnCount: 3, using: &random)
        for length in 0...6 {
            for number in 0..<1 << (2 * length) {
                let items = (0..<length).map { kinds[number >> (2 * $0) & 3] }
                guard try agrees(configuration, items, "\(items.map(\.pixelSize))") else { return }
            }
        }
    }

    @Test(arguments: LayoutFamily.allCases)
    func `streams across chunk borders equal the reference`(family: LayoutFamily) throws {
        let capacity = LayoutSnapshot.chunkCapacity
        for (seed, count) in [capacity - 1, capacity, capacity + 1, 5_000].enumerated() {
            var random = SplitMix64(seed: UInt64(seed))
            let configuration = LayoutConfiguration.sample(
                family, SampleAxes.all[seed], using: &random)
            let items = SampleMetrics.dated(SampleMetrics.mixed(count, using: &random), using: &random)
            guard try agrees(configuration, items, "\(count) items") else { return }
        }
    }

    @Test(arguments: LayoutFamily.runs)
    func `a list of sections equals the reference`(family: LayoutFamily) throws {
        for seed in UInt64(0)..<40 {
            var random = SplitMix64(seed: seed)
            let axes = SampleAxes.all[Int(seed % 4)]
            let configuration = LayoutConfiguration.sample(family, axes, using: &random)
            var lengths = (0..<random.int(in: 1...9)).map { _ in
                random.oneIn(3) ? 0 : random.int(in: 0...random.element(of: [1, 3, 40]))
            }
            // Some are at a chunk's border.
            if random.oneIn(3) { lengths += [0, 2_048 - lengths.reduce(0, +), 0, 0] }
            let items = SampleMetrics.mixed(lengths.reduce(0, +), using: &random)
            guard try agrees(configuration, items, "seed \(seed)", sectionLengths: lengths) else { return }
        }
    }

    /// Compares everything, and reports only the first difference.
    private func agrees(
        _ configuration: LayoutConfiguration, _ items: [ItemMetrics], _ what: String, sectionLengths: [Int]? = nil,
        at location: SourceLocation = #_sourceLocation
    ) throws -> Bool {
        let key = try LayoutKey(configuration)
        let snapshot = LayoutSnapshot(key, metrics: PackedMetrics(items), sectionLengths: sectionLengths)
        let expected = NaiveLayout(configuration, items: items, sectionLengths: sectionLengths)
        if let difference = Difference(snapshot, expected) {
            Issue.record("\(what): \(difference) in \(key)", sourceLocation: location)
            return false
        }
        return true
    }
}

/// The first thing that a layout and its reference do not agree on.
struct Difference: CustomStringConvertible {
    let description: String

    /// - Returns: `nil` if they agree.
    init?<Source: LayoutSource>(_ source: Source, _ expected: NaiveLayout) where Source.Failure == Never {
        let directory = source.directory
        for index in expected.frames.indices {
            guard let attributes = source.attributes(forItemAt: index) else {
                description = "no item \(index)"
                return
            }
            guard let frame = expected.frames[index] else {
                if attributes.isHidden, attributes.size == PixelExtent(width: 0, height: 0) { continue }
                description = "item \(index) is \(attributes.frame), not hidden"
                return
            }
            guard attributes.frame == frame, !attributes.isHidden,
                attributes.captionExtent == expected.captionExtents[index]
            else {
                description =
                    "item \(index) is \(attributes.frame) with a caption of \(attributes.captionExtent), not \(frame) with "
                    + "\(expected.captionExtents[index]),"
                return
            }
        }
        let sections = directory.sections.map { [Int64($0.items.lowerBound), $0.origin, $0.end] }
        let references = expected.sections.map { [Int64($0.items.lowerBound), $0.origin, $0.end] }
        if sections != references {
            let first = zip(sections, references).first { $0 != $1 }
            description = "\(sections.count) sections, not \(references.count), first \(String(describing: first)),"
            return
        }
        if directory.contentSize != expected.contentSize {
            description = "content of \(directory.contentSize), not \(expected.contentSize),"
            return
        }
        return nil
    }
}
