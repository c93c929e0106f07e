import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

@Suite struct ConditionDaysTests {
    private func subject(takenOn date: String, today: String = "2026-11-29") throws -> ConditionSubject {
        var subject = ConditionSubject(
            Photo(id: try PhotoID("a")), in: try StreamName("archive"), today: try day(today))
        let precision: CaptureTime.Precision = date.count == 4 ? .year : date.count == 7 ? .month : .second
        let first = try day(date.count == 4 ? date + "-01-01" : date.count == 7 ? date + "-01" : date)
        // The last second of a day, if the time is known; a clock in the east was already there.
        let local = Int64(first.daysSince1970) * 86_400_000 + (precision == .second ? 86_399_000 : 0)
        let offset = precision == .second ? 600 : nil
        subject.photo.takenAt = try CaptureTime(
            milliseconds: local - Int64(offset ?? 0) * 60_000, utcOffsetMinutes: offset, precision: precision)
        return subject
    }

    private func day(_ text: String) throws -> CivilDate {
        let numbers = text.split(separator: "-").compactMap { Int($0) }
        return try #require(CivilDate(year: numbers[0], month: numbers[1], day: numbers[2]))
    }

    @Test func `ranges of dates agree with a comparison of their digits`() throws {
        var random = SplitMix64(seed: 1)
        func date(using random: inout SplitMix64) -> String {
            String(
                CivilDate(daysSince1970: random.int(in: 17_500...20_000)).description.prefix(
                    random.element(of: [4, 7, 10])))
        }
        var matchCount = 0
        for _ in 0..<4_000 {
            let (first, last, taken) = (date(using: &random), date(using: &random), date(using: &random))
            let subject = try subject(takenOn: taken)
            // The first and the last digits that a day of the photo can have.
            let ends = (
                taken + "-01-01".suffix(10 - taken.count),
                taken + (taken.count == 4 ? "-12-31" : taken.count == 7 ? "-31" : "")
            )
            func isFrom(_ date: String) -> Bool { ends.0.prefix(date.count) >= date }
            func isUntil(_ date: String) -> Bool { ends.1.prefix(date.count) <= date }
            let expected: [(String, Bool)] = [
                ("\(first)..\(last)", isFrom(first) && isUntil(last)), (first, isFrom(first) && isUntil(first)),
                (">=\(first)", isFrom(first)),
                ("\(first)..", isFrom(first)), ("..\(first)", isUntil(first)), ("<=\(first)", isUntil(first)),
                ("<\(first)", ends.1.prefix(first.count) < first), (">\(first)", ends.0.prefix(first.count) > first),
            ]
            for (text, isIn) in expected {
                guard let condition = try? Condition(parsing: "taken:\(text)") else {
                    // Only a range that ends before it begins is refused.
                    if text != expected[0].0 || first.prefix(last.count) <= last.prefix(first.count) {
                        Issue.record("\(text)")
                    }
                    continue
                }
                let matches = condition.matches(subject)
                if matches != isIn { Issue.record("\(text) of \(taken)") }
                matchCount += matches ? 1 : 0
                let again = try Condition(parsing: condition.canonicalText)
                if again != condition { Issue.record("\(text)") }
            }
        }
        #expect(matchCount > 5_000)
    }

    @Test(
        arguments: [
            ("last-1d", "2026-11-29", "2026-11-29.."), ("last-2d", "2026-11-29", "2026-11-28.."),
            ("last-30d", "2026-01-01", "2025-12-03.."),
            ("last-30d", "2025-12-31", "2025-12-02.."), ("last-1w", "2026-01-03", "2025-12-28.."),
            ("last-1m", "2026-11-29", "2026-10-30.."),
            ("last-1m", "2026-03-31", "2026-03.."), ("last-1m", "2024-03-31", "2024-03.."),
            ("last-1m", "2026-03-30", "2026-03.."),
            ("last-1m", "2026-03-27", "2026-02-28.."), ("last-1m", "2026-01-01", "2025-12-02.."),
            ("last-12m", "2026-01-01", "2025-01-02.."),
            ("last-1y", "2024-02-29", "2023-03.."), ("last-1y", "2025-12-31", "2025.."),
            ("last-1y", "2026-01-01", "2025-01-02.."),
            ("last-4y", "2024-02-29", "2020-03.."), ("last-9999y", "2026-11-29", "0001.."),
            ("last-9999m", "2026-11-29", "1193-08-30.."),
            ("last-9999w", "2026-11-29", nil),
        ] as [(String, String, String?)])
    func `the last days are counted back from the current one`(text: String, today: String, days: String?) throws {
        let condition = try Condition(parsing: "taken:\(text)")
        #expect(condition.dependsOnClock)
        let resolved = condition.resolved(today: try day(today))
        #expect(!resolved.dependsOnClock)
        if let days { #expect(resolved.canonicalText == "taken:\(days)") }
        #expect(try Condition(parsing: resolved.canonicalText) == resolved)
    }

    @Test(arguments: [
        // A photo of the last second of a day, before and after midnight.
        ("2026-11-28", "2026-11-28", true), ("2026-11-28", "2026-11-29", false), ("2026-11-29", "2026-11-28", true),
        // New year.
        ("2025-12-31", "2025-12-31", true), ("2025-12-31", "2026-01-01", false), ("2026-01-01", "2025-12-31", true),
    ])
    func `a photo leaves the last day at midnight`(taken: String, today: String, isFound: Bool) throws {
        let condition = try Condition(parsing: "taken:last-1d")
        #expect(try condition.matches(subject(takenOn: taken, today: today)) == isFound)
        #expect(try condition.negated.matches(subject(takenOn: taken, today: today)) == !isFound)
    }

    @Test func `a month that is known without its day is in a range with all of it`() throws {
        for (text, isFound) in [
            ("2021-05", true), ("2021", true), ("2021-05-01..2021-05-31", true), ("2021-05-02..2021-06", false),
            ("2021-05-01", false),
            (">=2021-05-01", true), (">=2021-05-02", false), ("<=2021-05-30", false), ("<=2021-05-31", true),
        ] {
            #expect(try Condition(parsing: "taken:\(text)").matches(subject(takenOn: "2021-05")) == isFound, "\(text)")
        }
    }

    @Test func `a photo without a date is in no range`() throws {
        var subject = try subject(takenOn: "2021")
        subject.photo.takenAt = nil
        for text in ["taken:0001..9999", "taken:last-9999y", "added:0001.."] {
            #expect(try !Condition(parsing: text).matches(subject))
        }
    }

    @Test func `only days depend on the clock`() throws {
        for qualifier in ConditionQualifier.allCases {
            let takesDays = [.taken, .added].contains(qualifier)
            #expect((qualifier.row.takes == .days) == takesDays)
            let condition = try? Condition(parsing: "\(qualifier.rawValue):last-30d")
            #expect((condition?.dependsOnClock ?? false) == takesDays)
            let takesNumbers = if case .number = qualifier.row.takes { true } else { false }
            #expect(takesNumbers == [.rating, .ratio, .width, .height].contains(qualifier))
        }
        #expect(try !Condition(parsing: "taken:2019 added:>2020 sun").dependsOnClock)
        #expect(try Condition(parsing: "a OR -(b -added:last-2w)").dependsOnClock)
    }
}
