import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamPrimary
@testable import PhotoStreamStorage

@Suite(.enabled(if: PostgresServer.isAvailable)) struct FollowingTests {
    @Test func `a write through one file is visible in another after it has followed`() throws {
        let fixture = try TestPrimary()
        let (first, second) = (try fixture.replica(), try fixture.replica())
        let stream = try first.database.write { try $0.createStream(named: StreamName("holiday"), now: 7) }
        var seen = RowIDSet()
        let records = try (1...300).map { try record("photo-\($0)", at: Int64($0 % 40)) }
        var done = 0
        while done < records.count {
            done += try first.database.importRecords(records[done...], into: stream.id, seen: &seen).outcomes.count
        }
        try second.pull()
        for table in SharedTable.allCases { #expect(try first.rows(table) == second.rows(table), "\(table)") }
        #expect(try first.log() == second.log())
        #expect(try first.rows(.photo).count == 300)
        #expect(try first.database.replicaPosition() == second.database.replicaPosition())
    }

    @Test func `plain SQL can write`() throws {
        let fixture = try TestPrimary()
        let replica = try fixture.replica()
        try fixture.psql("INSERT INTO stream (name, createdAtMilliseconds) VALUES ('s', 1)")
        try fixture.psql(
            """
            INSERT INTO photo (streamId, externalId, width, height) SELECT 1, 'p' || i, 40, 30 FROM generate_series(1, 9) i
            """)
        try fixture.psql("UPDATE photo SET caption = 'sea' WHERE id = 3; DELETE FROM photo WHERE id = 4")
        try replica.pull()
        let kinds = try replica.log().map { $0[4] }
        #expect(kinds == Array(repeating: .integer(0), count: 9) + [.integer(2), .integer(1)])
        let photo = try replica.database.read { try $0.photo(streamID: 1, id: PhotoID("p3")) }
        #expect(photo?.photo.caption == "sea")
        // The next photo of a server comes after those of others.
        let added = try replica.database.write { try $0.add(streamID: 1, record: record("p10")) }
        #expect(added.rowID == 10)
    }

    @Test func `news is looked up by index`() throws {
        let primary = try TestPrimary()
        try primary.addPhotos(1)
        // Commits of many photos, so that a third of them, which the planner expects, is more than a lookup is worth.
        for batch in 0..<12 {
            try primary.psql(
                """
                INSERT INTO photo (streamId, externalId, width, height)
                SELECT 1, 'b\(batch)-' || i, 40, 30 FROM generate_series(1, 5000) i
                """)
        }
        try primary.psql("ANALYZE")
        for question in PostgresTransaction.questions(after: ReplicaPosition(commitID: 12, revision: 1, tag: 0)) {
            func list(_ item: String) -> String {
                let items = question.parameters.map { _ in item }.joined(separator: ", ")
                return items.isEmpty ? "" : "(\(items))"
            }
            let (types, values) = (list("bigint"), list("12"))
            let plan = try primary.psql(
                """
                SET enable_seqscan = off; SET photostream.after = 12;
                PREPARE question\(types) AS \(question.sql);
                SET plan_cache_mode = force_generic_plan;
                EXPLAIN EXECUTE question\(values)
                """)
            #expect(!plan.contains("Seq Scan on photo") && !plan.contains("Seq Scan on change"), "\(plan)")
        }
    }

    @Test func `a new file has the same rows and log as one that followed`() throws {
        let fixture = try TestPrimary()
        let old = try fixture.replica()
        let stream = try old.database.write { try $0.createStream(named: StreamName("s"), now: 7) }
        try old.database.write { writer in
            for number in 1...20 { _ = try writer.add(streamID: stream.id, record: record("p\(number)", at: 5)) }
        }
        try old.database.write { writer in
            try writer.move(streamID: stream.id, id: PhotoID("p3"), to: .before(PhotoID("p1")))
            try writer.deletePhotos(streamID: stream.id, ids: [PhotoID("p7"), PhotoID("p8")], now: 9)
        }
        _ = try old.database.write { try $0.restorePhoto(streamID: stream.id, id: PhotoID("p8")) }
        let new = try fixture.replica()
        for table in SharedTable.allCases { #expect(try old.rows(table) == new.rows(table), "\(table)") }
        #expect(try old.log() == new.log())
        #expect(try old.database.replicaPosition() == new.database.replicaPosition())
    }
}
