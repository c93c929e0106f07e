/// A circle on the Earth: the places within a distance of its middle, along the surface of a sphere.
///
/// Texts are `47.37,8.54,20km` and `47.37,8.54,500m`: degrees north and east, to 6 places, and the distance.
public struct ConditionCircle: Hashable, Sendable {
    /// The mean radius of the Earth in metres.
    static let earthRadius = 6_371_008.8
    /// The accepted distances in metres: half of the Earth's circumference at most.
    static let distances = 1...20_000_000

    /// Millionths of degrees north.
    public let latitude: Int
    /// Millionths of degrees east.
    public let longitude: Int
    /// The distance in metres.
    public let distance: Int

    /// Reads a text; `nil` if it is not a circle.
    init?(_ text: String) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == 3, let latitude = Degrees.latitude(parts[0]), let longitude = Degrees.longitude(parts[1])
        else { return nil }
        let distance = parts[2].trimmingSpaces.lowercased()
        let metres =
            distance.hasSuffix("km")
            ? FixedDecimal.value(distance.dropLast(2), places: 3)
            : distance.hasSuffix("m") ? FixedDecimal.value(distance.dropLast(), places: 0) : nil
        guard let metres, Self.distances.contains(metres) else { return nil }
        (self.latitude, self.longitude, self.distance) = (latitude, longitude, metres)
    }

    /// Whether a place is in the circle.
    public func contains(_ place: Coordinate) -> Bool { contains(place, within: distance) }

    /// Whether a place is in the circle with another distance, in metres.
    ///
    /// The haversine formula; the sine of half of each angle decides without an inverse function. All platforms compute
    /// the same bits.
    func contains(_ place: Coordinate, within distance: Int) -> Bool {
        let radian = 3.14159265358979323846 / 180
        let middle = (latitude: Double(latitude) / 1e6, longitude: Double(longitude) / 1e6)
        var turn = abs(place.longitude - middle.longitude)
        if turn > 180 { turn = 360 - turn }
        let northward = Mercator.sine((place.latitude - middle.latitude) / 2 * radian)
        let eastward = Mercator.sine(turn / 2 * radian)
        let cosines =
            Mercator.sine((90 - abs(place.latitude)) * radian) * Mercator.sine((90 - abs(middle.latitude)) * radian)
        let limit = Mercator.sine(Double(distance) / 2 / Self.earthRadius)
        return northward * northward + cosines * eastward * eastward <= limit * limit
    }

    /// The text of the circle.
    var canonicalText: String {
        let length = distance % 1_000 == 0 ? "\(distance / 1_000)km" : "\(distance)m"
        return "\(Degrees.text(latitude)),\(Degrees.text(longitude)),\(length)"
    }
}

/// A rectangle of latitudes and longitudes, edges included.
///
/// Texts are `45.8,5.9,47.8,10.5`: the southern, western, northern and eastern edge in degrees, to 6 places.
public struct ConditionBox: Hashable, Sendable {
    /// The southern edge in millionths of degrees north.
    public let south: Int
    /// The western edge in millionths of degrees east.
    public let west: Int
    /// The northern edge in millionths of degrees north.
    public let north: Int
    /// The eastern edge in millionths of degrees east; less than ``west`` if the rectangle crosses the antimeridian.
    public let east: Int

    /// Reads a text; `nil` if it is not a rectangle.
    init?(_ text: String) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == 4, let south = Degrees.latitude(parts[0]), let west = Degrees.longitude(parts[1]),
            let north = Degrees.latitude(parts[2]), let east = Degrees.longitude(parts[3]), south <= north
        else { return nil }
        (self.south, self.west, self.north, self.east) = (south, west, north, east)
    }

    /// Whether a place is in the rectangle.
    public func contains(_ place: Coordinate) -> Bool {
        let (south, north) = (Double(south) / 1e6, Double(north) / 1e6)
        let (west, east) = (Double(west) / 1e6, Double(east) / 1e6)
        guard south <= place.latitude, place.latitude <= north else { return false }
        let (isEast, isWest) = (west <= place.longitude, place.longitude <= east)
        return west <= east ? isEast && isWest : isEast || isWest
    }

    /// The text of the rectangle.
    var canonicalText: String { [south, west, north, east].map(Degrees.text).joined(separator: ",") }
}

/// Degrees in millionths.
private enum Degrees {
    static func latitude(_ text: Substring) -> Int? { value(text, limit: 90) }

    static func longitude(_ text: Substring) -> Int? { value(text, limit: 180) }

    private static func value(_ text: Substring, limit: Int) -> Int? {
        guard let value = FixedDecimal.value(text.trimmingSpaces, places: 6), abs(value) <= limit * 1_000_000 else {
            return nil
        }
        return value
    }

    static func text(_ degrees: Int) -> String { FixedDecimal.text(degrees, places: 6) }
}

extension Substring {
    /// The text without spaces at its ends.
    fileprivate var trimmingSpaces: Substring {
        var text = drop { $0 == " " }
        while text.last == " " { text.removeLast() }
        return text
    }
}
