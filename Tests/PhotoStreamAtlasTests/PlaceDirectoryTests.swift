import Foundation
import Testing

@testable import PhotoStreamAtlas

/// Cities by name, compared with a naive search, and damaged data.
@Suite struct PlaceDirectoryTests {
    private static let directory = PlaceDirectory.shared

    /// The words of a text, folded by Foundation alone.
    private static func words(_ text: String) -> [String] {
        text.folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil).lowercased()
            .split(whereSeparator: { " -'’.,".contains($0) }).map(String.init)
    }

    /// The main names of the places that match, in order: a list of the whole directory, filtered and sorted.
    private static func naive(_ query: String) -> [Place] {
        let key = words(query).joined(separator: " ")
        let found = directory.places.enumerated().compactMap { number, place -> (Int, Int, Int)? in
            let words = words(place.name)
            let starts = words.indices.filter { words[$0...].joined(separator: " ").hasPrefix(key) }
            return starts.isEmpty ? nil : (starts.contains(0) ? 0 : 1, -place.population, number)
        }
        return found.sorted { $0 < $1 }.map { directory.places[$0.2] }
    }

    @Test(arguments: ["zurich", "ZÜRICH", "San F", "york", "saint-denis", "Saint Denis", "l'aq", "qwxz", "Xi’an"])
    func `a search finds the places of a naive one in its order`(query: String) {
        let expected = Self.naive(query)
        let found = Self.directory.places(matching: query, limit: .max)
        // Others are found by their other names.
        let main = found.filter(Set(expected).contains)
        #expect(Set(main) == Set(expected))
        let key = Self.words(query).joined(separator: " ")
        let beginning = expected.filter { Self.words($0.name).joined(separator: " ").hasPrefix(key) }
        #expect(main.filter(Set(beginning).contains) == beginning)
        #expect(Self.directory.places(matching: query, limit: 3) == Array(found.prefix(3)))
    }

    @Test(arguments: [
        ("zur", "Zürich", "CH"), ("Lodz", "Łódź", "PL"), ("东京", "Tokyo", "JP"), ("москва", "Moscow", "RU"),
        ("wien", "Vienna", "AT"), ("munchen", "Munich", "DE"), ("new york", "New York City", "US"),
        ("kobenhavn", "Copenhagen", "DK"), ("القاهرة", "Cairo", "EG"), ("tromso", "Tromsø", "NO"),
    ])
    func `a city is found in any script, without case and accents`(query: String, name: String, country: String) {
        let found = Self.directory.places(matching: query, limit: 8)
        #expect(found.contains { $0.name == name && $0.countryCode == country }, "\(found.map(\.name))")
    }

    @Test func `positions and sizes are those of the cities`() throws {
        let zurich = try #require(Self.directory.places(matching: "zurich", limit: 1).first)
        #expect(zurich.country == "Switzerland")
        #expect(abs(zurich.latitude - 47.3667) < 0.001 && abs(zurich.longitude - 8.55) < 0.001)
        #expect((300_000...500_000).contains(zurich.population))
        #expect(Self.directory.places.count > 30_000)
        #expect(Self.directory.places.allSatisfy { abs($0.latitude) < 90 && abs($0.longitude) < 180 })
    }

    @Test(arguments: ["", " ", "-", "'", "  . ", "\u{0}", "🎂"])
    func `nothing matches a text without letters`(query: String) {
        #expect(Self.directory.places(matching: query, limit: 5).isEmpty)
    }

    @Test func `the data is small enough for the binary`() {
        #expect(Atlas.places.count <= 600_000 && Atlas.land.count <= 250_000)
    }

    /// Three places, in the form of the script.
    private static let small: [UInt8] =
        Array("PSP1".utf8) + [1] + Array("CH".utf8) + [11] + Array("Switzerland".utf8)
        + [3, 0, 8] + Array("Bern".utf8) + [0, 136, 0x86, 0x22, 0x22, 0xC2, 0x8F]
        + [1, 4] + Array("al".utf8) + [0, 100, 0x86, 0, 0, 0, 0] + [0, 9] + Array("Bäl".utf8) + [1]

    @Test func `damaged data is refused or read within its bounds`() throws {
        let whole = try #require(PlaceDirectory(Self.small))
        #expect(whole.places.map(\.name) == ["Bern", "Bal"])
        #expect(whole.places(matching: "bäl", limit: 9).map(\.name) == ["Bal"])
        for count in 0..<Self.small.count { #expect(PlaceDirectory(Array(Self.small.prefix(count))) == nil) }
        #expect(PlaceDirectory(Self.small + [0]) == nil)
        for offset in Self.small.indices {
            for value in UInt8.min...UInt8.max {
                var damaged = Self.small
                damaged[offset] = value
                _ = PlaceDirectory(damaged)?.places(matching: "b", limit: 9)
            }
        }
    }

    @Test func `a place that does not exist has no other name`() {
        var damaged = Self.small
        damaged[damaged.count - 1] = 2
        #expect(PlaceDirectory(damaged) == nil)
    }
}
