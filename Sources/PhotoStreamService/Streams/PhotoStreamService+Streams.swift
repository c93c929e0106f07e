public import PhotoStreamModel
import PhotoStreamStorage

/// A stream as a list shows it.
public struct StreamSummary: Hashable, Sendable {
    /// Its name.
    public let name: StreamName
    /// The order of its photos.
    public let order: StreamOrder
    /// How many photos it has.
    public let count: Int
    /// Its revision.
    public let revision: Revision
    /// When it was created, in milliseconds since 1970.
    public let createdAtMilliseconds: Int64
    /// Its imports, the newest first.
    public let imports: [ImportSummary]
}

extension StreamSummary {
    /// The same with the last part of each source's path only, for who is not to know the machine's folders.
    ///
    /// - Parameter hasFailures: Whether to tell the imports' failures.
    /// - Returns: The stream.
    public func withoutPaths(hasFailures: Bool) -> StreamSummary {
        func name(_ source: String) -> String { source.split(separator: "/").last.map(String.init) ?? source }
        return StreamSummary(
            name: self.name, order: order, count: count, revision: revision,
            createdAtMilliseconds: createdAtMilliseconds,
            imports: imports.map { run in
                ImportSummary(
                    sources: run.sources.map(name), startedAtMilliseconds: run.startedAtMilliseconds,
                    finishedAtMilliseconds: run.finishedAtMilliseconds, counts: run.counts,
                    failures: (hasFailures ? run.failures : []).map {
                        ImportFailure(
                            source: name($0.source), line: $0.line, column: $0.column, id: $0.id, reason: $0.reason)
                    })
            })
    }
}

/// An import as the file remembers it.
public struct ImportSummary: Hashable, Sendable {
    /// The number of sources that JSON names: an import may have had thousands.
    public static let shownSourceCount = 10

    /// The names of its sources.
    public let sources: [String]
    /// When it began, in milliseconds since 1970.
    public let startedAtMilliseconds: Int64
    /// When it ended; `nil` where it still runs or was interrupted.
    public let finishedAtMilliseconds: Int64?
    /// What became of its records.
    public let counts: ImportTotals
    /// Its first rejects, in the order of the input.
    public let failures: [ImportFailure]
}

/// A record that was rejected.
public struct ImportFailure: Hashable, Sendable {
    /// The source's name.
    public let source: String
    /// The line, from 1.
    public let line: Int
    /// The character in the line, from 1.
    public let column: Int
    /// The record's id, where it has one.
    public let id: String?
    /// Why.
    public let reason: String
}

extension PhotoStreamService {
    /// Every stream, by name.
    ///
    /// - Parameter withAllImports: Whether to list every import that the file remembers, not the newest of each stream alone.
    /// - Returns: The streams.
    /// - Throws: ``StreamServiceError/storage(code:message:)``.
    /// - Complexity: O(streams × rows of the log behind the stored chunks), and O(photos) of a stream whose chunks are
    ///   not up to date.
    public func streams(withAllImports: Bool = false) throws -> [StreamSummary] {
        let importLimit = withAllImports ? PhotoWriter.keptRunCount : 1
        return try read { reader in
            try reader.streams().map { try summary($0, reader, importLimit: importLimit) }
        }
    }

    /// Streams by name.
    ///
    /// - Parameters:
    ///   - name: The name to go on after, of a stream or not; `nil` begins with the first.
    ///   - limit: The most streams to answer, 1 to ``maximumLimit``.
    /// - Returns: The streams, and whether there are more.
    /// - Throws: ``StreamServiceError/invalidLimit(_:maximum:)``.
    /// - Complexity: As ``streams()``, of the streams that are answered.
    public func streams(
        after name: StreamName?, limit: Int = defaultLimit
    ) throws -> (streams: [StreamSummary], isTruncated: Bool) {
        try checkLimit(limit)
        return try read { reader in
            let rows = try reader.streams(after: name?.rawValue ?? "", limit: limit + 1)
            return (try rows.prefix(limit).map { try summary($0, reader) }, rows.count > limit)
        }
    }

