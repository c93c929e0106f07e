import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

/// A question for a rectangle against a look at every frame.
@Suite struct RectQueryTests {
    /// A layout, its reference, and the queries for both.
    private struct World {
        let snapshot: LayoutSnapshot
        let reference: NaiveLayout
        let scale: Double

        init(_ configuration: LayoutConfiguration, _ items: [ItemMetrics]) throws {
            snapshot = LayoutSnapshot(try LayoutKey(configuration), items: items)
            reference = NaiveLayout(configuration, items: items)
            scale = configuration.displayScale
        }

        func expectAgreement(_ rect: Rect, at location: SourceLocation = #_sourceLocation) throws {
            let found = try snapshot.items(in: rect)
            let expected = reference.indices(meeting: rect)
            #expect(found.map(\.index) == expected, "\(rect) at scale \(scale)", sourceLocation: location)
            #expect(found.map(\.frame) == expected.map { reference.frames[$0] }, sourceLocation: location)
        }

        /// A rectangle on whole device pixels; exact if the scale is a power of two.
        func rect(_ x: Int64, _ y: Int64, _ width: Int64, _ height: Int64) -> Rect {
            Rect(
                x: Double(x) / scale, y: Double(y) / scale, width: Double(width) / scale,
                height: Double(height) / scale)
        }
    }

    /// A coordinate on, next to or far from the items, in sixteenths of a point: exact in every operation.
    private static func coordinate(_ greatest: Double, using random: inout SplitMix64) -> Double {
        let sixteenths = Int(min(greatest, 0x1p40) * 16) + 1
        return switch random.int(in: 0...5) {
        case 0: Double(random.int(in: -sixteenths...2 * sixteenths)) / 16
        case 1: Double(random.int(in: 0...sixteenths) / 16)
        default: Double(random.int(in: 0...sixteenths)) / 16
        }
    }

