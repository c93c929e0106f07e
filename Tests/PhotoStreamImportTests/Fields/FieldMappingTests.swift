import PhotoStreamImport
import Testing

@Suite struct FieldMappingTests {
    @Test func `named fields are read from their paths, the others from their own names`() throws {
        let mapping = try FieldMapping(parsing: " id = flickr_id ,location=images.0.url")
        #expect(mapping.path(of: .id) == "flickr_id")
        #expect(mapping.path(of: .location) == "images.0.url")
        #expect(mapping.path(of: .width) == "width")
        #expect(mapping.isExplicit(.id) && !mapping.isExplicit(.width))
    }

    @Test func `empty text is the native mapping`() throws {
        #expect(try FieldMapping(parsing: "") == .native)
        #expect(try FieldMapping(parsing: "  ") == .native)
    }

    static let known =
        "id, width, height, orientation, takenAt, caption, alt, tags, location, latitude, longitude, contentHash, "
        + "placeholder, color"

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
