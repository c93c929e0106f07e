public import PhotoStreamModel
import PhotoStreamStorage

/// A state of a stream.
public struct StreamState: Hashable, Sendable {
    /// The stream's row, which no other stream ever gets.
    public let streamID: Int64
    /// Its revision.
    public let revision: Revision

    /// Creates a state.
    public init(streamID: Int64, revision: Revision) {
        self.streamID = streamID
        self.revision = revision
    }
}

extension Session {
    /// Returns the state of a stream.
    ///
    /// - Throws: ``StreamServiceError/unknownStream(_:)``.
    /// - Complexity: O(log streams); no layout is touched.
    public func state(of stream: StreamName) throws -> StreamState {
        let row = try row(of: stream)
        return StreamState(streamID: row.id, revision: try mark(of: row).revision)
    }

    /// Returns every stream, by name.
    ///
    /// - Parameter withAllImports: Whether to list every import that the file remembers, rather than only the newest of
    ///   each stream.
    /// - Returns: The streams.
    /// - Throws: ``StreamServiceError/storage(_:message:)``.
    /// - Complexity: O(streams × rows of the log after the stored chunks), and O(photos) of a stream whose chunks are
    ///   not up to date.
    public func streams(withAllImports: Bool = false) throws -> [StreamSummary] {
        let importLimit = withAllImports ? PhotoWriter.keptRunCount : 1
        return try reader.streams().map { try summary(of: $0, importLimit: importLimit) }
    }

    /// Returns streams by name.
    ///
    /// - Parameters:
    ///   - name: The name to continue after, whether there is such a stream or not; `nil` begins with the first.
    ///   - limit: The maximum number of streams, 1 to ``PhotoStreamService/maximumLimit``.
    /// - Returns: The streams, and whether there are more.
    /// - Throws: ``StreamServiceError/invalidLimit(_:maximum:)``.
    /// - Complexity: As ``streams(withAllImports:)``, of the streams that are returned.
    public func streams(
        after name: StreamName?, limit: Int = PhotoStreamService.defaultLimit
    ) throws -> (streams: [StreamSummary], isTruncated: Bool) {
        try checkLimit(limit)
        let rows = try reader.streams(after: name?.rawValue ?? "", limit: limit + 1)
        return (try rows.prefix(limit).map { try summary(of: $0) }, rows.count > limit)
    }

    /// Returns one stream.
    ///
    /// - Throws: ``StreamServiceError/unknownStream(_:)``.
    public func stream(_ name: StreamName) throws -> StreamSummary {
        try summary(of: try row(of: name))
    }

    private func summary(of row: StreamRow, importLimit: Int = PhotoWriter.keptRunCount) throws -> StreamSummary {
        var summary = try reader.summary(of: row, importLimit: importLimit)
        summary.canEdit = !service.isReadOnly
        return summary
    }
}

extension PhotoReader {
    /// A stream with the newest of its imports.
    func summary(
        of row: StreamRow, importLimit: Int = PhotoWriter.keptRunCount
    ) throws -> StreamSummary {
        let imports = try importRuns(streamID: row.id, limit: importLimit).map { run in
            ImportSummary(
                sources: run.sources, startedAtMilliseconds: run.startedAtMilliseconds,
                finishedAtMilliseconds: run.finishedAtMilliseconds, counts: run.counts,
                failures: try importFailures(runID: run.id).map {
                    ImportFailure(
                        source: $0.source, line: $0.line, column: $0.column, id: $0.externalID, reason: $0.reason)
                })
        }
        return StreamSummary(
            streamID: row.id, name: row.name, order: row.order, count: try photoCount(in: row.id),
            revision: try version(of: row.id, since: nil).revision,
            createdAtMilliseconds: row.createdAtMilliseconds,
            pictures: StreamPictures(try pictureCounts(streamID: row.id)), imports: imports)
    }
}

/// A stream as a list shows it.
public struct StreamSummary: Hashable, Sendable {
    /// The stream's row.
    let streamID: Int64
    /// Its name.
    public let name: StreamName
    /// The order of its photos.
    public let order: StreamOrder
    /// The number of its photos.
    public let count: Int
    /// Its revision.
    public let revision: Revision
    /// The time when it was created, in milliseconds since 1970.
    public let createdAtMilliseconds: Int64
    /// The numbers of its pictures.
    public private(set) var pictures: StreamPictures
    /// Its imports, the newest first.
    public internal(set) var imports: [ImportSummary]
    /// Whether its photos can be written: `false` in a file that is open for reading only.
    public internal(set) var canEdit = true
    /// Whether pictures can be uploaded into it, which a server allows for some streams.
    public internal(set) var canUpload = false

    /// Returns the same as the holder of a grant sees it: photos that the holder may not write cannot be edited.
    ///
    /// - Parameters:
    ///   - grant: The rights of the holder.
    ///   - uploads: The streams into which pictures may be uploaded; `nil` for none.
    /// - Returns: The stream, with what the holder may do.
    public func seen(by grant: AccessGrant, allowing uploads: PictureUploads?) -> StreamSummary {
        var summary = self
        summary.canEdit = canEdit && grant.scope >= .write
        summary.canUpload = summary.canEdit && uploads?.allows(streamID: streamID) == true
        return summary
    }

    /// Returns the same with only the last part of each source's path, for clients that must not learn the machine's
    /// folders.
    ///
    /// - Parameter hasFailures: Whether to keep the failures of imports.
    /// - Returns: The stream.
    public func withoutPaths(hasFailures: Bool) -> StreamSummary {
        func name(_ source: String) -> String { source.split(separator: "/").last.map(String.init) ?? source }
        var summary = self
        summary.imports = imports.map { run in
            ImportSummary(
                sources: run.sources.map(name), startedAtMilliseconds: run.startedAtMilliseconds,
                finishedAtMilliseconds: run.finishedAtMilliseconds, counts: run.counts,
                failures: (hasFailures ? run.failures : []).map {
                    ImportFailure(
                        source: name($0.source), line: $0.line, column: $0.column, id: $0.id, reason: $0.reason)
                })
        }
        return summary
    }

    /// The stream without the numbers of its pictures, which change without a change of the stream.
    public var withoutPictureCounts: StreamSummary {
        var summary = self
        summary.pictures = StreamPictures(PictureCounts(ready: 0, failed: 0, pending: 0))
        return summary
    }
}

/// An import as the file remembers it.
public struct ImportSummary: Hashable, Sendable {
    /// The maximum number of sources that JSON names: an import may have had thousands.
    public static let shownSourceCount = 10

    /// The names of its sources.
    public let sources: [String]
    /// The time when it began, in milliseconds since 1970.
    public let startedAtMilliseconds: Int64
    /// The time when it ended; `nil` if it still runs or was interrupted.
    public let finishedAtMilliseconds: Int64?
    /// The outcomes of its records.
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
    /// The record's id, if it has one.
    public let id: String?
    /// The reason.
    public let reason: String
}
