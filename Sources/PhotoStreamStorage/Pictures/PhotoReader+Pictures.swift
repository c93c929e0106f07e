import GRDB
package import PhotoStreamModel

extension PhotoReader {
    /// Returns the state of a photo's picture on this machine: its own last try, or the result that all servers show.
    package func picture(photoRowID: Int64) throws -> PictureRow? {
        try pictures([photoRowID], sql: PictureRow.knownSQL)[photoRowID]
    }

    /// Returns the states of some photos' pictures on this machine, by row id.
    ///
    /// - Complexity: O(k log n).
    package func pictures(photoRowIDs: some Sequence<Int64>) throws -> [Int64: PictureRow] {
        try pictures(photoRowIDs, sql: PictureRow.knownSQL)
    }

    /// Returns the decoded result of a photo's picture that all servers show, if any.
    package func shownPicture(photoRowID: Int64) throws -> PictureRow? {
        try pictures([photoRowID], sql: PictureRow.shownSQL)[photoRowID]
    }

    /// Returns the decoded results of some photos' pictures that all servers show, by row id.
    ///
    /// - Complexity: O(k log n).
    package func shownPictures(photoRowIDs: some Sequence<Int64>) throws -> [Int64: PictureRow] {
        // A file without pictures costs one look-up.
        guard try database.exists("SELECT 1 FROM picture LIMIT 1") else { return [:] }
        return try pictures(photoRowIDs, sql: PictureRow.shownSQL)
    }

    /// Returns the previews of some photos on this machine, by row id: of the file that the photo's location names, in
    /// the orientation in which the photo is displayed.
    ///
    /// - Complexity: O(k log n).
    package func picturePreviews(photoRowIDs: some Sequence<Int64>) throws -> [Int64: PictureFileRow.Preview] {
        // A file without folders costs one look-up.
        guard try database.exists("SELECT 1 FROM pictureFile LIMIT 1") else { return [:] }
        let statement = try RawStatement(
            database,
            sql: """
                SELECT pictureFile.previewOrientation, pictureFile.previewPlaceholder, pictureFile.previewColor
                FROM pictureFile JOIN photo ON photo.id = pictureFile.photoId
                WHERE pictureFile.photoId = ?1 AND pictureFile.previewColor IS NOT NULL AND pictureFile.state = 0
                    AND photo.streamId = pictureFile.streamId AND photo.orientation = pictureFile.previewOrientation
                    AND photo.location IN (pictureFile.path, './' || pictureFile.path)
                ORDER BY pictureFile.id LIMIT 1
                """)
        var previews: [Int64: PictureFileRow.Preview] = [:]
        for id in photoRowIDs {
            try statement.bind(id)
            previews[id] = try statement.first { row in
                PictureFileRow.Preview(
                    orientation: Orientation(rawValue: UInt8(clamping: row.integer(0))) ?? .up,
                    placeholder: row.bytes(1), color: RGBColor(rawValue: UInt32(clamping: row.integer(2))))
            }
        }
        return previews
    }

    private func pictures(_ photoRowIDs: some Sequence<Int64>, sql: String) throws -> [Int64: PictureRow] {
        let statement = try RawStatement(database, sql: sql)
        var rows: [Int64: PictureRow] = [:]
        for id in photoRowIDs {
            try statement.bind(id)
            if let row = try statement.first(PictureRow.init) { rows[id] = row }
        }
        return rows
    }

    /// Returns the photos whose thumbnails have a key, in the order of their row ids.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - streamID: The row id of the only stream whose photos are returned; `nil` for all.
    ///   - limit: The maximum number of photos.
    /// - Returns: The photos.
    /// - Throws: `DatabaseError` if SQLite fails.
    package func photos(
        pictureKey key: PictureKey, in streamID: Int64? = nil, limit: Int = 1_000
    ) throws -> [PicturedPhoto] {
        let sql = """
            SELECT \(Self.photoColumns) FROM picture
                JOIN photo ON photo.id = picture.id AND photo.streamId = picture.streamId
            WHERE picture.pictureKey = ?1 AND (?3 IS NULL OR photo.streamId = ?3)
            ORDER BY photo.id LIMIT ?2
            """
        return try photos(RawStatement(database, sql: sql, with: key.bytes, limit, streamID))
    }

    /// Returns a photo as a decode needs it.
    package func picturedPhoto(streamID: Int64, id: PhotoID) throws -> PicturedPhoto? {
        let sql = """
            SELECT \(Self.photoColumns) FROM photo INDEXED BY photoExternalId
            WHERE photo.streamId = ?1 AND photo.externalId = ?2
            """
        return try photos(RawStatement(database, sql: sql, with: streamID, id.rawValue)).first
    }

    /// Returns the photos after a place, in stream order, as a decode needs them.
    ///
    /// - Parameters:
    ///   - streamID: The stream's row id.
    ///   - place: The place; `nil` for the start of the stream.
    ///   - isPending: Whether to return only photos whose pictures are still to be decoded.
    ///   - limit: The maximum number of photos.
    /// - Returns: The photos; fewer than `limit` only at the end.
    /// - Throws: `DatabaseError` if SQLite fails.
    /// - Complexity: O(photos up to the last one that is returned).
    package func picturedPhotos(
        streamID: Int64, after place: OrderKey? = nil, ifPending isPending: Bool, limit: Int
    ) throws -> [PicturedPhoto] {
        let statement = try RawStatement(
            database,
            sql: """
                SELECT \(Self.photoColumns) FROM photo INDEXED BY photoPlace
                WHERE stackRank = 0 AND photo.streamId = ?1 AND (photo.orderTime, photo.orderRank) <= (?2, ?3)
                    \(isPending ? Self.pendingCondition : "")
                ORDER BY photo.orderTime DESC, photo.orderRank DESC LIMIT ?4
                """)
        // Strictly after the place. After the least rank, the next place has an earlier time.
        let (time, rank) = place.map { Self.next(after: $0) } ?? (Int64.max, Int64.max)
        try statement.bind(streamID, time, rank, limit)
        return try photos(statement)
    }

