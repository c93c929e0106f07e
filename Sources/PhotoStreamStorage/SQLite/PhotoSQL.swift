import PhotoStreamModel

/// The statements that read and write photos, as constants, so that a test can explain exactly the text that runs.
package enum PhotoSQL {
    /// The columns that ``PhotoRow`` reads, in order.
    private static let columns = """
        id, orderTime, orderRank, externalId, width, height, metricsSource, orientation, takenAtMilliseconds, \
        utcOffsetMinutes, takenAtPrecision, latitude, longitude, color, editedFields, captionSource, contentHash, \
        placeholder, location, tags, alt, caption, streamOrder
        """

    /// By external id: stream, id.
    package static let byExternalID = """
        SELECT \(columns) FROM photo INDEXED BY photoExternalId WHERE streamId = ?1 AND externalId = ?2
        """

    /// By row id.
    package static let byRowID = "SELECT \(columns) FROM photo WHERE id = ?1"

    /// The row id and place of a photo: stream, id.
    package static let placeByExternalID = """
        SELECT id, orderTime, orderRank FROM photo INDEXED BY photoExternalId WHERE streamId = ?1 AND externalId = ?2
        """

    /// The first photos of a stream: stream, limit.
    package static let pageFromHead = """
        SELECT \(columns) FROM photo INDEXED BY photoPlace WHERE streamId = ?1
        ORDER BY orderTime DESC, orderRank DESC LIMIT ?2
        """

    /// The photos after a place: stream, time, rank, limit.
    package static let pageAfter = """
        SELECT \(columns) FROM photo INDEXED BY photoPlace WHERE streamId = ?1 AND (orderTime, orderRank) < (?2, ?3)
        ORDER BY orderTime DESC, orderRank DESC LIMIT ?4
        """

    /// The last photos of a stream, from its end: stream, limit.
    package static let pageFromEnd = """
        SELECT \(columns) FROM photo INDEXED BY photoPlace WHERE streamId = ?1
        ORDER BY orderTime, orderRank LIMIT ?2
        """

    /// The photos before a place, nearest first: stream, time, rank, limit.
    package static let pageBefore = """
        SELECT \(columns) FROM photo INDEXED BY photoPlace WHERE streamId = ?1 AND (orderTime, orderRank) > (?2, ?3)
        ORDER BY orderTime, orderRank LIMIT ?4
        """

    /// The number of photos in a stream: stream.
    ///
    /// Of the two indexes, this one has the narrower rows.
    package static let count = "SELECT count(*) FROM photo INDEXED BY photoPlace WHERE streamId = ?1"

    /// The next photos with the same time and a greater rank: stream, time, rank, limit.
    package static let neighboursAbove = """
        SELECT id, orderTime, orderRank FROM photo INDEXED BY photoPlace
        WHERE streamId = ?1 AND orderTime = ?2 AND orderRank > ?3 ORDER BY orderRank LIMIT ?4
        """

    /// The next photos with the same time and a smaller rank: stream, time, rank, limit.
    package static let neighboursBelow = """
        SELECT id, orderTime, orderRank FROM photo INDEXED BY photoPlace
        WHERE streamId = ?1 AND orderTime = ?2 AND orderRank < ?3 ORDER BY orderRank DESC LIMIT ?4
        """

    /// Moves a photo to a place: row id, time, rank.
    package static let move = """
        UPDATE OR FAIL photo SET movedTime = ?2, movedRank = ?3, movedFromOrderTime = ownOrderTime WHERE id = ?1
        """

    /// Ends the move of a photo: row id.
    package static let endMove = """
        UPDATE OR FAIL photo SET movedTime = NULL, movedRank = NULL, movedFromOrderTime = NULL WHERE id = ?1
        """

    /// Adds a photo: stream, id, the values of ``PhotoBinding``, the stream's order.
    package static let insert = """
        INSERT OR FAIL INTO photo (streamId, externalId, width, height, metricsSource, orientation, \
        takenAtMilliseconds, utcOffsetMinutes, takenAtPrecision, latitude, longitude, color, editedFields, \
        captionSource, contentHash, placeholder, location, tags, alt, caption, streamOrder)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21)
        """

    /// Logs photos as the insert trigger does, in order of insertion: first and last row id.
    package static let logInserted = """
        INSERT INTO change (streamId, photoId, kind, newTime, newRank)
        SELECT streamId, id, 0, orderTime, orderRank FROM photo NOT INDEXED WHERE id BETWEEN ?1 AND ?2 ORDER BY id
        """

    /// The number of triggers on the photo table that no migration of ours creates.
    package static let foreignTriggers = """
        SELECT count(*) FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 'photo' AND name NOT IN
            ('photoInserted', 'photoDeleted', 'photoUpdated', 'photoChangedStream', 'photoReplacedByInsert',
            'photoReplacedByUpdate', 'photoReplacedByMove', 'photoOrderOnInsert', 'photoOrderOnUpdate')
        """

    /// Updates a photo that keeps its place or follows its capture time: row id, unused, then as for ``insert``.
    package static let update = "UPDATE OR FAIL photo SET \(assignments) WHERE id = ?1"

    /// Updates a photo and ends its move, so that its place follows its capture time again.
    package static let updateEndingMove = """
        UPDATE OR FAIL photo SET \(assignments), movedTime = NULL, movedRank = NULL, movedFromOrderTime = NULL
        WHERE id = ?1
        """

    /// Deletes a photo: row id.
    package static let delete = "DELETE FROM photo WHERE id = ?1"

    private static let assignments = """
        width = ?3, height = ?4, metricsSource = ?5, orientation = ?6, takenAtMilliseconds = ?7, \
        utcOffsetMinutes = ?8, takenAtPrecision = ?9, latitude = ?10, longitude = ?11, color = ?12, \
        editedFields = ?13, captionSource = ?14, contentHash = ?15, placeholder = ?16, location = ?17, tags = ?18, \
        alt = ?19, caption = ?20
        """
}

