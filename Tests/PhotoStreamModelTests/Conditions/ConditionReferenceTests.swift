import Foundation
import PhotoStreamModel
import Testing

/// The lists of Documentation/Conditions.md are generated from the tables of qualifiers and states; its examples are parsed.
@Suite struct ConditionReferenceTests {
    private static let page = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../Documentation/Conditions.md").standardized
    private static let begin = "<!-- The lists are written by ConditionReferenceTests with UPDATE_GOLDEN=1. -->\n"
    private static let end = "<!-- End of the lists. -->"

    private static func text() throws -> String {
        String(decoding: try Data(contentsOf: page), as: UTF8.self)
    }

    @Test func `the page describes each qualifier and state`() throws {
        let text = try Self.text()
        let begin = try #require(text.range(of: Self.begin))
        let end = try #require(text.range(of: Self.end))
        let lists = "\n" + Self.lists() + "\n"
        if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" {
            let whole = text[..<begin.upperBound] + lists + text[end.lowerBound...]
            try whole.write(to: Self.page, atomically: true, encoding: .utf8)
        } else {
            #expect(text[begin.upperBound..<end.lowerBound] == lists)
        }
    }

    @Test func `the values of the lists are conditions`() throws {
        for qualifier in ConditionQualifier.allCases {
            #expect(throws: Never.self) { try Condition(parsing: "\(qualifier.rawValue):\(qualifier.row.example)") }
            for name in qualifier.names ?? [] {
                #expect(throws: Never.self) { try Condition(parsing: "\(qualifier.rawValue):\(name)") }
            }
        }
    }

    @Test func `each example has the canonical text that the page shows`() throws {
        let rows = try Self.text().matches(of: /\n- `(.+)` is `(.+)`/)
        #expect(rows.count >= 6)
        for row in rows {
            let (text, canonical) = (String(row.1), String(row.2))
            #expect(try Condition(parsing: text).canonicalText == canonical)
            #expect(try Condition(parsing: canonical).canonicalText == canonical)
        }
    }

    @Test func `each bad example has the error that the page shows`() throws {
        let items = try Self.text().components(separatedBy: "\n\n").flatMap { $0.components(separatedBy: "\n- ") }
        let lines = items.map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
        let found = lines.compactMap { $0.wholeMatch(of: /(?:- )?`([^`]+)`: (Column .+)/) }
        #expect(found.count >= 1)
        for match in found {
            let error = #expect(throws: ConditionError.self) { try Condition(parsing: String(match.1)) }
            #expect(error?.description == String(match.2))
        }
    }

    private static func lists() -> String {
        let qualifiers = ConditionQualifier.allCases.map { qualifier in
            let row = qualifier.row
            return "- `\(qualifier.rawValue):\(row.example)` (\(name(row.takes))): \(row.summary)"
        }
        let states = ConditionState.allCases.map { "- `is:\($0.rawValue)`: \($0.summary)" }
        let types = ConditionFileType.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")
        return [qualifiers.joined(separator: "\n"), states.joined(separator: "\n"), "Types are \(types)."]
            .map { $0 + "\n" }.joined(separator: "\n")
    }

    /// The name of a kind of values on the page.
    private static func name(_ kind: ConditionQualifier.ValueKind) -> String {
        switch kind {
        case .text: "text"
        case .path: "path"
        case .words: "words"
        case .number: "number"
        case .days: "days"
        case .circle: "circle"
        case .box: "box"
        case .fileType, .field, .state: "name"
        }
    }
}