    /// One stream.
    ///
    /// - Throws: ``StreamServiceError/unknownStream(_:)``.
    public func stream(_ name: StreamName) throws -> StreamSummary {
        try read { try summary(try stream(name, $0), $0) }
    }

    /// Makes an empty stream.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - order: The order of its photos, for good.
    /// - Throws: ``StreamServiceError/storage(code:message:)`` when the name is taken.
    public func createStream(_ name: StreamName, order: StreamOrder = .newest) throws {
        _ = try write { try $0.createStream(named: name, order: order, now: now()) }
    }

    /// Gives a stream another name; its photos, layouts and cursors stay as they are.
    ///
    /// - Parameters:
    ///   - name: The stream.
    ///   - newName: Its new name.
    ///   - check: Looks at the stream as it was, in the transaction of the write; what it throws prevents it.
    /// - Throws: ``StreamServiceError/unknownStream(_:)``, ``StreamServiceError/storage(code:message:)`` when the new
    ///   name is taken, and what `check` throws.
    public func renameStream(
        _ name: StreamName, to newName: StreamName, if check: ((StreamSummary) throws -> Void)? = nil
    ) throws {
        try write { writer in
            let row = try stream(name, writer.reader)
            try check?(try summary(row, writer.reader))
            try writer.renameStream(named: name, to: newName)
        }
    }

    /// Deletes a stream with its photos and everything derived from them, in transactions under 250 ms, so that no
    /// other writer waits long.
    ///
    /// Killed at any moment and called again, it ends in the same state; the stream goes last.
    ///
    /// - Parameters:
    ///   - name: The stream.
    ///   - evenWithPhotos: Whether to delete it although it holds photos.
    ///   - check: Looks at the stream as it was, in the first transaction that writes; what it throws prevents that and
    ///     all others.
    /// - Returns: How many photos went with it.
    /// - Throws: ``StreamServiceError/unknownStream(_:)``, ``StreamServiceError/streamNotEmpty(_:count:)``, and what
    ///   `check` throws; what was deleted before it throws stays deleted.
    /// - Complexity: O(photos).
    @discardableResult
    public func deleteStream(
        _ name: StreamName, evenWithPhotos: Bool, if check: ((StreamSummary) throws -> Void)? = nil
    ) throws -> Int {
        let streamID = try read { try stream(name, $0).id }
        var count = 0
        if evenWithPhotos {
            count = try translatingStorageErrors {
                try database.emptyStream(streamID) { try check?(try summary(try stream(name, $0), $0)) }
            }
        }
        return try write { writer in
            guard let row = try writer.reader.stream(id: streamID) else {
                throw StreamServiceError.unknownStream(name.rawValue)
            }
            // Somebody may have added photos meanwhile.
            let rest = try writer.reader.photoCount(in: streamID)
            guard rest == 0 || evenWithPhotos else {
                throw StreamServiceError.streamNotEmpty(name.rawValue, count: rest)
            }
            if !evenWithPhotos { try check?(try summary(row, writer.reader)) }
            try writer.deleteStream(named: row.name)
            return count + rest
        }
    }

    private func summary(
        _ row: StreamRow, _ reader: PhotoReader, importLimit: Int = PhotoWriter.keptRunCount
    ) throws -> StreamSummary {
        let imports = try reader.importRuns(streamID: row.id, limit: importLimit).map { run in
            ImportSummary(
                sources: run.sources, startedAtMilliseconds: run.startedAtMilliseconds,
                finishedAtMilliseconds: run.finishedAtMilliseconds, counts: ImportTotals(run.counts),
                failures: try reader.importFailures(runID: run.id).map {
                    ImportFailure(
                        source: $0.source, line: $0.line, column: $0.column, id: $0.externalID, reason: $0.reason)
                })
        }
        return StreamSummary(
            name: row.name, order: row.order, count: try reader.photoCount(in: row.id),
            revision: try reader.version(of: row.id, since: nil).revision,
            createdAtMilliseconds: row.createdAtMilliseconds, imports: imports)
    }
}
