public import PhotoStreamLayout
public import PhotoStreamModel
import PhotoStreamStorage

/// A layout of a stream in the state of a session.
///
///     let (size, first) = try service.read { session in
///         let layout = try session.layout(key, of: stream)
///         return (try layout.summary().context.contentSize, try layout.page(limit: 50))
///     }
///
/// The layout is computed by the first query that needs it; later queries use the same result. Like its session, a
/// layout can be neither copied nor returned from the closure.
///
/// ## Topics
/// ### Reading without blocking
/// - ``isReady()``
/// - ``isReady(for:)-(PageStart)``
/// - ``isReady(for:)-(RectStart)``
/// - ``isReady(for:)-(ClusterStart)``
/// ### The whole layout
/// - ``summary(sectionsFrom:sectionLimit:)``
/// - ``firstPaint(sectionsFrom:sectionLimit:limit:)``
/// - ``scrubber(steps:)``
/// - ``target(forProposed:velocity:viewport:snapping:)``
/// ### Photos and their places
/// - ``page(_:limit:withPhotos:)``
/// - ``rect(_:visibleBounds:limit:withPhotos:)``
/// - ``cluster(_:limit:)``
/// - ``items(from:count:withPhotos:)``
/// - ``items(withIDs:)``
/// - ``item(at:)``
/// - ``at(_:orNearest:)``
/// - ``locate(_:limit:)``
/// - ``search(for:limit:)``
/// ### Other elements, and changes
/// - ``elements(ofKind:section:from:limit:)``
/// - ``updates(since:in:keeping:progress:)``
public struct SessionLayout: ~Copyable {
    let session: Session
    let stream: StreamRow
    let engine: LayoutEngine
    private let found = Found()

    private final class Found {
        var placed: PlacedStream?
    }

    /// The layout's configuration.
    public var key: LayoutKey { engine.key }

    /// Returns the layout of all photos, which is repaired or folded if it is not cached.
    func placed(progress: (Double) throws -> Void = { _ in }) throws -> PlacedStream {
        if let placed = found.placed { return placed }
        let placed = try session.placed(stream, layout: key, progress: progress)
        found.placed = placed
        return placed
    }

    /// Returns whether queries except ``search(for:limit:)`` and ``updates(since:in:keeping:progress:)`` return
    /// immediately.
    ///
    /// They do if the layout is cached, or if its photos fit into one chunk.
    public func isReady() throws -> Bool {
        try placedInMemory() != nil || session.reader.fitsChunk(stream.id)
    }

    /// Returns the layout of all photos if it is cached.
    func placedInMemory() throws -> PlacedStream? {
        if found.placed == nil {
            found.placed = try session.placedInMemory(stream, layout: key, at: session.mark(of: stream))
        }
        return found.placed
    }
}

@available(*, unavailable)
extension SessionLayout: Sendable {}

extension Session {
    /// Returns a layout of a stream.
    ///
    /// - Parameters:
    ///   - key: The configuration; `nil` for that of `cursor`.
    ///   - stream: The stream.
    ///   - cursor: A cursor of the layout, which is used only if there is no key.
    /// - Returns: The layout, whose queries refuse a cursor of another layout.
    /// - Throws: ``StreamServiceError/unknownStream(_:)``, ``StreamServiceError/customLayout(_:)``; and without a key
    ///   ``StreamServiceError/invalidCursor(_:)`` or ``StreamServiceError/outdatedCursor``.
    public func layout(
        _ key: LayoutKey? = nil, of stream: StreamName, after cursor: String? = nil
    ) throws -> SessionLayout {
        let row = try row(of: stream)
        let key = try key ?? cursorCodec().layoutKey(of: cursor ?? "", streamID: row.id)
        try requireBuiltIn(key)
        return SessionLayout(session: Session(self), stream: row, engine: LayoutEngine(key))
    }

    /// Returns photos of a layout with their fields and pictures.
    ///
    /// - Parameters:
    ///   - frames: The places of the photos.
    ///   - rowIDs: Their row ids.
    ///   - clusters: The photos of their clusters; empty in a layout without clusters.
    ///   - photo: Returns the photo of a place.
    /// - Returns: The photos at these places.
    /// - Throws: `ReadInterruption.damage` if the layout does not have one frame for each photo.
    func photos(
        at frames: [LayoutAttributes], rowIDs: [Int64], clusters: [PositionSummary?] = [],
        photo: (Int) -> PackedPhoto
    ) throws -> [PlacedPhoto] {
        guard frames.count == rowIDs.count else { throw ReadInterruption.damage(ofChunk: nil) }
        let pictures = try shownPictures(rowIDs)
        return frames.indices.map {
            PlacedPhoto(
                attributes: frames[$0], photo($0), picture: pictures[$0],
                cluster: clusters.indices.contains($0) ? clusters[$0] : nil)
        }
    }
}
