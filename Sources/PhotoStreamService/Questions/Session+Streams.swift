public import PhotoStreamModel
import PhotoStreamStorage

/// A state of a stream.
public struct StreamState: Hashable, Sendable {
    /// The stream's row id, which is never reused.
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
    /// - Complexity: O(log streams), without a layout.
    public func state(of stream: StreamName) throws -> StreamState {
        let row = try row(of: stream)
        return StreamState(streamID: row.id, revision: try mark(of: row).revision)
    }

    /// Returns all streams, by name.
    ///
    /// - Parameter withAllImports: Whether to list all imports that the file has, rather than only the newest of each
    ///   stream.
    /// - Returns: The streams.
    /// - Throws: `StorageError`.
    /// - Complexity: O(streams × rows of the log after the stored chunks), and O(photos) of a stream whose chunks are
    ///   not up to date.
    public func streams(withAllImports: Bool = false) throws -> [StreamSummary] {
        let importLimit = withAllImports ? PhotoWriter.keptRunCount : 1
        return try reader.streams().map { try summary(of: $0, importLimit: importLimit) }
    }

    /// Returns streams by name.
    ///
    /// - Parameters:
    ///   - name: The name to continue after, even if no stream has it; `nil` to begin with the first stream.
    ///   - limit: The maximum number of streams, 1 to ``PhotoStreamService/maximumLimit``.
    /// - Returns: The streams, and whether there are more.
    /// - Throws: ``StreamServiceError/invalidLimit(_:maximum:)``.
    /// - Complexity: As ``streams(withAllImports:)``, for the returned streams.
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
    /// Returns the summary of a stream with the newest of its imports.
    func summary(
        of row: StreamRow, importLimit: Int = PhotoWriter.keptRunCount
    ) throws -> StreamSummary {
        StreamSummary(
            streamID: row.id, name: row.name, order: row.order, count: try photoCount(in: row.id),
            revision: try version(of: row.id, since: nil).revision,
            createdAtMilliseconds: row.createdAtMilliseconds,
            pictures: StreamPictures(try pictureCounts(streamID: row.id)),
            imports: try importRuns(streamID: row.id, limit: importLimit))
    }
}

/// The summary of a stream for a list.
public struct StreamSummary: Hashable, Sendable {
    /// The stream's row id.
    let streamID: Int64
    /// Its name.
    public let name: StreamName
    /// The order of its photos.
    public let order: StreamOrder
    /// The number of its photos.
    public let count: Int
    /// Its revision.
    public let revision: Revision
    /// The time of its creation, in milliseconds since 1970.
    public let createdAtMilliseconds: Int64
    /// The counts of its pictures.
    public private(set) var pictures: StreamPictures
    /// Its imports, the newest first.
    public internal(set) var imports: [ImportSummary]
    /// Whether its photos can be written: `false` in a file that is open for reading only.
    public internal(set) var canEdit = true
    /// Whether pictures can be uploaded into the stream, which a server allows for some streams.
    public internal(set) var canUpload = false

    /// Returns the summary that the holder of a grant sees, with the holder's rights to edit and to upload.
    ///
    /// - Parameters:
    ///   - grant: The rights of the holder.
    ///   - uploads: The streams into which pictures may be uploaded; `nil` for none.
    /// - Returns: The summary.
    public func seen(by grant: AccessGrant, allowing uploads: PictureUploads?) -> StreamSummary {
        var summary = self
        summary.canEdit = canEdit && grant.scope >= .write
        summary.canUpload = summary.canEdit && uploads?.allows(streamID: streamID) == true
        return summary
    }

    /// Returns the summary with only the last part of each source's path, for clients that must not see the machine's
    /// folders.
    ///
    /// - Parameter hasFailures: Whether to keep the failures of imports.
    /// - Returns: The summary.
    public func withoutPaths(hasFailures: Bool) -> StreamSummary {
        func name(_ source: String) -> String { source.split(separator: "/").last.map(String.init) ?? source }
        var summary = self
        for index in summary.imports.indices {
            summary.imports[index].sources = imports[index].sources.map(name)
            if !hasFailures { summary.imports[index].failures = [] }
            for failure in summary.imports[index].failures.indices {
                summary.imports[index].failures[failure].source = name(imports[index].failures[failure].source)
            }
        }
        return summary
    }

    /// The summary without the counts of pictures, which may change while the stream stays the same.
    public var withoutPictureCounts: StreamSummary {
        var summary = self
        summary.pictures = StreamPictures(PictureCounts(ready: 0, failed: 0, pending: 0))
        return summary
    }
}
