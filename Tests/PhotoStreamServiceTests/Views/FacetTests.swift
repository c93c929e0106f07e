import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamStorage
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamService

/// The facets of views, against counts of their photos one by one and against the views that they lead to.
@Suite(.withoutPrimary) struct FacetTests {
    private let gallery: Gallery
    private let key: LayoutKey

    init() throws {
        var random = SplitMix64(seed: 77)
        gallery = try Gallery(chunkSize: ChunkSize(minimum: 8, target: 16, maximum: 32))
        try gallery.insert(400, using: &random)
        key = try LayoutKey(SampleLayouts.configurations[0])
        try gallery.shell(
            """
            UPDATE photo SET rating = CASE id % 7 WHEN 6 THEN NULL ELSE id % 7 END,
                camera = CASE id % 5 WHEN 0 THEN 'Canon EOS R5' WHEN 1 THEN 'canon eos r5' WHEN 2 THEN 'Canon EOS R5 Mark II'
                    WHEN 3 THEN '???' END,
                tags = CASE id % 6 WHEN 0 THEN '["Sea","sea"]' WHEN 1 THEN '["sea","New York"]' WHEN 2 THEN '["a \\"b\\" *"]'
                    WHEN 3 THEN '["Sea","boat","boat"]' WHEN 4 THEN '["\u{200B}"]' END,
                albums = CASE id % 5 WHEN 0 THEN '["Italy/2025","Best"]' WHEN 1 THEN '["italy"]' WHEN 2 THEN '["Italy/2025/Rome","Italy"]' END,
                location = CASE id % 4 WHEN 0 THEN '2019/Italy/' || id || '.jpg' WHEN 1 THEN 'Old/2019/x.jpg'
                    WHEN 2 THEN '2019/b.jpg' ELSE 'c.jpg' END,
                (takenAtMilliseconds, takenAtPrecision, utcOffsetMinutes) = (CASE id % 9 WHEN 8 THEN NULL ELSE
                    ((id % 9) * 365 - 700) * 86400000 END, CASE id % 9 WHEN 8 THEN NULL WHEN 3 THEN 0 ELSE 4 END, NULL)
            """)
    }

    private func facets(
        _ text: String = "", limit: Int = 100, readable: ConditionInputs = .all
    ) throws -> FacetsAnswer {
        try gallery.service.read {
            try $0.facets(of: Gallery.stream, where: Condition(parsing: text), limit: limit, readable: readable)
        }
    }

    private func count(_ text: String) throws -> Int {
        try gallery.service.read {
            try $0.layout(key, of: Gallery.stream, where: Condition(parsing: text)).summary().count
        }
    }

    @Test(arguments: ["", "rating:>=3", "-tag:sea", "camera:canon", "folder:2019 taken:1970..", "rating:5 -rating:5"])
    func `adding a facet to the condition leaves as many photos as it says`(text: String) throws {
        let answer = try facets(text)
        #expect(try answer.count == count(text))
        for kind in FacetKind.allCases {
            let facets = try #require(answer.facets[kind])
            #expect(facets.isEmpty == (answer.count == 0), "\(kind)")
            for facet in facets {
                #expect(try facet.count == count("\(text) \(facet.condition)"), "\(kind) \(facet.text)")
                #expect(facet.count > 0)
            }
            #expect(Set(facets.map(\.condition)).count == facets.count)
        }
    }

