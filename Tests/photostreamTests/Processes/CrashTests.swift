import Foundation
import PhotoStreamTestSupport
import Testing

/// `kill -9` at random moments while layouts are repaired, stored and evicted, and during an import with readers:
/// the file stays intact, its derived data stay correct, and no reader ever fails or sees a partial state.
///
/// `PHOTOSTREAM_KILLS=100 swift test --filter CrashTests` kills more often.
@Suite(.serialized) struct CrashTests {
    private static let layouts = [
        ["--width", "1200", "--columns", "5"],
        ["--width", "900", "--algorithm", "justified", "--target-line-height", "150"],
        ["--width", "700", "--algorithm", "flow", "--item-height", "90", "--section-by", "day"],
        ["--width", "640", "--columns", "3", "--anchor", "end"],
        ["--width", "800", "--algorithm", "justified", "--breaks", "optimal"],
        ["--width", "500", "--columns", "4", "--section-by", "month"],
    ]

    private let temporary: TemporaryDatabase
    private let runner: ProcessRunner
    private let database: String
    private let kills = ProcessInfo.processInfo.environment["PHOTOSTREAM_KILLS"].flatMap(Int.init) ?? 5

    init() throws {
        temporary = try TemporaryDatabase()
        runner = ProcessRunner(folder: temporary.folder)
        database = temporary.path
    }

    @Test func `a repair that is killed at any moment leaves correct data`() throws {
        try makeGallery()
        for layout in Self.layouts.prefix(4) { try warm(layout) }
        var random = SplitMix64(seed: 404)
        let repair = ["cache", "warm", "--stream", "gallery", "--database", database]
        try editMuch(using: &random)
        var moments = KillMoments(longest: try measure(repair), wanted: kills)
        while let moment = moments.next(using: &random) {
            let round = moments.round
            try editMuch(using: &random)
            // A query repairs and stores, too.
            let command =
                round % 3 == 2
                ? ["rect", "--stream", "gallery", "--database", database, "--rect", "0,9000,900,9000", "--json"]
                    + Self.layouts[round % 4] : repair
            moments.took(try runner.kill(command, after: moment), at: moment)
            try runner.expectSound(database, "round \(round)")
        }
        let last = try runner.run(repair)
        #expect(last.terminationStatus == 0)
        report("repairs", moments.killed)
    }

    @Test func `an eviction that is killed at any moment leaves correct data`() throws {
        try makeGallery()
        // Room for one or two of them.
        let budget: Int64 = 6_000
        try run(["cache", "budget", "--database", database, "\(budget)"])
        var random = SplitMix64(seed: 405)
        for layout in Self.layouts { try warm(layout) }
        let warming = ["cache", "warm", "--stream", "gallery", "--database", database]
        var moments = KillMoments(longest: try measure(warming + Self.layouts[0]), wanted: kills)
        let held = try bytes()
        #expect(held > 0 && held <= budget, "\(held) bytes of \(budget)")
        while let moment = moments.next(using: &random) {
            let round = moments.round
            let layout = random.element(of: Self.layouts)
            let command =
                round % 4 == 3
                ? ["cache", "budget", "--database", database, "\(random.element(of: [0, budget, 9 * budget]))"]
                : warming + layout
            moments.took(try runner.kill(command, after: moment), at: moment)
            try runner.expectSound(database, "round \(round)")
            let limit = try #require(Int64(try runner.sqlite(database, "SELECT byteCount FROM layoutBudget").trimmed))
            let held = try bytes()
            #expect(held <= limit, "round \(round): \(held) bytes of \(limit)")
        }
        report("evictions", moments.killed)
    }

