import Foundation
import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

@Suite struct ConditionAreaTests {
    private func matches(_ text: String, latitude: Double, longitude: Double) throws -> Bool {
        var photo = Photo(id: try PhotoID("a"))
        photo.coordinate = try Coordinate(latitude: latitude, longitude: longitude)
        return try Condition(parsing: text).matches(
            ConditionSubject(photo, in: try StreamName("archive"), today: SampleConditions.today))
    }

    @Test(arguments: UInt64(1)...4)
    func `a circle contains the places that are near by another formula`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var counts = [false: 0, true: 0]
        for _ in 0..<2_000 {
            let middle = (Double(random.int(in: -9_000...9_000)) / 100, Double(random.int(in: -18_000...18_000)) / 100)
            let spread = random.element(of: [10, 1_000, 9_000])
            let latitude = min(max(middle.0 + Double(random.int(in: -spread...spread)) / 100, -90), 90)
            var longitude = middle.1 + Double(random.int(in: -spread...spread)) / 100
            if longitude > 180 { longitude -= 360 }
            if longitude < -180 { longitude += 360 }
            guard latitude != 0 || longitude != 0 else { continue }
            // The angle between two unit vectors.
            let (one, other) = (vector(middle.0, middle.1), vector(latitude, longitude))
            let difference = zip(one, other).map { ($0 - $1) * ($0 - $1) }.reduce(0, +).squareRoot()
            let distance = 2 * asin(min(1, difference / 2)) * 6_371_008.8
            let radius =
                random.oneIn(2) ? random.int(in: 1...20_000_000) : Int(distance * 0.99) + random.int(in: 1...100_000)
            guard abs(distance - Double(radius)) > 1, radius <= 20_000_000 else { continue }
            let text = "near:\(middle.0),\(middle.1),\(radius)m"
            let isNear = try matches(text, latitude: latitude, longitude: longitude)
            #expect(isNear == (distance < Double(radius)), "\(text) \(latitude) \(longitude) \(distance)")
            counts[isNear, default: 0] += 1
        }
        #expect(counts.values.allSatisfy { $0 > 150 }, "\(counts)")
    }

    private func vector(_ latitude: Double, _ longitude: Double) -> [Double] {
        let (north, east) = (latitude * .pi / 180, longitude * .pi / 180)
        return [cos(north) * cos(east), cos(north) * sin(east), sin(north)]
    }

    @Test(arguments: [
        ("near:47.37,8.54,1m", 47.37, 8.54, true), ("near:0,180,1km", 0, -180, true),
        ("near:0.001,179.999,1km", 0.001, -179.999, true),
        ("near:90,0,1m", 90, 123, true), ("near:90,0,20000km", -89, 0, true), ("near:90,0,20000km", -90, 0, false),
        ("near:47.37,8.54,20km", 47.55, 8.54, false),
    ])
    func `circles cross the antimeridian and the poles`(
        text: String, latitude: Double, longitude: Double, isNear: Bool
    ) throws {
        #expect(try matches(text, latitude: latitude, longitude: longitude) == isNear)
    }

    @Test(arguments: [
        ("within:1,2,3,4", 1.0, 2.0, true), ("within:1,2,3,4", 3, 4, true), ("within:1,2,3,4", 0.999999, 3, false),
        ("within:1,2,3,4", 2, 4.000001, false), ("within:1,170,3,-170", 2, 175, true),
        ("within:1,170,3,-170", 2, -175, true),
        ("within:1,170,3,-170", 2, 169.9, false), ("within:1,170,3,-170", 2, 0, false), ("within:1,2,1,2", 1, 2, true),
        ("within:-90,-180,90,180", -90, 180, true),
    ])
    func `a rectangle includes its edges and may cross the antimeridian`(
        text: String, latitude: Double, longitude: Double, isWithin: Bool
    ) throws {
        #expect(try matches(text, latitude: latitude, longitude: longitude) == isWithin)
    }

    @Test func `a photo without a position is nowhere`() throws {
        let subject = ConditionSubject(
            Photo(id: try PhotoID("a")), in: try StreamName("archive"), today: SampleConditions.today)
        for text in ["near:0,0,20000km", "within:-90,-180,90,180", "place:zurich"] {
            #expect(try !Condition(parsing: text).matches(subject))
        }
    }
}
