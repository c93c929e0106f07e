/// A rectangle of longitudes and latitudes, edges included.
///
///     let bounds = GeographicBounds(box)
///     let isOnePlace = bounds.west == bounds.east && bounds.south == bounds.north
///
/// Its corners are the middles of units of ``WorldPosition``, rounded to 1e-9 degrees: projected again, they are the
/// same positions.
public struct GeographicBounds: Hashable, Sendable {
    /// The western edge in degrees east, -180 to 180.
    public let west: Double
    /// The southern edge in degrees north.
    public let south: Double
    /// The eastern edge in degrees east; less than ``west`` if the rectangle crosses the antimeridian.
    public let east: Double
    /// The northern edge in degrees north.
    public let north: Double
}

extension GeographicBounds {
    /// Creates the bounds of a rectangle on the map.
    public init(_ box: WorldBox) {
        self.init(westX: box.minX, eastX: box.maxX, minY: box.minY, maxY: box.maxY)
    }

    /// Creates bounds from coordinates of ``WorldPosition``.
    ///
    /// - Parameters:
    ///   - westX: The western edge.
    ///   - eastX: The eastern edge; less than `westX` if the rectangle crosses the antimeridian.
    ///   - minY: The northern edge.
    ///   - maxY: The southern edge.
    package init(westX: UInt32, eastX: UInt32, minY: UInt32, maxY: UInt32) {
        self.init(
            west: Self.longitude(westX), south: Self.latitude(maxY), east: Self.longitude(eastX),
            north: Self.latitude(minY))
    }

    private static func longitude(_ x: UInt32) -> Double { rounded((Double(x) + 0.5) / 0x1p32 * 360 - 180) }

    private static func latitude(_ y: UInt32) -> Double {
        rounded(Mercator.latitude(southing: (Double(y) + 0.5) / 0x1p32))
    }

    private static func rounded(_ degrees: Double) -> Double { (degrees * 1e9).rounded() / 1e9 }
}