    /// Returns the photos of a stream that are hidden in stacks, in the order of their row ids, as a decode needs them.
    ///
    /// - Parameters:
    ///   - streamID: The stream's row id.
    ///   - rowID: The row id after which to begin.
    ///   - isPending: Whether to return only photos whose pictures are still to be decoded.
    ///   - limit: The maximum number of photos.
    /// - Returns: The photos; fewer than `limit` only at the end.
    /// - Throws: `DatabaseError` if SQLite fails.
    /// - Complexity: O(photos in stacks).
    package func hiddenPicturedPhotos(
        streamID: Int64, after rowID: Int64, ifPending isPending: Bool, limit: Int
    ) throws -> [PicturedPhoto] {
        let sql = """
            SELECT \(Self.photoColumns) FROM photo INDEXED BY photoStack
            WHERE stack IS NOT NULL AND stackRank > 0 AND photo.streamId = ?1 AND photo.id > ?2
                \(isPending ? Self.pendingCondition : "")
            ORDER BY photo.id LIMIT ?3
            """
        return try photos(RawStatement(database, sql: sql, with: streamID, rowID, limit))
    }

    /// Returns the number of a stream's photos that are hidden in stacks.
    ///
    /// - Complexity: O(photos in stacks).
    package func hiddenPhotoCount(in streamID: Int64) throws -> Int {
        let sql = """
            SELECT count(*) FROM photo INDEXED BY photoStack
            WHERE stack IS NOT NULL AND stackRank > 0 AND streamId = ?1
            """
        return Int(try database.number(sql, with: streamID))
    }

    private static let pendingCondition = """
        AND NOT EXISTS (SELECT 1 FROM picture WHERE picture.id = photo.id)
        AND NOT EXISTS (SELECT 1 FROM pictureTry WHERE pictureTry.photoId = photo.id AND \(isFailed))
        """

    /// The condition of a try that is not repeated: a process that does not survive an isolated retry leaves its count.
    private static let isFailed = "state = 1 AND deaths NOT BETWEEN 1 AND \(PictureRow.deathLimit - 1)"

    /// Returns the greatest place after another one.
    private static func next(after place: OrderKey) -> (time: Int64, rank: Int64) {
        if let rank = Rank(place.rank).adding(-1) { return (place.time, rank.value) }
        let (time, isOver) = place.time.subtractingReportingOverflow(1)
        return isOver ? (.min, .min) : (time, .max)
    }

    /// Returns the counts of a stream's pictures, with those that are hidden in stacks.
    ///
    /// - Complexity: As ``photoCount(in:)``, and O(decoded pictures of the stream and photos in stacks).
    package func pictureCounts(streamID: Int64) throws -> PictureCounts {
        let sql = """
            SELECT (SELECT count(*) FROM picture WHERE streamId = ?1),
                (SELECT count(*) FROM pictureTry WHERE streamId = ?1 AND \(Self.isFailed) AND \(Self.withoutResult))
            """
        let (ready, failed) =
            try database.first(sql, with: streamID) { (Int($0.integer(0)), Int($0.integer(1))) } ?? (0, 0)
        let total = try photoCount(in: streamID) + hiddenPhotoCount(in: streamID)
        return PictureCounts(ready: ready, failed: failed, pending: max(0, total - ready - failed))
    }

    /// The condition of a try on a picture that no server has decoded.
    private static let withoutResult = "NOT EXISTS (SELECT 1 FROM picture WHERE picture.id = pictureTry.photoId)"

    /// Returns the reasons why pictures of a stream could not be decoded, with the number of each, most frequent first.
    package func pictureFailureReasons(streamID: Int64, limit: Int = 100) throws -> [(reason: String, count: Int)] {
        let sql = """
            SELECT coalesce(reason, ''), count(*) FROM pictureTry
            WHERE streamId = ?1 AND \(Self.isFailed) AND \(Self.withoutResult) GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ?2
            """
        return try database.rows(sql, with: streamID, limit) { ($0.text(0), Int($0.integer(1))) }
    }

    /// Returns the revision of a stream's pictures, which is part of the validators of answers that show them.
    ///
    /// It grows at most once a second.
    ///
    /// - Parameters:
    ///   - streamID: The stream's row id.
    ///   - now: Milliseconds since 1970.
    /// - Returns: The revision with its tag; 0 before the first result.
    /// - Throws: `DatabaseError` if SQLite fails.
    package func pictureRevision(streamID: Int64, now: Int64) throws -> Revision {
        try PictureRevision(self, streamID: streamID).value(at: now)
    }

    static let photoColumns = """
        photo.streamId, photo.id, photo.orderTime, photo.orderRank, photo.externalId, photo.location, photo.orientation,
        photo.editedFields, photo.fileFields, photo.width, photo.height
        """

    private func photos(_ statement: RawStatement) throws -> [PicturedPhoto] {
        try statement.rows { row in
            PicturedPhoto(
                streamID: row.integer(0), rowID: try row.rowID(1), key: try row.orderKey(2),
                id: PhotoID(stored: row.text(4)), location: row.optionalText(5),
                orientation: Orientation(rawValue: UInt8(clamping: row.integer(6))) ?? .up,
                pixelSize: try row.pixelSize(9),
                editedFields: PhotoFields(rawValue: UInt32(truncatingIfNeeded: row.integer(7))),
                fileFields: PhotoFields(rawValue: UInt32(truncatingIfNeeded: row.integer(8))))
        }
    }
}
