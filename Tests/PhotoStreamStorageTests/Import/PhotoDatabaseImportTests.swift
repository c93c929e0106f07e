import GRDB
import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamStorage

@Suite struct PhotoDatabaseImportTests {
    private let fixture: StreamFixture

    init() throws {
        fixture = try StreamFixture()
    }

    @Test func `each record ends as inserted, updated, unchanged or duplicate`() throws {
        let first = try [record("a", at: 1), record("b", at: 2), record("a", at: 9)]
        #expect(try fixture.importing(first) == [.inserted, .inserted, .duplicate])
        #expect(try fixture.photo("a")?.takenAt?.milliseconds == 1)
        let second = try [record("a", at: 1), record("b", at: 3), record("b", at: 4), record("c")]
        #expect(try fixture.importing(second) == [.unchanged, .updated, .duplicate, .inserted])
        #expect(try fixture.photo("b")?.takenAt?.milliseconds == 3)
    }

    @Test func `a known photo after many new ones is still known, and logs nothing`() throws {
        let known = try record("known", at: 1)
        try fixture.importing([known])
        let before = try fixture.database.read { try $0.lastRevision() } ?? 0
        let new = try (0..<200).map { try record("p\($0)", at: Int64($0)) }
        let outcomes = try fixture.importing(new + [known, new[7], record("p200"), known])
        #expect(outcomes.suffix(4) == [.unchanged, .duplicate, .inserted, .duplicate])
        let rows = try fixture.database.read { try $0.changes(streamID: fixture.stream.id, after: before) }
        #expect(rows.map(\.kind) == Array(repeating: .inserted, count: 201))
        #expect(rows.map(\.revision) == Array(before + 1...before + 201))
    }

    @Test func `a missing field is kept, a cleared one is removed`() throws {
        var full = try record("a", at: 1)
        full.caption = .set("caption")
        full.tags = .set(["x"])
        full.location = .set("/a.jpg")
        try fixture.importing([full])
        var partial = PhotoRecord(id: try PhotoID("a"))
        partial.caption = .clear
        partial.size = .clear
        #expect(try fixture.importing([partial]) == [.updated])
        let photo = try #require(try fixture.photo("a"))
        #expect(photo.caption == nil && photo.captionSource == nil)
        #expect(photo.metricsSource == .assumed && photo.pixelSize == .assumed)
        #expect(photo.tags == ["x"] && photo.location == "/a.jpg" && photo.takenAt?.milliseconds == 1)
    }

    @Test func `importing the same data again writes nothing`() throws {
        let records = try (0..<1_000).map { index in
            var record = try record("p\(index)", at: index % 3 == 0 ? nil : Int64(index))
            if index % 2 == 0 { record.caption = .set("caption \(index)") }
            if index % 5 == 0 { record.tags = .set(["one", "t\"wo"]) }
            return record
        }
        try fixture.importing(records)
        let before = try state()
        #expect(try fixture.importing(records) == Array(repeating: .unchanged, count: records.count))
        #expect(try state() == before)
    }

    @Test func `a text in another normal form is another text`() throws {
        var first = PhotoRecord(id: try PhotoID("a"))
        first.location = .set("e\u{301}.jpg")
        try fixture.importing([first])
        first.location = .set("\u{E9}.jpg")
        #expect(try fixture.importing([first]) == [.updated])
        #expect(try fixture.photo("a")?.location?.unicodeScalars.count == 5)
    }

    @Test func `a batch ends with its budget, and the next one continues`() throws {
        let records = try (0..<2_000).map { try record("p\($0)", at: Int64($0)) }
        var seen = RowIDSet()
        var outcomes: [ImportOutcome] = []
        var batchCount = 0
        while outcomes.count < records.count {
            let result = try fixture.database.importRecords(
                records[outcomes.count...],
                into: fixture.stream.id,
                seen: &seen,
                budgetMilliseconds: 0
            )
            #expect(result.outcomes.count == min(256, records.count - outcomes.count))
            outcomes += result.outcomes
            batchCount += 1
        }
        #expect(batchCount == 8)
        #expect(outcomes == Array(repeating: .inserted, count: 2_000))
        #expect(try fixture.importing(records, seen: &seen) == Array(repeating: .duplicate, count: 2_000))
    }

    @Test func `deleting the stream ends the import`() throws {
        var seen = RowIDSet()
        try fixture.importing([record("a")], seen: &seen)
        try fixture.database.write { try $0.deleteStream(named: StreamName("holiday")) }
        let error = failure { try fixture.importing([record("b")], seen: &seen) }
        #expect(error?.code == .notFound)
        #expect(error?.message == "stream \(fixture.stream.id) was deleted while an import was running")
    }

    @Test func `a batch that fails stores no photos and remembers none`() throws {
        try fixture.database.write { writer in
            try writer.database.execute(
                sql: """
                    CREATE TRIGGER refuse BEFORE INSERT ON photo WHEN NEW.externalId = 'bad'
                    BEGIN SELECT raise(FAIL, 'refused'); END
                    """
            )
        }
        var seen = RowIDSet()
        #expect(failure { try fixture.importing([record("a"), record("bad")], seen: &seen) }?.code == .constraint)
        #expect(try fixture.photos().isEmpty)
        #expect(try fixture.importing([record("a")], seen: &seen) == [.inserted])
    }

