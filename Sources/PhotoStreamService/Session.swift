import Logging
import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamStorage

/// One state of the file, which all queries of the session see.
///
/// A session is one read transaction. ``PhotoStreamService/read(_:)`` lends it to a closure, which can neither copy nor keep
/// it:
///
///     let (state, changes) = try service.read { session in
///         (try session.state(of: stream), try session.changes(of: stream, since: revision))
///     }
///
/// ## Topics
/// ### Layouts
/// - ``layout(_:of:where:after:)``
/// ### Photos and streams
/// - ``photos(of:after:limit:)``
/// - ``photos(withIDs:of:)``
/// - ``forEachPhoto(of:_:)``
/// - ``photo(_:of:)``
/// - ``deletedPhotos(of:after:limit:)``
/// - ``streams(withAllImports:)``
/// - ``stream(_:)``
/// - ``stats(of:where:)``
/// - ``facets(of:where:limit:readable:)``
/// - ``albums(of:where:)``
/// ### Changes
/// - ``state(of:)``
/// - ``changes(of:where:since:)``
/// - ``changes(of:where:since:limit:)``
public struct Session: ~Copyable {
    let service: PhotoStreamService
    let reader: PhotoReader
    private let future: FutureRevision
    private let known: Known

    /// Values that do not change within a transaction: those of the stream of the last query, and the codec of cursors.
    private final class Known {
        var photos: NamedPhotos?
        var mark: StreamVersion?
        var codec: CursorCodec?
        /// The signer of addresses, once it is known whether there is one.
        var signer: ImageSigner??
    }

    init(service: PhotoStreamService, reader: PhotoReader, future: FutureRevision) {
        self.service = service
        self.reader = reader
        self.future = future
        known = Known()
    }

    /// Creates a session of the same transaction, for a layout.
    init(_ other: borrowing Session) {
        (service, reader, future, known) = (other.service, other.reader, other.future, other.known)
    }

    /// Refuses a limit outside 1 to ``PhotoStreamService/maximumLimit``.
    func checkLimit(_ limit: Int) throws {
        guard (1...PhotoStreamService.maximumLimit).contains(limit) else {
            throw StreamServiceError.invalidLimit(limit, maximum: PhotoStreamService.maximumLimit)
        }
    }

    /// Refuses the cursor of a history that was lost by a restore or a failover.
    ///
    /// - Throws: ``StreamServiceError/outdatedCursor``, and `ReadInterruption.primaryIsAhead` if a replica must be brought up
    ///   to its primary first, to know.
    func requireNotLost(_ revision: Revision) throws {
        guard try reader.isAhead(revision) else {
            if try reader.isLost(revision) { throw StreamServiceError.outdatedCursor }
            return
        }
        switch future {
        case .isAwaited: throw ReadInterruption.primaryIsAhead
        case .isLost: throw StreamServiceError.outdatedCursor
        case .isAccepted: return
        }
    }

    /// The photos of a stream or of a kept view.
    ///
    /// - Throws: ``StreamServiceError/unknownStream(_:)``.
    func photos(named name: StreamName) throws -> NamedPhotos {
        if let photos = known.photos, photos.stream.name == name { return photos }
        let photos = try reader.photos(named: name)
        known.photos = photos
        known.mark = nil
        return photos
    }

    /// The codec of the file's cursors.
    func cursorCodec() throws -> CursorCodec {
        if let codec = known.codec { return codec }
        let codec = try CursorCodec(reader)
        known.codec = codec
        return codec
    }

    /// The signer of the addresses of thumbnails; `nil` if answers show none.
    func imageSigner() throws -> ImageSigner? {
        if let signer = known.signer { return signer }
        let signer = try service.imageSigner(reader)
        known.signer = .some(signer)
        return signer
    }

