import PhotoStreamModel
import Testing

@testable import PhotoStreamImport

@Suite struct JSONInputTests {
    @Test(arguments: [
        (#"{"id":"a""#, "1:1: the last record ends early"),
        (#"{"id":"a","width":tru"#, "1:1: the last record ends early"),
        (#"{"id":"a","caption":"\ud83"#, "1:1: the last record ends early"),
        ("{\"id\":\"a\"\n", "1:10: the JSON ends early"),
        (#"{"id":"a"} x"#, "1:12: text follows the record: \"x\""),
        (#"{"id":"a"}{"id":"b"}"#, "1:11: text follows the record: \"{\""),
        (#"["a"]"#, "1:1: the record is an array, not an object"),
        (#""a""#, "1:1: the record is a string, not an object"),
        ("12", "1:1: the record is a number, not an object"),
        ("null", "1:1: the record is null, not an object"),
        ("true", "1:1: the record is true, not an object"),
        ("-1", "1:1: the record is a number, not an object"), ("1\t", "1:1: the record is a number, not an object"),
        ("7\tsea.jpg", "1:1: the record is a number, not an object; it contains tabs, so it may be TSV"),
        ("sea\t7", "1:1: \"sea\" is not a JSON value; it contains tabs, so it may be TSV"),
        ("hello", "1:1: \"hello\" is not a JSON value"),
        (#"{"id":"a","width":NaN,"height":1}"#, "1:19: \"NaN\" is not a JSON value"),
        (#"{"id":"a","width":-Infinity}"#, "1:19: \"-Infinity\" is not a JSON number"),
        (#"{"id":"a","width":012}"#, "1:19: \"012\" is not a JSON number"),
        (#"{"id":"a",}"#, "1:11: a key in quotes is expected, not \"}\""),
        (#"{id:"a"}"#, "1:2: a key in quotes is expected, not \"id\""),
        (#"{"id" "a"}"#, "1:7: a colon is expected after the key, not \"\"a\""),
        (#"{"id":"a" "b":1}"#, "1:11: a comma or } is expected, not \"\"b\""),
        (#"{"id":["a" 1]}"#, "1:12: a comma or ] is expected, not \"1\""),
        (#"{"id":"a\x"}"#, "1:9: \"\\x\" is not a JSON escape"),
        (#"{"id":"a\u12g4"}"#, "1:9: \"\\u12g4\" is not a JSON escape"),
        (#"{"id":"é\ud800"}"#, "1:9: the escape \"\\ud800\" is half of a surrogate pair"),
        (#"{"id":"a","x":"\udc00"}"#, "1:16: the escape \"\\udc00\" is half of a surrogate pair"),
        (#"{"id":"a","x":"\ud83d\u0041"}"#, "1:16: the escape \"\\ud83d\" is half of a surrogate pair"),
        ("{\"id\":\"a\tb\"}", "1:9: a string contains the unescaped control character U+0009"),
    ])
    func `a malformed line is rejected with its position`(line: String, reason: String) async throws {
        let outcome = try await ImportOutcome.reading(line)
        #expect(outcome.placedReasons == [reason])
        #expect(outcome.records.isEmpty)
    }

    @Test func `a malformed line does not affect its neighbours`() async throws {
        let outcome = try await ImportOutcome.reading("{\"id\":1}\n{\"id\":2,}\n\n  \r\n{\"id\":3}\n{\"id\":")
        #expect(outcome.ids == ["1", "3"])
        #expect(outcome.rejects.map(\.position.line) == [2, 6])
    }

    @Test(arguments: ["\n", "\r\n", "\r"])
    func `LF, CRLF and CR end lines, and a byte order mark is skipped`(end: String) async throws {
        let lines = ["\u{FEFF}{\"id\":\"a\"}", "", "{\"id\":\"b\"}", "{\"id\":\"c\",\"width\":0,\"height\":1}", ""]
        let outcome = try await ImportOutcome.reading(lines.joined(separator: end))
        #expect(outcome.ids == ["a", "b"])
        #expect(outcome.placedReasons == ["4:19: width 0 is not positive"])
        #expect(outcome.rejects.first?.id == "c")
    }

    @Test func `nesting is parsed to 512 levels`() async throws {
        func line(_ depth: Int) -> String {
            "{\"id\":1,\"x\":" + String(repeating: "[", count: depth) + String(repeating: "]", count: depth) + "}"
        }
        let outcome = try await ImportOutcome.reading([line(511), line(512), line(100_000)].joined(separator: "\n"))
        #expect(outcome.records.count == 1)
        #expect(outcome.reasons == Array(repeating: "the record is nested deeper than 512 levels", count: 2))
        let array = try await ImportOutcome.reading("[" + line(2_000) + ",{\"id\":2}]", name: "a.json")
        #expect(array.ids == ["2"])
        #expect(array.rejects.count == 1)
    }

    @Test func `the last value of a repeated key counts`() async throws {
        let line = #"{"id":"a","caption":"x","images":[{"url":"u"}],"caption":"y","images":[]}"#
        let outcome = try await ImportOutcome.reading(line, map: "location=images.0.url")
        #expect(outcome.records.first?.caption == .set("y"))
        #expect(outcome.records.first?.location == .keep)
    }

    @Test func `paths traverse objects and arrays, and keys with dots take precedence`() async throws {
        let lines = [
            #"{"id":1,"images":[{"url":"x"},{"url":"y"}]}"#,
            #"{"id":2,"images.0.url":"literal","images":[{"url":"x"}]}"#,
            #"{"id":3,"images":[{"url":"x"}],"images.0.url":"literal"}"#,
            #"{"id":4,"images":{"0":{"url":"key"}}}"#,
            #"{"id":5,"images":"none"}"#,
            #"{"id":6,"im\u0061ges":[{"\u0075rl":"escaped"}]}"#,
        ]
        let outcome = try await ImportOutcome.reading(
            lines.joined(separator: "\n"),
            map: "location=images.0.url,caption=images.1.url"
        )
        let locations: [FieldChange<String>] = [
            .set("x"), .set("literal"), .set("literal"), .set("key"), .keep, .set("escaped"),
        ]
        #expect(outcome.records.map(\.location) == locations)
        #expect(outcome.records.first?.caption == .set("y"))
    }

    @Test(
        arguments: [
            ("[]", [], []),
            ("[{\"id\":1},\n {\"id\":2}\n]\n", ["1", "2"], []),
            ("{\"id\":1}", ["1"], []),
            ("{\"id\":1}\n{\"id\":2}{\"id\":3}", ["1", "2", "3"], []),
            (
                "[{\"id\":1},{\"id\":2]},{\"id\":3}]", ["1"],
                [
                    "1:18: the JSON ends early",
                    "1:19: text follows the end of the array; the rest of the source is not read",
                ]
            ),
            ("[{\"id\":1},{\"a\":[2},{\"id\":3}]", ["1", "3"], ["1:18: a comma or ] is expected, not \"}\""]),
            ("[{\"id\":1},{\"a\" 2},{\"id\":3}]", ["1", "3"], ["1:16: a colon is expected after the key, not \"2\""]),
            (
                "[1,\"a,]\",[{}],null,true,false,[]]", [],
                [
                    "1:2: the record is a number, not an object", "1:4: the record is a string, not an object",
                    "1:10: the record is an array, not an object", "1:15: the record is null, not an object",
                    "1:20: the record is true, not an object", "1:25: the record is false, not an object",
                    "1:31: the record is an array, not an object",
                ]
            ),
            ("[{\"id\":1} {\"id\":2},{\"id\":3}]", ["1", "3"], ["1:11: a comma is missing before the record"]),
            ("[{\"id\":1},]", ["1"], ["1:11: no record follows the last comma"]),
            ("[,{\"id\":1}]", ["1"], ["1:2: a record is missing before the comma"]),
            ("[{\"id\":1}", ["1"], ["1:10: the array is never closed: the source ends early"]),
            ("[{\"id\":1},{\"id\":", ["1"], ["1:11: the last record ends early"]),
            (
                "[{\"id\":1},{\"id\":\"2},{\"id\":3}]", ["1"],
                [
                    "1:23: a comma or } is expected, not \"id\""
                ]
            ),
            ("[{\"id\":1}] x", ["1"], ["1:12: text follows the end of the array; the rest of the source is not read"]),
            (
                "{\"id\":1} x", ["1"],
                [
                    "1:10: text that is not an object follows an object; the rest of the source is not read"
                ]
            ),
            ("x", [], ["1:1: the source begins with neither an array nor an object; the rest of it is not read"]),
        ] as [(String, [String], [String])])
    func `arrays and objects are read element by element`(
        text: String,
        ids: [String],
        reasons: [String]
    ) async throws {
        let outcome = try await ImportOutcome.reading(text, name: "photos.json")
        #expect(outcome.ids == ids)
        #expect(outcome.placedReasons == reasons)
    }
}
