import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamPrimary
@testable import PhotoStreamStorage

@Suite(.enabled(if: PostgresServer.isAvailable))
struct NumberingTests {
    @Test func `revisions follow the commits, not the statements`() throws {
        let primary = try TestPrimary()
        try primary.addPhotos(4)
        let (first, second) = (try primary.session(), try primary.session())
        try first.run(script: "BEGIN; UPDATE photo SET caption = 'a' WHERE id = 1", within: .seconds(5))
        try second.run(script: "BEGIN; UPDATE photo SET caption = 'b' WHERE id = 4", within: .seconds(5))
        try first.run(script: "UPDATE photo SET caption = 'a' WHERE id = 2", within: .seconds(5))
        try second.run(script: "UPDATE photo SET caption = 'b' WHERE id = 3; COMMIT", within: .seconds(5))
        try first.run(script: "COMMIT", within: .seconds(5))
        #expect(try primary.log().dropFirst(4).map(\.photo) == [4, 3, 1, 2])
        #expect(try primary.log().map(\.revision) == Array(1...8))
    }

    @Test(arguments: [
        (
            "UPDATE photo SET title = 'x' WHERE id = 1; SAVEPOINT a; UPDATE photo SET title = 'x' WHERE id = 2; ROLLBACK TO a; UPDATE photo SET title = 'x' WHERE id = 3",
            [1, 3]
        ),
        (
            "SAVEPOINT a; UPDATE photo SET title = 'x' WHERE id = 1; ROLLBACK TO a; UPDATE photo SET title = 'x' WHERE id = 2",
            [2]
        ),
        ("SAVEPOINT a; UPDATE photo SET title = 'x' WHERE id = 1; ROLLBACK TO a", []),
        (
            "UPDATE photo SET title = 'x' WHERE id = 2; SET CONSTRAINTS ALL IMMEDIATE; UPDATE photo SET title = 'x' WHERE id = 1; UPDATE photo SET title = 'x' WHERE id = 3",
            [2, 1, 3]
        ),
        ("SET CONSTRAINTS ALL IMMEDIATE; UPDATE photo SET title = 'x' WHERE id < 3", [1, 2]),
        ("UPDATE photo SET title = 'x' WHERE id = 9", []),
    ])
    func `rows of a transaction are numbered in order`(statements: String, photos: [Int64]) throws {
        let primary = try TestPrimary()
        try primary.addPhotos(4)
        let session = try primary.session()
        // As psql does it, one statement after the other: a script is one transaction for savepoints, too.
        for statement in ["BEGIN"] + statements.split(separator: ";").map(String.init) + ["COMMIT"] {
            try session.run(script: statement, within: .seconds(5))
        }
        #expect(try primary.log().dropFirst(4).map(\.photo) == photos)
        #expect(try primary.log().map(\.revision) == Array(1...Int64(4 + photos.count)))
        // A replica finds no gap and nothing twice.
        let replica = try primary.replica()
        #expect(try replica.log().count == 4 + photos.count)
    }

    @Test func `the counter's row is looked up by index, although its previous versions remain`() throws {
        let primary = try TestPrimary()
        try primary.addPhotos(1)
        let old = try primary.session()
        try old.run(script: "BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT FROM counter", within: .seconds(5))
        let scans = "SELECT seq_scan FROM pg_stat_user_tables WHERE relname = 'counter'"
        let before = try primary.psql(scans)
        do {
            // Its statistics are complete when it has ended.
            let session = try primary.session()
            for number in 1...300 {
                try session.run(script: "UPDATE photo SET title = '\(number)' WHERE id = 1", within: .seconds(5))
            }
        }
        #expect(try primary.psql("SELECT pg_relation_size('counter') > 8192") == "t")
        #expect(try primary.psql(scans) == before)
        #expect(try primary.log().count == 301)
        try old.run(script: "COMMIT", within: .seconds(5))
    }

