import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

/// Laws of all conditions, over random ones.
@Suite(.timeLimit(.minutes(5))) struct ConditionLawTests {
    /// Returns random conditions and photos.
    private func samples(seed: UInt64, count: Int) throws -> (conditions: [Condition], subjects: [ConditionSubject]) {
        var random = SplitMix64(seed: seed)
        let conditions = try (0..<count).map { _ in
            try Condition(parsing: SampleConditions.text(depth: 3, using: &random))
        }
        return (conditions, try (0..<24).map { _ in try SampleConditions.subject(using: &random) })
    }

    @Test(arguments: UInt64(1)...3)
    func `a canonical text is parsed to the same condition and is its own canonical text`(seed: UInt64) throws {
        for condition in try samples(seed: seed, count: 600).conditions {
            let again = try Condition(parsing: condition.canonicalText)
            #expect(again == condition, "\(condition)")
            #expect(again.canonicalText == condition.canonicalText)
        }
    }

    @Test(arguments: UInt64(1)...3)
    func `a condition and its negation divide all photos`(seed: UInt64) throws {
        let (conditions, subjects) = try samples(seed: seed + 10, count: 200)
        var counts = [false: 0, true: 0]
        for condition in conditions {
            let negated = try Condition(parsing: "-(\(condition.canonicalText))")
            #expect(negated == condition.negated)
            #expect(negated.includesArchived == condition.includesArchived)
            for subject in subjects {
                let matches = condition.matches(subject)
                if matches == negated.matches(subject) { Issue.record("\(condition)") }
                counts[matches, default: 0] += 1
            }
        }
        // Conditions that match everything or nothing would prove little.
        #expect(counts.values.allSatisfy { $0 > 500 }, "\(counts)")
    }

    @Test(arguments: UInt64(1)...3)
    func `OR is the union and AND the intersection`(seed: UInt64) throws {
        let (conditions, subjects) = try samples(seed: seed + 20, count: 80)
        for (left, right) in zip(conditions, conditions.dropFirst()) {
            let union = try Condition(parsing: "(\(left)) OR (\(right))")
            let intersection = try Condition(parsing: "(\(left)) (\(right))")
            #expect(union == Condition(.any(of: [left.root, right.root])))
            #expect(intersection == Condition(.all(of: [left.root, right.root])))
            for subject in subjects {
                let (isLeft, isRight) = (left.matches(subject), right.matches(subject))
                if union.matches(subject) != (isLeft || isRight) { Issue.record("\(union)") }
                if intersection.matches(subject) != (isLeft && isRight) { Issue.record("\(intersection)") }
            }
        }
    }

    @Test(arguments: UInt64(1)...3)
    func `De Morgan's laws hold at every node`(seed: UInt64) throws {
        let (conditions, subjects) = try samples(seed: seed + 30, count: 120)
        var nodeCount = 0
        func check(_ node: Condition.Node) throws {
            let parts: [Condition.Node]
            switch node {
            case .all, .words, .term: return
            case .not(let inner): return try check(inner)
            case .and(let inner), .or(let inner): parts = inner
            }
            let isAnd = if case .and = node { true } else { false }
            let negations = parts.map { "-(\(Condition($0)))" }.joined(separator: isAnd ? " OR " : " ")
            let (negation, other) = (Condition(node).negated, try Condition(parsing: negations))
            let matches = subjects.map(negation.matches)
            #expect(matches == subjects.map(other.matches), "\(negations)")
            nodeCount += 1
            for part in parts { try check(part) }
        }
        for condition in conditions { try check(condition.root) }
        #expect(nodeCount > 100)
    }

    @Test(arguments: UInt64(1)...3)
    func `a resolved condition matches the same photos on any day`(seed: UInt64) throws {
        let (conditions, subjects) = try samples(seed: seed + 40, count: 200)
        for condition in conditions {
            let resolved = condition.resolved(today: SampleConditions.today)
            #expect(!resolved.dependsOnClock)
            #expect(condition.dependsOnClock || resolved == condition)
            #expect(try Condition(parsing: resolved.canonicalText) == resolved)
            for var subject in subjects {
                let matches = condition.matches(subject)
                subject.today = CivilDate(daysSince1970: 0)
                if resolved.matches(subject) != matches { Issue.record("\(condition)") }
            }
        }
    }

    @Test(arguments: UInt64(1)...3)
    func `a value that is not among the inputs of a condition does not matter`(seed: UInt64) throws {
        let (conditions, subjects) = try samples(seed: seed + 50, count: 200)
        for condition in conditions {
            let inputs = condition.inputs
            for (subject, other) in zip(subjects, subjects.dropFirst()) {
                let replaced = try subject.replacing(allBut: inputs, from: other)
                if condition.matches(replaced) != condition.matches(subject) { Issue.record("\(condition)") }
            }
        }
    }

    @Test func `20,000 random texts of bytes are parsed or refused in the text`() {
        var random = SplitMix64(seed: 60)
        for _ in 0..<20_000 {
            let bytes = (0..<random.int(in: 0...60)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            check(String(decoding: bytes, as: UTF8.self))
        }
    }

    @Test func `20,000 random sequences of tokens are parsed or refused in the text`() {
        var random = SplitMix64(seed: 70)
        let marks = [
            "(", ")", "-", "|", "OR", "AND", "NOT", "\"", "“", "”", "*", ":", "：", "..", ">=", "<", "（", "）", "－", "a",
            "海", "ป", "ี",
            "\u{301}", "\u{200D}", "\0", "\r\n", "\u{3000}", "last-", "30d", "2019", "-05", ",", "1", "9", "km", "/",
            "＂", "é", "ﷺ", "İ",
        ]
        var parsedCount = 0
        for _ in 0..<20_000 {
            let text = (0..<random.int(in: 0...24)).map { _ in
                switch random.int(in: 0...5) {
                case 0: SampleConditions.term(using: &random)
                case 1: random.element(of: ConditionQualifier.allCases).rawValue + ":"
                case 2: " "
                default: random.element(of: marks)
                }
            }
            if check(text.joined(separator: random.oneIn(2) ? " " : "")) { parsedCount += 1 }
        }
        #expect(parsedCount > 500)
    }

    /// Checks that a text is parsed to a condition that obeys the law of canonical texts, or refused with a column inside
    /// the text.
    @discardableResult private func check(_ text: String) -> Bool {
        do throws(ConditionError) {
            let condition = try Condition(parsing: text)
            if try Condition(parsing: condition.canonicalText) != condition { Issue.record("\(text.debugDescription)") }
            _ = try? Condition(parsing: text, isTyping: true)
            return true
        } catch {
            let isInside = (1...max(1, text.count)).contains(error.column)
            if !isInside || error.problem.isEmpty || error.expected.isEmpty {
                Issue.record("\(text.debugDescription): \(error)")
            }
            return false
        }
    }
}

extension ConditionSubject {
    /// Returns the subject with all values of another one that are not inputs.
    fileprivate func replacing(allBut inputs: ConditionInputs, from other: ConditionSubject) throws -> ConditionSubject
    {
        var replaced = other
        for field in PhotoField.allCases where inputs.fields.contains(field) {
            switch field {
            case .size, .orientation:
                replaced.photo.pixelSize = photo.pixelSize
                replaced.photo.metricsSource = photo.metricsSource
                replaced.photo.orientation = photo.orientation
            case .takenAt: replaced.photo.takenAt = photo.takenAt
            case .coordinate: replaced.photo.coordinate = photo.coordinate
            case .color: replaced.photo.color = photo.color
            case .stack: replaced.photo.stack = photo.stack
            case .text(let text): replaced.photo[text] = photo[text]
            case .number(let number): replaced.photo[number] = photo[number]
            case .list(let list): replaced.photo[list] = photo[list]
            case .flag(let flag): replaced.photo[flag] = photo[flag]
            }
        }
        for value in inputs.context {
            switch value {
            case .stream: replaced.stream = stream
            case .added: replaced.addedOn = addedOn
            case .edits: replaced.photo.editedFields = photo.editedFields
            case .move: replaced.isMoved = isMoved
            case .file: replaced.isVanished = isVanished
            case .duplicates: replaced.isDuplicate = isDuplicate
            }
        }
        return replaced
    }
}
