import GRDB
import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamStorage

/// Files from before flags and albums.
@Suite struct FlagMigrationTests {
    private let temporary: TemporaryDatabase

    init() throws {
        temporary = try TemporaryDatabase(name: "old.sqlite")
        try OlderFile.create(at: temporary.path, before: "V030") { database in
            try database.execute(
                sql: """
                    INSERT INTO stream (id, name, createdAtMilliseconds) VALUES (1, 'one', 0);
                    INSERT INTO photo (id, streamId, externalId, width, height, rating, stack, stackRank, stackKind)
                    VALUES (1, 1, 'a', 4, 3, 5, 's', 0, 1), (2, 1, 'b', 4, 3, NULL, 's', 1, 1),
                        (3, 1, 'c', 4, 3, NULL, NULL, 0, NULL);
                    INSERT INTO deletedPhoto (id, deletedAtMilliseconds, photoId, orderTime, orderRank, streamId,
                        streamOrder, externalId, width, height, metricsSource, orientation, editedFields, fileFields,
                        clearedFields)
                    VALUES (1, 5, 900, 30, -900, 1, 0, 'deleted', 4, 3, 0, 1, 0, 0, 0);
                    """)
        }
    }

    private func photo(_ id: String, in database: PhotoDatabase) throws -> Photo {
        try #require(try database.read { try $0.photo(streamID: 1, id: PhotoID(id))?.photo })
    }

    @Test(.withoutPrimary) func `an update changes no photo, and logs nothing`() throws {
        let old = try temporary.open(.readOnly)
        let before = try ["a", "b", "c"].map { try photo($0, in: old) }
        try old.close()
        let database = try temporary.open(.existing)
        #expect(try ["a", "b", "c"].map { try photo($0, in: database) } == before)
        #expect(before.allSatisfy { !$0.isFavourite && !$0.isArchived && $0.albums == [] } && before[0].rating == 5)
        #expect(try database.read { try $0.lastRevision(streamID: 1)?.rawValue } == 3)
        #expect(try database.read { try $0.fileProblems() } == [])
        _ = try database.write { try $0.restorePhoto(streamID: 1, id: PhotoID("deleted")) }
        #expect(try photo("deleted", in: database).isFavourite == false)
    }

    @Test(.withoutPrimary) func `a replica is built again, because it has followed without the columns`() throws {
        let old = try DatabaseQueue(path: temporary.path)
        try old.write { database in
            try database.execute(
                sql: """
                    INSERT INTO replica (id, commitId, revision, tag, primaryIdentity) VALUES (1, 9, 3, 7, 'identity')
                    """)
        }
        try old.close()
        let position = try temporary.open(.existing).replicaPosition()
        #expect(position == ReplicaPosition(commitID: -1, revision: 0, tag: 0, identity: "identity"))
    }

    @Test(.withoutPrimary) func `after an update, flags are logged, and return after a deletion`() throws {
        let database = try temporary.open(.existing)
        for id in ["a", "b", "c"] {
            var record = PhotoRecord(id: try PhotoID(id))
            for flag in PhotoFlag.allCases { record[flag] = .set(true) }
            #expect(try database.write { try $0.edit(streamID: 1, record: record) }?.photo.isFavourite == true)
            _ = try database.write { try $0.deletePhotos(streamID: 1, ids: [record.id], now: 9) }
            _ = try database.write { try $0.restorePhoto(streamID: 1, id: record.id) }
            #expect(try PhotoFlag.allCases.allSatisfy { try photo(id, in: database)[$0] })
        }
        let logged = try database.read { reader in
            try reader.database.rows(
                "SELECT kind, changedColumns, oldFavourite, oldArchived FROM change WHERE photoId = 3 ORDER BY revision"
            ) { row in (0..<4).map { row.optionalInteger($0) } }
        }
        let edited: Int64 = 1 << 30 | 1 << 28 | 1 << 11
        #expect(logged == [[0, nil, nil, nil], [2, edited, 0, 0], [1, 1 << 31 - 1, 1, 1], [0, nil, nil, nil]])
        #expect(try database.read { try $0.fileProblems() } == [])
    }
}
