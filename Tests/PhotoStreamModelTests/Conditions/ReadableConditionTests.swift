import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

/// Conditions of readers who see only some values of a photo, as those of a share do.
@Suite(.timeLimit(.minutes(5))) struct ReadableConditionTests {
    private static let shown: PhotoFields = [
        .size, .orientation, .takenAt, .text(.title), .text(.caption), .text(.alt), .list(.tags),
    ]

    /// Returns a photo whose shown values are those of one photo, and all others those of another.
    private func mixed(_ shown: ConditionSubject, _ hidden: ConditionSubject) -> ConditionSubject {
        var mixed = hidden
        (mixed.photo.pixelSize, mixed.photo.metricsSource) = (shown.photo.pixelSize, shown.photo.metricsSource)
        (mixed.photo.orientation, mixed.photo.takenAt) = (shown.photo.orientation, shown.photo.takenAt)
        (mixed.photo.title, mixed.photo.caption) = (shown.photo.title, shown.photo.caption)
        (mixed.photo.alt, mixed.photo.tags) = (shown.photo.alt, shown.photo.tags)
        return mixed
    }

    @Test(arguments: UInt64(1)...3)
    func `no condition tells a hidden value`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let readable = ConditionInputs(Self.shown)
        let subjects = try (0..<24).map { _ in try SampleConditions.subject(using: &random) }
        var counts = (refused: 0, matching: 0, others: 0)
        for _ in 0..<2_000 {
            let text = SampleConditions.text(depth: 1, using: &random)
            guard let condition = try? Condition(parsing: text, readable: readable) else {
                counts.refused += 1
                continue
            }
            #expect(condition.inputs.isSubset(of: readable), "\(text)")
            for (subject, other) in zip(subjects, subjects.reversed()) {
                let matches = condition.matches(subject)
                if condition.matches(mixed(subject, other)) != matches { Issue.record("\(text)") }
                if matches { counts.matching += 1 } else { counts.others += 1 }
            }
        }
        // Refusing everything would prove nothing.
        #expect(min(counts.refused, counts.matching, counts.others) > 300, "\(counts)")
    }

    @Test(arguments: ConditionQualifier.allCases)
    func `a qualifier of hidden values is unknown`(qualifier: ConditionQualifier) throws {
        let text = "sun \(qualifier.rawValue):\(qualifier.row.example)"
        let error = #expect(throws: ConditionError.self) {
            try Condition(parsing: text, readable: ConditionInputs())
        }
        #expect(error?.description.hasPrefix("Column 5: \"\(qualifier.rawValue):\" is not a qualifier.") == true)
        #expect(error?.suggestion == nil)
        #expect(throws: Never.self) { try Condition(parsing: text) }
    }

    @Test func `a name of a hidden value is unknown`() throws {
        let readable = ConditionInputs(Self.shown)
        for text in ["has:camera", "is:edited", "is:video", "has:position"] {
            let error = #expect(throws: ConditionError.self) { try Condition(parsing: text, readable: readable) }
            let name = text.split(separator: ":")[1]
            #expect(error?.problem.hasPrefix("\"\(name)\" is not a value of") == true)
            let names = error?.expected.dropFirst("one of ".count).split(separator: ", ") ?? []
            #expect(names.contains("caption") || names.contains("portrait"))
            #expect(!names.contains(name))
        }
        #expect(try Condition(parsing: "has:caption is:portrait", readable: readable).canonicalText.count > 0)
    }
}
