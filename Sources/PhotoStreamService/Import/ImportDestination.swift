import PhotoStreamImport
import PhotoStreamModel
import PhotoStreamStorage

/// The destination of an import's records.
protocol ImportDestination {
    /// The order of the stream.
    var order: StreamOrder { get }
    /// Writes some of the records from the front, at least one if there are any.
    mutating func write(_ records: ArraySlice<PhotoRecord>) throws -> ImportBatchResult
    /// Records rejects.
    mutating func reject(_ rejects: [ImportReject]) throws
    /// Completes a run that read its whole input. Calls `progress` with the completed part of the remaining work.
    mutating func finish(_ totals: ImportTotals, progress: (Double) throws -> Void) throws
    /// Ends a run, completed or not. Is called last.
    func end(_ totals: ImportTotals)
}

/// The database file.
struct FileDestination: ImportDestination {
    let order: StreamOrder
    let streamID: Int64
    private let service: PhotoStreamService
    private let runID: Int64
    private let isNewStream: Bool
    private let restoresDeleted: Bool
    private var isFinished = false
    private var seen = RowIDSet()

    /// Starts a run, and creates the stream if it is missing.
    ///
    /// - Parameters:
    ///   - service: The file.
    ///   - stream: The stream.
    ///   - order: The required order.
    ///   - exportedOrder: The order of a new stream if none is required.
    ///   - sources: The names of the sources.
    ///   - restoresDeleted: Whether photos that a person deleted come back.
    ///   - replacesInterrupted: Whether unfinished runs of the same sources are deleted.
    /// - Throws: ``StreamServiceError`` if the stream has another order than the required one, or the file fails.
    init(
        service: PhotoStreamService, stream: StreamName, order: StreamOrder?, exportedOrder: StreamOrder?,
        sources: [String], restoresDeleted: Bool, replacesInterrupted: Bool = true
    ) throws {
        (self.service, self.restoresDeleted) = (service, restoresDeleted)
        let now = service.now()
        (streamID, self.order, runID, isNewStream) = try service.database.retryingWhileLocked {
            try service.database.write { writer in
                let stored = try writer.reader.stream(named: stream)
                let newOrder = order ?? exportedOrder ?? .newest
                let row = try stored ?? writer.createStream(named: stream, order: newOrder, now: now)
                try row.check(order)
                let runID = try writer.startImportRun(
                    streamID: row.id, sources: sources, replacesInterrupted: replacesInterrupted, now: now)
                return (row.id, row.order, runID, stored == nil)
            }
        }
        try service.database.beginBulkWrites()
    }

    mutating func write(_ records: ArraySlice<PhotoRecord>) throws -> ImportBatchResult {
        service.database.pauseForOtherWriters()
        return try service.database.retryingWhileLocked {
            try service.database.importRecords(
                records, into: streamID, run: runID, restoringDeleted: restoresDeleted, seen: &seen)
        }
    }

    /// Writes some of the files of folders from the front, at least one if there are any, and stacks their photos.
    mutating func write(_ files: ArraySlice<FolderEntry>, stacking rules: StackRules) throws -> FolderBatchResult {
        service.database.pauseForOtherWriters()
        return try service.database.retryingWhileLocked {
            try service.database.importFiles(
                files, into: streamID, run: runID, restoringDeleted: restoresDeleted, stacking: rules, seen: &seen)
        }
    }

    mutating func reject(_ rejects: [ImportReject]) throws {
        guard !rejects.isEmpty else { return }
        let rows = rejects.map {
            ImportFailure(
                source: $0.position.source, line: $0.position.line, column: $0.position.column, id: $0.id,
                reason: $0.reason)
        }
        try service.database.retryingWhileLocked {
            try service.database.write { try $0.recordFailures(runID: runID, failures: rows) }
        }
    }

    mutating func finish(_ totals: ImportTotals, progress: (Double) throws -> Void) throws {
        try service.database.retryingWhileLocked {
            try service.database.write { writer in
                try writer.finishImportRun(runID: runID, counts: totals, now: service.now())
            }
        }
        isFinished = true
        try service.refreshChunks(streamID: streamID, progress: progress)
        try service.database.optimize()
    }

    func end(_ totals: ImportTotals) {
        // Both fail only if the file cannot be written any more, and then there is nothing to repair.
        try? service.database.endBulkWrites()
        let hasFailed = !isFinished || totals.rejected > 0 && totals.rejected == totals.read
        if isNewStream, hasFailed { try? removeEmptyStream() }
    }

    /// Removes the stream if the run created it and put nothing into it.
    private func removeEmptyStream() throws {
        try service.write { writer in
            guard let row = try writer.reader.stream(id: streamID),
                try writer.reader.photoCount(in: streamID) == 0
            else { return }
            try writer.deleteStream(named: row.name)
        }
    }
}

/// The destination of a dry run, which stores nothing.
struct DryRunDestination: ImportDestination {
    let order: StreamOrder
    private var dryRun: ImportDryRun
    private var assumedCount = 0

    init(
        service: PhotoStreamService?, stream: StreamName, order: StreamOrder?, exportedOrder: StreamOrder?,
        restoresDeleted: Bool
    ) throws {
        let row = try service?.transaction { try $0.stream(named: stream) }
        try row?.check(order)
        self.order = row?.order ?? order ?? exportedOrder ?? .newest
        let streamID = row?.id
        dryRun = try ImportDryRun(
            database: service?.database, streamID: streamID, restoringDeleted: restoresDeleted)
    }

    mutating func write(_ records: ArraySlice<PhotoRecord>) throws -> ImportBatchResult {
        let outcomes = try dryRun.outcomes(of: records)
        defer { assumedCount = dryRun.assumedCount }
        return ImportBatchResult(outcomes: outcomes, assumedCount: dryRun.assumedCount - assumedCount)
    }

    mutating func reject(_ rejects: [ImportReject]) {}

    mutating func finish(_ totals: ImportTotals, progress: (Double) throws -> Void) {}

    func end(_ totals: ImportTotals) {}
}

extension StreamRow {
    /// Refuses a kept view, and an order other than the stream's.
    func check(_ order: StreamOrder?) throws {
        guard kept == nil else { throw StreamServiceError.keptView(name.rawValue) }
        guard let order, order != self.order else { return }
        throw StreamServiceError.otherOrder(name.rawValue, order: self.order)
    }
}
