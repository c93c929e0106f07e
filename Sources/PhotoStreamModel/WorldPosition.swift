/// A position on the square Web Mercator world, independent of zoom.
///
/// Coordinates count units of 2^-32 of the square's side, about a centimetre at the equator, from its north-western
/// corner: x grows eastwards from the antimeridian, y southwards from ``greatestLatitude``. A unit is half a pixel of
/// the largest map that a layout draws, so one position serves every zoom.
public struct WorldPosition: Hashable, Sendable {
    /// The distance from the western edge.
    public let x: UInt32
    /// The distance from the northern edge, at most 2^32 - 2: one packed value stays free to mean "no position".
    public let y: UInt32

    /// The latitude, north and south, of the square's edges.
    ///
    /// Places beyond it are clamped.
    public static let greatestLatitude = 85.05112878

    /// Projects a place onto the square.
    ///
    /// Longitude 180 is the last position in the east and -180 the first in the west: both sides of the seam are kept.
    ///
    /// Uses standard `Double` arithmetic only, so every platform computes the same bits. Monotone: never decreases from
    /// north to south or from west to east.
    public init(_ coordinate: Coordinate) {
        x = Self.part((coordinate.longitude + 180) / 360, greatest: .max)
        y = Self.part(Mercator.southing(latitude: coordinate.latitude), greatest: .max - 1)
    }

    /// Converts a fraction of the square's side, 0 to 1, to units.
    private static func part(_ fraction: Double, greatest: UInt32) -> UInt32 {
        UInt32(min(max(0, fraction * 0x1p32), Double(greatest)))
    }
}

extension WorldPosition {
    /// The packed value that means "no position".
    @inlinable package static var nowhere: UInt64 { .max }

    /// Both coordinates in one number, never ``nowhere``.
    @inlinable package var packed: UInt64 { UInt64(y) << 32 | UInt64(x) }

    /// Unpacks a position.
    ///
    /// - Returns: `nil` for ``nowhere``.
    @inlinable
    package init?(packed: UInt64) {
        guard packed != .max else { return nil }
        self.init(uncheckedX: UInt32(truncatingIfNeeded: packed), y: UInt32(truncatingIfNeeded: packed >> 32))
    }

    @inlinable
    init(uncheckedX x: UInt32, y: UInt32) {
        (self.x, self.y) = (x, y)
    }
}

/// The arithmetic of the projection.
enum Mercator {
    private static let pi = 3.14159265358979323846

    /// Returns the distance of a latitude from the square's northern edge, as a fraction of its side: `1/2 - atanh(sin
    /// φ) / 2π`.
    ///
    /// - Parameter latitude: Degrees north, -90 to 90.
    /// - Returns: 0 to 1, within 1e-14.
    static func southing(latitude: Double) -> Double {
        let limit = WorldPosition.greatestLatitude
        // Steps of 2^-36 degrees, a micrometre, exceed the rounding error, which keeps the function monotone.
        let steps = (min(max(latitude, -limit), limit) * 0x1p36).rounded(.toNearestOrAwayFromZero) / 0x1p36
        let sine = sine(steps * pi / 180)
        return 0.5 - logarithm((1 + sine) / (1 - sine)) / (4 * pi)
    }

    /// Returns the latitude at a distance from the square's northern edge, the inverse of ``southing(latitude:)``.
    ///
    /// Newton's method for `ln((1 + sin φ) / (1 - sin φ)) / 2 = π (1 - 2 southing)`, from the square's edge: the
    /// function is convex from the equator on, so the steps never pass the root.
    ///
    /// - Parameter southing: A fraction of the square's side, 0 to 1.
    /// - Returns: Degrees north, within 1e-11.
    static func latitude(southing: Double) -> Double {
        let target = pi * (1 - 2 * southing)
        var angle = WorldPosition.greatestLatitude * pi / 180
        for _ in 0..<12 {
            let sine = sine(angle)
            let step = (logarithm((1 + sine) / (1 - sine)) / 2 - abs(target)) * (1 - sine * sine).squareRoot()
            angle -= step
            if abs(step) < 1e-15 { break }
        }
        return (target < 0 ? -angle : angle) * 180 / pi
    }

