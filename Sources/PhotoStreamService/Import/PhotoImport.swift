public import PhotoStreamImport
public import PhotoStreamModel
import PhotoStreamStorage

/// The progress of an import: reported after each batch is in the file, then while chunks for layouts are stored.
public struct ImportProgress: Sendable {
    /// The outcomes of the records so far.
    public internal(set) var totals = ImportTotals()
    /// The bytes of the sources whose records are in the file, approximately within a batch.
    public internal(set) var bytesConsumed: Int64 = 0
    /// The rejects since the last report, in input order.
    public internal(set) var rejects: [ImportReject] = []
    /// The first warnings of each field, since the last report.
    public internal(set) var warnings: [ImportWarning] = []
    /// The number of values that were dropped so far, by field.
    public internal(set) var warningCounts: [ImportField: Int] = [:]
    /// The number of moves of new photos that were ignored so far, because the stream has another order than their
    /// export.
    public internal(set) var ignoredMoveCount = 0
    /// The number of records so far of photos that a person deleted, which stay deleted; they count as unchanged.
    public internal(set) var deletedCount = 0
    /// The stored part of the chunks for layouts, once all records are in the file; `nil` before.
    public internal(set) var chunkedPart: Double?
}

/// One run of an import: from files into a stream, batch by batch.
///
///     let service = try PhotoStreamService(path: path, access: .readWrite) { Int64(time(nil)) * 1_000 }
///     let holidays = try StreamName("holidays")
///     let totals = try await PhotoImport([source], into: holidays, of: service).run { progress in
///         print("\(progress.totals.read) read, \(progress.totals.rejected) rejected")
///     }
///
/// While one batch is written, the next is parsed on another thread. Each batch is a transaction under 250 ms, so a
/// reader or another writer never waits longer. An import is an upsert by external id and finds existing photos itself:
/// if it is killed at any moment and started again, it finishes the job, with the same result as an uninterrupted one.
public struct PhotoImport: Sendable {
    // A commit writes every page that the batch has touched, and with random ids that is nearly every page of an index,
    // even for a few rows. So a batch is as large as the time of a transaction allows; that time ends most batches.
    private static let batchSize = 32_768
    /// The maximum number of source bytes that wait to be written: with long captions, few records are large.
    private static let maximumPendingByteCount: Int64 = 16 << 20

    private let service: PhotoStreamService?
    private let stream: StreamName
    private let order: StreamOrder?
    private let reader: RecordReader
    private let sources: [String]
    private let isDryRun: Bool
    /// Whether photos that a person deleted in the last 30 days come back, and then take the records' values.
    ///
    /// Otherwise their records change nothing.
    public var restoresDeletedPhotos = false
    /// Whether unfinished runs of the same sources count as interrupted and are deleted, as for a command that is run
    /// again.
    package var replacesInterruptedRuns = true

    /// Opens files for an import and checks that they can be read.
    ///
    /// - Parameters:
    ///   - paths: The files, of JSON Lines, JSON, CSV or TSV, in the order in which they are read.
    ///   - stream: The stream of the photos; created if it is missing.
    ///   - order: The order of a new stream, that of an export or newest first if it is `nil`; an existing stream must
    ///     have it.
    ///   - options: The options to read the files with; `nil` detects each format and reads fields by their own names.
    ///   - service: The file.
    /// - Throws: `ImportError` that names a path that is missing, a folder, forbidden or empty, or a column that a
    ///   header lacks.
    public init(
        _ paths: [String], into stream: StreamName, order: StreamOrder? = nil, options: ImportOptions? = nil,
        of service: PhotoStreamService
    ) throws {
        let reader = try RecordReader(paths: paths, options: try options ?? ImportOptions())
        self.init(reader, into: stream, order: order, sources: paths, of: service)
    }

    /// Prepares a run with sources that are open and checked.
    ///
    /// - Parameters:
    ///   - reader: The sources.
    ///   - stream: The stream of the photos; created if it is missing.
    ///   - order: The order of a new stream, that of an export or newest first if it is `nil`; an existing stream must
    ///     have it.
    ///   - sources: The names of the sources, for the file's record of its imports.
    ///   - service: The file; `nil` for a dry run if it does not exist.
    ///   - isDryRun: Whether nothing is changed; the numbers are those of a real run.
    package init(
        _ reader: RecordReader, into stream: StreamName, order: StreamOrder? = nil, sources: [String],
        of service: PhotoStreamService?, isDryRun: Bool = false
    ) {
        (self.reader, self.stream, self.order, self.sources) = (reader, stream, order, sources)
        (self.service, self.isDryRun) = (service, isDryRun || service == nil)
    }

    /// Runs the import, in memory that does not grow with the input.
    ///
    /// The stream is created once the first records are read; an import that fails before it stores a photo deletes a
    /// stream that it created. Cancelling the task ends the import after the current batch.
    ///
    /// The work runs on other threads, so that the caller's actor stays free.
    ///
    /// - Parameter observe: Called on the caller's actor after each batch, and while the stream's chunks are built. An
    ///   error that it throws ends the import; photos that were committed stay.
    /// - Returns: The outcomes of the records.
    /// - Throws: `ImportError` if a source cannot be read any further, ``StreamServiceError`` if the file fails,
    ///   `CancellationError` if the task was cancelled.
    public func run(observe: (ImportProgress) throws -> Void = { _ in }) async throws -> ImportTotals {
        try await WorkReports.observing(run(reports:), by: observe)
    }

