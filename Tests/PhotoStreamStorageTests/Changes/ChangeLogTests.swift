import GRDB
import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamStorage

@Suite struct ChangeLogTests {
    private let fixture: StreamFixture
    private var streamID: Int64 { fixture.stream.id }

    init() throws {
        fixture = try StreamFixture()
    }

    @Test func `changes contain place, metrics and name before, and the place afterwards`() throws {
        var captioned = try record("a", at: 1)
        captioned.caption = .set("x")
        try fixture.importing([captioned])
        let first = try #require(try fixture.photos().first)
        try fixture.importing([try record("a", at: 5, width: 600)])
        let second = try #require(try fixture.photos().first)
        _ = try fixture.database.write { try $0.deletePhotosForever(streamID: streamID, ids: [PhotoID("a")], now: 1) }
        let rows = try fixture.database.read { try $0.changes(streamID: streamID, after: 0) }
        #expect(rows.map(\.kind) == [.inserted, .updated, .deleted])
        #expect(rows.map(\.old) == [nil, first.key, second.key])
        #expect(rows.map(\.new) == [first.key, second.key, nil])
        #expect(rows.map { $0.oldID?.rawValue } == [nil, "a", "a"])
        #expect(rows.map { $0.oldMetrics?.pixelSize.width } == [nil, 400, 600])
        #expect(rows.map { $0.oldMetrics?.hasCaption } == [nil, true, true])
        #expect(rows.map(\.revision) == [1, 2, 3])
        #expect(try fixture.database.read { try $0.changes(streamID: streamID, after: 2) }.count == 1)
    }

    @Test func `changes contain the former position`() throws {
        let (berlin, sydney) = try (
            Coordinate(latitude: 52.5, longitude: 13.4), Coordinate(latitude: -33.9, longitude: 151.2)
        )
        var placed = try record("a", at: 1)
        placed.coordinate = .set(berlin)
        try fixture.importing([placed])
        placed.coordinate = .set(sydney)
        try fixture.importing([placed])
        placed.coordinate = .clear
        try fixture.importing([placed])
        try fixture.database.write { writer in
            try writer.database.execute(sql: "UPDATE photo SET latitude = 1, longitude = 2")
            try writer.database.execute(sql: "UPDATE OR REPLACE photo SET id = id + 5")
        }
        _ = try fixture.database.write { try $0.deletePhotosForever(streamID: streamID, ids: [PhotoID("a")], now: 1) }
        let rows = try fixture.database.read { try $0.changes(streamID: streamID, after: 0) }
        let last = WorldPosition(try Coordinate(latitude: 1, longitude: 2))
        #expect(rows.map(\.kind) == [.inserted, .updated, .updated, .updated, .updated, .deleted])
        let expected = [nil, WorldPosition(berlin), WorldPosition(sydney), nil, last, last]
        #expect(rows.map { $0.oldMetrics?.position } == expected)
    }

    @Test func `revisions are of the whole file and of one stream`() throws {
        try fixture.database.read { (reader) throws in
            #expect(try reader.lastRevision() == nil)
            #expect(try reader.lastRevision(streamID: streamID) == nil)
        }
        try fixture.importing([try record("a"), try record("b")])
        let other = try fixture.database.write { try $0.createStream(named: StreamName("other"), now: 0) }
        var seen = RowIDSet()
        _ = try fixture.database.importRecords([try record("a")], into: other.id, seen: &seen)
        try fixture.database.read { (reader) throws in
            #expect(try reader.lastRevision() == 3)
            #expect(try reader.lastRevision(streamID: streamID)?.rawValue == 2)
            #expect(try reader.lastRevision(streamID: other.id)?.rawValue == 3)
        }
    }

    @Test func `a log that exceeds its limit by less than the slack is not trimmed`() throws {
        try fill(109_000, of: streamID)
        try fixture.database.write { try $0.trimLog() }
        #expect(try count() == 109_000)
        #expect(try fixture.database.read { try $0.hasAllChanges(streamID: streamID, after: Revision(0)) })
    }

    @Test func `a long log keeps its last rows and the newest of every stream that exists`() throws {
        let quiet = try fixture.database.write { try $0.createStream(named: StreamName("quiet"), now: 0) }
        let gone = try fixture.database.write { try $0.createStream(named: StreamName("gone"), now: 0) }
        try fill(3, of: quiet.id)
        try fill(3, of: gone.id)
        try fixture.database.write { try $0.deleteStream(named: StreamName("gone")) }
        try fill(150_000, of: streamID)
        try fixture.database.write { try $0.trimLog() }
        #expect(try count() == 100_001)
        try fixture.database.read { (reader) throws in
            #expect(try reader.integer("SELECT min(revision) FROM change") == 3)
            #expect(try reader.lastRevision(streamID: quiet.id)?.rawValue == 3)
            #expect(try reader.lastRevision(streamID: gone.id) == nil)
            #expect(try reader.lastRevision() == 150_006)
            #expect(try reader.changes(streamID: streamID, after: 0).first?.revision == 50_007)
            #expect(try !reader.hasAllChanges(streamID: streamID, after: reader.tagged(50_006)))
            #expect(try reader.hasAllChanges(streamID: streamID, after: reader.tagged(50_007)))
            #expect(try reader.hasAllChanges(streamID: quiet.id, after: reader.tagged(3)))
            #expect(try !reader.hasAllChanges(streamID: quiet.id, after: reader.tagged(2)))
        }
        // The kept row of the quiet stream does not make the log appear long.
        let before = try fixture.database.write { $0.database.totalChangesCount }
        try fixture.database.write { try $0.trimLog() }
        #expect(try fixture.database.write { $0.database.totalChangesCount } == before)
    }

    @Test func `a stream whose chunks have not applied a lost row loses its index, no other does`() throws {
        let upToDate = try fixture.database.write { try $0.createStream(named: StreamName("up to date"), now: 0) }
        let quiet = try fixture.database.write { try $0.createStream(named: StreamName("quiet"), now: 0) }
        try fill(1, of: quiet.id)
        try fill(10, of: upToDate.id)
        try fill(20, of: streamID)
        try fill(150_000, of: upToDate.id)
        try fixture.database.write { writer in
            try writer.database.execute(
                sql: """
                    INSERT INTO streamIndex VALUES
                        (\(streamID), 29, 29, 1, 1, 0), (\(upToDate.id), 150031, 150031, 1, 1, 0),
                        (\(quiet.id), 0, 0, 1, 1, 0)
                    """
            )
            try writer.trimLog()
        }
        let left = try fixture.database.read { reader in
            try Int64.fetchAll(reader.database, sql: "SELECT streamId FROM streamIndex ORDER BY streamId")
        }
        // For the first stream, row 31 is kept and row 30 is lost, unseen; the quiet stream's only row is kept.
        #expect(left == [upToDate.id, quiet.id])
    }

    @Test func `an import leaves a short log`() throws {
        try fixture.importing((0..<120_000).map { try record("p\($0)", at: Int64($0)) })
        #expect(try count() <= 110_000)
        #expect(try fixture.database.read { try $0.lastRevision() } == 120_000)
    }

    private func count() throws -> Int64 {
        try fixture.database.read { try $0.integer("SELECT count(*) FROM change") } ?? 0
    }

    private func fill(_ count: Int, of stream: Int64) throws {
        try fixture.database.write { writer in
            try writer.database.execute(
                sql: """
                    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
                    INSERT INTO change (streamId, photoId, kind, newTime, newRank) SELECT \(stream), i, 0, i, i FROM n
                    """
            )
        }
    }
}