    /// The ratios of consecutive terms of the sine series, last first.
    private static let sineRatios = stride(from: 26.0, to: 0, by: -2).map { 1 / ($0 * ($0 + 1)) }
    /// The coefficients of the atanh series, last first.
    private static let logarithmCoefficients = stride(from: 27.0, through: 1, by: -2).map { 1 / $0 }

    /// Returns the sine of an angle of at most π/2 by its series; the truncation error is below 1e-24.
    static func sine(_ angle: Double) -> Double {
        let square = angle * angle
        var sum = 1.0
        for ratio in sineRatios { sum = 1 - square * ratio * sum }
        return angle * sum
    }

    /// Returns the natural logarithm of a positive number: the exponent's, plus the atanh series for a remainder within
    /// a factor of √2 of 1.
    private static func logarithm(_ number: Double) -> Double {
        var (exponent, rest) = (Double(number.exponent), number.significand)
        if rest > 1.41421356237309504880 { (exponent, rest) = (exponent + 1, rest / 2) }
        let ratio = (rest - 1) / (rest + 1)
        let square = ratio * ratio
        var sum = 0.0
        for coefficient in logarithmCoefficients { sum = sum * square + coefficient }
        return exponent * 0.69314718055994530942 + 2 * ratio * sum
    }
}

/// The number of positioned photos in a chunk and their bounding box: all that a map needs from a chunk to lay out its
/// photos.
public struct PositionSummary: Hashable, Sendable {
    /// The number of photos with a position.
    public let count: Int
    /// The bounding box of the positions; `nil` if there are none.
    public let box: WorldBox?

    /// Summarizes packed positions.
    package init(packed positions: ArraySlice<UInt64>) {
        var (count, box) = (0, WorldBox?.none)
        for position in positions {
            guard let position = WorldPosition(packed: position) else { continue }
            count += 1
            let place = WorldBox(minX: position.x, maxX: position.x, minY: position.y, maxY: position.y)
            box = box?.union(place) ?? place
        }
        (self.count, self.box) = (count, box)
    }

    /// Restores a summary from stored values.
    ///
    /// - Returns: `nil` if count and box disagree about whether there are positions.
    package init?(count: Int, box: WorldBox?) {
        guard count >= 0, (count > 0) == (box != nil) else { return nil }
        (self.count, self.box) = (count, box)
    }

    /// Creates the summary of at least one position.
    package init(_ count: Int, within box: WorldBox) {
        (self.count, self.box) = (count, box)
    }

    /// The summary of photos without positions.
    public static let none = PositionSummary(packed: [])
}

/// A rectangle on the map; its edges are inclusive.
public struct WorldBox: Hashable, Sendable {
    /// The least x.
    public let minX: UInt32
    /// The greatest x.
    public let maxX: UInt32
    /// The least y.
    public let minY: UInt32
    /// The greatest y.
    public let maxY: UInt32

    /// Creates a box.
    package init(minX: UInt32, maxX: UInt32, minY: UInt32, maxY: UInt32) {
        (self.minX, self.maxX, self.minY, self.maxY) = (minX, maxX, minY, maxY)
    }

    /// Returns the smallest box that contains both.
    package func union(_ other: WorldBox) -> WorldBox {
        WorldBox(
            minX: min(minX, other.minX), maxX: max(maxX, other.maxX), minY: min(minY, other.minY),
            maxY: max(maxY, other.maxY))
    }
}

/// A place on the Earth in degrees.
public struct Coordinate: Hashable, Sendable {
    /// Degrees north, -90 to 90.
    public let latitude: Double
    /// Degrees east, -180 to 180.
    public let longitude: Double

    /// Creates a validated place.
    ///
    /// - Throws: ``ModelError`` if a value is not finite or out of range, and for (0, 0), which devices and programs write
    ///   if they know no position.
    public init(latitude: Double, longitude: Double) throws(ModelError) {
        guard (-90.0...90.0).contains(latitude) else { throw ModelError("latitude \(latitude) is outside -90 to 90") }
        guard (-180.0...180.0).contains(longitude) else {
            throw ModelError("longitude \(longitude) is outside -180 to 180")
        }
        guard latitude != 0 || longitude != 0 else {
            throw ModelError("latitude 0 and longitude 0 are not a position")
        }
        self.latitude = latitude
        self.longitude = longitude
    }

    /// Creates a place from values that were validated before.
    @inlinable
    package init(uncheckedLatitude latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }
}