    @Test func `readers during an import that is killed never fail and never see a part of it`() throws {
        let (before, source) = (temporary.folder + "/before.jsonl", temporary.folder + "/source.jsonl")
        try records(0..<3_000, width: 400).write(toFile: before, atomically: false, encoding: .utf8)
        try records(1_500..<30_000, width: 401).write(toFile: source, atomically: false, encoding: .utf8)
        let reference = temporary.folder + "/reference.sqlite"
        try run(["import", "--database", reference, "--stream", "gallery", before])
        try run(["import", "--database", reference, "--stream", "gallery", source])
        let expected = try photos(of: reference)
        var random = SplitMix64(seed: 406)
        var killed = 0
        // The number of rounds of queries during an import: those of the first, which is not killed.
        var length = 0
        for round in 0...kills {
            let file = temporary.folder + "/killed-\(round).sqlite"
            try run(["import", "--database", file, "--stream", "gallery", before])
            var readers = Readers(runner: runner, database: file)
            let process = try runner.start(["import", "--database", file, "--stream", "gallery", source])
            let moment = round == 0 ? Int.max : random.int(in: 0...max(0, length - 1))
            var asked = 0
            while process.isRunning, asked < moment {
                try readers.ask()
                asked += 1
            }
            if round == 0 {
                process.waitUntilExit()
                length = asked
            } else if runner.kill(process) {
                killed += 1
            }
            try readers.ask()
            try runner.expectSound(file, "round \(round)")
            try run(["import", "--database", file, "--stream", "gallery", source])
            try readers.ask()
            #expect(try photos(of: file) == expected, "round \(round): the import that went on ended elsewhere")
            try runner.expectSound(file, "round \(round), afterwards")
            for ending in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file + ending) }
        }
        report("imports", killed)
    }

    /// 12,000 photos: twelve chunks.
    private func makeGallery() throws {
        let source = temporary.folder + "/gallery.jsonl"
        try records(0..<12_000, width: 400).write(toFile: source, atomically: false, encoding: .utf8)
        try run(["import", "--database", database, "--stream", "gallery", source])
    }

    private func records(_ numbers: Range<Int>, width: Int) -> String {
        numbers.map { number in
            "{\"id\":\"photo-\(number)\",\"width\":\(width + number % 91),\"height\":\(300 + number % 37),"
                + (number % 3 == 0 ? "\"caption\":\"caption of \(number)\"," : "")
                + "\"takenAt\":\(1_600_000_000 + number * 7_919 % 20_000_000)}"
        }.joined(separator: "\n")
    }

    /// Edits in every chunk by a person: sizes, dates, deleted and added photos.
    private func editMuch(using random: inout SplitMix64) throws {
        let number = random.int(in: 0...999_999)
        _ = try runner.sqlite(
            database,
            """
            UPDATE photo SET width = width % 700 + 17 WHERE id % 997 = \(number % 997);
            UPDATE photo SET takenAtMilliseconds = takenAtMilliseconds + 86400000 WHERE id % 991 = \(number % 991);
            DELETE FROM photo WHERE id % 499 = \(number % 499);
            INSERT OR IGNORE INTO photo (streamId, externalId, width, height, takenAtMilliseconds, takenAtPrecision)
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 25)
            SELECT 1, \(number) || '-' || i, 300 + i, 200, (1600000000 + \(number) * i % 20000000) * 1000, 5 FROM n;
            """)
    }

    private func warm(_ layout: [String]) throws {
        try run(["cache", "warm", "--stream", "gallery", "--database", database] + layout)
    }

    private func run(_ arguments: [String]) throws {
        let process = try runner.run(arguments)
        try #require(process.terminationReason == .exit && process.terminationStatus == 0, "\(arguments)")
    }

    private func measure(_ arguments: [String]) throws -> Duration {
        let start = ContinuousClock.now
        try run(arguments)
        return start.duration(to: .now)
    }

    private func bytes() throws -> Int64 {
        try #require(Int64(try runner.sqlite(database, "SELECT coalesce(sum(byteCount), 0) FROM layout").trimmed))
    }

    private func photos(of database: String) throws -> String {
        try runner.sqlite(database, "SELECT * FROM photo ORDER BY id; SELECT max(revision) FROM change")
    }

    /// Reports the progress of a long run.
    private func report(_ what: String, _ killed: Int) {
        if kills > 10 { print("crash test: \(killed) \(what) of \(kills) killed before they had ended") }
    }
}

/// Random moments to kill a process at, until as many were killed as are wanted.
///
/// The run time of a process depends on the load of the machine: after a process that ended by itself, the moments
/// are earlier; after one that was killed, they may be later again.
private struct KillMoments {
    /// The latest moment that may be drawn.
    private var latest: Duration
    private let wanted: Int
    private(set) var round = -1
    private(set) var killed = 0

    init(longest: Duration, wanted: Int) {
        (latest, self.wanted) = (longest, wanted)
    }

    mutating func next(using random: inout SplitMix64) -> Duration? {
        guard killed < wanted else { return nil }
        round += 1
        return latest * random.fraction()
    }

    mutating func took(_ wasKilled: Bool, at moment: Duration) {
        killed += wasKilled ? 1 : 0
        latest = wasKilled ? latest * 1.2 : moment
    }
}

/// Processes that query one file at once, during an import.
private struct Readers {
    let runner: ProcessRunner
    let database: String
    private var revision = 0

    init(runner: ProcessRunner, database: String) {
        self.runner = runner
        self.database = database
    }

    /// Asks for a page, a rectangle and a layout at the same time.
    mutating func ask() throws {
        let grid = ["--algorithm", "grid", "--columns", "4", "--width", "400"]
        let questions = [
            ["layout", "--limit", "1"] + grid, ["page", "--width", "800", "--limit", "20"],
            ["rect", "--rect", "0,3000,800,3000", "--width", "800", "--limit", "50"],
        ]
        let common = ["--stream", "gallery", "--database", database, "--json"]
        let outputs = questions.indices.map { runner.folder + "/reader-\($0).out" }
        let processes = try zip(questions, outputs).map { try runner.start($0 + common, output: $1) }
        var greatest = revision
        for (process, output) in zip(processes, outputs) {
            process.waitUntilExit()
            let errors = try String(contentsOf: URL(filePath: output + ".errors"), encoding: .utf8)
            try #require(process.terminationStatus == 0, "a reader failed: \(errors.prefix(300))")
            let data = try Data(contentsOf: URL(filePath: output))
            let answer = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
            let found = try #require(answer["revision"] as? Int)
            #expect(found >= revision, "the revision fell from \(revision) to \(found)")
            greatest = max(greatest, found)
            try check(answer)
        }
        revision = greatest
    }

    private func check(_ answer: [String: Any]) throws {
        if let count = answer["count"] as? Int {
            // Four squares of 100 points in a line.
            let size = try #require(answer["contentSize"] as? [String: Any])
            #expect(size["height"] as? Int == (count + 3) / 4 * 100, "\(count) photos are \(size)")
        } else {
            let items = try #require(answer["items"] as? [[String: Any]])
            let indices = items.compactMap { $0["index"] as? Int }
            #expect(!items.isEmpty && indices.count == items.count)
            #expect(zip(indices, indices.dropFirst()).allSatisfy { $0 < $1 })
        }
    }
}

extension String {
    fileprivate var trimmed: String { trimmingCharacters(in: .whitespacesAndNewlines) }
}
