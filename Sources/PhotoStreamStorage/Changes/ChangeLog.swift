import GRDB
package import PhotoStreamModel

/// The length of a file's change log; every process that writes to a file must use the same.
package struct ChangeLog: Hashable, Sendable {
    /// The length that every program uses; tests use shorter logs to exercise trimming.
    package static let standard = ChangeLog(keptRowCount: 100_000, slackRowCount: 10_000)

    /// The number of newest rows that are always kept.
    package let keptRowCount: Int64
    /// The number of additional rows at which the log is trimmed.
    package let slackRowCount: Int64

    /// Creates bounds.
    ///
    /// - Precondition: At least one row is kept, and the slack is not negative.
    package init(keptRowCount: Int64, slackRowCount: Int64) {
        precondition(keptRowCount >= 1 && slackRowCount >= 0)
        self.keptRowCount = keptRowCount
        self.slackRowCount = slackRowCount
    }
}

/// A row of the change log.
package struct ChangeRow: Hashable, Sendable {
    /// The kind of change.
    package enum Kind: UInt8, Sendable {
        /// The photo was added to the stream.
        case inserted = 0
        /// The photo was removed from the stream.
        case deleted = 1
        /// The photo's fields or place changed.
        case updated = 2
        /// Another row was written to the photo's place; whether the photo still exists must be looked up.
        case possiblyReplaced = 3
    }

    /// The key of the row.
    package let revision: Int64
    /// The photo's row id at that time; another photo may have it now.
    package let photoRowID: Int64
    /// The kind of change.
    package let kind: Kind
    /// The place before; `nil` if the photo was not in the stream.
    package let old: OrderKey?
    /// The place afterwards; `nil` if the photo is no longer in the stream or its place is unknown.
    package let new: OrderKey?
    /// The photo's metrics before; `nil` if ``old`` is `nil`.
    package let oldMetrics: ItemMetrics?
    /// The external id before; `nil` if ``old`` is `nil`.
    package let oldID: PhotoID?
    /// Whether the write changed any column whose former value is logged only then.
    package let changesFields: Bool
}

extension PhotoReader {
    /// Returns rows of the change log for a stream, in order.
    ///
    /// - Parameters:
    ///   - streamID: The stream's row id.
    ///   - revision: The revision before the first row.
    ///   - end: The revision of the last row.
    ///   - places: If given, only rows whose old or new place is one of these.
    /// - Returns: The rows.
    /// - Throws: The errors of reading.
    /// - Complexity: O(rows of the log between the revisions), of all streams.
    package func changes(
        streamID: Int64, after revision: Int64, through end: Int64 = .max, at places: Set<OrderKey>? = nil
    ) throws -> [ChangeRow] {
        let order = try stream(id: streamID)?.order ?? .newest
        var rows: [ChangeRow] = []
        try database.forEach(Self.changesSQL, with: streamID, revision, end) { row in
            let (old, new) = (try row.optionalOrderKey(3), try row.optionalOrderKey(5))
            if let places, !(old.map(places.contains) ?? false), !(new.map(places.contains) ?? false) { return }
            rows.append(try Self.changeRow(row, old: old, new: new, in: order))
        }
        return rows
    }

    /// Returns the newest revision of any stream; `nil` if nothing was ever written.
    package func lastRevision() throws -> Int64? { try logEnd().map(\.rawValue) }

    /// Returns the last row of the log; `nil` if nothing was ever written.
    ///
    /// - Complexity: O(1).
    package func logEnd() throws -> Revision? {
        try database.first("SELECT revision, tag FROM change ORDER BY revision DESC LIMIT 1") {
            Revision(try $0.revision(0), tag: $0.integer(1))
        }
    }

    /// Returns the newest revision of a stream; `nil` if it was never written to.
    ///
    /// - Complexity: O(1) for the stream written to last, otherwise up to O(rows of the log).
    package func lastRevision(streamID: Int64) throws -> Revision? {
        let sql = "SELECT revision, tag FROM change WHERE streamId = ?1 ORDER BY revision DESC LIMIT 1"
        return try database.first(sql, with: streamID) { Revision(try $0.revision(0), tag: $0.integer(1)) }
    }

