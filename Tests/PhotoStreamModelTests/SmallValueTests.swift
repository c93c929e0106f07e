import PhotoStreamModel
import Testing

/// Values of a few bytes: colour, place, order key, revision.
@Suite struct SmallValueTests {
    @Test(
        arguments: [
            ("#1a2b3c", 0x1A2B3C), ("1A2B3C", 0x1A2B3C), ("#fff", 0xFFFFFF), ("000", 0), ("#AbC", 0xAABBCC),
            ("#000001", 1), ("#0000ff", 0xFF), ("ffffff", 0xFFFFFF), ("#18f", 0x1188FF),
        ] as [(String, UInt32)])
    func `a colour is parsed from three or six digits in either case`(text: String, value: UInt32) throws {
        #expect(try RGBColor(text).rawValue == value)
        #expect(try RGBColor(RGBColor(text).description) == RGBColor(text))
    }

    @Test(arguments: [
        "", "#", "#1", "#12", "#1234", "#12345", "#1234567", "#12345678", "#ffffffffffffffff", "##123", "12345g",
        "+12345", "-12345", "#+12", " #fff", "#fff ", "red", "１２３", "0x1234", "#12\n",
    ])
    func `other texts are not colours`(text: String) {
        #expect(throws: ModelError("\"\(text)\" is not a colour such as #1a2b3c")) { try RGBColor(text) }
    }

    @Test func `a colour is written as six lowercase digits`() {
        #expect(RGBColor(rawValue: 0xABC).description == "#000abc")
        #expect(RGBColor(rawValue: 0).description == "#000000")
        #expect(RGBColor(rawValue: 0xFF12_3456).rawValue == 0x12_3456)
    }

    @Test func `validates coordinates`() throws {
        for (latitude, longitude) in [(90.0, 180.0), (-90, -180), (0, 0.1), (51.5, -0.1), (-0.1, 0)] {
            let place = try Coordinate(latitude: latitude, longitude: longitude)
            #expect(place.latitude == latitude && place.longitude == longitude)
        }
        for bad in [90.001, -90.001, .nan, .infinity, -.infinity] {
            #expect(throws: ModelError("latitude \(bad) is outside -90 to 90")) {
                try Coordinate(latitude: bad, longitude: 0)
            }
        }
        for (latitude, longitude) in [(0.0, 0.0), (-0.0, 0.0)] {
            #expect(throws: ModelError("latitude 0 and longitude 0 are not a position")) {
                try Coordinate(latitude: latitude, longitude: longitude)
            }
        }
        for bad in [180.001, -180.001, .nan, .infinity, -.infinity] {
            #expect(throws: ModelError("longitude \(bad) is outside -180 to 180")) {
                try Coordinate(latitude: 0, longitude: bad)
            }
        }
    }

    @Test func `order keys are ordered by time, then rank, with undated ones last in descending order`() {
        let values: [Int64] = [.min, -1, 0, 1, .max]
        let keys = values.flatMap { time in values.map { OrderKey(time: time, rank: $0) } }
        #expect(keys.reversed().sorted() == keys)
        for (position, left) in keys.enumerated() {
            for (other, right) in keys.enumerated() { #expect((left < right) == (position < other)) }
        }
        #expect(OrderKey.undatedTime == .min)
        #expect(OrderKey.rankStep == 1_048_576)
    }

    @Test func `revisions are ordered and written as numbers`() {
        #expect(Revision(2) < Revision(10))
        #expect(Revision(10).description == "10")
    }

    @Test func `stored and transmitted enumerations keep their values`() {
        #expect([MetricsSource.measured, .ratio, .assumed].map(\.rawValue) == [0, 1, 2])
        #expect([MetricsSource.measured, .ratio, .assumed].map(\.name) == ["measured", "ratio", "assumed"])
        #expect([Photo.CaptionSource.imported, .person].map(\.rawValue) == [0, 1])
        #expect([Photo.CaptionSource.imported, .person].map(\.name) == ["import", "person"])
        let fields: [PhotoField] = [
            .size, .orientation, .takenAt, .text(.caption), .text(.alt), .list(.tags), .text(.location), .coordinate,
            .text(.contentHash), .text(.placeholder), .color, .number(.rating), .text(.title), .text(.camera),
            .text(.lens), .number(.iso), .number(.aperture), .number(.exposureTime), .number(.focalLength),
            .list(.people), .number(.duration), .text(.codec), .stack, .flag(.favourite), .list(.albums),
            .flag(.archived),
        ]
        #expect(fields.map { PhotoFields($0).rawValue } == (0..<26).map { 1 << $0 })
        #expect(fields == PhotoField.allCases)
        let sources: [CaptureTimeSource] = [
            .person, .record, .file(.sidecar), .file(.embedded), .file(.fileName), .file(.fileTime),
        ]
        #expect(sources == CaptureTimeSource.allCases)
        #expect(sources.map(\.rawValue) == [0, 1, 2, 3, 4, 5])
        #expect(sources.map(\.name) == ["person", "record", "sidecar", "embedded", "fileName", "fileTime"])
        #expect(sources.map(\.isGuess) == [false, false, false, false, true, true])
        #expect(sources.map { CaptureTimeSource(rawValue: $0.rawValue) } == sources)
        #expect(CaptureTimeSource(rawValue: 6) == nil && CaptureTimeSource(rawValue: .max) == nil)
    }
}
