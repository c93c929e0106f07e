/// The statements that read and write photos, as constants, so that a test can explain the very text that runs.
package enum PhotoSQL {
    /// The columns that ``PhotoRow`` reads, in its order.
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

    /// A photo's row and place: stream, id.
    package static let placeByExternalID = """
        SELECT id, orderTime, orderRank FROM photo INDEXED BY photoExternalId WHERE streamId = ?1 AND externalId = ?2
        """

    /// The first photos of a stream: stream, limit.
    package static let pageFromHead = """
        SELECT \(columns) FROM photo INDEXED BY photoPlace WHERE streamId = ?1
        ORDER BY orderTime DESC, orderRank DESC LIMIT ?2
        """

    /// The photos behind a place: stream, time, rank, limit.
    package static let pageBehind = """
        SELECT \(columns) FROM photo INDEXED BY photoPlace WHERE streamId = ?1 AND (orderTime, orderRank) < (?2, ?3)
        ORDER BY orderTime DESC, orderRank DESC LIMIT ?4
        """

    /// The last photos of a stream, from the end: stream, limit.
    package static let pageFromEnd = """
        SELECT \(columns) FROM photo INDEXED BY photoPlace WHERE streamId = ?1
        ORDER BY orderTime, orderRank LIMIT ?2
        """

    /// The photos before a place, the nearest first: stream, time, rank, limit.
    package static let pageBefore = """
        SELECT \(columns) FROM photo INDEXED BY photoPlace WHERE streamId = ?1 AND (orderTime, orderRank) > (?2, ?3)
        ORDER BY orderTime, orderRank LIMIT ?4
        """

    /// How many photos a stream has: stream.
    ///
    /// Of the two indexes this one has the narrower rows.
    package static let count = "SELECT count(*) FROM photo INDEXED BY photoPlace WHERE streamId = ?1"

    /// The next photos of the same time with a greater rank: stream, time, rank, limit.
    package static let neighboursAbove = """
        SELECT id, orderTime, orderRank FROM photo INDEXED BY photoPlace
        WHERE streamId = ?1 AND orderTime = ?2 AND orderRank > ?3 ORDER BY orderRank LIMIT ?4
        """

    /// The next photos of the same time with a smaller rank: stream, time, rank, limit.
    package static let neighboursBelow = """
        SELECT id, orderTime, orderRank FROM photo INDEXED BY photoPlace
        WHERE streamId = ?1 AND orderTime = ?2 AND orderRank < ?3 ORDER BY orderRank DESC LIMIT ?4
        """

    /// Gives a photo a place: row id, time, rank.
    package static let move = """
        UPDATE OR FAIL photo SET movedTime = ?2, movedRank = ?3, movedFromOrderTime = ownOrderTime WHERE id = ?1
        """

    /// Adds a photo: stream, id, the values of ``PhotoBinding``, then the stream's order.
    package static let insert = """
        INSERT OR FAIL INTO photo (streamId, externalId, width, height, metricsSource, orientation, \
        takenAtMilliseconds, utcOffsetMinutes, takenAtPrecision, latitude, longitude, color, editedFields, \
        captionSource, contentHash, placeholder, location, tags, alt, caption, streamOrder)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21)
        """

    /// Logs photos as the trigger on inserts does, in the order in which they came: first and last row id.
    package static let logInserted = """
        INSERT INTO change (streamId, photoId, kind, newTime, newRank)
        SELECT streamId, id, 0, orderTime, orderRank FROM photo NOT INDEXED WHERE id BETWEEN ?1 AND ?2 ORDER BY id
        """

    /// How many triggers the photo table has that no script of ours has made.
    package static let foreignTriggers = """
        SELECT count(*) FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 'photo' AND name NOT IN
            ('photoInserted', 'photoDeleted', 'photoUpdated', 'photoChangedStream', 'photoReplacedByInsert',
            'photoReplacedByUpdate', 'photoReplacedByMove', 'photoOrderOnInsert', 'photoOrderOnUpdate')
        """

    /// Changes a photo that stays where it is or goes by its capture time: row id, nothing, then as for ``insert``.
    package static let update = "UPDATE OR FAIL photo SET \(assignments) WHERE id = ?1"

    /// The same, and ends a move: a photo whose capture time changes goes to its own place again, but in manual order.
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
