import PhotoStreamMigrations
import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamPrimary
@testable import PhotoStreamStorage

/// A primary from before lens, exposure, people and the sources of capture times.
@Suite(.enabled(if: PostgresServer.isAvailable))
struct CameraMigrationPrimaryTests {
    @Test func `an update finds the sources of times without logging, and logs the new columns afterwards`() throws {
        let server = try PostgresServer.shared.get()
        let address = try server.createDatabase()
        let name = String(address.split(separator: "/").last ?? "")
        func psql(_ sql: String) throws -> String {
            try server.psql("SET search_path TO photostream; \(sql)", database: name)
                .split(separator: "\n").filter { $0 != "SET" }.joined(separator: "\n")
        }
        _ = try psql(
            """
            CREATE SCHEMA photostream;
            CREATE TABLE photostream.migration (
                name text PRIMARY KEY, script text NOT NULL, appliedAt timestamptz NOT NULL DEFAULT clock_timestamp())
            """)
        for migration in Migration.primary where migration.name < "P012" {
            _ = try psql("BEGIN; \(migration.sql); COMMIT")
            _ = try psql(
                "INSERT INTO migration (name, script) VALUES ('\(migration.name)', $script$\(migration.sql)$script$)")
        }
        _ = try psql(
            """
            INSERT INTO secret (id, cursorKey)
            SELECT 1, uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid());
            INSERT INTO stream (name, createdAtMilliseconds) VALUES ('s', 0);
            INSERT INTO photo (streamId, externalId, width, height, takenAtMilliseconds, takenAtPrecision,
                editedFields, fileFields) VALUES
                (1, 'record', 4, 3, 7, 4, 0, 0), (1, 'person', 4, 3, 7, 4, 4, 4), (1, 'file', 4, 3, 7, 4, 0, 4),
                (1, 'undated', 4, 3, NULL, NULL, 4, 0);
            """)
        // The last script removes a position of (0, 0), and logs that.
        _ = try psql("UPDATE photo SET latitude = 0, longitude = 0 WHERE externalId = 'file'")
        let changes = "SELECT count(*) FROM change"
        let before = try #require(Int(try psql(changes)))
        let scripts = try PrimaryAdministration(PrimaryAddress(address)).initialize()
        #expect(scripts == Migration.primary.map(\.name).filter { $0 >= "P012" })
        #expect(try psql(changes) == "\(before + 1)")
        #expect(try psql("SELECT count(*) FROM photo WHERE latitude IS NULL AND longitude IS NULL") == "4")
        #expect(
            try psql("SELECT externalId, takenAtSource FROM photo ORDER BY id")
                == "record|1\nperson|0\nfile|\nundated|")
        // Each trigger is enabled as before.
        #expect(
            try psql(
                """
                SELECT string_agg(tgenabled::text, '') FROM pg_trigger
                WHERE tgname IN ('photoupdated', 'photochangespicture', 'deletedphotoupdated')
                """) == "AAA")
        _ = try psql(
            """
            UPDATE photo SET lens = 'A lens', iso = 100, people = '["Ada"]', takenAtSource = 0
            WHERE externalId = 'record'
            """)
        _ = try psql("UPDATE photo SET iso = NULL, takenAtSource = 1 WHERE externalId = 'record'")
        let (first, second) = (1 << 16 | 1 << 17 | 1 << 21 | 1 << 22, 1 << 17 | 1 << 22)
        #expect(
            try psql(
                """
                SELECT changedColumns, oldLens, oldIso, oldPeople, oldTakenAtSource FROM change
                WHERE kind = 2 AND oldTakenAtSource IS NOT NULL
                ORDER BY oldTakenAtSource DESC
                """) == "\(first)||||1\n\(second)||100||0")
        _ = try psql("UPDATE photo SET favourite = 1, archived = 1 WHERE externalId = 'record'")
        _ = try psql("DELETE FROM photo WHERE externalId = 'record'")
        #expect(
            try psql(
                """
                SELECT kind, changedColumns, oldFavourite, oldArchived FROM change
                WHERE oldFavourite >= 0 ORDER BY kind DESC
                """) == "2|\(1 << 30 | 1 << 28)|0|0\n1|\(1 << 31 - 1)|1|1")
        let refused = [
            "iso = 0", "aperture = 100001", "exposureTime = 0", "focalLength = -1", "people = 'Ada'", "duration = -1",
            "favourite = 2", "archived = 2", "albums = 'Italy'",
        ]
        for wrong in refused {
            #expect(throws: (any Error).self, "\(wrong)") { try psql("UPDATE photo SET \(wrong)") }
        }
        try server.psql("DROP DATABASE \(name) WITH (FORCE)", database: "postgres")
    }

    @Test func `the new fields and the source of a time come back from a primary`() throws {
        let primary = try TestPrimary()
        let replica = try primary.replica()
        _ = try replica.database.write { try $0.createStream(named: StreamName("s"), now: 1) }
        let id = try PhotoID("a")
        for field in PhotoField.allCases {
            _ = try replica.database.write { writer in
                try writer.edit(streamID: 1, record: PhotoRecord(id: id, setting: field))
                    ?? writer.add(streamID: 1, record: PhotoRecord(id: id, setting: field))
            }
        }
        try replica.pull()
        let photo = try #require(try replica.database.read { try $0.photo(streamID: 1, id: id) }?.photo)
        #expect(photo.people == ["sea", "\"old\", new"] && photo.aperture == PhotoNumber.aperture.range.upperBound)
        #expect(photo.takenAtSource == .person && photo.lens != nil)
        let other = try primary.replica()
        try other.pull()
        let copy = try other.database.read { try $0.photo(streamID: 1, id: id) }?.photo
        #expect(copy == photo)
    }
}
