import Foundation
import GRDB
import PhotoStreamModel

extension PhotoWriter {
    /// Adds or replaces the results of decodes, and raises the revision of the pictures of their streams if answers
    /// change.
    ///
    /// A result is dropped if the photo was deleted in the meantime, or got another id, location or orientation. A
    /// result that all servers already show is kept, and only the state of this machine's own file is written. A
    /// failure on this machine does not remove a shared result, since other servers may have the file.
    ///
    /// - Parameters:
    ///   - pictures: The photos as they were when the decodes began, with the results.
    ///   - now: Milliseconds since 1970.
    /// - Returns: The number of results that were saved.
    /// - Throws: `DatabaseError` if SQLite fails.
    @discardableResult
    package func savePictures(_ pictures: [(photo: PicturedPhoto, row: PictureRow)], now: Int64) throws -> Int {
        let check = try RawStatement(
            database,
            sql: """
                SELECT 1 FROM photo
                WHERE id = ?1 AND streamId = ?2 AND externalId = ?3 AND location IS ?4 AND orientation = ?5
                """)
        let noteContent = try RawStatement(
            database,
            sql: """
                UPDATE pictureFile SET contentHash = ?2, contentKind = 1
                WHERE photoId = ?1 AND byteCount = ?3 AND modifiedNanoseconds = ?4 AND contentHash IS NOT ?2
                """)
        let isReplica = try ReplicaState.isPresent(database)
        var streams: Set<Int64> = []
        var count = 0
        for (photo, row) in pictures {
            try check.bind(
                photo.rowID, photo.streamID, photo.id.rawValue, photo.location, Int(photo.orientation.rawValue))
            guard try check.first({ $0.integer(0) }) != nil else { continue }
            if row.state == .ready {
                if try saveResult(row, of: photo) { streams.insert(photo.streamID) }
            } else {
                try insertTry(row, hash: nil, streamID: photo.streamID, photoRowID: photo.rowID)
                if !isReplica {
                    try database.run("DELETE FROM picture WHERE id = ?1", with: photo.rowID)
                    streams.insert(photo.streamID)
                }
            }
            if let hash = row.pictureHash {
                try noteContent.run(with: photo.rowID, hash, row.byteCount, row.modifiedNanoseconds)
            }
            count += 1
        }
        for stream in streams { try notePictureWrite(streamID: stream, now: now) }
        return count
    }

    /// Saves the result of a decode.
    ///
    /// - Returns: Whether it differs from the one before.
    private func saveResult(_ row: PictureRow, of photo: PicturedPhoto) throws -> Bool {
        if let shown = try reader.shownPicture(photoRowID: photo.rowID), shown.hasSameResult(as: row) {
            if shown.hasSameStamp(as: row) {
                try database.run("DELETE FROM pictureTry WHERE photoId = ?1", with: photo.rowID)
            } else {
                try insertTry(row, hash: row.fileHash, streamID: photo.streamID, photoRowID: photo.rowID)
            }
            return false
        }
        try insert(row, streamID: photo.streamID, photoRowID: photo.rowID)
        try database.run("DELETE FROM pictureTry WHERE photoId = ?1", with: photo.rowID)
        return true
    }

    /// Deletes the results of some photos, so that they are decoded again.
    package func deletePictures(streamID: Int64, photoRowIDs: some Sequence<Int64>, now: Int64) throws {
        var isChanged = false
        for id in photoRowIDs {
            for condition in ["picture WHERE id", "pictureTry WHERE photoId"] {
                try database.run("DELETE FROM \(condition) = ?1 AND streamId = ?2", with: id, streamID)
                isChanged = isChanged || database.changesCount > 0
            }
        }
        if isChanged { try notePictureWrite(streamID: streamID, now: now) }
    }

    /// Deletes this machine's record of a photo's file, but no result that all servers show.
    package func deletePictureTry(streamID: Int64, photoRowID: Int64, now: Int64) throws {
        try database.run("DELETE FROM pictureTry WHERE photoId = ?1 AND streamId = ?2", with: photoRowID, streamID)
        guard database.changesCount > 0, try !ReplicaState.isPresent(database) else { return }
        try notePictureWrite(streamID: streamID, now: now)
    }

