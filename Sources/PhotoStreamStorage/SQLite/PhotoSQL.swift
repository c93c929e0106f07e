import PhotoStreamModel

/// The statements that read and write photos, as constants, so that a test can explain exactly the text that runs.
package enum PhotoSQL {
    private static let columns = PhotoColumn.allCases.map(\.name).joined(separator: ", ")

    /// By external id: stream, id.
    package static let byExternalID = """
        SELECT \(columns) FROM photo INDEXED BY photoExternalId WHERE streamId = ?1 AND externalId = ?2
        """

    /// By row id.
    package static let byRowID = "SELECT \(columns) FROM photo WHERE id = ?1"

    /// The photos with greater row ids: row id, limit.
    static let afterRowID = "SELECT \(columns) FROM photo WHERE id > ?1 ORDER BY id LIMIT ?2"

    /// The row id and place of a photo: stream, id.
    package static let placeByExternalID = """
        SELECT id, orderTime, orderRank FROM photo INDEXED BY photoExternalId WHERE streamId = ?1 AND externalId = ?2
        """

    /// The first photos of a stream: stream, limit.
    package static let pageFromHead = """
        SELECT \(columns) FROM photo INDEXED BY photoPlace WHERE stackRank = 0 AND streamId = ?1
        ORDER BY orderTime DESC, orderRank DESC LIMIT ?2
        """

    /// The photos after a place: stream, time, rank, limit.
    package static let pageAfter = """
        SELECT \(columns) FROM photo INDEXED BY photoPlace WHERE stackRank = 0 AND streamId = ?1 AND (orderTime, orderRank) < (?2, ?3)
        ORDER BY orderTime DESC, orderRank DESC LIMIT ?4
        """

    /// The number of photos in a stream: stream.
    ///
    /// This index has narrower rows than the other one.
    package static let count = "SELECT count(*) FROM photo INDEXED BY photoPlace WHERE stackRank = 0 AND streamId = ?1"

    /// The next photos with the same time and a greater rank: stream, time, rank, limit.
    package static let neighboursAbove = """
        SELECT id, orderTime, orderRank FROM photo INDEXED BY photoPlace
        WHERE stackRank = 0 AND streamId = ?1 AND orderTime = ?2 AND orderRank > ?3 ORDER BY orderRank LIMIT ?4
        """

    /// The next photos with the same time and a smaller rank: stream, time, rank, limit.
    package static let neighboursBelow = """
        SELECT id, orderTime, orderRank FROM photo INDEXED BY photoPlace
        WHERE stackRank = 0 AND streamId = ?1 AND orderTime = ?2 AND orderRank < ?3 ORDER BY orderRank DESC LIMIT ?4
        """

    /// Moves a photo to a place: row id, time, rank.
    package static let move = """
        UPDATE OR FAIL photo SET movedTime = ?2, movedRank = ?3, movedFromOrderTime = ownOrderTime WHERE id = ?1
        """

    /// Ends the move of a photo: row id.
    package static let endMove = """
        UPDATE OR FAIL photo SET movedTime = NULL, movedRank = NULL, movedFromOrderTime = NULL WHERE id = ?1
        """

    /// Adds a photo: the parameter of each of ``PhotoColumn/inserted``.
    package static let insert = """
        INSERT OR FAIL INTO photo (\(PhotoColumn.inserted.map(\.name).joined(separator: ", ")))
        VALUES (\(PhotoColumn.inserted.map(\.parameter).joined(separator: ", ")))
        """

    /// Logs photos as the insert trigger does, in order of insertion: first and last row id.
    package static let logInserted = """
        INSERT INTO change (streamId, photoId, kind, newTime, newRank)
        SELECT streamId, id, 0, CASE WHEN stackRank = 0 THEN orderTime END, CASE WHEN stackRank = 0 THEN orderRank END
        FROM photo NOT INDEXED WHERE id BETWEEN ?1 AND ?2 ORDER BY id
        """

    /// The number of triggers on the photo table that no migration of ours creates.
    package static let foreignTriggers = """
        SELECT count(*) FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 'photo' AND name NOT IN
            ('photoInserted', 'photoDeleted', 'photoUpdated', 'photoChangedStream', 'photoReplacedByInsert',
            'photoReplacedByUpdate', 'photoReplacedByMove', 'photoOrderOnInsert', 'photoOrderOnUpdate',
            'photoDeletesPicture', 'photoChangesPicture', 'photoInsertedWithoutPicture', 'photoReplacesPicture',
            'photoHidden', 'photoShown', 'stackInserted', 'stackUpdated', 'stackReplacedByInsert',
            'stackReplacedByUpdate')
        """

    /// The triggers that keep the results of decodes consistent with their photos, as ``FileSchema`` names them.
    static let pictureTriggers: Set<String> = [
        "trigger photoDeletesPicture", "trigger photoChangesPicture", "trigger photoInsertedWithoutPicture",
        "trigger photoReplacesPicture",
    ]

    /// Updates a photo that keeps its place or follows its capture time: the parameters of the row id and of each of
    /// ``PhotoColumn/updated``.
    package static let update = "UPDATE OR FAIL photo SET \(assignments) WHERE id = \(PhotoColumn.id.parameter)"

    /// Updates a photo and ends its move, so that its place follows its capture time again.
    package static let updateEndingMove = """
        UPDATE OR FAIL photo SET \(assignments), movedTime = NULL, movedRank = NULL, movedFromOrderTime = NULL
        WHERE id = \(PhotoColumn.id.parameter)
        """

    /// Updates a photo whose capture time changes, and keeps a move that has not ended: the parameters of ``update``, and that of
    /// ``PhotoColumn/orderTime`` with the place of its new capture time.
    package static let updateKeepingMove = """
        UPDATE OR FAIL photo SET \(assignments),
            movedTime = CASE WHEN movedFromOrderTime IS ownOrderTime THEN movedTime END,
            movedRank = CASE WHEN movedFromOrderTime IS ownOrderTime THEN movedRank END,
            movedFromOrderTime = CASE WHEN movedFromOrderTime IS ownOrderTime THEN \(PhotoColumn.orderTime.parameter) END
        WHERE id = \(PhotoColumn.id.parameter)
        """

    /// Deletes a photo: row id.
    package static let delete = "DELETE FROM photo WHERE id = ?1"

    private static let insertedButID = PhotoColumn.inserted.dropFirst().map(\.name).joined(separator: ", ")

    /// The columns of a deleted photo, except its row id.
    private static let kept = "\(insertedButID), movedTime, movedRank, movedFromOrderTime"

    /// Removes the kept row of a photo that was deleted before and is about to be deleted again: row id.
    package static let forgetDeleted = """
        DELETE FROM deletedPhoto WHERE (streamId, externalId) = (SELECT streamId, externalId FROM photo WHERE id = ?1)
        """

    /// Keeps a photo that is about to be deleted, with the placeholder and the colour of its decode: row id, milliseconds since
    /// 1970, whether it is pruned.
    package static let keepDeleted = """
        INSERT INTO deletedPhoto
            (deletedAtMilliseconds, isPruned, photoId, orderTime, orderRank, decodedPlaceholder, decodedColor, \(kept))
        SELECT ?2, ?3, id, orderTime, orderRank,
            (SELECT picture.decodedPlaceholder FROM picture WHERE picture.id = photo.id),
            (SELECT picture.decodedColor FROM picture WHERE picture.id = photo.id), \(kept)
        FROM photo WHERE id = ?1
        """

    /// Adds a deleted photo as it was, with its row id and its place: row id in `deletedPhoto`.
    package static let restore = """
        INSERT INTO photo (id, \(kept)) SELECT photoId, \(kept) FROM deletedPhoto WHERE id = ?1
        """

    /// Adds a deleted photo with a new row id at the place of its capture time: row id in `deletedPhoto`, new row id or
    /// NULL.
    package static let restoreWithNewID = """
        INSERT INTO photo (id, \(insertedButID)) SELECT ?2, \(insertedButID) FROM deletedPhoto WHERE id = ?1
        """

    /// The row of a deleted photo, and its place: stream, id.
    package static let deletedByExternalID = """
        SELECT id, orderTime, orderRank FROM deletedPhoto
        WHERE streamId = ?1 AND externalId = ?2
        """

    /// The deleted photos of a stream before a row, latest first, with the times of deletion and what
    /// is kept of their decodes: stream, row.
    package static let deletedPage = """
        \(deleted) WHERE streamId = ?1 AND id < ?2 ORDER BY id DESC
        """

    /// A deleted photo, as in ``deletedPage``: stream, id.
    package static let deletedPhoto = "\(deleted) WHERE streamId = ?1 AND externalId = ?2"

    private static let deleted = """
        SELECT \(deletedColumns), deletedAtMilliseconds, decodedPlaceholder, decodedColor FROM deletedPhoto
        """

    private static let deletedColumns = PhotoColumn.allCases.map { $0 == .id ? "photoId" : $0.name }
        .joined(separator: ", ")

    private static let assignments = PhotoColumn.updated.map { "\($0.name) = \($0.parameter)" }
        .joined(separator: ", ")
}

