public import PhotoStreamModel
import PhotoStreamStorage

/// A state of a stream, or of the stream that a kept view shows.
public struct StreamState: Hashable, Sendable {
    /// The stream's row id, which is never reused.
    public let streamID: Int64
    /// Its revision.
    public let revision: Revision
    /// The condition that the photos of a kept view meet, with fixed days; `nil` for a stream.
    public let rule: Condition?

    /// Creates a state.
    public init(streamID: Int64, revision: Revision, rule: Condition? = nil) {
        (self.streamID, self.revision, self.rule) = (streamID, revision, rule)
    }
}

extension Session {
    /// Returns the state of a stream.
    ///
    /// - Throws: ``StreamServiceError/unknownStream(_:)``.
    /// - Complexity: O(log streams), without a layout.
    public func state(of stream: StreamName) throws -> StreamState {
        let photos = try photos(named: stream)
        return StreamState(
            streamID: photos.stream.id, revision: try mark(of: photos.stream).revision, rule: photos.rule)
    }

    /// Returns all streams and kept views, by name.
    ///
    /// - Parameter withAllImports: Whether to list all imports that the file has, rather than only the newest of each
    ///   stream.
    /// - Returns: The streams.
    /// - Throws: `StorageError`.
    /// - Complexity: O(streams × rows of the log after the stored chunks), and O(photos) of a stream whose chunks are
    ///   not up to date.
    public func streams(withAllImports: Bool = false) throws -> [StreamSummary] {
        let importLimit = withAllImports ? PhotoWriter.keptRunCount : 1
        return try reader.streamsAndViews().map { try summary(of: $0, importLimit: importLimit) }
    }

    /// Returns streams and kept views by name.
    ///
    /// - Parameters:
    ///   - name: The name to continue after, even if no stream has it; `nil` to begin with the first stream.
    ///   - own: The only stream or kept view to return, with the kept views of it; `nil` for all.
    ///   - limit: The maximum number of streams, 1 to ``PhotoStreamService/maximumLimit``.
    /// - Returns: The streams, and whether there are more.
    /// - Throws: ``StreamServiceError/invalidLimit(_:maximum:)``.
    /// - Complexity: As ``streams(withAllImports:)``, for the returned streams.
    public func streams(
        after name: StreamName?, of own: StreamName? = nil, limit: Int = PhotoStreamService.defaultLimit
    ) throws -> (streams: [StreamSummary], isTruncated: Bool) {
        try checkLimit(limit)
        let rows = try reader.streamsAndViews(
            after: name?.rawValue ?? "", of: own.map { try reader.rowOfAny($0).id }, limit: limit + 1)
        return (try rows.prefix(limit).map { try summary(of: $0) }, rows.count > limit)
    }

    /// Returns one stream or kept view.
    ///
    /// - Throws: ``StreamServiceError/unknownStream(_:)``.
    public func stream(_ name: StreamName) throws -> StreamSummary {
        try summary(of: try reader.rowOfAny(name))
    }

    /// Returns whether a name is that of a kept view.
    package func isKeptView(_ name: StreamName) throws -> Bool { try reader.stream(named: name)?.kept != nil }

    private func summary(of row: StreamRow, importLimit: Int = PhotoWriter.keptRunCount) throws -> StreamSummary {
        var summary = try reader.summary(of: row, importLimit: importLimit)
        // One that another program has spoilt does not hide the others.
        if row.kept != nil, let photos = try? NamedPhotos(row, in: reader) {
            (summary.count, summary.cover) = try countAndFirst(of: photos)
            if let cover = row.kept?.cover, let photo = try reader.photo(cover, among: photos)?.photo,
                photos.shows(photo)
            {
                summary.cover = cover
            }
        }
        summary.canEdit = !service.isReadOnly
        return summary
    }
}

extension PhotoReader {
    /// Returns the summary of a stream with the newest of its imports; that of a kept view is without the number of its
    /// photos.
    func summary(
        of row: StreamRow, importLimit: Int = PhotoWriter.keptRunCount
    ) throws -> StreamSummary {
        let source = try row.kept.flatMap { try stream(id: $0.sourceID) }
        return StreamSummary(
            streamID: row.id, name: row.name, order: row.order,
            count: row.kept == nil ? try photoCount(in: row.id) - archivedPhotoCount(in: row.id) : 0,
            revision: try version(of: (source ?? row).id, since: nil).revision,
            source: source?.name, rule: row.kept?.rule, description: row.kept?.description,
            chosenCover: row.kept?.cover, cover: row.kept?.cover,
            createdAtMilliseconds: row.createdAtMilliseconds,
            pictures: StreamPictures(try pictureCounts(streamID: row.id)),
            imports: try importRuns(streamID: row.id, limit: importLimit))
    }
}

/// The summary of a stream or a kept view for a list.
public struct StreamSummary: Hashable, Sendable {
    /// The stream's row id.
    let streamID: Int64
    /// Its name.
    public let name: StreamName
    /// The order of its photos.
    public let order: StreamOrder
    /// The number of its photos.
    public internal(set) var count: Int
    /// Its revision; that of a kept view is that of the stream that it shows.
    public let revision: Revision
    /// The stream whose photos a kept view shows; `nil` for a stream, and for callers who see only the view.
    public private(set) var source: StreamName?
    /// The condition that the photos of a kept view meet, with its days as they were written; `nil` for a stream.
    public let rule: String?
    /// A text about a kept view; `nil` for none.
    public let description: String?
    /// The photo that was chosen to stand for a kept view.
    let chosenCover: PhotoID?
    /// The photo that stands for a kept view: the chosen one, or the first that the view shows; `nil` for a stream, and for a
    /// view without photos.
    public internal(set) var cover: PhotoID?
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
        if grant.stream == name { summary.source = nil }
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

    /// The summary without the counts of pictures and, of a kept view, of photos, which may change while the stream
    /// stays the same.
    public var withoutPictureCounts: StreamSummary {
        var summary = self
        if rule != nil { (summary.count, summary.cover) = (0, chosenCover) }
        summary.pictures = StreamPictures(PictureCounts(ready: 0, failed: 0, pending: 0))
        return summary
    }
}
