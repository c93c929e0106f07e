import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

@Suite struct ConditionVerdictTests {
    /// Facts about random terms of photos; the others are open.
    private struct Facts: ConditionFacts {
        let subjects: [ConditionSubject]
        let known: UInt64
        var count: Int { subjects.count }

        func verdict(of term: ConditionTerm) -> ConditionVerdict {
            verdict(of: Condition(.term(term)))
        }

        func verdict(of words: SearchPhrase, in fields: PhotoFields) -> ConditionVerdict {
            verdict(of: Condition(.words(words, in: fields)))
        }

        /// Knows about some photos, and other photos for each term.
        private func verdict(of condition: Condition) -> ConditionVerdict {
            let mark = condition.canonicalText.utf8.reduce(UInt64(0)) { $0 &* 31 &+ UInt64($1) }
            var random = SplitMix64(seed: known ^ mark)
            let isKnown = subjects.map { _ in !random.oneIn(3) }
            return ConditionVerdict(
                met: PhotoMask(count: count) { isKnown[$0] && condition.matches(subjects[$0]) },
                unmet: PhotoMask(count: count) { isKnown[$0] && !condition.matches(subjects[$0]) })
        }
    }

    @Test(arguments: UInt64(1)...3)
    func `a verdict is right, and open only without facts`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let subjects = try (0..<130).map { _ in try SampleConditions.subject(using: &random) }
        var openCount = 0
        for number in 0..<300 {
            let condition = try Condition(parsing: SampleConditions.text(depth: 3, using: &random))
            let verdict = try condition.verdict(from: Facts(subjects: subjects, known: UInt64(number)))
            for position in verdict.met.positions { #expect(condition.matches(subjects[position]), "\(condition)") }
            for position in verdict.unmet.positions { #expect(!condition.matches(subjects[position]), "\(condition)") }
            #expect(verdict.met.setCount + verdict.unmet.setCount + verdict.open.count == subjects.count)
            openCount += verdict.open.count
        }
        #expect(openCount > 1_000)
    }

    @Test(arguments: [0, 1, 63, 64, 65, 1_024, 2_047])
    func `a mask has a bit for each photo`(count: Int) {
        var random = SplitMix64(seed: UInt64(count))
        let isSet = (0..<count).map { _ in random.oneIn(3) }
        let mask = PhotoMask(count: count) { isSet[$0] }
        #expect(mask.positions == isSet.indices.filter { isSet[$0] })
        #expect(mask.inverted.positions == isSet.indices.filter { !isSet[$0] })
        #expect(mask.inverted.inverted == mask)
        #expect(PhotoMask(count: count, isFull: true) == PhotoMask(count: count).inverted)
        #expect(PhotoMask(count: count, isFull: true).isFull)
        #expect(mask.isFull == !isSet.contains(false))
    }
}
