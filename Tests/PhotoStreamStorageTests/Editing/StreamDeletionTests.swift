import GRDB
import PhotoStreamModel
import Testing

@testable import PhotoStreamStorage

/// Streams that are emptied batch by batch.
@Suite struct StreamDeletionTests {
    private let fixture: StreamFixture
    private var database: PhotoDatabase { fixture.database }
    private var streamID: Int64 { fixture.stream.id }

    init() throws {
        fixture = try StreamFixture(chunkSize: ChunkSize(minimum: 4, target: 8, maximum: 16))
        try fixture.importing(try (0..<300).map { try record("p\($0)", at: Int64($0 % 40)) })
        let other = try database.write { try $0.createStream(named: StreamName("other"), now: 0) }
        var seen = RowIDSet()
        _ = try database.importRecords([try record("stays")], into: other.id, seen: &seen)
        for id in [streamID, other.id] {
            _ = try database.write { writer in try writer.store(try writer.reader.streamChunks(id)) }
        }
    }

    private func number(_ sql: String) throws -> Int64? { try database.read { try $0.integer(sql) } }

    private func expectEmpty() throws {
        #expect(try fixture.photos().isEmpty)
        #expect(try database.read { try $0.stream(id: streamID) } != nil)
        #expect(try number("SELECT count(*) FROM chunk WHERE streamId = \(streamID)") == 0)
        #expect(try number("SELECT count(*) FROM streamIndex WHERE streamId = \(streamID)") == 0)
        let log = try database.read { try $0.changes(streamID: streamID, after: 0) }
        #expect(log.count { $0.kind == .deleted } == 300)
        // The other stream keeps all that it has.
        #expect(try number("SELECT count(*) FROM photo") == 1)
        #expect(try number("SELECT count(*) FROM chunk") == 1)
        #expect(try number("SELECT count(*) FROM chunkContent") == 1)
        #expect(try number("SELECT count(*) FROM streamIndex") == 1)
    }

    @Test func `a stream is emptied in transactions of limited time`() throws {
        let commits = Commits(allowed: .max)
        database.pool.add(transactionObserver: commits, extent: .databaseLifetime)
        #expect(try database.emptyStream(streamID, budgetMilliseconds: 0) == 300)
        // 64 photos a transaction, and some for the chunks before.
        #expect(commits.count > 6, "\(commits.count) transactions")
        try expectEmpty()
        #expect(try database.emptyStream(streamID) == 0)
    }

    @Test(arguments: 0..<10)
    func `repeating the call finishes an interrupted deletion`(allowed: Int) throws {
        let commits = Commits(allowed: allowed)
        database.pool.add(transactionObserver: commits, extent: .databaseLifetime)
        let isBrokenOff = (try? database.emptyStream(streamID, budgetMilliseconds: 0)) == nil
        database.pool.remove(transactionObserver: commits)
        #expect(isBrokenOff == commits.wasRefused && (isBrokenOff || commits.count <= allowed))
        let left = try fixture.photos().count
        #expect(try database.read { try $0.photoCount(in: streamID) } == left)
        #expect(try database.read { try $0.streamChunks(streamID) }.photoCount == left)
        #expect(try database.emptyStream(streamID) == left)
        try expectEmpty()
    }
}

/// Counts transactions, and rejects all after a number of them.
private final class Commits: TransactionObserver {
    private struct Refusal: Error {}

    private let allowed: Int
    private(set) var count = 0
    private(set) var wasRefused = false

    init(allowed: Int) { self.allowed = allowed }

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { true }
    func databaseDidChange(with event: DatabaseEvent) {}
    func databaseWillCommit() throws {
        wasRefused = count >= allowed
        if wasRefused { throw Refusal() }
    }
    func databaseDidCommit(_ database: Database) { count += 1 }
    func databaseDidRollback(_ database: Database) {}
}
