package import PhotoStreamModel

/// Item metrics for tests: realistic ones, and adversarial ones.
package enum SampleMetrics {
    /// The side lengths of real pictures, in landscape or portrait orientation.
    private static let cameraSizes: [(Int32, Int32)] = [
        (4032, 3024), (6000, 4000), (1920, 1080), (1080, 1350), (1024, 1024), (1890, 1146), (640, 427), (5472, 3648),
        (2448, 3264), (500, 303),
    ]

    /// The shapes that break layouts: panoramas and towers up to the maximum ratio, the shortest and longest sides.
    private static let extremeSizes: [(Int32, Int32)] = [
        (50, 1), (1, 50), (1000, 1), (1, 1000), (1_000_000, 1_000), (1_000, 1_000_000), (1, 1), (1_000_000, 1_000_000),
        (999_983, 1_000), (3, 2), (2, 3), (1_000_000, 999_999),
    ]

    /// Returns mostly camera sizes, some of any shape, and one in eight extreme; one in three with a caption.
    package static func mixed(_ count: Int, using random: inout SplitMix64) -> [ItemMetrics] {
        (0..<count).map { _ in
            let size =
                switch random.int(in: 0...7) {
                case 0: size(random.element(of: extremeSizes))
                case 1, 2: anyShape(using: &random)
                default: size(random.element(of: cameraSizes), isTurned: random.oneIn(3))
                }
            return ItemMetrics(pixelSize: size, hasCaption: random.oneIn(3))
        }.located
    }

    /// Returns camera sizes only, one in three with a caption.
    package static func realistic(_ count: Int, using random: inout SplitMix64) -> [ItemMetrics] {
        (0..<count).map { _ in
            ItemMetrics(
                pixelSize: size(random.element(of: cameraSizes), isTurned: random.oneIn(3)), hasCaption: random.oneIn(3)
            )
        }.located
    }

    /// Returns extreme sizes only, one in three with a caption.
    package static func extreme(_ count: Int, using random: inout SplitMix64) -> [ItemMetrics] {
        (0..<count).map { _ in
            ItemMetrics(pixelSize: size(random.element(of: extremeSizes)), hasCaption: random.oneIn(3))
        }.located
    }

    /// Returns the items with descending days, some of them shared by many photos, the last one without a date; in one
    /// of three streams, some items span columns.
    package static func dated(_ items: [ItemMetrics], using random: inout SplitMix64) -> [ItemMetrics] {
        // Starts at a leap day, so that days, months and years all change at some point.
        var day = 19_782 + random.int(in: 0...3)
        let undatedFrom = random.oneIn(3) ? items.count : random.int(in: items.count / 2...items.count)
        let pace = random.element(of: [1, 6, 60])
        let haveSpans = random.oneIn(3)
        return items.enumerated().map { index, item in
            if random.oneIn(pace) { day -= random.element(of: [1, 1, 1, 20, 40, 300]) }
            return ItemMetrics(
                pixelSize: item.pixelSize, hasCaption: item.hasCaption, orderDay: index < undatedFrom ? day : nil,
                columnSpan: haveSpans && random.oneIn(6) ? random.element(of: [2, 2, 3, 7, 128]) : 1,
                position: item.position)
        }
    }

    /// Returns sides of every magnitude with an allowed ratio.
    private static func anyShape(using random: inout SplitMix64) -> PixelSize {
        let greatest = Int(PixelSize.maximumSide)
        let ratio = Int(PixelSize.maximumRatio)
        let width = random.int(in: 1...random.element(of: [10, 1_000, 10_000, greatest]))
        let height = random.int(in: max(1, (width + ratio - 1) / ratio)...min(greatest, width * ratio))
        return size((Int32(width), Int32(height)))
    }

    private static func size(_ sides: (Int32, Int32), isTurned: Bool) -> PixelSize {
        isTurned ? size((sides.1, sides.0)) : size(sides)
    }

    private static func size(_ sides: (Int32, Int32)) -> PixelSize {
        PixelSize(uncheckedWidth: sides.0, height: sides.1)
    }
}

extension [ItemMetrics] {
    /// The items with positions on a map, which only a map may use.
    ///
    /// They are derived from the items themselves, so that other random draws stay the same.
    ///
    /// None, all or most items have a position: clustered, in one place, all over the world, or at its seam and poles.
    fileprivate var located: [ItemMetrics] {
        let first = self.first.map { UInt64($0.pixelSize.width) << 20 | UInt64($0.pixelSize.height) } ?? 0
        var random = SplitMix64(seed: first << 16 ^ UInt64(count))
        let (kind, town) = (random.int(in: 0...7), SampleMetrics.anyPlace(using: &random))
        return map { item in
            guard kind > 0, kind == 1 || !random.oneIn(3) else { return item }
            let place =
                switch kind == 2 ? 0 : random.int(in: 0...5) {
                case 0: town
                case 1, 2: SampleMetrics.place(near: town, using: &random)
                default: SampleMetrics.anyPlace(using: &random)
                }
            return ItemMetrics(
                pixelSize: item.pixelSize, hasCaption: item.hasCaption, orderDate: item.orderDate,
                columnSpan: item.columnSpan, position: WorldPosition(place))
        }
    }
}

extension SampleMetrics {
    /// Returns any place on Earth; one in eight at the seam of the map or at a pole.
    package static func anyPlace(using random: inout SplitMix64) -> Coordinate {
        let latitude =
            random.oneIn(8) ? random.element(of: [-90, -85.06, 0, 85.0511, 90]) : degrees(90, using: &random)
        let longitude =
            random.oneIn(8) ? random.element(of: [-180, 0.0001, 179.9999999, 180]) : degrees(180, using: &random)
        return Coordinate(uncheckedLatitude: latitude, longitude: longitude)
    }

    fileprivate static func place(near town: Coordinate, using random: inout SplitMix64) -> Coordinate {
        let (north, east) = (degrees(0.5, using: &random), degrees(0.5, using: &random))
        return Coordinate(
            uncheckedLatitude: min(max(town.latitude + north, -90), 90),
            longitude: min(max(town.longitude + east, -180), 180))
    }

    private static func degrees(_ greatest: Double, using random: inout SplitMix64) -> Double {
        greatest * Double(random.int(in: -1_000_000...1_000_000)) / 1_000_000
    }
}

/// A small random number generator that produces the same numbers for the same seed, on every platform and in every
/// version.
///
/// Source: Guy Steele, Doug Lea and Christine Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014; the
/// constants are those of Sebastiano Vigna's reference implementation.
package struct SplitMix64: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Creates a generator.
    package init(seed: UInt64) {
        state = seed
    }

    /// Returns the next 64 random bits.
    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }

    /// Returns an integer in a range, uniformly distributed except for a negligible bias.
    ///
    /// The standard library may change how it draws from a generator; this does not, so seeds keep their meaning.
    package mutating func int(in range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(next() % UInt64(range.upperBound - range.lowerBound + 1))
    }

    /// Returns a random element of a list.
    ///
    /// - Precondition: The list is not empty.
    package mutating func element<Element>(of list: [Element]) -> Element {
        list[int(in: 0...list.count - 1)]
    }

    /// Returns `true` with a probability of 1 in `count`.
    package mutating func oneIn(_ count: Int) -> Bool {
        int(in: 1...count) == 1
    }
}
