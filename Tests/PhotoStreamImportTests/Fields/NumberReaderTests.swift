import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamImport

/// Numbers with decimal places: decimals, fractions and units.
@Suite struct NumberReaderTests {
    private func read(_ text: String, as number: PhotoNumber) -> Int? {
        Array(text.utf8).withBytes { try? NumberReader.number($0, as: number) }
    }

    @Test(
        arguments: [
            (.aperture, "1.78", 178), (.aperture, "1.8", 180), (.aperture, "16", 1_600), (.aperture, "1.785", 179),
            (.aperture, "1.7849", 178), (.aperture, "18/10", 180), (.aperture, "0.95", 95), (.aperture, "0.005", 1),
            (.aperture, "1000.004", 100_000), (.aperture, " 2.8 ", 280), (.aperture, "1e1", 1_000),
            (.exposureTime, "1/250", 4_000), (.exposureTime, "1/8000", 125), (.exposureTime, "0.000125", 125),
            (.exposureTime, "10/2500", 4_000), (.exposureTime, "1/3", 333_333), (.exposureTime, "2/3", 666_667),
            (.exposureTime, "30", 30_000_000), (.exposureTime, "1/250 s", 4_000), (.exposureTime, "0.5s", 500_000),
            (.exposureTime, "1 / 60", 16_667), (.exposureTime, "2147", 2_147_000_000),
            (.focalLength, "4.2 mm", 420), (.focalLength, "4.25", 425), (.focalLength, "26mm", 2_600),
            (.focalLength, "2400/100", 2_400), (.iso, "100", 100), (.iso, "100.0", 100), (.rating, "-1", -1),
        ] as [(PhotoNumber, String, Int)])
    func `a number is read in its notations and rounded to its last place`(
        number: PhotoNumber, text: String, value: Int
    ) {
        #expect(read(text, as: number) == value)
    }

    @Test(
        arguments: [
            (.aperture, "0"), (.aperture, "0.004"), (.aperture, "-1.8"), (.aperture, "1000.01"), (.aperture, "f/1.8"),
            (.aperture, "undef"), (.aperture, "1/0"), (.aperture, "1/"), (.aperture, "/2"), (.aperture, "1/2/3"),
            (.aperture, "-1/-2"), (.aperture, "1.5/2"), (.aperture, "nan"), (.aperture, "1.8 mm"), (.aperture, ""),
            (.exposureTime, "0"), (.exposureTime, "1/4000000"), (.exposureTime, "2148"), (.exposureTime, "s"),
            (.exposureTime, "1/1e400"), (.exposureTime, "1e400/1"), (.exposureTime, "1e16/1e16"),
            (.focalLength, "mm"), (.focalLength, "4.2 m"), (.focalLength, "4.2 mm mm"), (.iso, "100.5"), (.iso, "1/2"),
            (.iso, "0"), (.iso, "10000001"), (.rating, "4/1"),
        ] as [(PhotoNumber, String)])
    func `other texts are refused`(number: PhotoNumber, text: String) {
        #expect(read(text, as: number) == nil)
    }

    @Test(arguments: PhotoNumber.allCases)
    func `the shortest decimal of every value is read as the value`(number: PhotoNumber) {
        var random = SplitMix64(seed: 3)
        for _ in 0..<1_000 {
            let value = random.int(in: number.range)
            #expect(read(number.text(of: value), as: number) == value)
        }
    }

    @Test func `a fraction is the nearest decimal`() {
        var random = SplitMix64(seed: 4)
        for _ in 0..<2_000 {
            let (top, bottom) = (random.int(in: 1...5_000), random.int(in: 1...9_000))
            let exact = Double(top) / Double(bottom) * 1_000_000
            guard let value = read("\(top)/\(bottom)", as: .exposureTime) else {
                #expect(exact > 2_147_000_000 || exact < 0.5)
                continue
            }
            #expect(abs(Double(value) - exact) <= 0.5 + 1e-6)
        }
    }

    @Test func `a value that is left out is named in the units of people`() async throws {
        let outcome = try await ImportOutcome.reading(
            #"{"id":1,"exposureTime":"1/0","focalLength":2e7,"iso":0,"aperture":"f/2","people":{"a":1},"lens":"X"}"#)
        #expect(
            Set(outcome.warnings.map(\.reason)) == [
                "\"1/0\" is not an exposure time in seconds from 0.000001 to 2147",
                "\"2e7\" is not a focal length in millimetres from 0.01 to 1000000",
                "\"0\" is not an ISO speed from 1 to 10000000", "\"f/2\" is not an f-number from 0.01 to 1000",
                "the value is an object, not people",
            ])
        #expect(outcome.records.first?.lens == .set("X"))
    }

    @Test func `people are read as tags are`() async throws {
        let rows = "id,tags,people\n1,\"a;b\",\"Ada Lovelace;Grace\"\n2,,\"[\"\"Doe, Jane\"\",\"\"Bo\"\"]\"\n3,x,\n"
        let outcome = try await ImportOutcome.reading(rows, name: "photos.csv")
        #expect(
            outcome.records.map(\.people) == [.set(["Ada Lovelace", "Grace"]), .set(["Doe, Jane", "Bo"]), .clear])
        #expect(outcome.warnings.isEmpty)
    }
}
