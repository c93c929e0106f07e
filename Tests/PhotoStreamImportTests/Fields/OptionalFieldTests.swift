import PhotoStreamModel
import Testing

@testable import PhotoStreamImport

@Suite struct OptionalFieldTests {
    @Test(arguments: [
        ("1", Orientation.up), ("\"8\"", .left), ("6.0", .right), ("\" 3 \"", .down),
        ("\"Horizontal (normal)\"", .up), ("\"Mirror horizontal\"", .upMirrored), ("\"Rotate 180\"", .down),
        ("\"Mirror vertical\"", .downMirrored), ("\"Mirror horizontal and rotate 270 CW\"", .leftMirrored),
        ("\"Rotate 90 CW\"", .right), ("\"mirror horizontal and rotate 90 cw\"", .rightMirrored),
        ("\"Rotate 270 CW\"", .left),
    ])
    func `an orientation is a number or words`(json: String, orientation: Orientation) async throws {
        #expect(try await record("{\"id\":1,\"orientation\":\(json)}")?.orientation == .set(orientation))
    }

    @Test(arguments: [
        (#""a, b;c|a , ,d""#, FieldChange<[String]>.set(["a", "b", "c", "d"])),
        (#"["x, y"," z ","",null,7,true,"z"]"#, .set(["x, y", "z", "7", "true"])),
        (#"[]"#, .clear), (#""""#, .clear), (#"" ; ""#, .clear), ("null", .clear), ("12", .set(["12"])),
        (#"["caf\u00e9\n"]"#, .set(["café"])),
    ])
    func `tags are a list or text`(json: String, tags: FieldChange<[String]>) async throws {
        #expect(try await record("{\"id\":1,\"tags\":\(json)}")?.tags == tags)
    }

    @Test(arguments: [
        (#""["" harbour, old"",""sea"",""sea"",null,7]""#, FieldChange<[String]>.set(["harbour, old", "sea", "7"])),
        (#"" [""a\""b"", ""caf\u00e9""] ""#, .set([#"a"b"#, "café"])), ("[sea]", .set(["[sea]"])), ("[7]", .set(["7"])),
        ("[]", .clear), (#""[draft], sea""#, .set(["[draft]", "sea"])),
        (#""[""a"",]""#, .set([#"["a""#, "]"])), (#""[""a""] b""#, .set([#"["a"] b"#])),
    ])
    func `a cell of tags may contain a JSON array`(cell: String, tags: FieldChange<[String]>) async throws {
        let outcome = try await ImportOutcome.reading("id,tags\n1,\(cell)\n", name: "photos.csv")
        #expect(outcome.records.first?.tags == tags)
        #expect(outcome.warnings.isEmpty)
    }

    @Test func `an empty array of tags in a cell is ignored with a warning`() async throws {
        let outcome = try await ImportOutcome.reading("id\ttags\n1\t[{\"a\":1}]\n", name: "photos.tsv")
        #expect(outcome.records.first?.tags == .keep)
        #expect(outcome.warnings.map(\.reason) == ["the tags contain an object"])
    }

    @Test(arguments: [
        (#""  two\nlines \u00e9 ""#, FieldChange<String>.set("two\nlines é")),
        (#""\ud83d\ude00\/\\\"\b\f\t""#, .set("😀/\\\"\u{8}")),
        (#""\u00a0x\u2003""#, .set("x")), (#""\u00a0""#, .clear), ("\"\"", .clear), ("null", .clear),
        ("1.50", .set("1.50")), ("true", .set("true")), ("false", .set("false")),
        ("\"e\u{301}x\"", .set("e\u{301}x")),
    ])
    func `text is trimmed and otherwise kept`(json: String, text: FieldChange<String>) async throws {
        let read = try await record("{\"id\":1,\"caption\":\(json),\"alt\":\(json),\"placeholder\":\(json)}")
        #expect(read?.caption == text)
        #expect(read?.alt == text)
        #expect(read?.placeholder == text)
    }

    @Test(arguments: [
        ("0", FieldChange<Int>.set(0)), ("-1", .set(-1)), ("5", .set(5)), ("\"4\"", .set(4)), ("\" 3 \"", .set(3)),
        ("2.0", .set(2)), ("1e0", .set(1)), ("-0", .set(0)), ("null", .clear), ("\"\"", .clear), ("\" \"", .clear),
    ])
    func `a rating is a whole number, as a number or text`(json: String, rating: FieldChange<Int>) async throws {
        #expect(try await record("{\"id\":1,\"rating\":\(json)}")?.rating == rating)
        #expect(try await record("{\"id\":1}")?.rating == .keep)
    }

    @Test(arguments: [
        ("true", FieldChange<Bool>.set(true)), ("\"True\"", .set(true)), ("\" yes \"", .set(true)), ("1", .set(true)),
        ("\"1.0\"", .set(true)), ("false", .clear), ("\"FALSE\"", .clear), ("\"no\"", .clear), ("0", .clear),
        ("0.0", .clear), ("null", .clear), ("\"\"", .clear), ("\" \"", .clear),
    ])
    func `a flag is a Boolean, and false clears it`(json: String, isSet: FieldChange<Bool>) async throws {
        for flag in PhotoFlag.allCases {
            #expect(try await record("{\"id\":1,\"\(flag.name)\":\(json)}")?[flag] == isSet)
            #expect(try await record("{\"id\":1}")?[flag] == .keep)
        }
    }

    @Test func `colour and coordinate are parsed`() async throws {
        let line = "{\"id\":1,\"latitude\":\"48.13\",\"longitude\":-11.5e0,\"color\":\" #FfAa00 \",\"contentHash\":12}"
        let place = try Coordinate(latitude: 48.13, longitude: -11.5)
        let read = try await record(line)
        #expect(read?.coordinate == .set(place))
        #expect(read?.color == .set(RGBColor(rawValue: 0xFFAA00)))
        #expect(read?.contentHash == .set("12"))
        #expect(try await record("{\"id\":1,\"latitude\":null,\"longitude\":\"\"}")?.coordinate == .clear)
    }

    @Test(arguments: [
        (#""takenAt":"soon""#, ImportField.takenAt, "\"soon\" is not a date", 20),
        (#""takenAt":{}"#, .takenAt, "the value is an object", 19),
        (#""orientation":0"#, .orientation, "\"0\" is not an orientation from 1 to 8", 23),
        (#""orientation":"9""#, .orientation, "\"9\" is not an orientation from 1 to 8", 24),
        (#""color":"blue""#, .color, "\"blue\" is not a colour such as #1a2b3c", 18),
        (#""latitude":1"#, .latitude, "latitude is given without longitude", 20),
        (#""latitude":null,"longitude":2"#, .longitude, "longitude is given without latitude", 37),
        (#""latitude":0,"longitude":0.0"#, .latitude, "latitude 0 and longitude 0 are not a position", 20),
        (#""latitude":91,"longitude":2"#, .latitude, "latitude 91.0 is outside -90 to 90", 20),
        (#""latitude":1,"longitude":"nan""#, .longitude, "longitude \"nan\" is not a number", 35),
        (#""latitude":1,"longitude":181"#, .longitude, "longitude 181.0 is outside -180 to 180", 34),
        (#""caption":["x"]"#, .text(.caption), "the value is an array, not text", 19),
        (#""alt":"a\u0000b""#, .text(.alt), "the alternative text holds a NUL character (U+0000)", 16),
        (#""title":{}"#, .text(.title), "the value is an object, not text", 17),
        (#""title":"a\u0000b""#, .text(.title), "the title holds a NUL character (U+0000)", 18),
        (#""camera":["x"]"#, .text(.camera), "the value is an array, not text", 18),
        (#""rating":6"#, .number(.rating), "\"6\" is not a rating from -1 to 5", 18),
        (#""rating":-2"#, .number(.rating), "\"-2\" is not a rating from -1 to 5", 18),
        (#""rating":3.5"#, .number(.rating), "\"3.5\" is not a rating from -1 to 5", 18),
        (#""rating":1e400"#, .number(.rating), "\"1e400\" is not a rating from -1 to 5", 18),
        (#""rating":"***""#, .number(.rating), "\"***\" is not a rating from -1 to 5", 19),
        (#""rating":true"#, .number(.rating), "\"true\" is not a rating from -1 to 5", 18),
        (#""rating":[3]"#, .number(.rating), "the value is an array", 18),
        (#""favourite":2"#, .flag(.favourite), "\"2\" is neither true nor false", 21),
        (#""favourite":-1"#, .flag(.favourite), "\"-1\" is neither true nor false", 21),
        (#""favourite":0.5"#, .flag(.favourite), "\"0.5\" is neither true nor false", 21),
        (#""favourite":"maybe""#, .flag(.favourite), "\"maybe\" is neither true nor false", 22),
        (#""favourite":[true]"#, .flag(.favourite), "the value is an array, neither true nor false", 21),
        (#""tags":{"a":1}"#, .list(.tags), "the value is an object, not tags", 16),
        (#""tags":["a",["b"]]"#, .list(.tags), "the tags contain an array", 16),
        (#""tags":["a\u0000"]"#, .list(.tags), "a tag holds a NUL character (U+0000)", 16),
    ])
    func `invalid values are ignored with a warning`(
        member: String,
        field: ImportField,
        reason: String,
        column: Int
    ) async throws {
        let outcome = try await ImportOutcome.reading("{\"id\":1,\(member)}")
        let bare = PhotoRecord(id: try PhotoID("1"))
        #expect(outcome.records.first == bare)
        let place = ImportPosition(source: "photos.jsonl", line: 1, column: column)
        #expect(outcome.warnings == [ImportWarning(position: place, field: field, reason: reason)])
        #expect(outcome.warningCounts == [field: 1])
    }

    @Test func `all warnings are counted, and ten per field are reported`() async throws {
        let lines = (1...500).map { "{\"id\":\($0),\"takenAt\":\"?\",\"color\":\"?\"}" }
        let outcome = try await ImportOutcome.reading(lines.joined(separator: "\n"))
        #expect(outcome.records.count == 500)
        #expect(outcome.warningCounts == [.takenAt: 500, .color: 500])
        #expect(outcome.warnings.count == 20)
    }

    @Test(arguments: [
        (#"{"x":1}"#, "the id is missing"), (#"{"id":null}"#, "the id is missing"),
        (#"{"id":" "}"#, "the id is missing"), (#"{"id":[1]}"#, "the id is an array, neither text nor a number"),
        (#"{"id":true}"#, "the id is true, neither text nor a number"),
        (#"{"id":".."}"#, "the id \"..\" is not allowed: no address can end with it"),
        (#"{"id":"a\u0000b"}"#, "the id contains a control character"),
    ])
    func `a record without a usable id is rejected`(line: String, reason: String) async throws {
        #expect(try await ImportOutcome.reading(line).reasons == [reason])
    }

    @Test func `a numeric id becomes text, and an overlong id is rejected`() async throws {
        let long = String(repeating: "é", count: 257)
        let outcome = try await ImportOutcome.reading(
            "{\"id\":12345678901234567890}\n{\"id\":1.50e3}\n{\"id\":\"\(long)\"}")
        #expect(outcome.ids == ["12345678901234567890", "1.50e3"])
        #expect(outcome.reasons == ["the id has 514 bytes, more than 512"])
        #expect(outcome.rejects.first?.id == nil)
    }
}
