package import PhotoStreamModel

extension PhotoDatabase {
    /// Says that somebody's many batches follow, or that they are over: the write-ahead log gets up to 512 MB long until
    /// nobody's follow any more.
    package func expectManyBatches(_ areExpected: Bool) throws {
        try bulkWriters.count(areExpected) { try setWriteAheadLog($0) }
    }

    /// How long an import tries again where other programs hold the file.
    private static var importPatience: Duration { .seconds(60) }

    /// Runs a write of an import, again and again where other programs hold the file for longer than the busy timeout.
    ///
    /// - Parameter body: The write.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws, ``StorageFailure/busy`` only after a minute; `CancellationError` when the caller's
    ///   task is cancelled meanwhile.
    package func tryingAgain<T>(_ body: () throws -> T) throws -> T {
        let start = ContinuousClock.now
        while true {
            do {
                return try body()
            } catch let error as StorageError where error.code == .busy {
                try Task.checkCancellation()
                guard start.duration(to: .now) < Self.importPatience else {
                    throw StorageError(.busy, "\(path) is locked by other programs; gave up after a minute")
                }
                giveTurn()
            }
        }
    }

    /// Imports records in one write transaction, which ends when the budget is spent: other writers wait no longer.
    ///
    /// A field that a person edited stays. A record that changes nothing writes nothing. At the end the change log is
    /// trimmed. Its commit comes on top of the budget; a checkpoint, which SQLite makes behind some commits, holds no
    /// lock that a writer waits for. When it throws, nothing of the batch is in the file and `seen` is as it was.
    ///
    /// - Parameters:
    ///   - records: What to import, in order.
    ///   - streamID: The stream's row id.
    ///   - runID: The run, whose row tells other processes that it goes on; `nil` for none.
    ///   - seen: The photos that this run has met before; those met now are added.
    ///   - budgetMilliseconds: The time that the transaction may take, looked at every 256 records.
    /// - Returns: The outcomes of the first records; the caller goes on with the rest in the next batch.
    /// - Throws: ``StorageError``; with code `notFound` when the stream was deleted.
    /// - Complexity: O(log n) per record.
    package func importRecords(
        _ records: ArraySlice<PhotoRecord>,
        into streamID: Int64,
        run runID: Int64? = nil,
        seen: inout RowIDSet,
        budgetMilliseconds: Int = 150
    ) throws -> ImportBatchResult {
        guard !records.isEmpty else { return ImportBatchResult() }
        // Of what the transaction undoes, nothing may stay in the set.
        let before = seen
        do {
            return try write { writer in
                guard try writer.reader.stream(id: streamID) != nil else {
                    throw StorageError(.notFound, "stream \(streamID) was deleted while an import was running")
                }
                let deadline = ContinuousClock.now.advanced(by: .milliseconds(budgetMilliseconds))
                var batch = try ImportTransaction(writer: writer, streamID: streamID)
                try batch.apply(records, seen: &seen, until: deadline)
                if let runID { try writer.noteProgress(runID: runID, readCount: batch.result.outcomes.count) }
                try writer.trimLog()
                return batch.result
            }
        } catch {
            seen = before
            throw error
        }
    }
}
