import Foundation
import GRDB
import PhotoStreamMigrations
import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamStorage

/// Files from before lens, exposure, people and the sources of capture times.
@Suite struct CameraMigrationTests {
    private let temporary: TemporaryDatabase

    init() throws {
        temporary = try TemporaryDatabase(name: "old.sqlite")
    }

    /// A photo of an older file, and the source that its capture time has after the update.
    private struct Former {
        let id: String
        var time: Int? = 7
        var edited = 0
        var ofFile = 0
        /// The sources of the rows of its files, each with the state of the row.
        var files: [(state: Int, sources: String?)] = []
        let expected: CaptureTimeSource?
    }

    private static let photos = [
        Former(id: "record", expected: .record), Former(id: "undated", time: nil, edited: 4, expected: nil),
        Former(id: "person", edited: 4, expected: .person), Former(id: "caption", edited: 8, expected: .record),
        Former(id: "both", edited: 4, ofFile: 4, files: [(0, #"{"takenAt":"fileName"}"#)], expected: .person),
        Former(id: "reset", ofFile: 8, files: [(0, #"{"takenAt":"fileName"}"#)], expected: .record),
        Former(id: "sidecar", ofFile: 5, files: [(0, #"{"takenAt":"sidecar"}"#)], expected: .file(.sidecar)),
        Former(
            id: "embedded", ofFile: 4, files: [(0, #"{"size":"embedded","takenAt":"embedded"}"#)],
            expected: .file(.embedded)),
        Former(id: "name", ofFile: 4, files: [(0, #"{ "takenAt" : "fileName" }"#)], expected: .file(.fileName)),
        Former(id: "time", ofFile: 4, files: [(0, #"{"takenAt":"fileTime"}"#)], expected: .file(.fileTime)),
        Former(
            id: "vanished copy", ofFile: 4,
            files: [(3, #"{"takenAt":"fileTime"}"#), (0, #"{"takenAt":"embedded"}"#), (1, nil)],
            expected: .file(.embedded)),
        Former(id: "other", ofFile: 4, files: [(0, #"{"takenAt":"new"}"#)], expected: nil),
        Former(id: "none", ofFile: 4, files: [(0, #"{"size":"embedded"}"#)], expected: nil),
        Former(id: "broken", ofFile: 4, files: [(0, "{")], expected: nil),
        Former(id: "no file", ofFile: 4, expected: nil),
    ]

    /// Creates a file of an older version with the photos, one of which a person has deleted.
    private func create(before end: String = "V025") throws {
        try OlderFile.create(at: temporary.path, before: end) { database in
            try database.execute(
                sql: """
                    INSERT INTO stream (id, name, createdAtMilliseconds) VALUES (1, 'one', 0);
                    INSERT INTO root (id, path, resolvedPath, machine, addedAtMilliseconds)
                    VALUES (1, '/p', '/p', 'm', 0);
                    INSERT INTO deletedPhoto (id, deletedAtMilliseconds, photoId, orderTime, orderRank, streamId,
                        streamOrder, externalId, width, height, metricsSource, orientation, takenAtMilliseconds,
                        takenAtPrecision, editedFields, fileFields, clearedFields, camera)
                    VALUES (1, 5, 900, 30, -900, 1, 0, 'deleted', 4, 3, 0, 1, 7, 4, 4, 0, 0, 'A camera'),
                        (2, 6, 901, 30, -901, 1, 0, 'deleted file', 4, 3, 0, 1, 7, 4, 0, 4, 0, NULL);
                    """)
            var files = 0
            for (index, photo) in Self.photos.enumerated() {
                try database.execute(
                    sql: """
                        INSERT INTO photo (id, streamId, externalId, width, height, takenAtMilliseconds,
                            takenAtPrecision, editedFields, fileFields, tags, rating)
                        VALUES (?, 1, ?, 4, 3, ?, ?, ?, ?, '["sea"]', 3)
                        """,
                    arguments: [index + 1, photo.id, photo.time, photo.time.map { _ in 4 }, photo.edited, photo.ofFile])
                for file in photo.files {
                    files += 1
                    try database.execute(
                        sql: """
                            INSERT INTO pictureFile (streamId, rootId, path, photoId, byteCount, modifiedNanoseconds,
                                state, fieldSources) VALUES (1, 1, ?, ?, 5, 5, ?, ?)
                            """, arguments: ["\(files).jpg", index + 1, file.state, file.sources])
                }
            }
        }
    }

    /// The photos, as this version reads them, by their ids.
    private func photos(_ access: FileAccess) throws -> [String: Photo] {
        let database = try PhotoDatabase(path: temporary.path, access: access)
        defer { try? database.close() }
        return try database.read { reader in
            if access != .readOnly { #expect(try reader.fileProblems() == []) }
            #expect(try reader.lastRevision(streamID: 1)?.rawValue == Int64(Self.photos.count))
            let photos = try reader.photos(streamID: 1, after: nil, limit: 100).map(\.photo)
            for photo in photos { #expect(try reader.photo(streamID: 1, id: photo.id)?.photo == photo) }
            return Dictionary(uniqueKeysWithValues: photos.map { ($0.id.rawValue, $0) })
        }
    }

    @Test(.withoutPrimary, arguments: ["V018", "V025"])
    func `an update keeps all photos, and finds the sources of their times without logging`(end: String) throws {
        try create(before: end)
        let before = try photos(.readOnly)
        #expect(before.values.allSatisfy { $0.takenAtSource == nil && $0.people == [] && $0.lens == nil })
        var after = try photos(.existing)
        #expect(after.count == Self.photos.count)
        for photo in Self.photos {
            #expect(after[photo.id]?.takenAtSource == photo.expected, "\(photo.id)")
            after[photo.id]?.takenAtSource = nil
        }
        #expect(after == before)
        #expect(after["record"]?.tags == ["sea"] && after["record"]?.rating == 3)
    }

    @Test(.withoutPrimary) func `a position of (0, 0) is removed, and that is logged`() throws {
        try create()
        let old = try DatabaseQueue(path: temporary.path)
        try old.write { database in
            try database.execute(
                sql: """
                    UPDATE photo SET latitude = 0, longitude = 0 WHERE externalId = 'none';
                    UPDATE deletedPhoto SET latitude = 0, longitude = 0;
                    """)
        }
        try old.close()
        let database = try temporary.open(.existing)
        #expect(try database.read { try $0.photo(streamID: 1, id: PhotoID("none"))?.photo.coordinate } == nil)
        let count = try database.read { reader in
            try reader.database.number("SELECT count(*) FROM photo WHERE latitude IS NOT NULL OR longitude IS NOT NULL")
        }
        let deletedCount = try database.read { reader in
            try reader.database.number("SELECT count(*) FROM deletedPhoto WHERE latitude IS NOT NULL")
        }
        #expect(count == 0 && deletedCount == 0)
        // The photos, the position, and its removal.
        let revision = try database.read { try $0.lastRevision(streamID: 1)?.rawValue }
        #expect(revision == Int64(Self.photos.count + 2))
    }

    @Test(.withoutPrimary) func `a replica keeps a position of (0, 0) until its primary removes it`() throws {
        let step = try #require(Migration.all.first { $0.name.hasPrefix("V026") })
        try OlderFile.create(at: temporary.path, before: "V026") { database in
            try database.execute(
                sql: """
                    INSERT INTO replica (id, commitId, revision, tag) VALUES (1, 1, 1, 1);
                    INSERT INTO stream (id, name, createdAtMilliseconds) VALUES (1, 'one', 0);
                    INSERT INTO photo (streamId, externalId, width, height, latitude, longitude)
                    VALUES (1, 'a', 4, 3, 0, 0);
                    """)
            try database.execute(sql: step.sql)
            #expect(try Double.fetchOne(database, sql: "SELECT latitude FROM photo") == 0)
        }
    }

    @Test(.withoutPrimary) func `deleted photos get their sources, too, and return with them`() throws {
        try create()
        let database = try temporary.open(.existing)
        try database.write { writer in
            for id in ["deleted", "deleted file"] { _ = try writer.restorePhoto(streamID: 1, id: PhotoID(id)) }
        }
        let photos = try database.read { reader in
            try ["deleted", "deleted file"].map { try reader.photo(streamID: 1, id: PhotoID($0))?.photo }
        }
        #expect(photos[0]?.takenAtSource == .person && photos[0]?.camera == "A camera")
        #expect(photos[1] != nil && photos[1]?.takenAtSource == nil)
    }

    @Test func `a record of the source's own import changes nothing after the update`() throws {
        try create()
        let database = try temporary.open(.existing)
        var record = PhotoRecord(id: try PhotoID("record"))
        record.takenAt = .set(try CaptureTime(milliseconds: 7, utcOffsetMinutes: nil, precision: .second))
        var seen = RowIDSet()
        #expect(try database.importRecords([record][...], into: 1, seen: &seen).outcomes == [.unchanged])
    }

    @Test func `a deleted photo has every column of a photo but those that SQLite computes`() throws {
        let database = try temporary.open()
        try database.read { reader in
            func columns(_ table: String) throws -> Set<String> {
                Set(
                    try String.fetchAll(
                        reader.database, sql: "SELECT name FROM pragma_table_info(?)", arguments: [table]))
            }
            let (photo, deleted, change) = (
                try columns("photo"), try columns("deletedPhoto"), try columns("change")
            )
            #expect(photo.subtracting(deleted) == [])
            #expect(photo == Set(SharedTable.photo.columns.map(\.name)))
            #expect(change == Set(SharedTable.changeColumns.map(\.name)))
        }
    }
}