/// Decodes rows with the columns of ``PhotoSQL``.
///
/// Any program may write to the file within the limits of its CHECK constraints. A value within these limits that the
/// model cannot represent is read as absent, so that one unusual row does not make every page with it fail. A value
/// outside the limits is damage, and an error.
enum PhotoRow {
    static func storedPhoto(_ row: RawStatement) throws -> StoredPhoto {
        StoredPhoto(rowID: try row.rowID(0), key: try key(row), order: order(row, at: 22), photo: try photo(row))
    }

    static func key(_ row: RawStatement) throws -> OrderKey { try row.orderKey(1) }

    /// Reads the order of a stream, or of a photo's stream.
    static func order(_ row: RawStatement, at column: Int32) -> StreamOrder {
        StreamOrder(stored: row.integer(column)) ?? .newest
    }

    static func photo(_ row: RawStatement) throws -> Photo {
        var photo = Photo(id: PhotoID(stored: row.text(3)))
        photo.pixelSize = try row.pixelSize(4)
        photo.metricsSource = MetricsSource(rawValue: UInt8(clamping: row.integer(6))) ?? .measured
        photo.orientation = Orientation(rawValue: UInt8(clamping: row.integer(7))) ?? .up
        photo.takenAt = try captureTime(row)
        if !row.isNull(11) {
            photo.coordinate = try? Coordinate(latitude: row.double(11), longitude: row.double(12))
        }
        photo.color = row.optionalInteger(13).map { RGBColor(rawValue: UInt32(truncatingIfNeeded: $0)) }
        photo.editedFields = PhotoField(rawValue: UInt32(truncatingIfNeeded: row.integer(14)))
        photo.contentHash = row.optionalText(16)
        photo.placeholder = row.optionalText(17)
        photo.location = row.optionalText(18)
        if let tags = row.optionalText(19) { photo.tags = JSONTextList.decode(tags) }
        photo.alt = row.optionalText(20)
        if let caption = row.optionalText(21), !caption.isBlank {
            photo.caption = caption
            photo.captionSource = row.optionalInteger(15) == 1 ? .person : .imported
        }
        return photo
    }

    private static func captureTime(_ row: RawStatement) throws -> CaptureTime? {
        guard let milliseconds = try row.optionalInteger(8, in: .min ... .max) else { return nil }
        let offset = try row.optionalInteger(9, in: -1_080...1_080)
        return try? CaptureTime(
            milliseconds: milliseconds,
            utcOffsetMinutes: offset.map(Int.init),
            precision: CaptureTime.Precision(rawValue: UInt8(clamping: row.integer(10))) ?? .millisecond
        )
    }
}
