import GRDB
package import PhotoStreamModel

extension ImportTotals {
    /// Counts a valid record.
    package mutating func add(_ outcome: ImportOutcome) {
        read += 1
        switch outcome {
        case .inserted: inserted += 1
        case .updated: updated += 1
        case .unchanged, .deleted: unchanged += 1
        case .duplicate: duplicate += 1
        }
    }
}

extension PhotoReader {
    /// Returns the latest imports into a stream, newest first.
    package func importRuns(streamID: Int64, limit: Int = PhotoWriter.keptRunCount) throws -> [ImportSummary] {
        let sql = """
            SELECT id, sources, startedAtMilliseconds, finishedAtMilliseconds, readCount, insertedCount, updatedCount,
                unchangedCount, duplicateCount, rejectedCount, assumedCount
            FROM importRun WHERE streamId = ?1 ORDER BY id DESC LIMIT ?2
            """
        return try database.rows(sql, with: streamID, Int64(limit)) { try importRun($0) }
    }

    /// Returns the first 1,000 rejected records of a run, in input order.
    package func importFailures(runID: Int64) throws -> [ImportFailure] {
        let sql = """
            SELECT source, line, "column", externalId, reason FROM importFailure WHERE importRunId = ?1 ORDER BY id
            """
        return try database.rows(sql, with: runID) { row in
            ImportFailure(
                source: row.text(0), line: row.count(1), column: row.count(2), id: row.optionalText(3),
                reason: row.text(4))
        }
    }

    private func importRun(_ row: RawStatement) throws -> ImportSummary {
        var counts = ImportTotals()
        counts.read = row.count(4)
        counts.inserted = row.count(5)
        counts.updated = row.count(6)
        counts.unchanged = row.count(7)
        counts.duplicate = row.count(8)
        counts.rejected = row.count(9)
        counts.assumed = row.count(10)
        return ImportSummary(
            id: row.integer(0), sources: JSONTextList.decode(row.text(1)), startedAtMilliseconds: row.integer(2),
            finishedAtMilliseconds: row.optionalInteger(3), counts: counts,
            failures: try importFailures(runID: row.integer(0)))
    }
}

extension PhotoWriter {
    /// The number of runs kept per stream.
    package static let keptRunCount = 20
    /// The time after which an unfinished run counts as interrupted: a day.
    private static let longestRunMilliseconds: Int64 = 86_400_000
    /// The number of failures kept per run.
    package static let keptFailureCount = 1_000

    /// Records the start of an import.
    ///
    /// Deletes unfinished runs of the same stream and sources, then all but the stream's newest 20, except for unfinished ones
    /// of the last day, which may be active.
    ///
    /// - Parameters:
    ///   - streamID: The stream's row id.
    ///   - sources: The names of the sources, in order.
    ///   - replacesInterrupted: Whether unfinished runs of the same sources are deleted. Those of sources that several programs
    ///     may import at once are not known to be interrupted.
    ///   - now: Milliseconds since 1970.
    /// - Returns: The run's row id.
    /// - Throws: ``StorageError`` with code `notFound` if the stream does not exist.
    package func startImportRun(
        streamID: Int64, sources: [String], replacesInterrupted: Bool = true, now: Int64
    ) throws -> Int64 {
        guard try reader.stream(id: streamID) != nil else {
            throw StorageError(.notFound, message: "there is no stream \(streamID)")
        }
        let json = JSONTextList.encode(sources) ?? "[]"
        if replacesInterrupted {
            try database.run(
                "DELETE FROM importRun WHERE streamId = ?1 AND sources = ?2 AND finishedAtMilliseconds IS NULL",
                with: streamID, json)
        }
        let row: KeyValuePairs<StaticString, any SQLValue> = [
            "id": try unusedRowID(of: .importRun), "streamId": streamID, "sources": json,
            "startedAtMilliseconds": now,
        ]
        try RawStatement(database, into: "importRun", row: row).run()
        let runID = database.lastInsertedRowID
        let sql = """
            DELETE FROM importRun WHERE streamId = ?1
                AND (finishedAtMilliseconds IS NOT NULL OR startedAtMilliseconds < ?3)
                AND id NOT IN (SELECT id FROM importRun WHERE streamId = ?1 ORDER BY id DESC LIMIT ?2)
            """
        try database.run(sql, with: streamID, Int64(Self.keptRunCount), now - Self.longestRunMilliseconds)
        return runID
    }

    /// Adds rejected records to a run; only its first 1,000 are kept.
    ///
    /// - Throws: ``StorageError`` with code `notFound` if the run was deleted, for example with its stream.
    package func recordFailures(runID: Int64, failures: [ImportFailure]) throws {
        try requireRun(runID)
        let room =
            Self.keptFailureCount
            - Int(try database.number("SELECT count(*) FROM importFailure WHERE importRunId = ?1", with: runID))
        for failure in failures.prefix(max(0, room)) {
            let row: KeyValuePairs<StaticString, any SQLValue> = [
                "id": try unusedRowID(of: .importFailure), "importRunId": runID, "source": failure.source,
                "line": failure.line, "column": failure.column,
                "externalId": failure.id, "reason": failure.reason,
            ]
            try RawStatement(database, into: "importFailure", row: row).run()
        }
    }

    /// Records that a run has read more records, which distinguishes an active run from one that was killed.
    func noteProgress(runID: Int64, readCount: Int) throws {
        try database.run("UPDATE importRun SET readCount = readCount + ?2 WHERE id = ?1", with: runID, Int64(readCount))
    }

    /// Records the end of an import and its numbers.
    ///
    /// - Throws: ``StorageError`` with code `notFound` if the run was deleted.
    package func finishImportRun(runID: Int64, counts: ImportTotals, now: Int64) throws {
        try requireRun(runID)
        let sql = """
            UPDATE importRun SET finishedAtMilliseconds = ?2, readCount = ?3, insertedCount = ?4, updatedCount = ?5,
                unchangedCount = ?6, duplicateCount = ?7, rejectedCount = ?8, assumedCount = ?9
            WHERE id = ?1
            """
        try database.run(
            sql, with: runID, now, counts.read, counts.inserted, counts.updated, counts.unchanged, counts.duplicate,
            counts.rejected, counts.assumed)
    }

    private func requireRun(_ runID: Int64) throws {
        guard try database.exists("SELECT id FROM importRun WHERE id = ?1", with: runID) else {
            throw StorageError(.notFound, message: "import run \(runID) was deleted")
        }
    }
}
