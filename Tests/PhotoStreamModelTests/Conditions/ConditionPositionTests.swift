import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamModel

/// Areas decided by rounded positions agree with those decided by the places themselves.
@Suite struct ConditionPositionTests {
    private func area(_ text: String) throws -> (ConditionTerm, ConditionArea) {
        let term = try #require(try Condition(parsing: text).root.terms.first)
        return (term, try #require(ConditionArea(term)))
    }

    private func contains(_ term: ConditionTerm, _ place: Coordinate) throws -> Bool {
        var photo = Photo(id: try PhotoID("a"))
        photo.coordinate = place
        return term.matches(
            ConditionSubject(photo, in: try StreamName("archive"), today: CivilDate(daysSince1970: 0)))
    }

    private func place(_ latitude: Double, _ longitude: Double) -> Coordinate {
        var longitude = longitude
        if longitude > 180 { longitude -= 360 }
        if longitude < -180 { longitude += 360 }
        return Coordinate(uncheckedLatitude: min(max(latitude, -90), 90), longitude: min(max(longitude, -180), 180))
    }

    /// Checks places, and returns the number of those that are open.
    private func check(_ text: String, _ places: [Coordinate]) throws -> Int {
        let (term, area) = try area(text)
        var known: [UInt64: Bool?] = [:]
        var openCount = 0
        for place in places {
            let found = area.contains(WorldPosition(place), known: &known)
            if let found { #expect(try found == contains(term, place), "\(text) \(place)") } else { openCount += 1 }
        }
        return openCount
    }

    @Test(arguments: UInt64(1)...4)
    func `a circle is decided except for a metre at its edge`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<60 {
            let north = Double(random.int(in: -9_000...9_000)) / 100
            let east = Double(random.int(in: -18_000...18_000)) / 100
            let radius = random.element(of: [1, 2, 30, 999, 1_001, 20_000, 1_000_000, 9_000_000, 20_000_000])
            let text = "near:\(north),\(east),\(radius)m"
            // Of all distances, and many at the edge.
            let places = (0..<200).map { _ in
                let degrees =
                    Double(radius) / 111_195 * (random.oneIn(2) ? Double(random.int(in: 0...2_000)) / 1_000 : 1)
                let (up, left) = (random.oneIn(2), random.oneIn(2))
                return random.oneIn(3)
                    ? place(north + (up ? degrees : -degrees), east)
                    : place(
                        north + Double(random.int(in: -100...100)) / 100 * degrees, east + (left ? degrees : -degrees))
            }
            _ = try check(text, places)
        }
    }

    @Test func `a circle is open at its edge and at the poles alone`() throws {
        var random = SplitMix64(seed: 9)
        let places = (0..<5_000).map { _ in
            place(Double(random.int(in: -8_400...8_400)) / 100, Double(random.int(in: -18_000...18_000)) / 100)
        }
        #expect(try check("near:47.37,8.54,2000km", places) < 5)
        // A degree of a meridian has 111,195 m.
        let edge = (-50...50).map { place(Double($0) / 1e6 + 20_000 / 111_195.08, 8.54) }
        #expect(try check("near:0,8.54,20km", edge) > 10)
        #expect(try check("near:90,0,10km", [place(90, 0), place(-90, 0), place(86, 3), place(-89, 3)]) == 4)
    }

    @Test(arguments: UInt64(1)...4)
    func `a rectangle is decided except for the position of its edge`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<200 {
            let edges = (0..<2).map { _ in Double(random.int(in: -90_000...90_000)) / 1_000 }.sorted()
            let (west, east) = (
                Double(random.int(in: -180_000...180_000)) / 1_000, Double(random.int(in: -180_000...180_000)) / 1_000
            )
            let text = "within:\(edges[0]),\(west),\(edges[1]),\(east)"
            let places = (0..<100).map { _ in
                // Less than a position, some positions, and anywhere.
                let distance = Double(random.int(in: -3...3)) * random.element(of: [0, 1e-9, 1e-7, 1e-5, 10])
                let latitude = random.oneIn(2) ? edges[random.int(in: 0...1)] : Double(random.int(in: -90...90))
                let longitude = random.oneIn(2) ? random.element(of: [west, east]) : Double(random.int(in: -180...180))
                return place(latitude + distance, longitude + distance)
            }
            _ = try check(text, places)
            let inner = (0..<100).map { _ in
                place(
                    Double(random.int(in: -85_000...85_000)) / 1_000 + 0.0005,
                    Double(random.int(in: -179_000...179_000)) / 1_000 + 0.0005)
            }
            #expect(try check(text, inner) == 0)
        }
    }
}