    @Test func `assumed sizes are counted once per photo`() throws {
        var seen = RowIDSet()
        let id = PhotoRecord(id: try PhotoID("a"))
        let result = try fixture.database.importRecords(
            [id, id, try record("b"), PhotoRecord(id: try PhotoID("c"))],
            into: fixture.stream.id,
            seen: &seen
        )
        #expect(result.assumedCount == 2)
    }

    @Test func `a dry run reports exactly the result of the import`() throws {
        var random = SplitMix64(seed: 11)
        for round in 0..<20 {
            let records = try (0..<200).map { _ in
                var record = try record("p\(random.below(150))", at: Int64(random.below(4)), width: 3 + random.below(2))
                if random.below(2) == 0 { record.caption = .set("c\(random.below(2))") }
                return record
            }
            if round % 3 == 0, let id = records.first?.id {
                var edit = PhotoRecord(id: id)
                edit.caption = .set("mine")
                _ = try fixture.database.write { try $0.edit(streamID: fixture.stream.id, record: edit) }
            }
            let before = try state()
            var dryRun = try ImportDryRun(database: fixture.database, streamID: fixture.stream.id)
            let foretold = try dryRun.outcomes(of: records[..<90]) + dryRun.outcomes(of: records[90...])
            #expect(try state() == before)
            #expect(try fixture.importing(records) == foretold)
        }
    }

    @Test func `a dry run needs neither a file nor a stream`() throws {
        let records = try [record("a"), PhotoRecord(id: PhotoID("b")), record("a")]
        for database in [nil, fixture.database] {
            var dryRun = try ImportDryRun(database: database, streamID: nil)
            let first = try dryRun.outcomes(of: records[...])
            #expect(first == [.inserted, .inserted, .duplicate])
            let second = try dryRun.outcomes(of: records[..<1])
            #expect(second == [.duplicate])
            #expect(dryRun.assumedCount == 1)
        }
    }

    @Test func `an import run is recorded with its counts and first thousand failures`() throws {
        let stream = fixture.stream.id
        let failures = (0..<600).map {
            ImportFailure(source: "a.csv", line: $0, column: 2, id: $0 == 0 ? nil : "x", reason: "no")
        }
        var counts = ImportTotals()
        for outcome in [ImportOutcome.inserted, .updated, .unchanged, .duplicate, .inserted] { counts.add(outcome) }
        counts.rejected = 1_200
        let runID = try fixture.database.write { writer in
            let runID = try writer.startImportRun(streamID: stream, sources: ["a.csv", "b \"2\".csv"], now: 5)
            try writer.recordFailures(runID: runID, failures: failures)
            try writer.recordFailures(runID: runID, failures: failures)
            try writer.finishImportRun(runID: runID, counts: counts, now: 9)
            return runID
        }
        let run = try #require(try fixture.database.read { try $0.importRuns(streamID: stream) }.first)
        #expect(run.sources == ["a.csv", "b \"2\".csv"])
        #expect(run.startedAtMilliseconds == 5 && run.finishedAtMilliseconds == 9)
        #expect(run.counts == counts && counts.read == 5)
        let kept = try fixture.database.read { try $0.importFailures(runID: runID) }
        #expect(kept.count == 1_000)
        #expect(Array(kept.prefix(600)) == failures)
    }

    @Test func `interrupted runs of the same sources are deleted, and twenty runs are kept`() throws {
        let stream = fixture.stream.id
        try fixture.database.write { writer in
            for index in 0..<30 {
                let runID = try writer.startImportRun(streamID: stream, sources: ["\(index)"], now: Int64(index))
                try writer.finishImportRun(runID: runID, counts: ImportTotals(), now: 0)
            }
            _ = try writer.startImportRun(streamID: stream, sources: ["again"], now: 100)
            _ = try writer.startImportRun(streamID: stream, sources: ["again"], now: 101)
        }
        let runs = try fixture.database.read { try $0.importRuns(streamID: stream) }
        #expect(runs.count == 20)
        #expect(runs.map(\.startedAtMilliseconds) == [101] + (11...29).reversed().map(Int64.init))
        try fixture.database.write { try $0.deleteStream(named: StreamName("holiday")) }
        #expect(try fixture.database.read { try $0.importRuns(streamID: stream) }.isEmpty)
        #expect(
            failure { try fixture.database.write { try $0.recordFailures(runID: 1, failures: []) } }?.code == .notFound)
        #expect(
            failure { try fixture.database.write { try $0.startImportRun(streamID: stream, sources: [], now: 0) } }?
                .code == .notFound
        )
    }

    @Test func `a set of row ids contains the inserted ids`() {
        var set = RowIDSet()
        for id in [1, 65_535, 65_536, 8_796_093_022_207] as [Int64] {
            #expect(!set.contains(id))
            let (first, second) = (set.insert(id), set.insert(id))
            #expect(first && !second)
            #expect(set.contains(id))
        }
        #expect(!set.contains(2))
    }

    /// Everything that an unchanged import must not change.
    private func state() throws -> [Int64?] {
        try fixture.database.write { writer in
            [
                try writer.reader.lastRevision(), Int64(writer.database.totalChangesCount),
                Int64(try writer.reader.photoCount(in: fixture.stream.id)),
            ]
        }
    }
}
