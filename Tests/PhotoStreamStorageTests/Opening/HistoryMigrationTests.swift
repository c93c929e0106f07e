import Foundation
import GRDB
import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamStorage

/// A file of version 0.2.0 gets a log with tags, and opens without them if it is only read.
@Suite struct HistoryMigrationTests {
    private let temporary: TemporaryDatabase

    init() throws {
        temporary = try TemporaryDatabase(name: "old.sqlite")
        try OlderFile.create(at: temporary.path, before: "V018") { database in
            try database.execute(
                sql: """
                    INSERT INTO stream (id, name, createdAtMilliseconds) VALUES (1, 'one', 0);
                    INSERT INTO photo (streamId, externalId, width, height, caption)
                    VALUES (1, 'a', 4, 3, 'x'), (1, 'b', 4, 3, NULL), (1, 'c', 4, 3, NULL);
                    UPDATE photo SET title = 't' WHERE externalId = 'b';
                    DELETE FROM photo WHERE externalId = 'c'
                    """)
        }
    }

    private func log(_ columns: String) throws -> [[DatabaseValue]] {
        try DatabaseQueue(path: temporary.path).read { database in
            try Row.fetchAll(database, sql: "SELECT \(columns) FROM change ORDER BY revision").map { row in
                Array(row.databaseValues)
            }
        }
    }

    @Test(.withoutPrimary) func `the log keeps its rows and revisions, and each row gets a tag`() throws {
        let columns = "revision, streamId, photoId, kind, oldTime, oldRank, newTime, newRank, oldWidth, oldExternalId"
        let before = try log(columns)
        let database = try PhotoDatabase(path: temporary.path, access: .existing)
        defer { try? database.close() }
        #expect(try log(columns) == before && before.count == 5)
        #expect(try Set(log("tag").map { $0[0] }).count == 5)
        #expect(try log("changedColumns").allSatisfy { $0[0].isNull })
        let end = try #require(try database.read { try $0.logEnd() })
        #expect(end.rawValue == 5 && end.tag != nil)
        #expect(try database.read { try $0.logStart() } == 0)
        #expect(try database.read { try $0.fileProblems() } == [])
    }

    @Test(.withoutPrimary) func `two migrated copies have different states`() throws {
        let copy = temporary.folder + "/copy.sqlite"
        try FileManager.default.copyItem(atPath: temporary.path, toPath: copy)
        let ends = try [temporary.path, copy].map { path in
            let database = try PhotoDatabase(path: path, access: .existing)
            defer { try? database.close() }
            return try database.read { try $0.logEnd() }
        }
        #expect(ends[0] != ends[1] && ends[0]?.rawValue == ends[1]?.rawValue)
    }

    @Test(.withoutPrimary) func `a read-only file opens without changes, with states of its own`() throws {
        let columns = "*"
        let before = try log(columns)
        let ends = try (0..<2).map { _ in
            let database = try PhotoDatabase(path: temporary.path, access: .readOnly)
            defer { try? database.close() }
            return try database.read { (reader) throws in
                let end = try #require(try reader.logEnd())
                #expect(try reader.isKnown(end) && !reader.isKnown(Revision(4, tag: 7)))
                #expect(try reader.photoCount(in: 1) == 2)
                #expect(try reader.netChanges(streamID: 1, after: 3).map(\.id.rawValue).sorted() == ["b", "c"])
                #expect(try reader.pictureRevision(streamID: 1, now: 5) == Revision(0))
                #expect(try reader.streamChunks(1).photoCount == 2)
                return end
            }
        }
        #expect(ends[0] != ends[1] && ends.allSatisfy { $0.rawValue == 5 })
        #expect(try log(columns) == before)
    }
}
