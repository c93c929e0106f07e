import PhotoStreamImport
import PhotoStreamModel
import PhotoStreamStorage

/// Where an import's records go.
protocol ImportSink {
    /// Takes some of the records from the front, at least one of any.
    mutating func write(_ records: ArraySlice<PhotoRecord>) throws -> ImportBatchResult
    /// Takes note of rejects.
    mutating func reject(_ rejects: [ImportReject]) throws
    /// Ends the run.
    mutating func finish(_ totals: ImportTotals) throws
}

/// The file.
struct DatabaseSink: ImportSink {
    private let service: PhotoStreamService
    private let streamID: Int64
    private let runID: Int64
    private var seen = RowIDSet()
    private var budget = BatchBudget()

    /// Starts a run, and makes the stream if it is missing.
    init(service: PhotoStreamService, stream: StreamName, sources: [String]) throws {
        self.service = service
        let now = service.now()
        (streamID, runID) = try service.write { writer in
            let row = try writer.reader.stream(named: stream) ?? writer.createStream(named: stream, now: now)
            return (row.id, try writer.startImportRun(streamID: row.id, sources: sources, now: now))
        }
    }

    mutating func write(_ records: ArraySlice<PhotoRecord>) throws -> ImportBatchResult {
        let start = ContinuousClock.now
        defer { budget.adapt(to: start.duration(to: .now)) }
        return try service.database.importRecords(
            records, into: streamID, seen: &seen, budgetMilliseconds: budget.milliseconds)
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

    mutating func finish(_ totals: ImportTotals) throws {
        try service.write { try $0.finishImportRun(runID: runID, counts: ImportCounts(totals), now: service.now()) }
        try service.refreshChunks(streamID: streamID)
        try service.database.optimize()
    }
}

/// How long a batch may apply records, so that with its commit, whose cost depends on the disk and on the file, it holds
/// the lock for less than 250 ms.
private struct BatchBudget {
    private static let range = 20...180
    private static let wholeMilliseconds = 210
    private(set) var milliseconds = 150

    mutating func adapt(to whole: Duration) {
        let spent = Int(whole.components.seconds) * 1_000 + Int(whole.components.attoseconds / 1_000_000_000_000_000)
        // Quickly down, slowly up.
        let next = spent > Self.wholeMilliseconds ? milliseconds - (spent - Self.wholeMilliseconds) : milliseconds + 5
        milliseconds = min(max(next, Self.range.lowerBound), Self.range.upperBound)
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

    mutating func finish(_ totals: ImportTotals) {}
}

extension ImportCounts {
    init(_ totals: ImportTotals) {
        self.init()
        (read, inserted, updated) = (totals.read, totals.inserted, totals.updated)
        (unchanged, duplicate, rejected) = (totals.unchanged, totals.duplicate, totals.rejected)
        assumed = totals.assumed
    }
}
