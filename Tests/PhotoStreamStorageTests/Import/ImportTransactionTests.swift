import GRDB
import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamStorage

/// Runs of new photos are inserted without triggers and logged in one statement, with identical results.
@Suite struct ImportTransactionTests {
    private struct Failure: Error {}

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `an import without triggers leaves the same rows as one with triggers`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let rounds = try (0..<3).map { round in try records(round: round, using: &random) }
        let (byTriggers, byItself) = (try StreamFixture(), try StreamFixture())
        for (round, records) in rounds.enumerated() {
            var (left, right) = (RowIDSet(), RowIDSet())
            var outcomes: [ImportOutcome] = []
            // Fewer than it takes to switch the triggers off.
            for start in stride(from: 0, to: records.count, by: 50) {
                outcomes += try byTriggers.importing(Array(records[start...].prefix(50)), seen: &left)
            }
            #expect(try byItself.importing(records, seen: &right) == outcomes, "round \(round)")
            #expect(Set(outcomes).count == (round == 0 ? 2 : 4), "round \(round) has outcomes of every kind")
            try storeChunks(byTriggers)
            try storeChunks(byItself)
            let expected = try dump(byTriggers)
            let found = try dump(byItself)
            for (table, rows) in expected {
                let difference = zip(rows, found[table] ?? []).first { $0 != $1 }
                #expect(difference == nil && rows.count == found[table]?.count, "round \(round), \(table)")
                #expect(!rows.isEmpty)
            }
        }
    }

    @Test func `only the program's own triggers may be disabled`() throws {
        let fixture = try StreamFixture()
        #expect(try fixture.database.write { try $0.canInsertWithoutTriggers() })
        try fixture.database.write { writer in
            try writer.database.execute(
                sql: """
                    CREATE TABLE seen (externalId TEXT NOT NULL);
                    CREATE TRIGGER mine AFTER INSERT ON photo BEGIN INSERT INTO seen VALUES (NEW.externalId); END
                    """)
        }
        try fixture.importing((0..<500).map { try record("p\($0)", at: Int64($0)) })
        #expect(try fixture.database.read { try $0.integer("SELECT count(*) FROM seen") } == 500)
        #expect(try fixture.database.read { try $0.lastRevision() } == 500)
    }

    @Test func `the triggers are enabled again after a run, even a failed one`() throws {
        let fixture = try StreamFixture()
        try fixture.importing((0..<500).map { try record("p\($0)", at: Int64($0)) })
        try insert("behind", fixture)
        #expect(try fixture.database.read { try $0.lastRevision() } == 501)
        #expect(throws: Failure.self) {
            try fixture.database.write { writer in
                try writer.insertingWithoutTriggers {
                    try execute(insert: "lost", writer, fixture)
                    throw Failure()
                }
            }
        }
        #expect(try fixture.photo("lost") == nil)
        #expect(try fixture.database.read { try $0.lastRevision() } == 501)
        try insert("last", fixture)
        #expect(try fixture.database.read { try $0.lastRevision() } == 502)
    }

    @Test func `a run with fewer photos between its row ids than were added is rolled back`() throws {
        let fixture = try StreamFixture()
        let error = failure {
            try fixture.database.write { writer in
                try writer.insertingWithoutTriggers {
                    try execute(insert: "one", writer, fixture)
                    return (1...2, 2)
                }
            }
        }
        #expect(error?.code == .database)
        #expect(try fixture.photo("one") == nil)
    }

    /// Long runs of new ids between known ones, changed ones and repetitions.
    private func records(round: Int, using random: inout SplitMix64) throws -> [PhotoRecord] {
        var (records, next): ([PhotoRecord], Int) = ([], round * 2_000)
        while records.count < 2_000 {
            for _ in 0..<random.below(300) {
                records.append(try record("p\(next)", at: Int64(next * 7 % 500)))
                next += 1
            }
            for _ in 0..<random.below(4) {
                let width = random.below(3) == 0 ? 401 + random.below(3) : 400
                let number = random.below(max(1, next))
                records.append(try record("p\(number)", at: Int64(number * 7 % 500), width: width))
            }
        }
        return records
    }

    private func storeChunks(_ fixture: StreamFixture) throws {
        let chunks = try fixture.database.read { try $0.streamChunks(fixture.stream.id) }
        _ = try #require(try fixture.database.write { try $0.store(chunks) })
    }

    /// Every row of photos, log and chunks; generations are random numbers.
    private func dump(_ fixture: StreamFixture) throws -> [String: [Row]] {
        try fixture.database.read { reader in
            var tables: [String: [Row]] = [:]
            let keys = ["photo": "id", "change": "revision", "chunk": "id", "chunkContent": "chunkId"]
            for (table, order) in keys {
                // Tags are random.
                let columns = try reader.database.columns(in: table).map(\.name).filter { $0 != "tag" }
                    .map { "\"\($0)\"" }.joined(separator: ", ")
                tables[table] = try Row.fetchAll(
                    reader.database, sql: "SELECT \(columns) FROM \(table) ORDER BY \(order)")
            }
            let index = "SELECT streamId, consumedRevision, streamRevision, photoCount FROM streamIndex"
            tables["streamIndex"] = try Row.fetchAll(reader.database, sql: index)
            return tables
        }
    }

    private func insert(_ id: String, _ fixture: StreamFixture) throws {
        try fixture.database.write { try execute(insert: id, $0, fixture) }
    }

    private func execute(insert id: String, _ writer: PhotoWriter, _ fixture: StreamFixture) throws {
        try writer.database.execute(
            sql: "INSERT INTO photo (streamId, externalId, width, height) VALUES (?, ?, 4, 3)",
            arguments: [fixture.stream.id, id])
    }
}
