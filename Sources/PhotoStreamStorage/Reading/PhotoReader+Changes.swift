import GRDB
import PhotoStreamModel

extension PhotoReader {
    /// The rows of the change log that concern a stream and lie behind a revision, in order of revision.
    ///
    /// - Complexity: O(rows of the log behind the revision), of all streams.
    package func changes(streamID: Int64, after revision: Int64) throws -> [ChangeRow] {
        let statement = try RawStatement(database, Self.changesSQL)
        statement.bind(1, streamID)
        statement.bind(2, revision)
        let order = try stream(id: streamID)?.order ?? .newest
        var rows: [ChangeRow] = []
        try statement.forEach { rows.append(try Self.changeRow($0, order)) }
        return rows
    }

    /// The newest revision, of any stream; `nil` where nothing was ever written.
    package func lastRevision() throws -> Int64? {
        try RawStatement(database, "SELECT max(revision) FROM change").first {
            try $0.optionalInteger(0, in: 0...1 << 62)
        }
    }

    /// The newest revision of one stream; `nil` where it was never written to.
    ///
    /// - Complexity: O(1) for the stream written to last, else up to O(rows of the log).
    package func lastRevision(streamID: Int64) throws -> Int64? {
        let sql = "SELECT revision FROM change WHERE streamId = ?1 ORDER BY revision DESC LIMIT 1"
        let statement = try RawStatement(database, sql)
        statement.bind(1, streamID)
        return try statement.first { try $0.revision(0) }
    }

    /// The stream that a row of the log is of; `nil` where the log does not hold the row.
    package func streamID(ofRevision revision: Int64) throws -> Int64? {
        let statement = try RawStatement(database, "SELECT streamId FROM change WHERE revision = ?1")
        statement.bind(1, revision)
        return try statement.first { $0.integer(0) }
    }

    /// Whether ``changes(streamID:after:)`` gives everything that happened to the stream since a revision; `false`
    /// where the log has been trimmed there.
    ///
    /// - Complexity: O(1) in the last ``ChangeLog/keptRowCount`` revisions, else up to O(rows of the log).
    package func hasAllChanges(streamID: Int64, after revision: Int64) throws -> Bool {
        guard let last = try lastRevision(), revision < last - log.keptRowCount else { return true }
        guard let lastOfStream = try lastRevision(streamID: streamID), lastOfStream > revision else { return true }
        // Keys are handed out without gaps, so a gap is what trimming has left.
        let border = last - log.keptRowCount
        let statement = try RawStatement(database, "SELECT count(*) FROM change WHERE revision > ?1 AND revision <= ?2")
        statement.bind(1, revision)
        statement.bind(2, border)
        return try statement.first { $0.integer(0) } == border - revision
    }

    private static let changesSQL = """
        SELECT revision, photoId, kind, oldTime, oldRank, newTime, newRank, oldWidth, oldHeight, oldHasCaption,
            oldExternalId, oldLatitude, oldLongitude
        FROM change WHERE revision > ?2 AND streamId = ?1 ORDER BY revision
        """

    private static func changeRow(_ row: RawStatement, _ order: StreamOrder) throws -> ChangeRow {
        let old = try row.optionalOrderKey(3)
        return ChangeRow(
            revision: try row.revision(0),
            photoRowID: row.integer(1),
            kind: ChangeRow.Kind(rawValue: UInt8(clamping: row.integer(2))) ?? .perhapsReplaced,
            old: old,
            new: try row.optionalOrderKey(5),
            oldMetrics: try old.map { old in
                ItemMetrics(
                    pixelSize: try row.pixelSize(7),
                    hasCaption: row.integer(9) != 0,
                    orderDate: order.date(ofOrderTime: old.time), position: row.position(11)
                )
            },
            oldID: old == nil ? nil : PhotoID(stored: row.text(10))
        )
    }
}
