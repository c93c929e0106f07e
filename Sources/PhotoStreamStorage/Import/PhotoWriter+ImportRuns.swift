import GRDB
package import PhotoStreamModel

extension PhotoWriter {
    /// How many runs of a stream are kept.
    package static let keptRunCount = 20
    /// How many failures of a run are kept.
    package static let keptFailureCount = 1_000

    /// Notes that an import starts.
    ///
    /// Runs of the same stream and sources that never ended go first, then all but the stream's newest 20.
    ///
    /// - Parameters:
    ///   - streamID: The stream's row id.
    ///   - sources: The names of what is imported, in order.
    ///   - now: Milliseconds since 1970.
    /// - Returns: The run's row id.
    /// - Throws: ``StorageError`` with code `notFound` when there is no such stream.
    package func startImportRun(streamID: Int64, sources: [String], now: Int64) throws -> Int64 {
        guard try reader.stream(id: streamID) != nil else {
            throw StorageError(.notFound, "there is no stream \(streamID)")
        }
        let json = JSONTextList.encode(sources) ?? "[]"
        let interrupted = try RawStatement(
            database,
            "DELETE FROM importRun WHERE streamId = ?1 AND sources = ?2 AND finishedAtMilliseconds IS NULL"
        )
        interrupted.bind(1, streamID)
        try interrupted.bind(2, copying: json)
        try interrupted.run()
        let insert = try RawStatement(
            database,
            "INSERT INTO importRun (streamId, sources, startedAtMilliseconds) VALUES (?1, ?2, ?3)"
        )
        insert.bind(1, streamID)
        try insert.bind(2, copying: json)
        insert.bind(3, now)
        try insert.run()
        let runID = database.lastInsertedRowID
        let old = try RawStatement(
            database,
            """
            DELETE FROM importRun WHERE streamId = ?1 AND id NOT IN
                (SELECT id FROM importRun WHERE streamId = ?1 ORDER BY id DESC LIMIT ?2)
            """
        )
        old.bind(1, streamID)
        old.bind(2, Int64(Self.keptRunCount))
        try old.run()
        return runID
    }

    /// Adds rejected records to a run, of which the first 1,000 are kept.
    ///
    /// - Throws: ``StorageError`` with code `notFound` when the run is gone, for example with its stream.
    package func recordFailures(runID: Int64, _ failures: [ImportFailureRow]) throws {
        try requireRun(runID)
        let count = try RawStatement(database, "SELECT count(*) FROM importFailure WHERE importRunId = ?1")
        count.bind(1, runID)
        let room = Self.keptFailureCount - Int(try count.first { $0.integer(0) } ?? 0)
        let insert = try RawStatement(
            database,
            """
            INSERT INTO importFailure (importRunId, source, line, "column", externalId, reason)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            """
        )
        for failure in failures.prefix(max(0, room)) {
            insert.bind(1, runID)
            try insert.bind(2, copying: failure.source)
            insert.bind(3, Int64(failure.line))
            insert.bind(4, Int64(failure.column))
            try insert.bind(5, copying: failure.externalID)
            try insert.bind(6, copying: failure.reason)
            try insert.run()
        }
    }

    /// Notes that a run has read more records: a run that goes on is told by that from one that was killed.
    func noteProgress(runID: Int64, readCount: Int) throws {
        let update = try RawStatement(database, "UPDATE importRun SET readCount = readCount + ?2 WHERE id = ?1")
        update.bind(1, runID)
        update.bind(2, Int64(readCount))
        try update.run()
    }

    /// Notes that an import has ended and what came of it.
    ///
    /// - Throws: ``StorageError`` with code `notFound` when the run is gone.
    package func finishImportRun(runID: Int64, counts: ImportTotals, now: Int64) throws {
        try requireRun(runID)
        let update = try RawStatement(
            database,
            """
            UPDATE importRun SET finishedAtMilliseconds = ?2, readCount = ?3, insertedCount = ?4, updatedCount = ?5,
                unchangedCount = ?6, duplicateCount = ?7, rejectedCount = ?8, assumedCount = ?9
            WHERE id = ?1
            """
        )
        let numbers = [
            counts.read, counts.inserted, counts.updated, counts.unchanged, counts.duplicate, counts.rejected,
            counts.assumed,
        ]
        update.bind(1, runID)
        update.bind(2, now)
        for (index, number) in numbers.enumerated() { update.bind(Int32(index + 3), Int64(number)) }
        try update.run()
    }

    private func requireRun(_ runID: Int64) throws {
        let statement = try RawStatement(database, "SELECT id FROM importRun WHERE id = ?1")
        statement.bind(1, runID)
        guard try statement.first({ $0.integer(0) }) != nil else {
            throw StorageError(.notFound, "import run \(runID) was deleted")
        }
    }
}
