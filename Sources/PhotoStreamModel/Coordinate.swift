/// A place on the Earth in degrees.
public struct Coordinate: Hashable, Sendable {
    /// Degrees north, -90 to 90.
    public let latitude: Double
    /// Degrees east, -180 to 180.
    public let longitude: Double

    /// Checks and wraps a place.
    ///
    /// - Throws: ``ModelError`` when a value is not finite or out of range.
    public init(latitude: Double, longitude: Double) throws(ModelError) {
        guard (-90.0...90.0).contains(latitude) else { throw ModelError("latitude \(latitude) is outside -90 to 90") }
        guard (-180.0...180.0).contains(longitude) else {
            throw ModelError("longitude \(longitude) is outside -180 to 180")
        }
        self.latitude = latitude
        self.longitude = longitude
    }

    /// Wraps what was checked before.
    @inlinable
    package init(uncheckedLatitude latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }
}
