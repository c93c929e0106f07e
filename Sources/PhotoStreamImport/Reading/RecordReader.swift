/// Reads the records of one or more sources, batch by batch, in constant memory.
///
/// JSON Lines, JSON, CSV and TSV; each source is detected, numbered and ended for itself. A bad record is a reject and
/// a bad value a warning; what is thrown concerns a source as a whole. Where a JSON object has a key twice, the last
/// value counts.
package actor RecordReader {
    /// Bytes of all sources together, or `nil` when one of them is no regular file.
    package nonisolated let totalBytes: Int64?

    private let paths: [String]
    private let label: String?
    private let options: ImportOptions
    private let limits: ReaderLimits
    private var nextPath = 0
    private var current: SourceReader?
    private var finishedByteCount: Int64 = 0
    private var seenFields: UInt32 = 0
    private var warnings = WarningLog()
    /// What stopped a batch that had records already; it is thrown when the next one is asked for.
    private var pendingError: ImportError?

    /// Checks every source before anything of it is read for good; pipes and standard input are checked when their
    /// turn comes.
    ///
    /// - Parameters:
    ///   - paths: Files, or `-` for standard input, in the order in which they are read.
    ///   - options: How they are read.
    ///   - limits: What is held in memory; the default is right outside tests.
    ///   - label: What positions call every source; `nil` for its path.
    /// - Throws: ``ImportError`` naming the path that is missing, a directory, forbidden or empty, or the column that a
    ///   header lacks.
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

    /// Mapped columns and paths that occurred in no record so far: at the end of the input, likely mistakes.
    package var unusedPaths: [String] {
        let seen = seenFields | (current?.seenFields ?? 0)
        let unused = ImportField.allCases.filter { field in
            options.mapping.isExplicit(field) && seen & 1 << UInt32(field.index) == 0
        }
        return unused.map(options.mapping.path(of:))
    }

    /// Reads up to `limit` further records, fewer where they are long.
    ///
    /// - Returns: At least one record or reject, or `nil` when the input is used up.
    /// - Throws: ``ImportError`` when a source cannot be read on, after everything before it was returned, or when the task
    ///   was cancelled.
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

    /// Bytes of all sources that were consumed so far.
    private var byteCount: Int64 { finishedByteCount + (current?.consumedCount ?? 0) }

    private func currentSource() throws(ImportError) -> SourceReader? {
        if let current { return current }
        guard nextPath < paths.count else { return nil }
        let source = try OpenSource(path: paths[nextPath], limits: limits, label: label)
        nextPath += 1
        current = try SourceReader(source: source, options: options, limits: limits)
        return current
    }

    private func finish(_ source: SourceReader) {
        finishedByteCount += source.consumedCount
        seenFields |= source.seenFields
        current = nil
    }
}