    /// Returns the stream and the tag of a row of the log; `nil` if the row does not exist.
    package func loggedRow(_ revision: Int64) throws -> (streamID: Int64, tag: Int64)? {
        try database.first("SELECT streamId, tag FROM change WHERE revision = ?1", with: revision) {
            ($0.integer(0), $0.integer(1))
        }
    }

    /// Returns a revision with the tag that its row has; without a tag if the row is trimmed.
    package func tagged(_ revision: Int64) throws -> Revision { Revision(revision, tag: try loggedRow(revision)?.tag) }

    /// Returns the revision after which the log is complete in every file with the same rows, regardless of when each
    /// was trimmed.
    ///
    /// - Complexity: O(1).
    package func logStart() throws -> Int64 {
        let start = try database.number("SELECT completeAfter FROM history WHERE id = 1")
        return try max(start, (lastRevision() ?? 0) - file.changeLog.keptRowCount)
    }

    /// Whether the log has the row of a revision, and every later one, in every file with the same rows, regardless of
    /// when each was trimmed.
    ///
    /// Revision 0 has no row.
    ///
    /// - Complexity: O(1).
    package func isKept(revision: Int64) throws -> Bool {
        let start = try logStart()
        return revision > start || revision == 0 && start <= 0
    }

    /// Whether a revision belongs to this file's history: the log has its row.
    ///
    /// Revision 0 belongs to every history.
    package func isKnown(_ revision: Revision) throws -> Bool {
        if revision.rawValue == 0 { return true }
        guard let tag = revision.tag else { return false }
        return try loggedRow(revision.rawValue)?.tag == tag
    }

    /// Whether a revision belongs to another history, such as one that was lost in a restore: the log ends before it,
    /// or has another row in its place.
    ///
    /// `false` if this is unknown, because the row is trimmed, or because a replica may not have it yet.
    package func isLost(_ revision: Revision) throws -> Bool {
        if revision.rawValue == 0 { return false }
        if let row = try loggedRow(revision.rawValue) { return row.tag != revision.tag }
        if try revision.rawValue > (lastRevision() ?? 0) { return try !ReplicaState.isPresent(database) }
        return try revision.rawValue > logStart()
    }

    /// Whether a revision is after the last one that a replica has, so that only its primary can tell whether it is lost.
    package func isAhead(_ revision: Revision) throws -> Bool {
        guard try revision.rawValue > (lastRevision() ?? 0) else { return false }
        return try ReplicaState.isPresent(database)
    }

    /// Whether ``changes(streamID:after:through:at:)`` returns every change of the stream since a revision; `false` if
    /// the log was trimmed after it, or if it belongs to another history.
    ///
    /// - Complexity: O(1) in the last ``ChangeLog/keptRowCount`` revisions, otherwise up to O(rows of the log).
    package func hasAllChanges(streamID: Int64, after revision: Revision) throws -> Bool {
        guard try isKnown(revision) else { return false }
        return try hasAllRows(streamID: streamID, after: revision.rawValue)
    }

    /// Whether the log has every row of the stream after a revision of this history.
    func hasAllRows(streamID: Int64, after revision: Int64) throws -> Bool {
        let border = try logStart()
        guard revision < border else { return true }
        guard let last = try lastRevision(streamID: streamID), last.rawValue > revision else { return true }
        // Keys are consecutive, so a gap is the result of trimming.
        let sql = "SELECT count(*) FROM change WHERE revision > ?1 AND revision <= ?2"
        return try database.number(sql, with: revision, border) == border - revision
    }

    private static let changesSQL = """
        SELECT revision, photoId, kind, oldTime, oldRank, newTime, newRank, oldWidth, oldHeight, oldHasCaption,
            oldExternalId, oldLatitude, oldLongitude, changedColumns
        FROM change WHERE revision > ?2 AND revision <= ?3 AND streamId = ?1 ORDER BY revision
        """

