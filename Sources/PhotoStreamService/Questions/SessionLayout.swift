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
/// ### Other elements, and changes
/// - ``elements(ofKind:section:from:limit:)``
/// - ``updates(since:in:keeping:withPhotos:progress:)``
public struct SessionLayout: ~Copyable {
    let session: Session
    /// The photos of the stream or the kept view, without the condition of the question.
    let photos: NamedPhotos
    /// The photos of the stream that are laid out.
    let view: ViewCondition
    let engine: LayoutEngine
    private let found = Found()

    /// The stream that has the photos.
    var stream: StreamRow { photos.stream }

    private final class Found {
        var placed: PlacedStream?
    }

    /// The layout's configuration.
    public var key: LayoutKey { engine.key }

    /// The condition that the photos meet, with fixed days; `nil` for all photos.
    private var condition: Condition? { view.condition }

    /// Whether not all photos of the stream are laid out.
    var isSelection: Bool { condition != nil }

    /// Returns the layout of all photos, which is repaired or folded if it is not cached.
    func placed(progress: (Double) throws -> Void = { _ in }) throws -> PlacedStream {
        if let placed = found.placed { return placed }
        let placed = try session.placed(stream, among: view, layout: key, progress: progress)
        found.placed = placed
        return placed
    }

    /// Returns whether queries except ``updates(since:in:keeping:withPhotos:progress:)`` return immediately.
    ///
    /// They do if the layout is cached, or if all photos of the stream fit into one chunk and are shown.
    public func isReady() throws -> Bool {
        try placedInMemory() != nil || condition == nil && session.reader.fitsChunk(stream.id)
    }

    /// Whether the layout has been computed for the present revision of the stream.
    ///
    /// Unless ``isReady()`` is true, it is then brought in line with chunks that were stored in the meantime.
    package func isKnown() throws -> Bool {
        let cacheKey = LayoutCache.Key(view: ViewKey(stream, among: view), layoutKey: key)
        return session.service.layouts.knows(cacheKey, at: try session.mark(of: stream).revision)
    }

    /// The codec of the layout's cursors.
    func cursorCodec() throws -> CursorCodec {
        try session.cursorCodec().with(ViewKey(stream, among: view))
    }

    /// Returns the layout of all photos if it is cached.
    func placedInMemory() throws -> PlacedStream? {
        if found.placed == nil {
            found.placed = try session.placedInMemory(
                stream, among: view, layout: key, at: session.mark(of: stream))
        }
        return found.placed
    }
}

@available(*, unavailable)
extension SessionLayout: Sendable {}

extension Session {
    /// Returns a layout of a stream or a kept view, or of its photos that meet a condition.
    ///
    /// - Parameters:
    ///   - key: The configuration; `nil` for that of `cursor`.
    ///   - stream: The stream.
    ///   - condition: The condition; positions are then those among the photos that meet it.
    ///   - cursor: A cursor of the layout, which is used only if there is no key.
    /// - Returns: The layout, whose queries refuse a cursor of another layout or condition.
    /// - Throws: ``StreamServiceError/unknownStream(_:)``, ``StreamServiceError/customLayout(_:)``,
    ///   ``StreamServiceError/unansweredCondition(_:)``; and without a key
    ///   ``StreamServiceError/invalidCursor(_:)`` or ``StreamServiceError/outdatedCursor``.
    public func layout(
        _ key: LayoutKey? = nil, of stream: StreamName, where condition: Condition? = nil,
        after cursor: String? = nil
    ) throws -> SessionLayout {
        let photos = try photos(named: stream)
        let view = try ViewCondition(condition, among: photos)
        let codec = try cursorCodec().with(ViewKey(photos.stream, among: view))
        let key = try key ?? codec.layoutKey(of: cursor ?? "", streamID: photos.stream.id)
        try requireBuiltIn(key)
        return SessionLayout(
            session: Session(self), photos: photos, view: view, engine: LayoutEngine(key))
    }

    /// Returns photos of a layout with their fields and pictures.
    ///
    /// - Parameters:
    ///   - frames: The places of the photos.
    ///   - rowIDs: Their row ids.
    ///   - named: The stream or the kept view.
    ///   - clusters: The photos of their clusters; empty in a layout without clusters.
    ///   - photo: Returns the photo of a place.
    /// - Returns: The photos at these places.
    /// - Throws: `ReadInterruption.damage` if the layout does not have one frame for each photo.
    func photos(
        at frames: [LayoutAttributes], rowIDs: [Int64], of named: NamedPhotos, clusters: [PositionSummary?] = [],
        photo: (Int) -> PackedPhoto
    ) throws -> [PlacedPhoto] {
        guard frames.count == rowIDs.count else { throw ReadInterruption.damage(ofChunk: nil) }
        let pictures = try shownPictures(rowIDs)
        let photos = frames.indices.map { photo($0) }
        let stacks = try stackSummaries(
            frames.indices.lazy.filter { photos[$0].isInStack }.map { rowIDs[$0] }, of: named)
        return frames.indices.map {
            PlacedPhoto(
                attributes: frames[$0], photos[$0], picture: pictures[$0],
                cluster: clusters.indices.contains($0) ? clusters[$0] : nil, stack: stacks[rowIDs[$0]])
        }
    }
}
