/// A circle or a rectangle as it is decided by positions on the map, which are rounded to about a centimetre.
struct ConditionArea {
    private enum Shape {
        /// A circle, and a rectangle around it.
        case circle(ConditionCircle, bounds: Edges?)
        case box(Edges)
    }

    /// The edges of a rectangle, rounded as positions are.
    private struct Edges {
        let southWest: WorldPosition
        let northEast: WorldPosition
        let crossesSeam: Bool

        /// Creates edges in degrees; the rectangle crosses the antimeridian if the west is east of the east.
        init(south: Double, west: Double, north: Double, east: Double) {
            southWest = ConditionArea.position(north: south, east: west)
            northEast = ConditionArea.position(north: north, east: east)
            crossesSeam = west > east
        }

        /// Whether places with a position are between the edges; `nil` on one of them.
        ///
        /// The projection is monotone: a place with less y than an edge lies north of it, and one with more south of it. The
        /// same holds for x. Only a place with the edge's own coordinate may lie on either side.
        func contains(_ position: WorldPosition) -> Bool? {
            let isBetween = both(isLess(position.y, than: southWest.y), and: isLess(northEast.y, than: position.y))
            let isEast = isLess(southWest.x, than: position.x)
            let isWest = isLess(position.x, than: northEast.x)
            return both(isBetween, and: crossesSeam ? either(isEast, or: isWest) : both(isEast, and: isWest))
        }
    }

    private let shape: Shape

    /// Creates the area of a term; `nil` for a term without one.
    init?(_ term: ConditionTerm) {
        switch term.value {
        case .circle(let circle): shape = .circle(circle, bounds: Self.bounds(of: circle))
        case .box(let box):
            shape = .box(
                Edges(
                    south: Double(box.south) / 1e6, west: Double(box.west) / 1e6, north: Double(box.north) / 1e6,
                    east: Double(box.east) / 1e6))
        case .text, .words, .numbers, .days, .fileType, .field, .state: return nil
        }
    }

    /// Returns edges at least a kilometre outside of a circle; `nil` if it comes near a pole, or is a large part of the Earth.
    ///
    /// By the haversine formula, the sine of half of the difference of longitudes is at most that of half of the circle's
    /// angle, divided by the cosine of the latitude that is farthest from the equator.
    private static func bounds(of circle: ConditionCircle) -> Edges? {
        let radian = 3.14159265358979323846 / 180
        let angle = (Double(circle.distance) + 2_000) / ConditionCircle.earthRadius
        let (latitude, longitude) = (Double(circle.latitude) / 1e6, Double(circle.longitude) / 1e6)
        let height = angle / radian
        let farthest = abs(latitude) + height
        guard farthest < 80 else { return nil }
        let sine = Mercator.sine(angle / 2) / Mercator.sine((90 - farthest) * radian)
        guard sine < 0.9 else { return nil }
        // An arcsine is less than s + s³ for s in 0...1.
        let width = 2 * (sine + sine * sine * sine) / radian
        let (west, east) = (longitude - width, longitude + width)
        guard width < 179 else { return nil }
        return Edges(
            south: latitude - height, west: west < -180 ? west + 360 : west, north: latitude + height,
            east: east > 180 ? east - 360 : east)
    }

    fileprivate static func position(north: Double, east: Double) -> WorldPosition {
        WorldPosition(Coordinate(uncheckedLatitude: north, longitude: east))
    }

    /// Whether places with a position are in the area.
    ///
    /// - Parameters:
    ///   - position: The position.
    ///   - known: The results for parts of the map, shared by calls for one area.
    /// - Returns: `nil` if some of the places may be and others not.
    func contains(_ position: WorldPosition, known: inout [UInt64: Bool?]) -> Bool? {
        switch shape {
        case .circle(let circle, let bounds):
            if let bounds, bounds.contains(position) == false { return false }
            return Self.contains(position, in: circle, known: &known)
        case .box(let edges): return edges.contains(position)
        }
    }

    /// The side of a part of the map: 611 m at the equator, and less elsewhere.
    private static let partSide: UInt32 = 1 << 16
    /// More than the distance of any place of a part from its middle, 432 m, in metres.
    private static let partTolerance = 1_000
    /// More than the distance of any place of a position from its middle, a centimetre, and the errors of the formulas, in
    /// metres.
    private static let tolerance = 1

    private static func contains(
        _ position: WorldPosition, in circle: ConditionCircle, known: inout [UInt64: Bool?]
    ) -> Bool? {
        // Places beyond the edges of the map are projected onto them.
        guard position.y != northernmost, position.y != southernmost else { return nil }
        let part = WorldPosition(uncheckedX: position.x & ~(partSide - 1), y: position.y & ~(partSide - 1))
        let isPartIn: Bool?
        if let found = known[part.packed] {
            isPartIn = found
        } else {
            isPartIn = contains(middle(of: part, side: partSide), in: circle, tolerance: partTolerance)
            known[part.packed] = .some(isPartIn)
        }
        return isPartIn ?? contains(middle(of: position, side: 1), in: circle, tolerance: tolerance)
    }

    private static let northernmost = position(north: 90, east: 0).y
    private static let southernmost = position(north: -90, east: 0).y

    /// The middle of a square whose north-western corner is a position.
    private static func middle(of corner: WorldPosition, side: UInt32) -> Coordinate {
        let half = Double(side) / 2
        return Coordinate(
            uncheckedLatitude: Mercator.latitude(southing: (Double(corner.y) + half) / 0x1p32),
            longitude: (Double(corner.x) + half) / 0x1p32 * 360 - 180)
    }

    /// Whether all places around another are in a circle.
    ///
    /// By the triangle inequality, their distances from the circle's middle differ by the tolerance at most.
    ///
    /// - Parameters:
    ///   - place: The place.
    ///   - circle: The circle.
    ///   - tolerance: The greatest distance from the place, in metres.
    /// - Returns: `nil` if some of the places may be and others not.
    private static func contains(_ place: Coordinate, in circle: ConditionCircle, tolerance: Int) -> Bool? {
        if circle.distance > tolerance, circle.contains(place, within: circle.distance - tolerance) { return true }
        return circle.contains(place, within: circle.distance + tolerance) ? nil : false
    }
}

private func isLess(_ one: UInt32, than other: UInt32) -> Bool? { one == other ? nil : one < other }

private func both(_ one: Bool?, and other: Bool?) -> Bool? {
    if one == false || other == false { return false }
    return one == nil || other == nil ? nil : true
}

private func either(_ one: Bool?, or other: Bool?) -> Bool? {
    if one == true || other == true { return true }
    return one == nil || other == nil ? nil : false
}
