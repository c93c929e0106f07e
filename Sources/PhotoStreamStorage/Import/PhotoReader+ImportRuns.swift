import GRDB

extension PhotoReader {
    /// The imports into a stream, newest first.
    package func importRuns(streamID: Int64) throws -> [ImportRunRow] {
        let statement = try RawStatement(
            database,
            """
            SELECT id, sources, startedAtMilliseconds, finishedAtMilliseconds, readCount, insertedCount, updatedCount,
                unchangedCount, duplicateCount, rejectedCount, assumedCount
            FROM importRun WHERE streamId = ?1 ORDER BY id DESC
            """
        )
        statement.bind(1, streamID)
        var runs: [ImportRunRow] = []
        try statement.forEach { runs.append(Self.importRun($0)) }
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
                    line: Int(row.integer(1)),
                    column: Int(row.integer(2)),
                    externalID: row.optionalText(3),
                    reason: row.text(4)
                )
            )
        }
        return failures
    }

    private static func importRun(_ row: RawStatement) -> ImportRunRow {
        var counts = ImportCounts()
        counts.read = Int(row.integer(4))
        counts.inserted = Int(row.integer(5))
        counts.updated = Int(row.integer(6))
        counts.unchanged = Int(row.integer(7))
        counts.duplicate = Int(row.integer(8))
        counts.rejected = Int(row.integer(9))
        counts.assumed = Int(row.integer(10))
        return ImportRunRow(
            id: row.integer(0),
            sources: TagList.decode(row.text(1)),
            startedAtMilliseconds: row.integer(2),
            finishedAtMilliseconds: row.optionalInteger(3),
            counts: counts
        )
    }
}