    @Test func `a photo with another id or stream is a deletion and an insertion`() throws {
        let primary = try TestPrimary()
        try primary.addPhotos(2)
        let replica = try primary.replica()
        try primary.psql(
            """
            INSERT INTO stream (name, createdAtMilliseconds) VALUES ('t', 1);
            UPDATE photo SET id = 9 WHERE id = 1; UPDATE photo SET streamId = 2 WHERE id = 2
            """)
        try replica.pull()
        let rows = try replica.log().dropFirst(2).map { [$0[2], $0[3], $0[4]] }
        #expect(
            rows == [
                [.integer(1), .integer(1), .integer(1)], [.integer(1), .integer(9), .integer(0)],
                [.integer(1), .integer(2), .integer(1)], [.integer(2), .integer(2), .integer(0)],
            ])
        #expect(try replica.rows(.photo).map { $0[0] } == [.integer(2), .integer(9)])
    }

    @Test(arguments: ["photo", "stream", "change", "commit", "token"])
    func `tables cannot be truncated`(table: String) throws {
        let primary = try TestPrimary()
        #expect {
            try primary.psql("TRUNCATE \(table) CASCADE")
        } throws: { "\($0)".contains("is not logged, so no server would see it; use DELETE") }
    }

    @Test func `a session that applies a subscription is logged, too`() throws {
        let primary = try TestPrimary()
        try primary.addPhotos(1)
        try primary.psql("SET session_replication_role = replica; UPDATE photo SET title = 'x'")
        #expect(try primary.log().count == 2)
    }

    @Test func `a stream's photos are deleted and logged with it`() throws {
        let primary = try TestPrimary()
        try primary.addPhotos(3)
        let replica = try primary.replica()
        try primary.psql("DELETE FROM stream WHERE id = 1")
        try replica.pull()
        #expect(try replica.rows(.photo).isEmpty)
        #expect(try replica.rows(.stream).isEmpty)
        #expect(try replica.log().count == 6)
    }

    @Test(.timeLimit(.minutes(3))) func `a million rows are copied in, and the log is trimmed`() throws {
        let primary = try TestPrimary()
        try primary.addPhotos(1)
        let behind = try primary.replica()
        let file = "\(primary.server.folder)/rows"
        try primary.psql("COPY (SELECT 1, 'c' || i, 40, 30 FROM generate_series(1, 1000000) i) TO '\(file)'")
        try primary.psql("COPY photo (streamId, externalId, width, height) FROM '\(file)'")
        #expect(try primary.psql("SELECT revision, commitId FROM counter") == "1000001|4")
        #expect(try primary.psql("SELECT changeCount FROM commit WHERE id = 4") == "1000000")
        // Nothing is so old that no file keeps it.
        #expect(
            try primary.psql("UPDATE retention SET days = 0, changes = 10, changesForFollowers = 10; SELECT trimLog()")
                == "2")
        // One more is the stream's newest row among those that would have been removed.
        #expect(try primary.psql("SELECT count(*) FROM change") == "1000001")
        try primary.psql("UPDATE photo SET title = 'x' WHERE id <= 100000")
        var retention = PrimaryAdministration.Retention(days: 7, changes: 10_000_000, changesForFollowers: 50_000_000)
        let administration = try PrimaryAdministration(primary.address)
        try administration.set(retention)
        #expect(try primary.psql("SELECT trimLog()") == "0")
        retention.changes = 10
        try administration.set(retention)
        #expect(try administration.retention() == retention)
        #expect(try primary.psql("SELECT trimLog()") == "1")
        #expect(try primary.psql("SELECT count(*) FROM change") == "100001")
        // A replica that has not read the removed rows does not continue as if there had been none.
        let transaction = behind.primary.beginReading()
        #expect(throws: PrimaryInterruption.unknownPosition) { try behind.database.pull(from: transaction) }
        transaction.end()
    }

    @Test func `the log is kept for a follower that was seen within a day`() throws {
        let primary = try TestPrimary()
        try primary.addPhotos(1)
        let slow = try primary.replica()
        let position = try #require(try slow.database.replicaPosition())
        try primary.psql(
            "INSERT INTO photo (streamId, externalId, width, height) SELECT 1, 'c' || i, 4, 3 FROM generate_series(1, 9) i"
        )
        try primary.psql("UPDATE counter SET revision = revision + 100000; UPDATE photo SET title = 'x'")
        try primary.primary.register("slow", at: position, problem: nil)
        try primary.psql("UPDATE retention SET changes = 5")
        #expect(try primary.psql("SELECT trimLog()") == "2")
        #expect(try primary.psql("SELECT count(*) FROM change WHERE kind = 0 AND photoId > 1") == "9")
        // It has read exactly the removed rows, and continues from there.
        let follower = Follower(slow.primary, of: slow.database, name: "slow")
        try follower.follow()
        #expect(follower.rebuildCount == 0)
        #expect(try slow.rows(.photo).count == 10)
        try primary.psql("UPDATE follower SET seenAt = now() - interval '25 hours'")
        #expect(try primary.psql("SELECT trimLog()") == "1")
        #expect(try primary.psql("SELECT count(*) FROM change WHERE kind = 0") == "1")
    }

    @Test func `the status names triggers that are disabled`() throws {
        let primary = try TestPrimary()
        try primary.addPhotos(1)
        #expect(try PrimaryAdministration(primary.address).status().problems.isEmpty)
        try primary.psql("ALTER TABLE photo DISABLE TRIGGER photoUpdated; DROP TRIGGER photoIsNotTruncated ON photo")
        let status = try PrimaryAdministration(primary.address).status()
        #expect(
            status.problems == [
                "the trigger photo.photoupdated is not ENABLE ALWAYS, so changes can escape the log",
                "there are 83 triggers instead of 84",
            ])
        #expect(status.photoCount == 1 && status.revision == 1)
    }
}
