import PhotoStreamLayout
import PhotoStreamModel

extension LayoutBenchmark {
    /// The places of the photos of a measured map.
    enum Travels: String, CaseIterable {
        /// Sixty photos one after the other in one town, then in another.
        case trips = "trips of 60 photos"
        /// Each anywhere: boxes do not help.
        case anywhere = "each photo anywhere"
    }

    /// Lays out maps and asks for screens around photos, next to a filter that looks at every position.
    func measureMap(_ travels: Travels, count: Int, samples: SampleLayouts) throws {
        let metrics = try Self.metrics(travels, count: count)
        let (key, queries) = (samples.map, count > 1_000_000 ? 50 : 400)
        var snapshot = LayoutSnapshot(key, metrics: metrics)
        guard let world = key.worldFrame else { preconditionFailure("no map") }
        var generator = Generator(seed: 7)
        let rects = try (0..<queries).map { _ in
            var index = Int(Double(generator.next(1 << 24)) / 0x1p24 * Double(count))
            while metrics[index].position == nil { index = (index + 1) % count }
            guard let frame = snapshot.frame(forItemAt: index) else { throw Lost() }
            return PixelRect(x: frame.x - 600, y: frame.y - 450, width: 1_200, height: 900)
        }
        let indices = (0..<20_000).map { _ in Int(Double(generator.next(1 << 24)) / 0x1p24 * Double(count)) }
        var (found, filtered, sum) = (0, 0, Int64(0))
        let figures = try medians(
            runs: runs,
            [
                { snapshot = LayoutSnapshot(key, metrics: metrics) },
                {
                    found = 0
                    for rect in rects {
                        snapshot.forEachItem(in: rect) { _, _ in
                            found += 1
                            return true
                        }
                    }
                },
                { filtered = rects.reduce(0) { $0 + Self.filter(meeting: $1, metrics: metrics, world: world) } },
                { sum = indices.reduce(0) { $0 + (snapshot.frame(forItemAt: $1)?.y ?? 0) } },
            ])
        precondition(found == filtered && found >= queries && sum > 0, "the map and the filter disagree")
        print(
            cell(Double(count), places: 0), cell(figures[0] / Double(count)),
            cell(figures[1] / Double(queries), places: 0, width: 12),
            cell(figures[2] / Double(queries), places: 0, width: 12),
            cell(figures[2] / figures[1], places: 0, width: 8),
            cell(Double(found) / Double(queries), places: 1, width: 9),
            cell(figures[3] / Double(indices.count), places: 1, width: 16))
    }

    private struct Lost: Error {}

    /// Returns the number of items of 44 points that meet a rectangle, by looking at every position.
    private static func filter(meeting rect: PixelRect, metrics: PackedMetrics, world: PixelRect) -> Int {
        var count = 0
        for index in 0..<metrics.count {
            guard let position = metrics[index].position else { continue }
            let x = Int64((UInt64(position.x) * UInt64(world.width)) >> 32) + world.x - 22
            let y = Int64((UInt64(position.y) * UInt64(world.height)) >> 32) + world.y - 22
            if x < rect.maxX, rect.x < x + 44, y < rect.maxY, rect.y < y + 44 { count += 1 }
        }
        return count
    }

    static func metrics(_ travels: Travels, count: Int) throws -> PackedMetrics {
        var generator = Generator(seed: 11)
        func degrees(_ greatest: Double) -> Double { (Double(generator.next(1 << 24)) / 0x1p23 - 1) * greatest }
        var town = (latitude: 0.0, longitude: 0.0)
        let size = try PixelSize(width: 3_000, height: 2_000)
        return PackedMetrics(
            try (0..<count).map { index in
                if travels == .anywhere || index % 60 == 0 { town = (degrees(70), degrees(179)) }
                // One photo in ten has no place.
                guard generator.next(10) > 0 else { return ItemMetrics(pixelSize: size) }
                let place = try Coordinate(
                    latitude: town.latitude + degrees(0.05), longitude: town.longitude + degrees(0.05))
                return ItemMetrics(pixelSize: size, position: WorldPosition(place))
            })
    }
}