    @Test(arguments: UInt64(0)..<64)
    func `a rectangle agrees with a scan of all frames`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let count = random.int(in: 0...random.element(of: [5, 200, 700]))
        let items =
            seed % 2 == 0
            ? SampleMetrics.mixed(count, using: &random) : SampleMetrics.realistic(count, using: &random)
        let world = try World(.sample(using: &random), items)
        let size = world.snapshot.contentSize
        for _ in 0..<60 {
            let height = random.element(of: [1.0 / 16, 1, 700, size.height])
            try world.expectAgreement(
                Rect(
                    x: Self.coordinate(size.width, using: &random),
                    y: Self.coordinate(size.height, using: &random),
                    width: Double(random.int(in: 1...Int(size.width) * 16)) / 16,
                    height: Double(random.int(in: 1...max(1, Int(height * 16)))) / 16
                ))
        }
    }

    @Test(arguments: MasonryParameters.ColumnChoice.allCases)
    func `chunk borders hide no items`(choice: MasonryParameters.ColumnChoice) throws {
        var random = SplitMix64(seed: 11)
        let items = SampleMetrics.mixed(5_000, using: &random)
        let world = try World(.masonry(5, width: 503, choice: choice, scale: 2, spacing: 3), items)
        for border in [0, 2_047, 2_048, 4_095, 4_096, 4_999] {
            let frame = try #require(world.reference.frames[border])
            try world.expectAgreement(world.rect(0, frame.y, 1_006, 1))
            try world.expectAgreement(world.rect(frame.x, frame.y, 1, frame.height))
            try world.expectAgreement(world.rect(0, frame.y - 2_000, 1_006, 4_000))
        }
        try world.expectAgreement(Rect(x: 0, y: 0, width: 1e6, height: 1e12))
    }

    @Test(arguments: [0.5, 1, 2, 8], MasonryParameters.ColumnChoice.allCases)
    func `adjacent edges do not meet`(scale: Double, choice: MasonryParameters.ColumnChoice) throws {
        var random = SplitMix64(seed: 2)
        let items = SampleMetrics.mixed(40, using: &random)
        let world = try World(.masonry(3, width: 400, choice: choice, scale: scale), items)
        for (index, frame) in world.reference.frames.compactMap(\.self).enumerated() {
            let inside = world.rect(frame.x, frame.y, frame.width, frame.height)
            #expect(try world.snapshot.items(in: inside).map(\.index) == [index])
            let neighbours = [
                world.rect(frame.x, frame.y - 1, frame.width, 1), world.rect(frame.x, frame.maxY, frame.width, 1),
                world.rect(frame.x - 1, frame.y, 1, frame.height), world.rect(frame.maxX, frame.y, 1, frame.height),
            ]
            for rect in neighbours {
                #expect(try !world.snapshot.items(in: rect).map(\.index).contains(index))
                try world.expectAgreement(rect)
            }
        }
    }

    @Test func `a rectangle smaller than a pixel meets its pixel`() throws {
        let square = ItemMetrics(pixelSize: try PixelSize(width: 1, height: 1))
        let world = try World(.masonry(2, width: 20, spacing: 0), [square, square])
        let cases: [(x: Double, y: Double, width: Double, height: Double, expected: [Int])] = [
            (9.75, 0, 0.25, 1, [0]), (9.75, 0, 0.2500001, 1, [0, 1]), (9.999, 9.999, 0.001, 5, [0]),
            (0, 9.5, 1, 0.25, [0]), (0, 10, 1, 0.25, []), (-0.25, 0, 0.25, 1, []), (-0.25, 0, 0.5, 1, [0]),
            (10, 0, 0.0001, 0.0001, [1]),
        ]
        for (x, y, width, height, expected) in cases {
            let rect = Rect(x: x, y: y, width: width, height: height)
            #expect(try world.snapshot.items(in: rect).map(\.index) == expected, "\(rect)")
        }
    }

    @Test func `a rectangle thinner than the distance of two coordinates still meets its pixel`() throws {
        // 1000 + 1e-14 is 1000 in Double, but the rectangle is not empty.
        let tower = ItemMetrics(pixelSize: try PixelSize(width: 1, height: 500))
        let snapshot = LayoutSnapshot(try LayoutKey(.masonry(1, width: 10)), items: [tower])
        for thin in [1e-14, 1e-300, .leastNonzeroMagnitude] {
            let rect = Rect(x: 5, y: 1_000, width: 1, height: thin)
            #expect(try snapshot.items(in: rect).map(\.index) == [0])
            let upright = Rect(x: 8, y: 1_000, width: thin, height: 1)
            #expect(try snapshot.items(in: upright).map(\.index) == [0])
        }
    }

    @Test func `an empty rectangle meets nothing wherever it lies`() throws {
        let square = ItemMetrics(pixelSize: try PixelSize(width: 1, height: 1))
        let snapshot = LayoutSnapshot(try LayoutKey(.masonry(1, width: 10)), items: [square])
        for (width, height) in [(0.0, 0.0), (0, 5), (5, 0), (-0.0, 5), (0, 1e300)] {
            for origin in [-1.0, 0, 0.5, 5, 10, 1e300] {
                #expect(try snapshot.items(in: Rect(x: origin, y: origin, width: width, height: height)).isEmpty)
            }
        }
    }

    @Test(arguments: MasonryParameters.ColumnChoice.allCases)
    func `a huge rectangle meets everything, and one far away nothing`(
        choice: MasonryParameters.ColumnChoice
    ) throws {
        var random = SplitMix64(seed: 4)
        let items = SampleMetrics.mixed(3_000, using: &random)
        let snapshot = LayoutSnapshot(try LayoutKey(.masonry(4, width: 200, choice: choice)), items: items)
        let all = Array(items.indices)
        for huge in [1e7, 1e18, 1e19, 1e300, .greatestFiniteMagnitude] {
            let around = Rect(x: -huge / 2, y: -huge / 2, width: huge, height: huge)
            // Half of 1e7 does not reach the end of three thousand items with towers among them.
            if huge > 1e7 { #expect(try snapshot.items(in: around).map(\.index) == all) }
            #expect(try snapshot.items(in: Rect(x: 0, y: 0, width: huge, height: 1e300)).map(\.index) == all)
            #expect(try snapshot.items(in: Rect(x: huge, y: 0, width: huge, height: huge)).isEmpty)
            #expect(try snapshot.items(in: Rect(x: 0, y: 1e18, width: huge, height: huge)).isEmpty)
            #expect(try snapshot.items(in: Rect(x: 0, y: -huge, width: 200, height: huge)).isEmpty)
            #expect(try snapshot.items(in: Rect(x: -huge, y: 0, width: huge, height: huge)).isEmpty)
            #expect(try snapshot.items(in: Rect(x: huge, y: huge, width: 1, height: 1)).isEmpty)
        }
    }

    @Test func `a tall early item is found together with later ones that end above it`() throws {
        let tower = ItemMetrics(pixelSize: try PixelSize(width: 1, height: 1_000))
        let flat = ItemMetrics(pixelSize: try PixelSize(width: 10, height: 1))
        let items = [tower] + [ItemMetrics](repeating: flat, count: 5_000)
        for choice in MasonryParameters.ColumnChoice.allCases {
            let world = try World(.masonry(2, width: 20, choice: choice), items)
            for y in stride(from: 0.0, to: 10_001, by: 499.5) {
                try world.expectAgreement(Rect(x: 0, y: y, width: 20, height: 1))
                try world.expectAgreement(Rect(x: 3, y: y, width: 0.5, height: 0.25))
            }
        }
    }

    @Test func `values that are not finite are refused`() throws {
        let snapshot = LayoutSnapshot(try LayoutKey(.masonry(1, width: 10)), items: [])
        for bad in [Double.nan, .signalingNaN, .infinity, -.infinity] {
            for place in 0..<4 {
                var values = [0.0, 0, 10, 10]
                values[place] = bad
                let rect = Rect(x: values[0], y: values[1], width: values[2], height: values[3])
                #expect {
                    _ = try snapshot.items(in: rect)
                } throws: { error in
                    "\(error)".hasPrefix("the rectangle ") && "\(error)".hasSuffix(": all values must be finite")
                }
            }
        }
    }

    @Test func `negative sides are refused`() throws {
        let snapshot = LayoutSnapshot(try LayoutKey(.masonry(1, width: 10)), items: [])
        for (width, height, text) in [
            (-1.0, 1.0, "-1,1"), (1, -1, "1,-1"), (-1e300, 1, "-1e+300,1"), (0, -1, "0,-1"), (-1, 0, "-1,0"),
            (1, -.leastNonzeroMagnitude, "1,-5e-324"),
        ] {
            #expect(
                throws: LayoutError.invalidRect("the rectangle 0,0,\(text): width and height must not be negative")
            ) {
                try snapshot.items(in: Rect(x: 0, y: 0, width: width, height: height))
            }
        }
    }

    @Test(arguments: LayoutFamily.allCases)
    func `a visitor that stops is not called again`(family: LayoutFamily) throws {
        var random = SplitMix64(seed: 6)
        let items = SampleMetrics.realistic(100, using: &random)
        let source = try CutLayout(try LayoutKey(.sample(family, using: &random)), items, lengths: [7])
        let size = source.directory.contentSize
        let all = PixelRect(x: 0, y: 0, width: size.width, height: size.height)
        let shown = source.shownFrames.indices.filter { source.shownFrames[$0] != nil }
        for limit in [1, 2, 7, 20] {
            var visited: [Int] = []
            source.forEachItem(in: all) { index, _ in
                visited.append(index)
                return visited.count < limit
            }
            #expect(visited == Array(shown.prefix(limit)))
            #expect(source.items(in: all, limit: limit).map(\.index) == Array(shown.prefix(limit)))
        }
        for first in [0, 1, 6, 7, 50, 99, 100, 1_000] {
            #expect(source.items(in: all, from: first).map(\.index) == shown.filter { $0 >= first })
        }
        #expect(source.items(in: all, limit: 0).isEmpty)
    }
}