/// Decodes rows with the columns of ``PhotoSQL``.
///
/// Any program may write to the file within the limits of its CHECK constraints. A value within these limits that the
/// model cannot represent is read as absent, so that one unusual row does not make every page with it fail. A value
/// outside the limits is damage, and an error.
enum PhotoRow {
    static func storedPhoto(_ row: RawStatement) throws -> StoredPhoto {
        StoredPhoto(
            rowID: try row.rowID(PhotoColumn.id.index), key: try row.orderKey(PhotoColumn.orderTime.index),
            order: order(row, at: PhotoColumn.streamOrder.index), photo: try photo(row))
    }

    /// Reads the order of a stream, or of a photo's stream.
    static func order(_ row: RawStatement, at column: Int32) -> StreamOrder {
        StreamOrder(stored: row.integer(column)) ?? .newest
    }

    static func photo(_ row: RawStatement) throws -> Photo {
        var photo = Photo(id: PhotoID(stored: row.text(PhotoColumn.externalId.index)))
        photo.pixelSize = try row.pixelSize(PhotoColumn.width.index)
        photo.metricsSource = MetricsSource(rawValue: byte(.metricsSource, of: row)) ?? .measured
        photo.orientation = Orientation(rawValue: byte(.orientation, of: row)) ?? .up
        photo.takenAt = try captureTime(row)
        if photo.takenAt != nil { photo.takenAtSource = try captureTimeSource(row) }
        if !row.isNull(PhotoColumn.latitude.index) {
            photo.coordinate = try? Coordinate(
                latitude: row.double(PhotoColumn.latitude.index), longitude: row.double(PhotoColumn.longitude.index))
        }
        photo.stack = stack(row)
        for flag in PhotoFlag.allCases {
            photo[flag] = try row.integer(PhotoColumn.flag(flag).index, in: 0...1) == 1
        }
        photo.color = row.optionalInteger(PhotoColumn.color.index)
            .map { RGBColor(rawValue: UInt32(truncatingIfNeeded: $0)) }
        photo.editedFields = PhotoFields(
            rawValue: UInt32(truncatingIfNeeded: row.integer(PhotoColumn.editedFields.index)))
        photo.fileFields = PhotoFields(rawValue: UInt32(truncatingIfNeeded: row.integer(PhotoColumn.fileFields.index)))
        photo.clearedFields = PhotoFields(
            rawValue: UInt32(truncatingIfNeeded: row.integer(PhotoColumn.clearedFields.index)))
        for list in PhotoList.allCases {
            if let texts = row.optionalText(PhotoColumn.list(list).index) { photo[list] = JSONTextList.decode(texts) }
        }
        for number in PhotoNumber.allCases {
            let (column, range) = (PhotoColumn.number(number).index, number.range)
            photo[number] = try row.optionalInteger(column, in: Int64(range.lowerBound)...Int64(range.upperBound))
                .map(Int.init)
        }
        for text in PhotoText.allCases { photo[text] = row.optionalText(PhotoColumn.text(text).index) }
        if photo.caption?.isBlank == true { photo.caption = nil }
        if photo.caption != nil {
            photo.captionSource = row.optionalInteger(PhotoColumn.captionSource.index) == 1 ? .person : .imported
        }
        return photo
    }