    private func run(reports: WorkReports<ImportProgress>) async throws -> ImportTotals {
        var current = try await nextBatch()
        var destination = try makeDestination(exportedOrder: await reader.exportedOrder)
        var progress = ImportProgress()
        defer { destination.end(progress.totals) }
        var pending = PendingRecords()
        while let batch = current {
            async let next = nextBatch()
            pending.add(batch)
            try destination.reject(batch.rejects)
            progress.add(batch)
            try write(&pending, into: &destination, progress: &progress, leaving: Self.batchSize, reports: reports)

            await reports.wait()
            do {
                current = try await next
            } catch {
                try Task.checkCancellation()
                try write(&pending, into: &destination, progress: &progress, leaving: 0, reports: reports)
                throw error
            }
        }
        try write(&pending, into: &destination, progress: &progress, leaving: 0, reports: reports)
        try destination.finish(progress.totals) { part in
            progress.chunkedPart = part
            reports.add(&progress)
        }

        return progress.totals
    }

    private func nextBatch() async throws -> ImportBatch? {
        do {
            return try await reader.nextBatch(limit: Self.batchSize)
        } catch {
            try Task.checkCancellation()
            throw error
        }
    }

    private func makeDestination(exportedOrder: StreamOrder?) throws -> any ImportDestination {
        guard let service, !isDryRun else {
            return try DryRunDestination(
                service: service, stream: stream, order: order, exportedOrder: exportedOrder,
                restoresDeleted: restoresDeletedPhotos)
        }
        return try FileDestination(
            service: service, stream: stream, order: order, exportedOrder: exportedOrder, sources: sources,
            restoresDeleted: restoresDeletedPhotos, replacesInterrupted: replacesInterruptedRuns)
    }

    /// Writes transactions until at most `remainder` records, and the maximum of bytes, are left: a transaction with
    /// the few records that did not fit in the previous one would write nearly as many pages as a full one.
    private func write(
        _ pending: inout PendingRecords, into destination: inout any ImportDestination,
        progress: inout ImportProgress,
        leaving remainder: Int, reports: WorkReports<ImportProgress>
    ) throws {
        while pending.records.count > remainder || pending.byteCount > Self.maximumPendingByteCount {
            guard !pending.records.isEmpty else { break }
            let result = try destination.write(pending.records)
            // By index: no record is copied.
            progress.ignoredMoveCount += zip(pending.records.indices, result.outcomes).count { index, outcome in
                outcome == .inserted
                    && pending.records[index].exported?.move?.isIgnored(in: destination.order) == true
            }
            progress.deletedCount += result.outcomes.count { $0 == .deleted }
            pending.removeFirst(result.outcomes.count)
            progress.totals.add(result)
            progress.bytesConsumed = pending.writtenByteCount
            reports.add(&progress)
            try Task.checkCancellation()
        }
        progress.bytesConsumed = pending.writtenByteCount
        if !progress.rejects.isEmpty || !progress.warnings.isEmpty { reports.add(&progress) }
    }
}

/// Records that were read and wait to be written.
private struct PendingRecords {
    /// The records, in input order.
    private(set) var records: ArraySlice<PhotoRecord> = []
    /// The bytes of the records in the sources; proportional for a part of a batch.
    private(set) var byteCount: Int64 = 0
    private var readByteCount: Int64 = 0

    /// The bytes of the sources whose records were written or rejected.
    var writtenByteCount: Int64 { readByteCount - byteCount }

    mutating func add(_ batch: ImportBatch) {
        // Into a new array: a slice keeps the elements that were removed from its front.
        var all = Array(records)
        all += batch.records
        records = all[...]
        byteCount += batch.bytesConsumed - readByteCount
        readByteCount = batch.bytesConsumed
        if records.isEmpty { byteCount = 0 }
    }

    mutating func removeFirst(_ count: Int) {
        let rest = records.count - count
        byteCount = rest == 0 ? 0 : Int64(Double(byteCount) * Double(rest) / Double(records.count))
        records = records.dropFirst(count)
    }
}

extension WorkReports<ImportProgress> {
    fileprivate func add(_ progress: inout ImportProgress) {
        add(progress)
        (progress.rejects, progress.warnings) = ([], [])
    }
}

extension ImportProgress {
    /// Adds a parsed batch.
    fileprivate mutating func add(_ batch: ImportBatch) {
        rejects += batch.rejects
        warnings += batch.warnings
        warningCounts.merge(batch.warningCounts, uniquingKeysWith: +)
        totals.read += batch.rejects.count
        totals.rejected += batch.rejects.count
    }
}

extension ImportTotals {
    fileprivate mutating func add(_ result: ImportBatchResult) {
        assumed += result.assumedCount
        for outcome in result.outcomes { add(outcome) }
    }
}
