package import PhotoStreamImport
package import PhotoStreamModel
import PhotoStreamStorage

/// What an import tells while it runs: once for each batch that is in the file, then while it stores what layouts read.
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
    /// The part of what layouts read that is stored, once all records are in the file; `nil` before.
    package var chunkedPart: Double?
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
    ///   - observe: Called after each batch, and while the stream's chunks are made; what it throws ends the import, and
    ///     what was committed stays.
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
        defer { sink.end() }
        var progress = ImportProgress()
        var records: [PhotoRecord] = []
        var current = try await reader.nextBatch(limit: Self.batchSize)
        while let batch = current {
            async let next = reader.nextBatch(limit: Self.batchSize)
            records += batch.records.lazy.map(\.record)
            try translatingStorageErrors {
                try sink.reject(batch.rejects)
                progress.add(batch)
                try write(&records, into: &sink, &progress, leaving: Self.batchSize, observe)
            }
            do {
                current = try await next
            } catch {
                try translatingStorageErrors { try write(&records, into: &sink, &progress, leaving: 0, observe) }
                throw error
            }
        }
        try translatingStorageErrors {
            try write(&records, into: &sink, &progress, leaving: 0, observe)
            try sink.finish(progress.totals) { part in
                progress.chunkedPart = part
                try tell(&progress, observe)
            }
        }
        return progress.totals
    }

    /// Writes transactions until at most so many records are left: one that holds only what its predecessor had no time
    /// for would write nearly as many pages as a full one.
    private func write(
        _ records: inout [PhotoRecord], into sink: inout any ImportSink, _ progress: inout ImportProgress,
        leaving remainder: Int, _ observe: (ImportProgress) throws -> Void
    ) throws {
        var rest = records[...]
        while rest.count > remainder {
            let result = try sink.write(rest)
            rest = rest.dropFirst(result.outcomes.count)
            progress.totals.add(result)
            try tell(&progress, observe)
        }
        records.removeFirst(records.count - rest.count)
        if !progress.rejects.isEmpty || !progress.warnings.isEmpty { try tell(&progress, observe) }
    }

    private func tell(_ progress: inout ImportProgress, _ observe: (ImportProgress) throws -> Void) throws {
        try observe(progress)
        (progress.rejects, progress.warnings) = ([], [])
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
        bytesConsumed = batch.bytesConsumed
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
