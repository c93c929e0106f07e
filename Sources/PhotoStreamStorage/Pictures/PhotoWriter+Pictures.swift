import GRDB
import PhotoStreamModel

extension PhotoWriter {
    /// Adds or replaces the results of decodes, and raises the revision of the pictures of their streams.
    ///
    /// A result is left out if the photo was deleted meanwhile, or got another id, location or orientation.
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
                UPDATE pictureFile SET contentHash = ?2
                WHERE photoId = ?1 AND byteCount = ?3 AND modifiedNanoseconds = ?4 AND contentHash IS NOT ?2
                """)
        var streams: Set<Int64> = []
        var count = 0
        for (photo, row) in pictures {
            try check.bind(
                photo.rowID, photo.streamID, photo.id.rawValue, photo.location, Int(photo.orientation.rawValue))
            guard try check.first({ $0.integer(0) }) != nil else { continue }
            try insert(row, streamID: photo.streamID, photoRowID: photo.rowID)
            if let hash = row.contentHash {
                try noteContent.bind(photo.rowID, hash, row.byteCount, row.modifiedNanoseconds)
                try noteContent.run()
            }
            streams.insert(photo.streamID)
            count += 1
        }
        for stream in streams { try notePictureWrite(streamID: stream, now: now) }
        return count
    }

    /// Deletes the results of some photos, so that they are decoded again.
    package func deletePictures(streamID: Int64, photoRowIDs: some Sequence<Int64>, now: Int64) throws {
        let statement = try RawStatement(database, sql: "DELETE FROM picture WHERE photoId = ?1 AND streamId = ?2")
        var isChanged = false
        for id in photoRowIDs {
            try statement.bind(id, streamID)
            try statement.run()
            isChanged = isChanged || database.changesCount > 0
        }
        if isChanged { try notePictureWrite(streamID: streamID, now: now) }
    }

    /// Unlinks photos that were just inserted without triggers from what their row ids stood for before.
    func forgetPictures(ofNewPhotos rowIDs: ClosedRange<Int64>) throws {
        for sql in [
            "DELETE FROM picture WHERE photoId BETWEEN ?1 AND ?2",
            "UPDATE pictureFile SET photoId = NULL WHERE photoId BETWEEN ?1 AND ?2",
        ] {
            let statement = try RawStatement(database, sql: sql)
            try statement.bind(rowIDs.lowerBound, rowIDs.upperBound)
            try statement.run()
        }
    }

    /// Deletes all results of decodes, which writes without the triggers may have made wrong, and unlinks the files of
    /// photos that no longer exist.
    func forgetPictures() throws {
        try database.execute(
            sql: """
                DELETE FROM picture;
                UPDATE pictureFile SET photoId = NULL WHERE photoId NOT IN (SELECT id FROM photo);
                UPDATE pictureRevision SET revision = revision + 2, tag = random(), nextTag = random()
                """)
    }

    /// Writes the result of a decode.
    func insert(_ row: PictureRow, streamID: Int64, photoRowID: Int64) throws {
        let columns: KeyValuePairs<StaticString, any SQLValue> = [
            "photoId": photoRowID, "streamId": streamID, "byteCount": row.byteCount,
            "modifiedNanoseconds": row.modifiedNanoseconds, "orientation": Int(row.orientation.rawValue),
            "contentHash": row.contentHash, "pictureKey": row.key?.bytes, "placeholder": row.placeholder,
            "color": (row.color?.rawValue).map(Int.init), "state": Int(row.state.rawValue),
            "failureKind": row.failureKind.map(Int.init), "reason": row.reason, "deaths": row.deaths,
        ]
        try RawStatement(database, into: "picture", replacing: true, row: columns).run()
    }

    /// Raises the revision of a stream's pictures.
    func notePictureWrite(streamID: Int64, now: Int64) throws {
        var revision = try PictureRevision(reader, streamID: streamID)
        revision.noteWrite(at: now)
        let columns: KeyValuePairs<StaticString, any SQLValue> = [
            "streamId": streamID, "revision": revision.revision, "raisedAtMilliseconds": revision.raisedAt,
            "isDue": revision.isDue ? 1 : 0, "tag": revision.tag, "nextTag": revision.nextTag,
        ]
        try RawStatement(database, into: "pictureRevision", replacing: true, row: columns).run()
    }
}