    private static func changeRow(
        _ row: RawStatement, old: OrderKey?, new: OrderKey?, in order: StreamOrder
    ) throws -> ChangeRow {
        ChangeRow(
            revision: try row.revision(0),
            photoRowID: row.integer(1),
            kind: ChangeRow.Kind(rawValue: UInt8(clamping: row.integer(2))) ?? .possiblyReplaced,
            old: old,
            new: new,
            oldMetrics: try old.map { old in
                ItemMetrics(
                    pixelSize: try row.pixelSize(7),
                    hasCaption: row.integer(9) != 0,
                    orderDate: order.date(ofOrderTime: old.time), position: row.position(11)
                )
            },
            oldID: old == nil ? nil : PhotoID(stored: row.text(10)),
            changesFields: row.integer(13) != 0
        )
    }
}

extension PhotoWriter {
    /// Trims the change log to its last rows and each stream's newest one, once it exceeds that by the slack: see
    /// ``ChangeLog``.
    ///
    /// A stream whose chunks have not consumed a trimmed row loses its `streamIndex` row, so its chunks are rebuilt
    /// instead of repaired.
    ///
    /// - Complexity: O(streams) if there is nothing to trim, else O(rows of the log).
    package func trimLog() throws {
        guard let last = try reader.lastRevision(), try isTooLong(last: last) else { return }
        let cutoff = last - file.changeLog.keptRowCount
        var expired = try expiredRows(upTo: cutoff)
        let kept = try newestOfQuietStreams(among: expired, cutoff: cutoff)
        try deleteRows(upTo: cutoff, except: kept)
        for revision in kept {
            for (streamID, rows) in expired where rows.newest == revision { expired[streamID]?.newest = rows.previous }
        }
        for (streamID, rows) in expired {
            try database.run(
                "DELETE FROM streamIndex WHERE streamId = ?1 AND consumedRevision < ?2", with: streamID, rows.newest)
        }
    }

    /// The two newest expiring revisions of a stream; 0 for none.
    private struct ExpiredRows {
        var newest: Int64
        var previous: Int64
    }

    /// Whether more than one row per stream is older than the kept rows and the slack.
    private func isTooLong(last: Int64) throws -> Bool {
        let sql = """
            SELECT count(*) > (SELECT count(*) FROM stream) FROM
                (SELECT 1 FROM change WHERE revision <= ?1 LIMIT (SELECT count(*) + 1 FROM stream))
            """
        return try database.number(sql, with: last - file.changeLog.keptRowCount - file.changeLog.slackRowCount) != 0
    }

    private func expiredRows(upTo cutoff: Int64) throws -> [Int64: ExpiredRows] {
        var expired: [Int64: ExpiredRows] = [:]
        let sql = "SELECT streamId, revision FROM change WHERE revision <= ?1 ORDER BY revision"
        try database.forEach(sql, with: cutoff) { row in
            let streamID = row.integer(0)
            expired[streamID] = ExpiredRows(newest: row.integer(1), previous: expired[streamID]?.newest ?? 0)
        }
        return expired
    }

    /// Returns the newest rows of the existing streams that have no row after the cutoff.
    private func newestOfQuietStreams(among expired: [Int64: ExpiredRows], cutoff: Int64) throws -> [Int64] {
        var quiet = expired
        for streamID in expired.keys where try reader.stream(id: streamID) == nil { quiet[streamID] = nil }
        let statement = try RawStatement(
            database, sql: "SELECT streamId FROM change WHERE revision > ?1 ORDER BY revision DESC", with: cutoff)
        defer { statement.reset() }
        // Newest first, because streams that are being written to are usually found at once.
        while !quiet.isEmpty, try statement.step() { quiet[statement.integer(0)] = nil }
        return quiet.values.map(\.newest).sorted()
    }

    /// Deletes the ranges between the kept rows.
    private func deleteRows(upTo cutoff: Int64, except kept: [Int64]) throws {
        var start = Int64.min
        for end in kept + [cutoff + 1] {
            try database.run("DELETE FROM change WHERE revision > ?1 AND revision < ?2", with: start, end)
            start = end
        }
    }
}
