import Foundation
import PhotoStreamTestSupport
import Testing

/// `kill -9` at random moments of an import: the same command finishes the job, with the same file as without a kill.
///
/// `PHOTOSTREAM_KILLS=1000 swift test --filter KillTests` kills more often.
@Suite struct KillTests {
    private let temporary: TemporaryDatabase
    private let runner: ProcessRunner

    init() throws {
        temporary = try TemporaryDatabase()
        runner = ProcessRunner(folder: temporary.folder)
    }

    @Test func `an import killed at random moments ends like one that was never interrupted`() throws {
        let kills = ProcessInfo.processInfo.environment["PHOTOSTREAM_KILLS"].flatMap(Int.init) ?? 50
        var random = SplitMix64(seed: 2_026)
        let (before, source) = (temporary.folder + "/before.jsonl", temporary.folder + "/source.jsonl")
        try records(0..<4_000, version: 1, using: &random).write(toFile: before, atomically: false, encoding: .utf8)
        // Existing photos, changed or not, new ones, duplicates, and invalid records.
        try records(2_000..<30_000, version: 2, using: &random)
            .write(toFile: source, atomically: false, encoding: .utf8)

        let reference = temporary.folder + "/reference.sqlite"
        try finishImport(of: before, into: reference)
        let start = ContinuousClock.now
        try finishImport(of: source, into: reference, rejects: true)
        let duration = start.duration(to: .now)
        let expected = try dump(reference)

        var killed = 0
        for attempt in 0... {
            guard killed < kills else { break }
            // A new file each time: if the first import ended before it was killed, none was killed.
            let database = temporary.folder + "/killed-\(attempt).sqlite"
            try finishImport(of: before, into: database)
            for _ in 0..<10 {
                let isKilled = try runner.kill(
                    ["import", "--database", database, "--stream", "killed", source],
                    after: duration * random.fraction())
                #expect(try runner.sqlite(database, "PRAGMA integrity_check") == "ok\n")
                guard isKilled else { break }
                killed += 1
            }
            try finishImport(of: source, into: database, rejects: true)
            let difference = firstDifference(try dump(database), expected)
            #expect(difference == nil, "after \(killed) kills: \(difference ?? "")")
            let verification = try runner.run(["cache", "verify", "--database", database])
            #expect(verification.terminationStatus == 0)
        }
    }

    @Test func `a deletion of many photos killed at random moments is finished by the same command`() throws {
        var random = SplitMix64(seed: 77)
        let (source, list) = (temporary.folder + "/all.jsonl", temporary.folder + "/doomed.txt")
        try (0..<20_000).map { "{\"id\":\"photo-\($0)\",\"width\":4,\"height\":3,\"takenAt\":\($0 % 977)}" }
            .joined(separator: "\n").write(toFile: source, atomically: false, encoding: .utf8)
        let doomed = (0..<20_000).filter { $0 % 3 != 0 }
        try doomed.map { "photo-\($0)" }.joined(separator: "\n")
            .write(toFile: list, atomically: false, encoding: .utf8)
        let kept = (0..<20_000).filter { $0 % 3 == 0 }.map { "photo-\($0)" }
        let database = temporary.folder + "/doomed.sqlite"
        let arguments = ["photos", "delete", "--database", database, "--stream", "killed", "--ids-from", list]
        try finishImport(of: source, into: database)
        let start = ContinuousClock.now
        #expect(try runner.run(arguments).terminationStatus == 0)
        let duration = start.duration(to: .now)
        for _ in 0..<3 {
            try finishImport(of: source, into: database)
            _ = try runner.kill(arguments, after: duration * random.fraction())
            try runner.expectSound(database, "a deletion was killed")
            let again = try runner.run(arguments)
            #expect(again.terminationReason == .exit && [0, 2].contains(again.terminationStatus))
            let left = try runner.sqlite(database, "SELECT externalId FROM photo").split(separator: "\n").map(
                String.init)
            #expect(Set(left) == Set(kept) && left.count == kept.count)
            #expect(try runner.run(["cache", "verify", "--database", database]).terminationStatus == 0)
        }
    }

    /// JSON Lines: one in 50 is bad, one in 20 repeats an id, and those of an even number do not depend on the version.
    private func records(_ numbers: Range<Int>, version: Int, using random: inout SplitMix64) -> String {
        numbers.map { number in
            if random.oneIn(50) { return "{\"id\":\"photo-\(number)\",\"width\":0,\"height\":10}" }
            let id = random.oneIn(20) ? number / 2 : number
            let width = number.isMultiple(of: 2) ? 400 : 400 + version
            return "{\"id\":\"photo-\(id)\",\"width\":\(width),\"height\":300,\"caption\":\"caption of \(number)\","
                + "\"takenAt\":\(1_600_000_000 + number % 5_000)}"
        }.joined(separator: "\n")
    }

    private func finishImport(of source: String, into database: String, rejects: Bool = false) throws {
        let process = try runner.run(["import", "--database", database, "--stream", "killed", source])
        try #require(process.terminationReason == .exit)
        #expect(process.terminationStatus == 2 || (process.terminationStatus == 0 && !rejects))
    }

    /// Photos and log, row ids and revisions included.
    private func dump(_ database: String) throws -> String {
        // The tags of the log are random.
        let columns = try runner.sqlite(
            database, "SELECT group_concat(name) FROM pragma_table_info('change') WHERE name <> 'tag'")
        return try runner.sqlite(
            database, "SELECT * FROM photo ORDER BY id; SELECT \(columns) FROM change ORDER BY revision")
    }

    private func firstDifference(_ found: String, _ expected: String) -> String? {
        let (found, expected) = (found.split(separator: "\n"), expected.split(separator: "\n"))
        if let (left, right) = zip(found, expected).first(where: { $0 != $1 }) { return "\(left), not \(right)" }
        return found.count == expected.count ? nil : "\(found.count) rows, not \(expected.count)"
    }
}
