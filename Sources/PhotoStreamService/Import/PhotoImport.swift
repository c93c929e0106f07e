package import PhotoStreamImport
package import PhotoStreamModel
import PhotoStreamStorage

/// What an import tells while it runs: once for each batch that is in the file.
package struct ImportProgress: Sendable {
    /// What became of the records so far.
    package var totals = ImportTotals()
    /// Bytes of the sources that are done with.
    package var bytesConsumed: Int64 = 0
    /// The rejects since the last time, in input order.
    package var rejects: [ImportReject] = []
    /// The first warnings of each field, since the last time.
    package var warnings: [ImportWarning] = []
    /// How many values were dropped so far, by field.
    package var warningCounts: [ImportField: Int] = [:]
}

/// One run of an import: from sources into a stream, batch by batch.
///
/// While one batch is written the next is parsed on another thread. Each batch is a transaction under 250 ms, so a
/// reader or another writer never waits longer. An import is an upsert by external id and finds out for itself what is
/// there already: killed at any moment and started again, it finishes the job and the photos end as if nothing had
/// happened.
package struct PhotoImport {
    // A commit writes every page that the batch has touched, and with random ids that is nearly every page of an index,
    // however few the rows: so as many as the time of a transaction allows, and it is that which ends most of them.
    private static let batchSize = 32_768

    private let service: PhotoStreamService?
    private let stream: StreamName
    private let reader: RecordReader
    private let isRehearsal: Bool

    /// Prepares a run.
    ///
    /// - Parameters:
    ///   - reader: The sources, opened and checked.
    ///   - stream: Where the photos go; made if it is missing.
    ///   - service: The file.
    package init(_ reader: RecordReader, into stream: StreamName, of service: PhotoStreamService) {
        self.init(service: service, stream: stream, reader: reader, isRehearsal: false)
    }

    /// Prepares a dry run, which changes nothing and counts as a run would.
    ///
    /// - Parameters:
    ///   - reader: The sources, opened and checked.
    ///   - stream: Where the photos would go.
    ///   - service: The file, or `nil` where it does not exist.
    /// - Returns: The run.
    package static func rehearsal(
        _ reader: RecordReader, into stream: StreamName, of service: PhotoStreamService?
    ) -> PhotoImport {
        PhotoImport(service: service, stream: stream, reader: reader, isRehearsal: true)
    }

    private init(service: PhotoStreamService?, stream: StreamName, reader: RecordReader, isRehearsal: Bool) {
        self.service = service
        self.stream = stream
        self.reader = reader
        self.isRehearsal = isRehearsal
    }

    /// Runs it.
    ///
    /// - Parameters:
    ///   - sources: The names of the sources, for the file's memory of its imports.
    ///   - observe: Called after each batch; what it throws ends the import, and what was committed stays.
    /// - Returns: What became of the records.
    /// - Throws: `ImportError` when a source cannot be read on, ``StreamServiceError`` when the file fails.
    package func run(
        sources: [String], observe: (ImportProgress) throws -> Void
    ) async throws -> ImportTotals {
        var sink: any ImportSink =
            if let service, !isRehearsal {
                try DatabaseSink(service: service, stream: stream, sources: sources)
            } else {
                try RehearsalSink(service: service, stream: stream)
            }
        var progress = ImportProgress()
        var current = try await reader.nextBatch(limit: Self.batchSize)
        while let batch = current {
            async let next = reader.nextBatch(limit: Self.batchSize)
            try translatingStorageErrors { try write(batch, into: &sink, &progress, observe) }
            current = try await next
        }
        try translatingStorageErrors { try sink.finish(progress.totals) }
        return progress.totals
    }

    private func write(
        _ batch: ImportBatch, into sink: inout any ImportSink, _ progress: inout ImportProgress,
        _ observe: (ImportProgress) throws -> Void
    ) throws {
        let records = batch.records.map(\.record)
        var rest = records[...]
        try sink.reject(batch.rejects)
        progress.rejects = batch.rejects
        progress.warnings = batch.warnings
        progress.warningCounts.merge(batch.warningCounts, uniquingKeysWith: +)
        progress.totals.read += batch.rejects.count
        progress.totals.rejected += batch.rejects.count
        progress.bytesConsumed = batch.bytesConsumed
        repeat {
            let result = try sink.write(rest)
            rest = rest.dropFirst(result.outcomes.count)
            progress.totals.add(result)
            try observe(progress)
            (progress.rejects, progress.warnings) = ([], [])
        } while !rest.isEmpty
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
