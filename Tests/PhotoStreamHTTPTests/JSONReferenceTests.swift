import Foundation
import PhotoStreamHTTP
import PhotoStreamWire
import Testing

/// The reference of objects in Documentation/JSON.md is generated from the shapes of answers.
@Suite struct JSONReferenceTests {
    private static let page = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Documentation/JSON.md").standardized
    private static let begin = "<!-- The reference is written by JSONReferenceTests with UPDATE_GOLDEN=1. -->\n"
    private static let end = "<!-- End of the reference. -->"

    @Test func `the page describes each object`() throws {
        let text = try String(contentsOf: Self.page, encoding: .utf8)
        let begin = try #require(text.range(of: Self.begin))
        let end = try #require(text.range(of: Self.end))
        let reference = Self.reference()
        if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" {
            let whole = text[..<begin.upperBound] + "\n" + reference + "\n" + text[end.lowerBound...]
            try whole.write(to: Self.page, atomically: true, encoding: .utf8)
        } else {
            #expect(text[begin.upperBound..<end.lowerBound] == "\n" + reference + "\n")
        }
    }

    /// The sections of all objects.
    ///
    /// If an object has three or more members in common with an earlier one, its section only lists their names.
    private static func reference() -> String {
        var sections: [String] = []
        var earlier: [(name: String, rows: Set<String>)] = []
        for (name, schema) in Schemas.all {
            guard let members = members(of: schema) else { continue }
            var written: [String: String] = [:]
            let rows = members.map { member in
                var type = type(member.schema)
                if let first = written[type] { type = "as `\(first)`" }
                // A long list of words is written once.
                if type.utf8.count > 80 { written[type] = member.name }
                return "- `\(member.name)`\(member.isRequired ? "" : "?"): \(type). \(member.summary)"
            }
            var shared: (name: String, rows: Set<String>) = ("", [])
            for object in earlier {
                let common = object.rows.intersection(rows)
                if common.count >= 3 && common.count > shared.rows.count { shared = (object.name, common) }
            }
            let own = rows.filter { !shared.rows.contains($0) }
            let listed = zip(members, rows).filter { shared.rows.contains($1) }.map { "`\($0.0.name)`" }
            var lines = ["### \(name)", ""]
            if !own.isEmpty { lines += own + [""] }
            if !listed.isEmpty {
                let link = "[\(shared.name)](#\(shared.name.lowercased()))"
                lines += ["As in \(link): \(listed.joined(separator: ", ")).", ""]
            }
            sections.append(lines.joined(separator: "\n"))
            earlier.append((name, Set(rows)))
        }
        return sections.joined(separator: "\n")
    }

    /// The members of an object of answers; `nil` for another schema, including the body of a request, which describes
    /// no member.
    private static func members(of schema: Schema) -> [Schema.Member]? {
        switch schema {
        case .object(let members), .onlyObject(let members): members.contains { !$0.summary.isEmpty } ? members : nil
        default: nil
        }
    }

    private static func type(_ schema: Schema) -> String {
        switch schema {
        case .text, .someText, .name: "text"
        case .integer: "integer"
        case .number: "number"
        case .flag: "boolean"
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