    /// The stream's revision and stored generation.
    func mark(of stream: StreamRow) throws -> StreamVersion {
        if let mark = known.mark, known.photos?.stream == stream { return mark }
        service.layouts.noteRebuilds(service.database.rebuildCount)
        let mark = try reader.version(of: stream.id, since: service.layouts.mark(of: stream.id))
        service.layouts.remember(mark, of: stream.id)
        if known.photos?.stream == stream { known.mark = mark }
        return mark
    }
}

// A transaction belongs to one thread.
@available(*, unavailable)
extension Session: Sendable {}

extension Session {
    /// Returns the layout of a view, ready for queries: from memory, or else repaired or folded with as little work as
    /// possible.
    ///
    /// - Throws: ``StreamServiceError/customLayout(_:)``, `CancellationError` for a cancelled task, and
    ///   `ReadInterruption.mustWait` if another session folds it, which makes the session begin again.
    func placed(
        _ stream: StreamRow, among view: ViewCondition, layout key: LayoutKey,
        progress: (Double) throws -> Void = { _ in }
    ) throws -> PlacedStream {
        try requireBuiltIn(key)
        let cacheKey = LayoutCache.Key(view: ViewKey(stream, among: view), layoutKey: key)
        switch service.layouts.find(cacheKey, at: try mark(of: stream), now: service.now()) {
        case .ready(let laidOut):
            service.countWork { $0.hitCount += 1 }
            return placed(stream, among: view, laidOut: laidOut)
        case .wait(let fold): throw ReadInterruption.mustWait { try fold.wait(forResult: true) }
        case .mustFold(let fold, let earlier):
            defer { service.layouts.end(fold, of: cacheKey) }
            let work = ChunkWork(service, for: fold, in: reader)
            let laidOut = try self.fold(cacheKey, of: stream, earlier: earlier, work: work, progress: progress)
            return placed(stream, among: view, laidOut: laidOut)
        }
    }

    /// Returns the layout of a view in a state, if it is in memory.
    func placedInMemory(
        _ stream: StreamRow, among view: ViewCondition, layout key: LayoutKey, at mark: StreamVersion
    ) throws -> PlacedStream? {
        let cacheKey = LayoutCache.Key(view: ViewKey(stream, among: view), layoutKey: key)
        guard let laidOut = service.layouts.ready(cacheKey, at: mark, now: service.now()) else { return nil }
        return placed(stream, among: view, laidOut: laidOut)
    }

    private func placed(_ stream: StreamRow, among view: ViewCondition, laidOut: LaidOutStream) -> PlacedStream {
        PlacedStream(stream: stream, view: view, laidOut: laidOut, reader: reader, service: service)
    }

    /// Refuses a custom layout, which only a program can have.
    func requireBuiltIn(_ key: LayoutKey) throws {
        if case .placed(let rule) = key.algorithm { throw StreamServiceError.customLayout(rule.base.name) }
    }

    /// Brings the stream's chunks and the layout up to date, and puts the layout into the cache.
    private func fold(
        _ key: LayoutCache.Key, of stream: StreamRow, earlier: LaidOutStream?, work: ChunkWork,
        progress: (Double) throws -> Void
    ) throws -> LaidOutStream {
        let (layouts, now) = (service.layouts, service.now())
        let stored =
            key.isOfStream ? try reader.layout(streamID: key.streamID, layoutKey: key.layoutKey.description) : nil
        // Reading a photo's row takes far longer than computing its frame.
        var read = 0.0
        let chunks = try chunks(of: key.view, stream, work: work) { part in
            read = 0.9 * part
            try progress(read)
        }
        let engine = LayoutEngine(key.layoutKey)
        let positions =
            engine.hasClusters
            ? try StreamPositions.of(
                chunks, earlier: layouts.positions(of: key.view), reader: reader, work: work) : nil
        let (laidOut, foldedCount) = try LaidOutStream.folding(
            chunks, with: engine, earlier: earlier, stored: stored, positions: positions, reader: reader,
            contents: service.contents, work: work
        ) { part in
            try progress(read + (1 - read) * part)
        }
        service.countWork { counts in
            counts.foldedChunkCount += foldedCount
            counts.reusedChunkCount += laidOut.isStorable ? chunks.chunks.count - foldedCount : 0
            counts.resolvedLayoutCount += 1
            if foldedCount == 0 { counts.hitCount += 1 }
        }
        layouts.insert(laidOut, for: key, stored: stored, now: now)
        service.logger.debug(
            "laid out",
            metadata: [
                "stream id": "\(key.streamID)", "revision": "\(chunks.revision)", "layout": "\(key.layoutKey)",
                "chunks": "\(chunks.chunks.count)", "folded": "\(foldedCount)",
            ])
        return laidOut
    }
}

