import Foundation
import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

/// The projection compared with Foundation's functions, and its properties.
@Suite struct WorldPositionTests {
    private func position(_ latitude: Double, _ longitude: Double) -> WorldPosition {
        WorldPosition(Coordinate(uncheckedLatitude: latitude, longitude: longitude))
    }

    /// The textbook formula, which differs from ours.
    private func southing(_ latitude: Double) -> Double {
        let angle = min(max(latitude, -85.05112878), 85.05112878) * Double.pi / 180
        return (1 - asinh(tan(angle)) / Double.pi) / 2
    }

    @Test func `latitudes match the textbook formula to one of four billion steps`() {
        var random = SplitMix64(seed: 1)
        let drawn = (0..<200_000).map { _ in Double(random.int(in: -90_000_000_000...90_000_000_000)) / 1e9 }
        let steps = stride(from: -86.0, through: 86, by: 0.0625)
        for latitude in drawn + Array(steps) {
            let exact = max(0, southing(latitude) * 0x1p32)
            let found = Double(position(latitude, 0).y)
            // Rounded down; the clamped poles lose the last steps.
            guard found <= exact + 0.002, found >= min(exact - 1.002, 0x1p32 - 2.0001) else {
                Issue.record("\(latitude) lies at \(found), not at \(exact)")
                return
            }
        }
    }

    @Test func `going south never decreases y, however small the steps`() {
        var random = SplitMix64(seed: 2)
        for _ in 0..<2_000 {
            var latitude = Double(random.int(in: -85_100_000...85_100_000)) / 1e6
            var last = position(latitude, 0).y
            let isTiny = random.oneIn(2)
            for _ in 0..<60 {
                latitude = isTiny ? latitude.nextDown : latitude - 1e-10
                let next = position(latitude, 0).y
                #expect(next >= last, "\(latitude)")
                last = next
            }
        }
        let all = stride(from: 90.0, through: -90, by: -0.001).map { position($0, 0).y }
        #expect(zip(all, all.dropFirst()).allSatisfy { $0 <= $1 })
        let east = stride(from: -180.0, through: 180, by: 0.001).map { position(0, $0).x }
        #expect(zip(east, east.dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test func `the poles are moved to the map's edges, and the seam has two sides`() {
        #expect(position(90, 0).y == 0)
        #expect(position(85.0511287798066, 0).y <= 1)
        #expect(position(85.05112878, 0) == position(90, 0))
        #expect(position(-90, 0).y == UInt32.max - 1)
        #expect(position(-85.05112878, 0) == position(-90, 0))
        #expect(position(0, -180).x == 0)
        #expect(position(0, 180).x == UInt32.max)
        #expect(position(0, 0) == WorldPosition(packed: 1 << 63 | 1 << 31))
        #expect(position(-90, 180).packed != WorldPosition.nowhere)
        #expect(WorldPosition(packed: position(-90, 180).packed) == position(-90, 180))
        #expect(WorldPosition(packed: WorldPosition.nowhere) == nil)
    }

    @Test func `known tiles have their standard numbers`() {
        // Zoom 15, as tile numbers are computed everywhere: Berlin's Brandenburg Gate, Sydney's Opera House.
        func tile(_ latitude: Double, _ longitude: Double) -> [UInt32] {
            let place = position(latitude, longitude)
            return [place.x >> 17, place.y >> 17]
        }
        for (latitude, longitude) in [(52.516275, 13.377704), (-33.856784, 151.215297), (40.689247, -74.044502)] {
            let side = 32_768.0
            let x = UInt32(((longitude + 180) / 360 * side).rounded(.down))
            let angle = latitude * .pi / 180
            let y = UInt32(((1 - log(tan(angle) + 1 / cos(angle)) / .pi) / 2 * side).rounded(.down))
            #expect(tile(latitude, longitude) == [x, y])
        }
        #expect(tile(52.516275, 13.377704) == [17_601, 10_746])
    }

    @Test func `the arithmetic has the same bits on every platform`() {
        // Recorded once; every machine must compute the same.
        var random = SplitMix64(seed: 3)
        var sum: UInt64 = 0
        for _ in 0..<100_000 {
            let latitude = Double(random.int(in: -90_000_000...90_000_000)) / 1e6
            let longitude = Double(random.int(in: -180_000_000...180_000_000)) / 1e6
            sum = sum &* 0x9E37_79B9_7F4A_7C15 &+ position(latitude, longitude).packed
        }
        #expect(sum == 6_150_115_135_140_782_114)
    }
}

@Suite struct PackedPositionTests {
    private static let items: [ItemMetrics] = {
        var random = SplitMix64(seed: 4)
        return (0..<300).map { index in
            ItemMetrics(
                pixelSize: PixelSize(uncheckedWidth: 3, height: 2), columnSpan: index == 9 ? 2 : 1,
                position: random.oneIn(3) ? nil : WorldPosition(SampleMetrics.anyPlace(using: &random)))
        }
    }()

    @Test func `positions survive packing, appending, slicing, joining and reversing`() {
        let packed = PackedMetrics(Self.items)
        func unpacked(_ metrics: PackedMetrics) -> [ItemMetrics] { (0..<metrics.count).map { metrics[$0] } }
        #expect(unpacked(packed) == Self.items)
        var appended = PackedMetrics([ItemMetrics]())
        for item in Self.items { appended.append(item) }
        #expect(appended == packed)
        #expect(unpacked(packed[7..<90]) == Array(Self.items[7..<90]))
        #expect(unpacked(packed.reversed) == Self.items.reversed())
        let plain = PackedMetrics(Self.items.map { ItemMetrics(pixelSize: $0.pixelSize) })
        let joined = PackedMetrics(joining: [plain[0..<3], packed[3..<200], plain[0..<0], packed[200..<300]])
        #expect(joined != packed && joined.count == 300)
        #expect(unpacked(joined)[3...] == Self.items[3...])
        #expect(unpacked(joined)[..<3].allSatisfy { $0.position == nil })
        #expect(plain.positions.isEmpty && joined.isEqualButForPositions(joined))
    }

    @Test func `equal photos are equal however their positions are stored`() {
        let plain = ItemMetrics(pixelSize: PixelSize(uncheckedWidth: 3, height: 2))
        let somewhere = Self.items.first { $0.position != nil }
        let mixed = PackedMetrics([plain, plain] + [somewhere].compactMap(\.self))
        let (part, other) = (mixed[0..<2], PackedMetrics([plain, plain]))
        #expect(part == other && part.hashValue == other.hashValue && !part.positions.isEmpty)
        #expect(mixed != PackedMetrics([plain, plain, plain]))
        #expect(mixed.isEqualButForPositions(PackedMetrics([plain, plain, plain])))
        #expect(!mixed.isEqualButForPositions(PackedMetrics([plain, plain])))
    }

    @Test func `a summary counts positions and contains them in its box`() {
        let places = Self.items.compactMap(\.position)
        let summary = PackedMetrics(Self.items).positionSummary
        #expect(summary.count == places.count)
        #expect(summary.box?.minX == places.map(\.x).min() && summary.box?.maxX == places.map(\.x).max())
        #expect(summary.box?.minY == places.map(\.y).min() && summary.box?.maxY == places.map(\.y).max())
        #expect(PackedMetrics([]).positionSummary == .none && PositionSummary.none.box == nil)
        #expect(PositionSummary(count: 1, box: nil) == nil && PositionSummary(count: 0, box: summary.box) == nil)
        #expect(PositionSummary(count: summary.count, box: summary.box) == summary)
    }
}
