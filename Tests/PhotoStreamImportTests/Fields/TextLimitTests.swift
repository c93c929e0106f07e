import PhotoStreamModel
import Testing

@testable import PhotoStreamImport

@Suite struct TextLimitTests {
    private static let fields: [(ImportField, limit: Int, noun: String)] = [
        (.text(.caption), 65_536, "the caption"), (.text(.alt), 4_096, "the alternative text"),
        (.text(.location), 4_096, "the location"), (.text(.contentHash), 4_096, "the content hash"),
        (.text(.placeholder), 4_096, "the placeholder"), (.text(.title), 4_096, "the title"),
        (.text(.camera), 4_096, "the camera"), (.list(.tags), 4_096, "a tag"), (.list(.people), 4_096, "a person"),
    ]

    @Test(arguments: PhotoText.allCases)
    func `every text has a limit and a noun`(text: PhotoText) async throws {
        let long = String(repeating: "x", count: text.maximumByteCount + 1)
        let outcome = try await ImportOutcome.reading(line(.text(text), long))
        #expect(outcome.warnings.map(\.field) == [.text(text)])
        #expect(outcome.warnings.first?.reason.hasPrefix("the ") == true)
        #expect(outcome.records.first?[text] == .keep)
    }

    private func line(_ field: ImportField, _ text: String) -> String {
        "{\"id\":\"a\",\"width\":3,\"height\":2,\"\(field.rawValue)\":\"\(text)\"}"
    }

    @Test func `a text of the maximum length is kept`() async throws {
        for (field, limit, _) in Self.fields {
            // Outer white space does not count, and an escape counts as the bytes that it encodes.
            let text = "  " + String(repeating: "x", count: limit - 2) + "\\u00e9 "
            let outcome = try await ImportOutcome.reading(line(field, text))
            #expect(outcome.warnings.isEmpty, "\(field)")
            let bare = PhotoRecord(id: try PhotoID("a"))
            #expect(outcome.records.first != bare)
        }
    }

    @Test func `a longer text is ignored with a warning that names it, and the record is imported`() async throws {
        for (field, limit, noun) in Self.fields {
            let text = String(repeating: "x", count: limit - 1) + "\\u00e9"
            let outcome = try await ImportOutcome.reading(line(field, text))
            #expect(outcome.rejects.isEmpty)
            #expect(outcome.warnings.map(\.field) == [field])
            #expect(outcome.warnings.map(\.reason) == ["\(noun) has \(limit + 1) bytes, more than \(limit)"])
            var expected = PhotoRecord(id: try PhotoID("a"))
            expected.size = .set(.init(try PixelSize(width: 3, height: 2)))
            #expect(outcome.records == [expected])
        }
    }

    @Test func `the total length of tags is limited, too`() async throws {
        let tags = (0..<1_000).map { "\"\($0)-\(String(repeating: "x", count: 90))\"" }.joined(separator: ",")
        let outcome = try await ImportOutcome.reading("{\"id\":\"a\",\"tags\":[\(tags)]}")
        #expect(outcome.records.first?.tags == .keep)
        #expect(outcome.warnings.first?.reason.hasPrefix("the tags have ") == true)
    }

    @Test func `reasons contain no NUL character, whatever they quote`() async throws {
        let outcome = try await ImportOutcome.reading(
            #"{"id":1,"takenAt":"a\u0000b"}"# + "\n" + #"{"id":2,"width":"\u00001","height":1}"#)
        #expect(outcome.warnings.map(\.reason) == ["\"a\u{FFFD}b\" is not a date"])
        #expect(outcome.rejects.map(\.reason) == ["width \"\u{FFFD}1\" is not a number"])
    }

    @Test func `an edit with a text that is too long is rejected`() throws {
        for (field, limit, noun) in Self.fields {
            let object = try JSONObject(
                Array("{\"\(field.rawValue)\":\"\(String(repeating: "x", count: limit + 1))\"}".utf8))
            #expect(
                throws: JSONRefusal(
                    reason: "\(noun) has \(limit + 1) bytes, more than \(limit)", field: field.rawValue, isSyntax: false
                )
            ) {
                _ = try JSONRecord(object, for: PhotoID("a")).changes(to: nil)
            }
        }
    }

    @Test func `a batch ends after a number of bytes`() async throws {
        let folder = try TemporaryFolder()
        let lines = (0..<100).map { "{\"id\":\($0),\"caption\":\"\(String(repeating: "x", count: 1_000))\"}\n" }
        let path = try folder.write(Array(lines.joined().utf8), to: "p.jsonl")
        var limits = ReaderLimits()
        limits.batchByteCount = 10_000
        let reader = try RecordReader(paths: [path], options: try ImportOptions(), limits: limits)
        var counts: [Int] = []
        while let batch = try await reader.nextBatch(limit: 1_000) { counts.append(batch.readCount) }
        #expect(counts == Array(repeating: 10, count: 10))
    }
}