extension Session {
    /// Returns the chunks of a view in this transaction.
    private func chunks(
        of view: ViewKey, _ stream: StreamRow, work: ChunkWork, progress: (Double) throws -> Void
    ) throws -> StreamChunks {
        let (source, selection) = try selection(of: view, stream, work: work, progress: progress)
        return selection?.chunks ?? source
    }

    /// Returns the chunks of a stream in this transaction, and the photos among them that meet a view's condition.
    ///
    /// - Parameters:
    ///   - view: The view.
    ///   - stream: Its stream.
    ///   - work: Counts the chunks that are built or read.
    ///   - progress: Called with the fraction done, up to 1. An error ends the work.
    /// - Returns: The chunks; the selection is `nil` for all photos.
    /// - Throws: The errors of reading, `work` and `progress`.
    func selection(
        of view: ViewKey, _ stream: StreamRow, work: ChunkWork, progress: (Double) throws -> Void
    ) throws -> (source: StreamChunks, selection: ViewSelection?) {
        let earlier = service.selections[view]
        let share = view.condition == nil ? 1.0 : 0.5
        let source = try reader.streamChunks(
            view.streamID, known: service.newestChunks(of: view.streamID)
        ) { part in
            try work.begin()
            try progress(share * part)
        }
        guard let condition = view.condition else { return (source, nil) }
        if !condition.wordSearches.isEmpty { service.noteWordSearch() }
        if let earlier, earlier.source.isSameState(as: source) { return (source, earlier) }
        let selection = try ViewSelection(
            of: source, by: condition, in: stream.name, earlier: earlier, service: service, reader: reader,
            work: work
        ) { part in
            try progress(share + (1 - share) * part)
        }
        service.selections.keep(selection, costing: selection.cost, for: view)
        return (source, selection)
    }
}

extension Session {
    /// Returns the number of photos of a kept view, and the first of them.
    ///
    /// - Throws: The errors of reading.
    /// - Complexity: O(photos of the stream), unless they are known from an earlier question.
    func countAndFirst(of photos: NamedPhotos) throws -> (count: Int, first: PhotoID?) {
        let fold = InFlightFold()
        defer { service.layouts.end(fold) }
        let view = ViewKey(photos.stream, among: try ViewCondition(nil, among: photos))
        let work = ChunkWork(service, for: fold, in: reader)
        let chunks = try chunks(of: view, photos.stream, work: work) { _ in }
        let first = try chunks.chunks.first { $0.count > 0 }.flatMap { chunk in
            try reader.photos(rowIDs: [service.contents.content(of: chunk, in: chunks, reader).rowIDs[0]]).first
        }
        return (chunks.photoCount, first?.photo.id)
    }
}

extension PhotoReader {
    /// A photo of a stream.
    ///
    /// - Throws: ``StreamServiceError/unknownPhoto(_:stream:)``.
    func photo(_ id: PhotoID, of stream: StreamRow) throws -> StoredPhoto {
        guard let found = try photo(streamID: stream.id, id: id) else {
            throw StreamServiceError.unknownPhoto(id.rawValue, stream: stream.name.rawValue)
        }
        return found
    }
}

/// The status of a revision from another server that the file of a replica does not have.
enum FutureRevision: Sendable {
    /// One that the primary may have.
    case isAwaited
    /// One of another history: the file has everything that the primary has.
    case isLost
    /// One that may be the primary's, which does not answer.
    case isAccepted
}
