import PhotoStreamImport
import PhotoStreamModel
import Testing

@Suite struct FieldMappingTests {
    @Test func `mapped fields are read from their paths, the others from their names`() throws {
        let mapping = try FieldMapping(parsing: " id = flickr_id ,location=images.0.url")
        #expect(mapping.path(of: .id) == "flickr_id")
        #expect(mapping.path(of: .text(.location)) == "images.0.url")
        #expect(mapping.path(of: .width) == "width")
        #expect(mapping.isExplicit(.id) && !mapping.isExplicit(.width))
    }

    @Test func `a column that is mapped to another field is not read as its own`() async throws {
        let mapping = try FieldMapping(parsing: "id=title,caption=camera,alt=alt,location=a.rating")
        #expect(mapping.path(of: .text(.title)) == nil && mapping.path(of: .text(.camera)) == nil)
        #expect(mapping.path(of: .number(.rating)) == "rating" && mapping.path(of: .text(.alt)) == "alt")
        #expect(try FieldMapping(parsing: "caption=title,title=title").path(of: .text(.title)) == "title")
        #expect(try FieldMapping(parsing: "location=id").path(of: .id) == "id")
        let members = #"{"title":"a.jpg","camera":"words","rating":3}"#
        let cells = "title,camera,rating\na.jpg,words,3\n"
        for (source, name) in [(members, "p.jsonl"), (cells, "p.csv")] {
            let outcome = try await ImportOutcome.reading(source, name: name, map: "id=title,caption=camera")
            var expected = PhotoRecord(id: try PhotoID("a.jpg"))
            (expected.caption, expected.rating) = (.set("words"), .set(3))
            #expect(outcome.records == [expected])
        }
    }

    @Test func `an empty text is the default mapping`() throws {
        #expect(try FieldMapping(parsing: "") == .native)
        #expect(try FieldMapping(parsing: "  ") == .native)
    }

    static let known = (["id"] + PhotoField.allCases.flatMap(\.row.members).map(\.description)).joined(separator: ", ")

    @Test func `field names do not change`() {
        let names =
            "id, width, height, orientation, takenAt, caption, alt, tags, location, latitude, longitude, contentHash, "
            + "placeholder, color, rating, title, camera"
        #expect(Self.known.hasPrefix(names))
    }

    @Test(arguments: [
        ("id=a,name=b", "The mapping names the unknown field \"name\"; the fields are \(known)."),
        ("ID=a", "The mapping names the unknown field \"ID\"; the fields are \(known)."),
        ("=a", "The mapping names the unknown field \"\"; the fields are \(known)."),
        ("id=", "The mapping gives no column or path for the field \"id\"."),
        ("id", "The mapping gives no column or path for the field \"id\"."),
        ("id=a,,width=b", "The mapping \"id=a,,width=b\" has an empty part."),
        ("id=a,", "The mapping \"id=a,\" has an empty part."),
        ("id=a,id=b", "The mapping names the field \"id\" twice."),
    ])
    func `an invalid mapping is rejected with a sentence`(text: String, sentence: String) {
        #expect { try FieldMapping(parsing: text) } throws: { "\($0)" == sentence }
    }

    @Test func `an unknown time zone is rejected`() {
        #expect { try ImportOptions(timeZoneName: "Mars/Olympus") } throws: {
            "\($0)" == "There is no time zone \"Mars/Olympus\"; use a name such as Europe/Berlin or UTC."
        }
    }
}
