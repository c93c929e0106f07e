/// A place on the square that Web Mercator makes of the world, whatever the zoom.
///
/// Counted in 2^-32 of the square's side, about a centimetre at the equator, from its north-western corner: x eastwards
/// from the antimeridian, y southwards from ``greatestLatitude``. Half of a pixel of the greatest map that a layout
/// draws, so the same position serves every zoom.
public struct WorldPosition: Hashable, Sendable {
    /// From the western edge.
    public let x: UInt32
    /// From the northern edge; at most 2^32 - 2, so that one packed number is free to say that there is no position.
    public let y: UInt32

    /// The latitude where the square ends, in degrees north and south: what lies beyond is moved there.
    public static let greatestLatitude = 85.05112878

    /// The position of a place.
    ///
    /// The longitude 180 is the last position in the east, -180 the first in the west: the world has its seam there,
    /// and both of its sides are kept.
    ///
    /// Standard arithmetic of `Double` only, so every platform has the same bits. Never falls from north to south, nor
    /// from west to east.
    public init(_ coordinate: Coordinate) {
        x = Self.part((coordinate.longitude + 180) / 360, greatest: .max)
        y = Self.part(Mercator.southing(latitude: coordinate.latitude), greatest: .max - 1)
    }

    /// A part of the square's side, from 0 to 1.
    private static func part(_ fraction: Double, greatest: UInt32) -> UInt32 {
        UInt32(min(max(0, fraction * 0x1p32), Double(greatest)))
    }
}

extension WorldPosition {
    /// What packed positions hold where there is none.
    @inlinable package static var nowhere: UInt64 { .max }

    /// Both numbers in one, never ``nowhere``.
    @inlinable package var packed: UInt64 { UInt64(y) << 32 | UInt64(x) }

    /// Reads a packed position.
    ///
    /// - Returns: `nil` where there is none.
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

    /// How far south of the square's northern edge a latitude lies, as a part of its side: `1/2 - atanh(sin φ) / 2π`.
    ///
    /// - Parameter latitude: Degrees north, -90 to 90.
    /// - Returns: 0 to 1, give or take 1e-14.
    static func southing(latitude: Double) -> Double {
        let limit = WorldPosition.greatestLatitude
        // In steps of 2^-36 degrees, a micrometre: larger than what the arithmetic gets wrong, so that it never falls.
        let steps = (min(max(latitude, -limit), limit) * 0x1p36).rounded(.toNearestOrAwayFromZero) / 0x1p36
        let sine = sine(steps * pi / 180)
        return 0.5 - logarithm((1 + sine) / (1 - sine)) / (4 * pi)
    }

    /// What the terms of the sine's series have to do with one another, the last first.
    private static let sineRatios = stride(from: 26.0, to: 0, by: -2).map { 1 / ($0 * ($0 + 1)) }
    /// The coefficients of the series of atanh, the last first.
    private static let logarithmCoefficients = stride(from: 27.0, through: 1, by: -2).map { 1 / $0 }

    /// The sine of an angle of at most a right one, by its series: what is left out is less than 1e-24.
    private static func sine(_ angle: Double) -> Double {
        let square = angle * angle
        var sum = 1.0
        for ratio in sineRatios { sum = 1 - square * ratio * sum }
        return angle * sum
    }

    /// The natural logarithm of a positive number: that of a power of two, and the series of atanh for the rest, which
    /// lies within a factor of √2 of 1.
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
