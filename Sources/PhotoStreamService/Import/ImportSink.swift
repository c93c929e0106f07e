import PhotoStreamImport
import PhotoStreamModel
import PhotoStreamStorage

/// Where an import's records go.
protocol ImportSink {
    /// Takes some of the records from the front, at least one of any.
    mutating func write(_ records: ArraySlice<PhotoRecord>) throws -> ImportBatchResult
    /// Takes note of rejects.
    mutating func reject(_ rejects: [ImportReject]) throws
    /// Ends a run that has come to its end; tells the part that is done of what follows from it.
    mutating func finish(_ totals: ImportTotals, progress: (Double) throws -> Void) throws
    /// Ends a run, however it ended; comes last.
    func end()
}

/// The file.
struct DatabaseSink: ImportSink {
    private let service: PhotoStreamService
    private let streamID: Int64
    private let runID: Int64
    private var seen = RowIDSet()

    /// Starts a run, and makes the stream if it is missing.
    init(service: PhotoStreamService, stream: StreamName, sources: [String]) throws {
        self.service = service
        let now = service.now()
        (streamID, runID) = try service.write { writer in
            let row = try writer.reader.stream(named: stream) ?? writer.createStream(named: stream, now: now)
            return (row.id, try writer.startImportRun(streamID: row.id, sources: sources, now: now))
        }
        try translatingStorageErrors { try service.database.expectManyBatches(true) }
    }

    mutating func write(_ records: ArraySlice<PhotoRecord>) throws -> ImportBatchResult {
        try service.database.importRecords(records, into: streamID, seen: &seen)
    }

    mutating func reject(_ rejects: [ImportReject]) throws {
        guard !rejects.isEmpty else { return }
        let rows = rejects.map {
            ImportFailureRow(
                source: $0.position.source, line: $0.position.line, column: $0.position.column, externalID: $0.id,
                reason: $0.reason)
        }
        try service.write { try $0.recordFailures(runID: runID, rows) }
    }

    mutating func finish(_ totals: ImportTotals, progress: (Double) throws -> Void) throws {
        try service.write { try $0.finishImportRun(runID: runID, counts: ImportCounts(totals), now: service.now()) }
        try service.refreshChunks(streamID: streamID, progress: progress)
        try service.database.optimize()
    }

    func end() {
        // It fails only where nothing can be written any more, and then there is nothing to set right.
        try? service.database.expectManyBatches(false)
    }
}

/// Nowhere: a dry run.
struct RehearsalSink: ImportSink {
    private var rehearsal: ImportRehearsal
    private var assumedCount = 0

    init(service: PhotoStreamService?, stream: StreamName) throws {
        let streamID = try service?.read { try $0.stream(named: stream)?.id }
        rehearsal = try ImportRehearsal(database: service?.database, streamID: streamID)
    }

    mutating func write(_ records: ArraySlice<PhotoRecord>) throws -> ImportBatchResult {
        let outcomes = try rehearsal.outcomes(of: records)
        defer { assumedCount = rehearsal.assumedCount }
        return ImportBatchResult(outcomes: outcomes, assumedCount: rehearsal.assumedCount - assumedCount)
    }

    mutating func reject(_ rejects: [ImportReject]) {}

    mutating func finish(_ totals: ImportTotals, progress: (Double) throws -> Void) {}

    func end() {}
}

extension ImportCounts {
    init(_ totals: ImportTotals) {
        self.init()
        (read, inserted, updated) = (totals.read, totals.inserted, totals.updated)
        (unchanged, duplicate, rejected) = (totals.unchanged, totals.duplicate, totals.rejected)
        assumed = totals.assumed
    }
}