    private static func captureTimeSource(_ row: RawStatement) throws -> CaptureTimeSource? {
        try row.optionalInteger(PhotoColumn.takenAtSource.index, in: 0...255)
            .flatMap { CaptureTimeSource(rawValue: UInt8($0)) }
    }

    private static func stack(_ row: RawStatement) -> StackPlace? {
        row.optionalText(PhotoColumn.stack.index).map { name in
            StackPlace(
                stored: name, rank: Int(row.integer(PhotoColumn.stackRank.index)),
                kind: StackKind(rawValue: byte(.stackKind, of: row)) ?? .manual)
        }
    }

    private static func byte(_ column: PhotoColumn, of row: RawStatement) -> UInt8 {
        UInt8(clamping: row.integer(column.index))
    }

    private static func captureTime(_ row: RawStatement) throws -> CaptureTime? {
        let column = PhotoColumn.takenAtMilliseconds.index
        guard let milliseconds = try row.optionalInteger(column, in: .min ... .max) else { return nil }
        let offset = try row.optionalInteger(PhotoColumn.utcOffsetMinutes.index, in: -1_080...1_080)
        return try? CaptureTime(
            milliseconds: milliseconds,
            utcOffsetMinutes: offset.map(Int.init),
            precision: CaptureTime.Precision(rawValue: byte(.takenAtPrecision, of: row)) ?? .millisecond
        )
    }
}
