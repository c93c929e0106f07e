package import PhotoStreamImport
package import PhotoStreamModel
import PhotoStreamStorage

/// The progress of an import: reported once for each batch that is in the file, then while it stores what layouts read.
package struct ImportProgress: Sendable {
    /// What became of the records so far.
    package var totals = ImportTotals()
    /// Bytes of the sources whose records are in the file, as nearly as is known within a batch.
    package var bytesConsumed: Int64 = 0
    /// The rejects since the last time, in input order.
    package var rejects: [ImportReject] = []
    /// The first warnings of each field, since the last time.
    package var warnings: [ImportWarning] = []
    /// How many values were dropped so far, by field.
    package var warningCounts: [ImportField: Int] = [:]
    /// The part of what layouts read that is stored, once all records are in the file; `nil` before.
    package var chunkedPart: Double?
}

/// One run of an import: from sources into a stream, batch by batch.
///
/// While one batch is written the next is parsed on another thread. Each batch is a transaction under 250 ms, so a
/// reader or another writer never waits longer. An import is an upsert by external id and finds out for itself what is
/// there already: killed at any moment and started again, it finishes the job and the photos end as if nothing had
/// happened.
package struct PhotoImport: Sendable {
    // A commit writes every page that the batch has touched, and with random ids that is nearly every page of an index,
    // however few the rows: so as many as the time of a transaction allows, and it is that which ends most of them.
    private static let batchSize = 32_768
    /// Bytes of the source that may wait to be written: with long captions the number of records bounds nothing.
    private static let maximumPendingByteCount: Int64 = 16 << 20

    private let service: PhotoStreamService?
    private let stream: StreamName
    private let order: StreamOrder?
    private let reader: RecordReader
    private let isDryRun: Bool

    /// Prepares a run.
    ///
    /// - Parameters:
    ///   - reader: The sources, opened and checked.
    ///   - stream: Where the photos go; made if it is missing.
    ///   - order: The order of a stream that is made, newest first unless it is told; one that is there must have it.
    ///   - service: The file.
    package init(
        _ reader: RecordReader, into stream: StreamName, order: StreamOrder? = nil, of service: PhotoStreamService
    ) {
        self.init(service: service, stream: stream, order: order, reader: reader, isDryRun: false)
    }

    /// Prepares a dry run, which changes nothing and counts as a run would.
    ///
    /// - Parameters:
    ///   - reader: The sources, opened and checked.
    ///   - stream: Where the photos would go.
    ///   - order: The order that the stream must have, where it is there.
    ///   - service: The file, or `nil` where it does not exist.
    /// - Returns: The run.
    package static func dryRun(
        _ reader: RecordReader, into stream: StreamName, order: StreamOrder? = nil, of service: PhotoStreamService?
    ) -> PhotoImport {
        PhotoImport(service: service, stream: stream, order: order, reader: reader, isDryRun: true)
    }

    private init(
        service: PhotoStreamService?, stream: StreamName, order: StreamOrder?, reader: RecordReader, isDryRun: Bool
    ) {
        self.service = service
        self.stream = stream
        self.order = order
        self.reader = reader
        self.isDryRun = isDryRun
    }

    /// Runs the import, in memory that does not grow with the input.
    ///
    /// The stream is created once the first records are read; an import that fails before it stores a photo leaves no stream
    /// of its own. A task that is cancelled ends the import after the batch that is being written.
    ///
    /// - Parameters:
    ///   - sources: The names of the sources, for the file's record of its imports.
    ///   - observe: Called after each batch, and while the stream's chunks are made; what it throws ends the import, and
    ///     what was committed stays.
    /// - Returns: What became of the records.
    /// - Throws: `ImportError` when a source cannot be read on, ``StreamServiceError`` when the file fails,
    ///   `CancellationError` when the task was cancelled.
    package func run(
        sources: [String], observe: (ImportProgress) throws -> Void
    ) async throws -> ImportTotals {
        var current = try await nextBatch()
        var sink = try makeSink(sources: sources)
        var progress = ImportProgress()
        defer { sink.end(progress.totals) }
        var pending = PendingRecords()
        while let batch = current {
            async let next = nextBatch()
            pending.add(batch)
            try translatingStorageErrors {
                try sink.reject(batch.rejects)
                progress.add(batch)
                try write(&pending, into: &sink, &progress, leaving: Self.batchSize, observe)
            }
            do {
                current = try await next
            } catch {
                try Task.checkCancellation()
                try translatingStorageErrors { try write(&pending, into: &sink, &progress, leaving: 0, observe) }
                throw error
            }
        }
        try translatingStorageErrors {
            try write(&pending, into: &sink, &progress, leaving: 0, observe)
            try sink.finish(progress.totals) { part in
                progress.chunkedPart = part
                try tell(&progress, observe)
            }
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

    private func makeSink(sources: [String]) throws -> any ImportSink {
        guard let service, !isDryRun else {
            return try DryRunSink(service: service, stream: stream, order: order)
        }
        return try DatabaseSink(service: service, stream: stream, order: order, sources: sources)
    }

    /// Writes transactions until at most so many records, and bytes, are left: one that holds only what its predecessor had
    /// no time for would write nearly as many pages as a full one.
    private func write(
        _ pending: inout PendingRecords, into sink: inout any ImportSink, _ progress: inout ImportProgress,
        leaving remainder: Int, _ observe: (ImportProgress) throws -> Void
    ) throws {
        while pending.records.count > remainder || pending.byteCount > Self.maximumPendingByteCount {
            guard !pending.records.isEmpty else { break }
            let result = try sink.write(pending.records)
            pending.removeFirst(result.outcomes.count)
            progress.totals.add(result)
            progress.bytesConsumed = pending.writtenByteCount
            try tell(&progress, observe)
            try Task.checkCancellation()
        }
        progress.bytesConsumed = pending.writtenByteCount
        if !progress.rejects.isEmpty || !progress.warnings.isEmpty { try tell(&progress, observe) }
    }

    private func tell(_ progress: inout ImportProgress, _ observe: (ImportProgress) throws -> Void) throws {
        try observe(progress)
        (progress.rejects, progress.warnings) = ([], [])
    }
}

/// Records that are read and wait to be written.
private struct PendingRecords {
    /// The records, in input order.
    private(set) var records: ArraySlice<PhotoRecord> = []
    /// Bytes of the sources that the records had; of a part of a batch in proportion.
    private(set) var byteCount: Int64 = 0
    private var readByteCount: Int64 = 0

    /// Bytes of the sources whose records were written, or rejected.
    var writtenByteCount: Int64 { readByteCount - byteCount }

    mutating func add(_ batch: ImportBatch) {
        // Into an array of their own: a slice keeps what was removed from its front.
        var all = Array(records)
        all += batch.records.lazy.map(\.record)
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

extension ImportProgress {
    /// Takes note of what was parsed.
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
        read += result.outcomes.count
        assumed += result.assumedCount
        for outcome in result.outcomes {
            switch outcome {
            case .inserted: inserted += 1
            case .updated: updated += 1
            case .unchanged: unchanged += 1
            case .duplicate: duplicate += 1
            }
        }
    }
}
