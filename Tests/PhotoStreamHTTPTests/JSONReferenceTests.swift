import Foundation
import PhotoStreamHTTP
import PhotoStreamWire
import Testing

/// The reference of objects in Documentation/JSON.md is what the shapes of answers say.
@Suite struct JSONReferenceTests {
    private static let page = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Documentation/JSON.md").standardized
    private static let begin = "<!-- The reference is written by JSONReferenceTests with UPDATE_GOLDEN=1. -->\n"
    private static let end = "<!-- End of the reference. -->"

    @Test func `the page has a table of each object`() throws {
        let text = try String(contentsOf: Self.page, encoding: .utf8)
        let begin = try #require(text.range(of: Self.begin))
        let end = try #require(text.range(of: Self.end))
        let reference = Schemas.all.compactMap(Self.table).joined(separator: "\n")
        if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" {
            let whole = text[..<begin.upperBound] + "\n" + reference + "\n" + text[end.lowerBound...]
            try whole.write(to: Self.page, atomically: true, encoding: .utf8)
        } else {
            #expect(text[begin.upperBound..<end.lowerBound] == "\n" + reference + "\n")
        }
    }

    /// The section of an object; `nil` for a schema that is not an object with members.
    private static func table(name: String, schema: Schema) -> String? {
        switch schema {
        case .object(let members), .onlyObject(let members):
            let rows = members.map { member in
                "| `\(member.name)` | \(type(member.schema)) | \(member.isRequired ? "always" : "") | \(member.summary) |"
            }
            return (["### \(name)", "", "| member | type | there | |", "|---|---|---|---|"] + rows + [""])
                .joined(separator: "\n")
        default: return nil
        }
    }

    private static func type(_ schema: Schema) -> String {
        switch schema {
        case .text, .someText, .name: "text"
        case .integer: "whole number"
        case .number: "number"
        case .flag: "true or false"
        case .words(let words): words.map { "`\($0)`" }.joined(separator: ", ")
        case .array(let element): "list of \(type(element))"
        case .object(let members), .onlyObject(let members): "{" + members.map(\.name).joined(separator: ", ") + "}"
        case .named(let name): "[\(name)](#\(name.lowercased()))"
        case .nullable(let schema): type(schema) + " or `null`"
        case .anyOf(let schemas): schemas.map(type).joined(separator: " or ")
        case .anyObject: "object"
        }
    }
}