    /// Unlinks photos that were just inserted without triggers from earlier rows with their row ids.
    func forgetPictures(ofNewPhotos rowIDs: ClosedRange<Int64>) throws {
        for sql in [
            "DELETE FROM picture WHERE id BETWEEN ?1 AND ?2",
            "DELETE FROM pictureTry WHERE photoId BETWEEN ?1 AND ?2",
            "UPDATE pictureFile SET photoId = NULL WHERE photoId BETWEEN ?1 AND ?2",
        ] {
            try database.run(sql, with: rowIDs.lowerBound, rowIDs.upperBound)
        }
    }

    /// Deletes all results of decodes, which writes without the triggers may have invalidated, and unlinks the files of
    /// photos that no longer exist.
    func forgetPictures() throws {
        try database.execute(
            sql: """
                DELETE FROM picture;
                DELETE FROM pictureTry;
                UPDATE pictureFile SET photoId = NULL WHERE photoId NOT IN (SELECT id FROM photo);
                UPDATE pictureRevision SET revision = revision + 2, tag = random(), nextTag = random()
                """)
    }

    /// Writes the result of a decode, which all servers show.
    func insert(_ row: PictureRow, streamID: Int64, photoRowID: Int64) throws {
        guard let hash = row.fileHash, let key = row.key else {
            throw StorageError(.database, message: "a picture that was decoded has no hash or no key")
        }
        // Not REPLACE: the connection does not report the row that it deletes.
        let sql = """
            INSERT INTO picture (id, streamId, byteCount, modifiedNanoseconds, orientation, hash, pictureKey,
                decodedPlaceholder, decodedColor)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
            ON CONFLICT (id) DO UPDATE SET streamId = excluded.streamId, byteCount = excluded.byteCount,
                modifiedNanoseconds = excluded.modifiedNanoseconds, orientation = excluded.orientation,
                hash = excluded.hash, pictureKey = excluded.pictureKey,
                decodedPlaceholder = excluded.decodedPlaceholder, decodedColor = excluded.decodedColor
            """
        try database.run(
            sql, with: photoRowID, streamID, row.byteCount, row.modifiedNanoseconds, Int(row.orientation.rawValue),
            hash,
            key.bytes, row.placeholder, (row.color?.rawValue).map(Int.init))
    }

    /// Writes the state of this machine's own file.
    ///
    /// - Parameters:
    ///   - row: The result.
    ///   - hash: The content of a file that was decoded; `nil` for a failure.
    ///   - streamID: The stream's row id.
    ///   - photoRowID: The photo's row id.
    /// - Throws: `DatabaseError` if SQLite fails.
    func insertTry(_ row: PictureRow, hash: [UInt8]?, streamID: Int64, photoRowID: Int64) throws {
        let columns: KeyValuePairs<StaticString, any SQLValue> = [
            "photoId": photoRowID, "streamId": streamID, "byteCount": row.byteCount,
            "modifiedNanoseconds": row.modifiedNanoseconds, "orientation": Int(row.orientation.rawValue),
            "hash": hash, "state": Int(row.state.rawValue), "failureKind": row.failureKind.map(Int.init),
            "reason": row.reason, "deaths": row.deaths,
        ]
        try RawStatement(database, into: "pictureTry", replacing: true, row: columns).run()
    }

    /// Raises the revision of a stream's pictures.
    func notePictureWrite(streamID: Int64, now: Int64 = Int64(Date().timeIntervalSince1970 * 1_000)) throws {
        var revision = try PictureRevision(reader, streamID: streamID)
        // The servers of a primary have different clocks, so this takes a step with each write.
        try ReplicaState.isPresent(database) ? revision.takeStep(at: now) : revision.noteWrite(at: now)
        let sql = """
            INSERT INTO pictureRevision (id, revision, raisedAtMilliseconds, isDue, tag, nextTag)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            ON CONFLICT (id) DO UPDATE SET revision = excluded.revision,
                raisedAtMilliseconds = excluded.raisedAtMilliseconds, isDue = excluded.isDue, tag = excluded.tag,
                nextTag = excluded.nextTag
            """
        try database.run(
            sql, with: streamID, revision.revision, revision.raisedAt, revision.isDue ? 1 : 0, revision.tag,
            revision.nextTag)
    }
}
