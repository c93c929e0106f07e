package import PhotoStreamModel

extension PhotoDatabase {
    /// Begins a bulk write.
    ///
    /// While any is in progress, the write-ahead log may grow to 512 MB.
    package func beginBulkWrites() throws {
        try changeBulkWriteCount(by: 1)
    }

    /// Ends a bulk write.
    package func endBulkWrites() throws {
        try changeBulkWriteCount(by: -1)
    }

    /// The maximum time that an import retries while other programs hold the lock.
    private static var importTimeout: Duration { .seconds(60) }

    /// Runs a write of an import, and repeats it if other programs hold the lock for longer than the busy timeout.
    ///
    /// - Parameter body: The write.
    /// - Returns: The result of `body`.
    /// - Throws: Errors of `body`, but ``StorageFailure/busy`` only after a minute; `CancellationError` if the
    ///   caller's task is cancelled while it waits.
    package func retryingWhileLocked<T>(_ body: () throws -> T) throws -> T {
        let start = ContinuousClock.now
        while true {
            do {
                return try body()
            } catch let error as StorageError where error.code == .busy {
                try Task.checkCancellation()
                guard start.duration(to: .now) < Self.importTimeout else {
                    throw StorageError(.busy, message: "\(path) is locked by other programs; gave up after a minute")
                }
                pauseForOtherWriters()
            }
        }
    }

    /// Imports records in one write transaction, which ends when the budget is spent, so other writers wait no longer.
    ///
    /// Fields that a person edited are kept. A record that changes nothing writes nothing. The change log is trimmed at
    /// the end. The commit comes on top of the budget; the checkpoint that SQLite makes after some commits does not
    /// hold the write lock. If the call throws, the file and `seen` are unchanged.
    ///
    /// - Parameters:
    ///   - records: The records, in order.
    ///   - streamID: The stream's row id.
    ///   - author: The author of the records: ``Photo/Author/importer``, or ``Photo/Author/file`` if each record
    ///     contains everything from a picture's file and its sidecar.
    ///   - runID: The run, whose row shows other processes that it is still running; `nil` for none.
    ///   - restoresDeleted: Whether photos that a person deleted come back; otherwise their records change nothing.
    ///   - seen: The photos that this run has already imported; updated by the call.
    ///   - budgetMilliseconds: The maximum time of the transaction, checked every 256 records.
    /// - Returns: The outcomes of the records processed. The caller passes the rest in the next batch.
    /// - Throws: ``StorageError``; with code `notFound` if the stream was deleted.
    /// - Complexity: O(log n) per record.
    package func importRecords(
        _ records: ArraySlice<PhotoRecord>,
        into streamID: Int64,
        by author: Photo.Author = .importer,
        run runID: Int64? = nil,
        restoringDeleted restoresDeleted: Bool = false,
        seen: inout RowIDSet,
        budgetMilliseconds: Int = 150
    ) throws -> ImportBatchResult {
        guard !records.isEmpty else { return ImportBatchResult() }
        return try writeBatch(into: streamID, run: runID, seen: &seen) { writer, seen in
            let deadline = ContinuousClock.now.advanced(by: .milliseconds(budgetMilliseconds))
            var batch = try ImportTransaction(
                writer: writer, streamID: streamID, author: author, restoresDeleted: restoresDeleted)
            try batch.apply(records, seen: &seen, until: deadline)
            return (batch.result, batch.result.outcomes.count)
        }
    }

    /// Writes a batch of an import in one transaction, after which the closure's changes of `seen` count.
    ///
    /// - Returns: The first result of the closure; the second is the number of processed records.
    func writeBatch<Result>(
        into streamID: Int64, run runID: Int64?, seen: inout RowIDSet,
        _ body: (PhotoWriter, inout RowIDSet) throws -> (Result, readCount: Int)
    ) throws -> Result {
        var new = seen
        let result = try write { writer in
            new = seen
            guard try writer.reader.stream(id: streamID) != nil else {
                throw StorageError(.notFound, message: "stream \(streamID) was deleted while an import was running")
            }
            let (result, readCount) = try body(writer, &new)
            if let runID { try writer.noteProgress(runID: runID, readCount: readCount) }
            try writer.trimLog()
            return result
        }
        seen = new
        return result
    }
}

/// The result of one write transaction of an import.
package struct ImportBatchResult: Sendable {
    /// The outcomes of the first records of the batch, as many as fitted into the budget; at least one.
    package internal(set) var outcomes: [ImportOutcome] = []
    /// The number of these records that left a photo with an assumed size, without duplicates.
    package internal(set) var assumedCount = 0

    /// Creates a result.
    package init(outcomes: [ImportOutcome] = [], assumedCount: Int = 0) {
        self.outcomes = outcomes
        self.assumedCount = assumedCount
    }
}

/// The outcome of a valid record.
package enum ImportOutcome: UInt8, Sendable {
    /// The photo was added to the stream.
    case inserted
    /// The photo was changed.
    case updated
    /// The photo already matched the record; nothing was written.
    case unchanged
    /// A person deleted the photo, and it stays deleted; nothing was written.
    case deleted
    /// An earlier record of the run had the same id; that one counts.
    case duplicate
}
