package import PhotoStreamModel

/// Reads the records of one or more sources in batches, in constant memory.
///
/// Sources are JSON Lines, JSON, CSV or TSV; each is detected and numbered on its own. An invalid record is rejected,
/// and an invalid value is dropped with a warning; errors are thrown only for a source as a whole. If a JSON object
/// repeats a key, the last value counts.
package actor RecordReader {
    /// The number of bytes of all sources, or `nil` if one of them is not a regular file.
    package nonisolated let totalBytes: Int64?

    private let paths: [String]
    private let label: String?
    private let options: ImportOptions
    private let limits: ReaderLimits
    private var nextPath = 0
    private var current: SourceReader?
    private var finishedByteCount: Int64 = 0
    private var seenFields: UInt32 = 0
    /// The order of the stream in the first export that was reached; `nil` if no source was one.
    package private(set) var exportedOrder: StreamOrder?
    private var warnings = WarningLog()
    /// The error that ended a batch which already had records.
    ///
    /// It is thrown by the next call.
    private var pendingError: ImportError?

    /// Checks every source before the first is read.
    ///
    /// Pipes and standard input are checked when their turn comes.
    ///
    /// - Parameters:
    ///   - paths: The files, or `-` for standard input, in reading order.
    ///   - options: The options of the import.
    ///   - limits: The memory limits; only tests need others than the default.
    ///   - label: The name of every source in positions; `nil` for its path.
    /// - Throws: ``ImportError`` with the path that is missing, a directory, not readable or empty, or with the column
    ///   that a header lacks.
    package init(
        paths: [String],
        options: ImportOptions,
        limits: ReaderLimits = ReaderLimits(),
        label: String? = nil
    ) throws(ImportError) {
        self.paths = paths
        self.label = label
        self.options = options
        self.limits = limits
        guard paths.count(where: { $0 == "-" }) < 2 else {
            throw ImportError("Standard input is named more than once.")
        }
        var total: Int64? = 0
        for path in paths {
            let byteCount = try OpenSource.regularByteCount(of: path, limits: limits)
            total = total.flatMap { sum in byteCount.map { sum + $0 } }
            guard byteCount != nil, path != "-" else { continue }
            let source = try OpenSource(path: path, limits: limits, label: label)
            _ = try SourceReader(source: source, options: options, limits: limits)
        }
        totalBytes = total
    }

    /// The mapped columns and paths that no record has contained so far.
    ///
    /// At the end of the input, these are likely mistakes.
    package var unusedPaths: [String] {
        let seen = seenFields | (current?.seenFields ?? 0)
        let unused = ImportField.allCases.filter { field in
            options.mapping.isExplicit(field) && seen & 1 << UInt32(field.index) == 0
        }
        return unused.compactMap(options.mapping.path(of:))
    }

    /// Reads up to `limit` more records, or fewer if they are long.
    ///
    /// - Returns: At least one record or reject; `nil` at the end of the input.
    /// - Throws: ``ImportError`` if a source cannot be read any further, once all records before the failure were
    ///   returned, or if the task is cancelled.
    /// - Precondition: `limit` is positive.
    package func nextBatch(limit: Int) throws(ImportError) -> ImportBatch? {
        precondition(limit > 0, "a batch needs a positive limit")
        if let pendingError { throw pendingError }
        var batch = ImportBatch(startByteCount: byteCount)
        do {
            while batch.readCount < limit,
                batch.readCount == 0 || byteCount - batch.startByteCount < Int64(limits.batchByteCount),
                let source = try currentSource()
            {
                if try !source.readNext(into: &batch, warnings: &warnings) { finish(source) }
            }
        } catch {
            guard batch.readCount > 0 else { throw error }
            pendingError = error
        }
        batch.bytesConsumed = byteCount
        return batch.readCount == 0 ? nil : batch
    }

    /// The number of bytes consumed from all sources.
    private var byteCount: Int64 { finishedByteCount + (current?.consumedCount ?? 0) }

    private func currentSource() throws(ImportError) -> SourceReader? {
        if let current { return current }
        guard nextPath < paths.count else { return nil }
        let source = try OpenSource(path: paths[nextPath], limits: limits, label: label)
        nextPath += 1
        current = try SourceReader(source: source, options: options, limits: limits)
        exportedOrder = exportedOrder ?? current?.export?.order
        return current
    }

    private func finish(_ source: SourceReader) {
        finishedByteCount += source.consumedCount
        seenFields |= source.seenFields
        current = nil
    }
}

/// The memory limits of a reader, and the descriptor of standard input.
package struct ReaderLimits: Sendable {
    /// The number of bytes read at once.
    package var blockSize = 1 << 20
    /// The number of bytes of a source after which a batch ends, even if it has few records.
    package var batchByteCount = 8 << 20
    /// The maximum length of a record in bytes; longer ones are rejected without being parsed.
    package var maximumRecordByteCount = 64 << 20
    /// The descriptor used for `-`.
    package var standardInput: Int32 = 0

    /// Creates the limits that the command uses: blocks of 1 MiB, batches of 8 MiB, records of up to 64 MiB.
    package init() {}
}
