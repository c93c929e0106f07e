import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

/// The vectorised extents, and those for a single item, against whole numbers.
@Suite struct MasonryExtentTests {
    /// The frames of a one-column masonry are one under the other, so tops are sums of the vectorised extents, while
    /// heights are computed item by item.
    private func expectExact(
        _ sizes: [PixelSize], width: Int64, at location: SourceLocation = #_sourceLocation
    ) throws {
        let key = try LayoutKey(.masonry(1, width: Double(width) / 8, scale: 8))
        let snapshot = LayoutSnapshot(key, items: sizes.map { ItemMetrics(pixelSize: $0) })
        var expected: Int64 = 0
        for (size, frame) in zip(sizes, snapshot.frames) {
            let exact = NaiveLayout.pictureExtent(of: size, width: width)
            guard frame == PixelRect(x: 0, y: expected, width: width, height: exact) else {
                Issue.record(
                    "\(size) at width \(width) is \(frame), not \(exact) high at \(expected)", sourceLocation: location)
                return
            }
            expected += exact
        }
        #expect(snapshot.directory.contentSize.height == expected, sourceLocation: location)
    }

    @Test(arguments: [8, 9, 10, 11, 16, 17, 24, 30, 31, 36, 64, 97, 100, 360, 1_000, 4_095, 99_999] as [Int64])
    func `all small sizes are rounded like by integer arithmetic`(width: Int64) throws {
        let sizes = try (1...80).flatMap { width in
            try (1...80).map { try PixelSize(width: width, height: $0) }
        }
        try expectExact(sizes, width: width)
    }

    @Test(
        arguments: [
            8, 9, 375, 1_023, 1_024, 1_025, 65_535, 65_536, 99_991, 262_144, 524_287, 524_288, 799_993, 799_999,
            800_000,
        ] as [Int64])
    func `ties and their neighbours are rounded exactly up to the longest sides`(width: Int64) throws {
        var random = SplitMix64(seed: UInt64(width))
        var sizes: [PixelSize] = []
        for _ in 0..<300 {
            let itemWidth = Int64(random.int(in: 1...random.element(of: [1_000, 65_536, 1_000_000])))
            for distance in Int64(-3)...3 {
                sizes += heights(itemWidth: itemWidth, width: width, distanceFromTie: distance, using: &random)
            }
        }
        #expect(sizes.count > 100)
        try expectExact(sizes, width: width)
    }

    @Test(arguments: [1, 2, 3, 8, 9, 127, 128])
    func `wide columns have extents of their own`(columnCount: Int) throws {
        var random = SplitMix64(seed: UInt64(columnCount))
        // Half of the columns are one pixel wider; in turn every column sees every item.
        let configuration = LayoutConfiguration.masonry(
            columnCount, width: Double(columnCount * 63 + columnCount / 2), choice: .roundRobin)
        let items = SampleMetrics.mixed(7, using: &random).flatMap {
            [ItemMetrics](repeating: $0, count: columnCount)
        }
        let snapshot = LayoutSnapshot(try LayoutKey(configuration), items: items)
        for (item, frame) in zip(items, snapshot.frames) {
            #expect(frame.height == NaiveLayout.pictureExtent(of: item.pixelSize, width: frame.width))
        }
    }

    @Test func `a picture flatter than a pixel is one pixel high`() throws {
        let flat = try PixelSize(width: 1_000, height: 1)
        try expectExact([flat, flat, flat], width: 8)
        try expectExact([flat, flat, flat], width: 499)
        try expectExact([flat, flat, flat], width: 1_500)
    }

    @Test func `the longest picture in the widest column is as high as by integer arithmetic`() throws {
        try expectExact([try PixelSize(width: 1_000, height: 1_000_000)], width: 800_000)
        try expectExact([try PixelSize(width: 1_000_000, height: 1_000_000)], width: 800_000)
        try expectExact([try PixelSize(width: 999_999, height: 1_000_000)], width: 800_000)
    }

    /// Sizes of a width whose exact extent lies `distance` / (2 × item width) from a tie.
    ///
    /// That is 2 × width × height = item width + distance, modulo 2 × item width; solved by extended Euclid.
    private func heights(
        itemWidth: Int64, width: Int64, distanceFromTie distance: Int64, using random: inout SplitMix64
    ) -> [PixelSize] {
        let (factor, modulus) = (2 * width % (2 * itemWidth), 2 * itemWidth)
        let target = ((itemWidth + distance) % modulus + modulus) % modulus
        let (divisor, inverse) = euclid(factor, modulus)
        guard target % divisor == 0 else { return [] }
        let step = modulus / divisor
        let least = (target / divisor % step) * ((inverse % step + step) % step) % step
        let greatest = min(1_000_000, itemWidth * 1_000)
        let heights = [least, least + step * Int64(random.int(in: 1...50)), (greatest - least) / step * step + least]
        return heights.compactMap { try? PixelSize(width: Int(itemWidth), height: Int($0)) }
    }

    /// The greatest common divisor, and the number that times `first` is it modulo `second`.
    private func euclid(_ first: Int64, _ second: Int64) -> (divisor: Int64, inverse: Int64) {
        var (rest, nextRest) = (first, second)
        var (inverse, nextInverse): (Int64, Int64) = (1, 0)
        while nextRest != 0 {
            let quotient = rest / nextRest
            (rest, nextRest) = (nextRest, rest - quotient * nextRest)
            (inverse, nextInverse) = (nextInverse, inverse - quotient * nextInverse)
        }
        return (rest, inverse)
    }
}
