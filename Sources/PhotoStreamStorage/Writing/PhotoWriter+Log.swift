import GRDB

extension PhotoWriter {
    /// Shortens the change log to its last rows and each stream's newest, once it is longer than that by the slack: see
    /// ``ChangeLog``.
    ///
    /// A stream whose chunks have not consumed a row that goes loses its `streamIndex` row: its chunks are then built
    /// anew instead of repaired.
    ///
    /// - Complexity: O(streams) when there is nothing to do, else O(rows of the log).
    package func trimLog() throws {
        guard let last = try reader.lastRevision(), try isTooLong(last: last) else { return }
        let cutoff = last - log.keptRowCount
        var doomed = try doomedRows(upTo: cutoff)
        let kept = try newestOfQuietStreams(among: doomed, cutoff: cutoff)
        try deleteRows(upTo: cutoff, except: kept)
        for revision in kept {
            for (streamID, rows) in doomed where rows.newest == revision { doomed[streamID]?.newest = rows.previous }
        }
        let invalidate = try RawStatement(
            database,
            "DELETE FROM streamIndex WHERE streamId = ?1 AND consumedRevision < ?2"
        )
        for (streamID, rows) in doomed {
            invalidate.bind(1, streamID)
            invalidate.bind(2, rows.newest)
            try invalidate.run()
        }
    }

    /// The two newest revisions of a stream among the rows that are to go; 0 for none.
    private struct DoomedRows {
        var newest: Int64
        var previous: Int64
    }

    /// Whether rows lie more than the slack behind the kept ones, other than one for each stream.
    private func isTooLong(last: Int64) throws -> Bool {
        let sql = """
            SELECT count(*) > (SELECT count(*) FROM stream) FROM
                (SELECT 1 FROM change WHERE revision <= ?1 LIMIT (SELECT count(*) + 1 FROM stream))
            """
        let statement = try RawStatement(database, sql)
        statement.bind(1, last - log.keptRowCount - log.slackRowCount)
        return try statement.first { $0.integer(0) != 0 } ?? false
    }

    private func doomedRows(upTo cutoff: Int64) throws -> [Int64: DoomedRows] {
        var doomed: [Int64: DoomedRows] = [:]
        let sql = "SELECT streamId, revision FROM change WHERE revision <= ?1 ORDER BY revision"
        let statement = try RawStatement(database, sql)
        statement.bind(1, cutoff)
        try statement.forEach { row in
            let streamID = row.integer(0)
            doomed[streamID] = DoomedRows(newest: row.integer(1), previous: doomed[streamID]?.newest ?? 0)
        }
        return doomed
    }

    /// The newest rows of those streams that exist and have no row behind the cutoff.
    private func newestOfQuietStreams(among doomed: [Int64: DoomedRows], cutoff: Int64) throws -> [Int64] {
        var quiet = doomed
        for streamID in doomed.keys where try reader.stream(id: streamID) == nil { quiet[streamID] = nil }
        let statement = try RawStatement(
            database,
            "SELECT streamId FROM change WHERE revision > ?1 ORDER BY revision DESC"
        )
        statement.bind(1, cutoff)
        defer { statement.reset() }
        // Newest first, because as a rule the streams that are written to are found at once.
        while !quiet.isEmpty, try statement.step() { quiet[statement.integer(0)] = nil }
        return quiet.values.map(\.newest).sorted()
    }

    /// Deletes the stretches between the kept rows.
    private func deleteRows(upTo cutoff: Int64, except kept: [Int64]) throws {
        let statement = try RawStatement(database, "DELETE FROM change WHERE revision > ?1 AND revision < ?2")
        var start = Int64.min
        for end in kept + [cutoff + 1] {
            statement.bind(1, start)
            statement.bind(2, end)
            try statement.run()
            start = end
        }
    }
}
