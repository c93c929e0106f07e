import Foundation
import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

/// Files that other programs, or disks, have damaged: every query is answered or refused, none traps or runs for ever.
///
/// A child process runs the queries, so that a signal is detected. `PHOTOSTREAM_DAMAGED_FILES` is the number of files,
/// each of which takes about a quarter of a second of processor time, and `PHOTOSTREAM_DAMAGE_SEED` is the first seed.
/// Each file can be recreated from its seed.
@Suite struct DamagedFileTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let count = environment["PHOTOSTREAM_DAMAGED_FILES"].flatMap(Int.init) ?? 40
    private static let seed = environment["PHOTOSTREAM_DAMAGE_SEED"].flatMap(UInt64.init) ?? 1
    /// The time that a file may take, in seconds; one takes less than one second.
    private static let secondsPerFile = 120

    @Test(.withoutPrimary) func `no damaged file crashes the process, and damage is reported`() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("damage-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var (next, end) = (Self.seed, Self.seed + UInt64(Self.count))
        var outcomes: [DamageOutcome] = []
        var deaths: [UInt64] = []
        while next < end {
            let report = folder.appendingPathComponent("report-\(next)").path
            let result = await #expect(
                processExitsWith: .success, observing: [\.standardErrorContent]
            ) {
                [folder = folder.path as String, report = report as String, next = next as UInt64, end = end as UInt64]
                in
                try DamageChild(folder: folder, report: report).run(
                    next..<end, seconds: DamagedFileTests.secondsPerFile)
            }
            let lines = try String(contentsOfFile: report, encoding: .utf8).split(separator: "\n")
            outcomes += lines.compactMap(DamageOutcome.init)
            let begun = lines.filter { $0.hasPrefix("begin ") }.last.flatMap { UInt64($0.dropFirst(6)) }
            guard let begun, outcomes.last?.seed != begun else { break }
            // The child died of this file.
            deaths.append(begun)
            print("seed \(begun): \(String(decoding: result?.standardErrorContent.suffix(2_000) ?? [], as: UTF8.self))")
            next = begun + 1
            end = Self.seed + UInt64(Self.count)
        }
        #expect(deaths == [])
        #expect(outcomes.count + deaths.count == Self.count)
        let wrong = outcomes.filter { $0.kind == .strange || $0.kind == .wrong }
        for outcome in wrong.prefix(20) { print("seed \(outcome.seed): \(outcome.kind) \(outcome.text)") }
        #expect(wrong.count == 0)
        let counts = Dictionary(grouping: outcomes, by: \.kind).mapValues(\.count)
        let kinds = counts.map { "\($0.key): \($0.value)" }.sorted().joined(separator: ", ")
        let questions = outcomes.reduce(0) { $0 + $1.questions }
        print("damaged files: \(outcomes.count), questions: \(questions), \(kinds)")
        if let slowest = outcomes.max(by: { $0.seconds < $1.seconds }) {
            print("slowest: seed \(slowest.seed), \(slowest.seconds) s")
        }
    }
}

/// The outcome of one damaged file.
struct DamageOutcome {
    enum Kind: String {
        /// An error or a verification reported it.
        case told
        /// All answers are those of the file that is not damaged.
        case harmless
        /// Answers differ, in values that the schema allows.
        case allowed
        /// Derived data were damaged and answers differ; or a part of the schema is missing, or SQLite's own checks
        /// find damage, and nothing reports it.
        case wrong
        /// An error that no caller should see.
        case strange
    }

    let seed: UInt64
    let kind: Kind
    /// The number of queries so far.
    let questions: Int
    /// The time that they took.
    let seconds: Double
    let text: String

    init(seed: UInt64, kind: Kind, questions: Int, seconds: Double, text: String) {
        (self.seed, self.kind, self.questions, self.seconds, self.text) = (seed, kind, questions, seconds, text)
    }

    /// Reads a line of a report.
    init?(_ line: Substring) {
        let words = line.split(separator: " ", maxSplits: 5)
        guard words.count >= 5, words[0] == "end", let seed = UInt64(words[1]),
            let kind = Kind(rawValue: String(words[2])), let questions = Int(words[3]),
            let seconds = Double(words[4])
        else { return nil }
        let text = words.count > 5 ? String(words[5]) : ""
        self.init(seed: seed, kind: kind, questions: questions, seconds: seconds, text: text)
    }

    var line: String {
        "end \(seed) \(kind.rawValue) \(questions) \(seconds) " + text.replacing("\n", with: " ").prefix(1_500)
    }
}

/// The process that asks.
struct DamageChild {
    let folder: String
    let report: String

    func run(_ seeds: Range<UInt64>, seconds: Int) throws {
        _ = FileManager.default.createFile(atPath: report, contents: nil)
        let handle = try #require(FileHandle(forWritingAtPath: report))
        let base = try DamageBase()
        let path = folder + "/damaged.sqlite"
        try base.bytes.write(to: URL(fileURLWithPath: path))
        var healthy = DamageQuestions(path, since: base.revision)
        healthy.ask()
        guard healthy.told.isEmpty, healthy.strange.isEmpty else {
            throw Unhealthy(sentences: healthy.told + healthy.strange)
        }
        for seed in seeds {
            try handle.write(contentsOf: Data("begin \(seed)\n".utf8))
            // Ends the process with a signal if a query runs for ever.
            alarm(UInt32(seconds))
            let outcome = try outcome(seed, base, path, healthy)
            try handle.write(contentsOf: Data((outcome.line + "\n").utf8))
        }
    }

    private struct Unhealthy: Error {
        let sentences: [String]
    }

    private func outcome(
        _ seed: UInt64, _ base: DamageBase, _ path: String, _ healthy: DamageQuestions
    ) throws -> DamageOutcome {
        var random = SplitMix64(seed: seed)
        var damage = Damage(base, using: &random)
        var found = try damage.write(base, seed: seed, to: path)
        while found == nil {
            damage = Damage(base, using: &random)
            found = try damage.write(base, seed: seed, to: path)
        }
        let finding = try #require(found)
        var questions = DamageQuestions(path, since: base.revision)
        let time = ContinuousClock().measure { questions.ask() }
        let (kind, detail) = judge(damage, finding, questions, healthy)
        let seconds = Double(time / .milliseconds(1)).rounded() / 1_000
        return DamageOutcome(
            seed: seed, kind: kind, questions: questions.count, seconds: seconds, text: "\(damage) -> \(detail)")
    }

    private func judge(
        _ damage: Damage, _ finding: SQLiteFinding, _ questions: DamageQuestions, _ healthy: DamageQuestions
    ) -> (DamageOutcome.Kind, String) {
        if let strange = questions.strange.first { return (.strange, strange) }
        let difference = zip(questions.answers, healthy.answers).first { !$0.isSame(as: $1) }
            .map { $0.described(insteadOf: $1) }
        let isSame = questions.answers.count == healthy.answers.count && difference == nil
        switch damage {
        case .values(let table, _) where DamageBase.derivedTables.contains(table):
            if !isSame { return (.wrong, difference ?? "fewer answers") }
            // It was dropped and made again.
            if questions.told.isEmpty { return (.harmless, "") }
        case .part where questions.told.isEmpty: return (.wrong, "nothing says so")
        case .values where questions.told.isEmpty && !finding.isSound: return (.wrong, "untold: \(finding.text)")
        case .bytes where questions.told.isEmpty && !finding.isSound && !isSame:
            return (.wrong, "untold: \(finding.text)")
        default: break
        }
        if let told = questions.told.first { return (.told, told) }
        return isSame ? (.harmless, "") : (.allowed, difference ?? "fewer answers")
    }
}
