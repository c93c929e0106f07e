import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamTestSupport
import Testing

/// The scrubber's stops, compared with rectangles and sections that are requested one by one.
@Suite struct ScrubberServiceTests {
    private static let configurations =
        SampleLayouts.configurations + [
            LayoutConfiguration(containerLength: 900, algorithm: .grid(GridParameters(columns: .count(7))))
        ]

    @Test(arguments: configurations)
    func `each stop has the section, the photo and the day at its position`(configuration: LayoutConfiguration) throws {
        var random = SplitMix64(seed: 21)
        let gallery = try Gallery()
        try gallery.insert(2_500, using: &random, takenAt: -9_000_000_000...9_000_000_000)
        try gallery.shell("UPDATE photo SET takenAtMilliseconds = NULL, takenAtPrecision = NULL WHERE id % 40 = 3")
        let key = try LayoutKey(configuration)
        let layout = try gallery.service.read { try $0.layout(key, of: Gallery.stream).summary() }
        let photos = try gallery.photos()
        let answer = try gallery.service.read { try $0.layout(key, of: Gallery.stream).scrubber(steps: 37) }
        #expect(answer.context == layout.context)
        #expect(answer.stops.count == 37)
        let isHorizontal = configuration.scrollDirection == .horizontal
        let size = layout.context.contentSize
        let extent = isHorizontal ? size.width : size.height
        #expect(answer.stops.first?.offset == 0 && answer.stops.last?.offset == extent)
        for stop in answer.stops {
            let scale = configuration.displayScale
            let start = Double(stop.offset) / scale
            let rest = Double(extent) / scale
            let rect =
                isHorizontal
                ? Rect(x: start, y: 0, width: rest, height: 1e6) : Rect(x: 0, y: start, width: 1e6, height: rest)
            let first = try firstIndex(in: rect, key, gallery)
            #expect(stop.index == first ?? photos.count - 1)
            #expect(stop.date == photos[stop.index].metrics.orderDate)
            let section = layout.sections.last {
                (isHorizontal ? $0.frame.x : $0.frame.y) <= stop.offset
            }
            #expect(stop.sectionID == (section ?? layout.sections.first)?.id)
            #expect(layout.sections[stop.section].id == stop.sectionID)
        }
    }

    /// The photo in a rectangle that comes first in the stream; a map answers those with a place first.
    private func firstIndex(in rect: Rect, _ key: LayoutKey, _ gallery: Gallery) throws -> Int? {
        guard key.description.hasPrefix("map-") else {
            return try gallery.service.read { try $0.layout(key, of: Gallery.stream).rect(.first(in: rect), limit: 1) }
                .items
                .first?.attributes
                .index
        }
        var answer = try gallery.service.read {
            try $0.layout(key, of: Gallery.stream).rect(.first(in: rect), limit: 1_000)
        }
        var indices = answer.items.map(\.attributes.index)
        while let cursor = answer.nextCursor {
            answer = try gallery.service.read {
                try $0.layout(of: Gallery.stream, after: cursor).rect(.after(cursor), limit: 1_000)
            }
            indices += answer.items.map(\.attributes.index)
        }
        return indices.min()
    }

    @Test func `an empty stream has no stops, and a single photo has all`() throws {
        let gallery = try Gallery()
        let key = try LayoutKey(SampleLayouts.configurations[0])
        #expect(try gallery.service.read { try $0.layout(key, of: Gallery.stream).scrubber(steps: 5) }.stops == [])
        var random = SplitMix64(seed: 3)
        try gallery.insert(1, using: &random, takenAt: 0...0)
        let stops = try gallery.service.read { try $0.layout(key, of: Gallery.stream).scrubber(steps: 1_000) }.stops
        #expect(stops.count == 1_000)
        #expect(stops.allSatisfy { $0.index == 0 && $0.date.digits == "1970-01-01" && $0.sectionID == "all" })
        #expect(
            try gallery.service.read { try $0.layout(key, of: Gallery.stream).scrubber(steps: 1) }.stops.map(\.offset)
                == [0])
    }

    @Test(arguments: [0, -1, 1_001, .max]) func `step counts outside their range are refused`(steps: Int) throws {
        let gallery = try Gallery()
        let key = try LayoutKey(SampleLayouts.configurations[0])
        #expect(throws: StreamServiceError.invalidSteps(steps, maximum: 1_000)) {
            try gallery.service.read { try $0.layout(key, of: Gallery.stream).scrubber(steps: steps) }
        }
    }
}