    @Test func `facets are those of the photos one by one`() throws {
        let photos = try gallery.photos()
        let answer = try facets()
        var tags: [String: Int] = [:]
        for photo in photos {
            for tag in Set(photo.tags.map(FoldedText.folded)) where !tag.isEmpty { tags[tag, default: 0] += 1 }
        }
        let found = try #require(answer.facets[.tags])
        #expect(found.map(\.count) == tags.values.sorted(by: >))
        // Most photos with the tag write it with a capital.
        #expect(found.first?.text == "Sea")
        #expect(Set(found.map(\.text)) == ["Sea", "boat", "New York", "a \"b\" *"])
        #expect(
            Set(found.map(\.condition.canonicalText)) == [
                "tag:sea", "tag:boat", "tag:\"new york\"", "tag:\"a \"\"b\"\" *\"",
            ])
        #expect(
            answer.facets[.cameras]?.map(\.condition.canonicalText) == [
                "camera:\"canon eos r5\"", "camera:\"canon eos r5 mark ii\"",
            ])
        #expect(answer.facets[.ratings]?.map(\.text) == ["5", "4", "3", "2", "1"])
        #expect(
            answer.facets[.folders]?.map(\.condition.canonicalText) == [
                "folder:2019", "folder:2019/italy", "folder:old", "folder:old/2019",
            ])
        #expect(
            answer.facets[.albums]?.map { "\($0.text) \($0.count) \($0.condition)" } == [
                "Italy 240 album:italy", "Italy/2025 160 album:italy/2025", "Best 80 album:best",
                "Italy/2025/Rome 80 album:italy/2025/rome",
            ])
        let years = Dictionary(grouping: photos.compactMap { $0.takenAt.map { String($0.description.prefix(4)) } }) {
            $0
        }
        #expect(answer.facets[.years]?.map(\.text) == years.keys.sorted(by: >))
        #expect(answer.facets[.years]?.map(\.count) == years.keys.sorted(by: >).map { years[$0]?.count ?? 0 })
        #expect(answer.incomplete.isEmpty)
    }

    @Test func `photos whose texts are too long to pack count like others`() throws {
        let before = try facets("rating:..3")
        try gallery.shell("UPDATE photo SET lens = printf('%.*c', 30000, 'x') || id")
        #expect(try facets("rating:..3").facets == before.facets)
        let long = (0..<60).map { "\"\($0)\(String(repeating: "y", count: 900))\"" }.joined(separator: ",")
        try gallery.shell("UPDATE photo SET tags = '[\"sea\",\"Sea\",\(long)]' WHERE rating = 5")
        let answer = try facets("rating:5")
        #expect(answer.facets[.tags]?.first?.count == answer.count)
        #expect(answer.facets[.tags]?.count == 61)
        #expect(try facets("rating:..3").facets == before.facets)
    }

    @Test func `deep folders are counted down to a depth`() throws {
        let names = Array(repeating: "deep", count: 1_500).joined(separator: "/")
        try gallery.shell("UPDATE photo SET location = 'all/' || id || '/\(names)/a.jpg'")
        let answer = try facets(limit: 20)
        #expect(answer.facets[.folders]?.first?.count == 400)
        #expect(answer.facets[.folders]?.allSatisfy { $0.text.split(separator: "/").count <= 16 } == true)
    }

    @Test func `facets follow edits`() throws {
        let before = try #require(try facets("tag:sea").facets[.ratings])
        try gallery.shell("UPDATE photo SET rating = 1 WHERE rating = 5")
        let after = try #require(try facets("tag:sea").facets[.ratings])
        #expect(before.map(\.text) == ["5", "4", "3", "2", "1"] && after.map(\.text) == ["4", "3", "2", "1"])
        #expect(after.last?.count == (before.first?.count ?? 0) + (before.last?.count ?? 0))
    }

    @Test func `kinds whose values may not be read are left out`() throws {
        let answer = try facets(readable: ConditionInputs([.takenAt, .list(.tags)]))
        #expect(Set(answer.facets.keys) == [.tags, .years])
    }

    @Test func `an answer has no more facets of a kind than its limit`() throws {
        let answer = try facets(limit: 1)
        #expect(answer.facets.values.allSatisfy { $0.count == 1 })
        for limit in [0, 101] {
            #expect(throws: StreamServiceError.invalidLimit(limit, maximum: 100)) { try facets(limit: limit) }
        }
    }
}
