import Foundation
import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamTestSupport
import Testing

/// Documentation/Conditions.md lists the terms that are not answered.
@Suite(.withoutPrimary) struct ConditionPageTests {
    private static let page = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../Documentation/Conditions.md").standardized

    @Test func `the page lists the terms that no photo has a value for`() throws {
        let gallery = try Gallery()
        let key = try LayoutKey(SampleLayouts.configurations[0])
        let qualifiers = ConditionQualifier.allCases.filter { $0 != .is }
        var refused: [String] = []
        for (name, text) in qualifiers.map({ ("\($0.rawValue):", "\($0.rawValue):\($0.row.example)") })
            + ConditionState.allCases.map({ ("is:\($0.rawValue)", "is:\($0.rawValue)") })
        {
            let condition = try Condition(parsing: text)
            do {
                _ = try gallery.service.read { session in
                    try session.layout(key, of: Gallery.stream, where: condition).summary().count
                }
            } catch StreamServiceError.unansweredCondition {
                refused.append(name)
            }
        }
        let text = String(decoding: try Data(contentsOf: Self.page), as: UTF8.self)
        let sentence = try #require(text.firstMatch(of: /not answered yet:([^.]+)\./)).1
        #expect(sentence.matches(of: /`([^`]+)`/).map { String($0.1) } == refused)
    }
}
