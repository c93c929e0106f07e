import GRDB
import PhotoStreamModel

extension PhotoReader {
    /// The imports into a stream, newest first, at most so many.
    package func importRuns(streamID: Int64, limit: Int = PhotoWriter.keptRunCount) throws -> [ImportRunRow] {
        let statement = try RawStatement(
            database,
            """
            SELECT id, sources, startedAtMilliseconds, finishedAtMilliseconds, readCount, insertedCount, updatedCount,
                unchangedCount, duplicateCount, rejectedCount, assumedCount
            FROM importRun WHERE streamId = ?1 ORDER BY id DESC LIMIT ?2
            """
        )
        statement.bind(1, streamID)
        statement.bind(2, Int64(limit))
        var runs: [ImportRunRow] = []
        try statement.forEach { runs.append(try Self.importRun($0)) }
        return runs
    }

    /// The records that a run has rejected, the first 1,000, in the order in which they were met.
    package func importFailures(runID: Int64) throws -> [ImportFailureRow] {
        let statement = try RawStatement(
            database,
            """
            SELECT source, line, "column", externalId, reason FROM importFailure WHERE importRunId = ?1 ORDER BY id
            """
        )
        statement.bind(1, runID)
        var failures: [ImportFailureRow] = []
        try statement.forEach { row in
            failures.append(
                ImportFailureRow(
                    source: row.text(0),
                    line: try row.count(1),
                    column: try row.count(2),
                    externalID: row.optionalText(3),
                    reason: row.text(4)
                )
            )
        }
        return failures
    }

    private static func importRun(_ row: RawStatement) throws -> ImportRunRow {
        var counts = ImportTotals()
        counts.read = try row.count(4)
        counts.inserted = try row.count(5)
        counts.updated = try row.count(6)
        counts.unchanged = try row.count(7)
        counts.duplicate = try row.count(8)
        counts.rejected = try row.count(9)
        counts.assumed = try row.count(10)
        return ImportRunRow(
            id: row.integer(0),
            sources: JSONTextList.decode(row.text(1)),
            startedAtMilliseconds: row.integer(2),
            finishedAtMilliseconds: row.optionalInteger(3),
            counts: counts
        )
    }
}
