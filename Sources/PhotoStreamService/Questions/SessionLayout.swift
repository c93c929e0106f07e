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
/// Nothing is computed until a question needs it, and the questions after it use the same result. Like its session, a layout
/// can be neither copied nor returned from the closure.
///
/// ## Topics
/// ### The whole layout
/// - ``summary(sectionsFrom:sectionLimit:)``
/// - ``firstPaint(sectionsFrom:sectionLimit:limit:)``
/// - ``scrubber(steps:)``
/// - ``target(forProposed:velocity:viewport:snapping:)``
/// ### Photos and their places
/// - ``page(_:limit:withPhotos:)``
/// - ``rect(_:visibleBounds:limit:withPhotos:)``
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

    /// The configuration.
    public var key: LayoutKey { engine.key }

    /// The layout of all photos: from memory, else repaired or folded.
    func placed(progress: (Double) throws -> Void = { _ in }) throws -> PlacedStream {
        if let placed = found.placed { return placed }
        let placed = try session.placed(stream, layout: key, progress: progress)
        found.placed = placed
        return placed
    }

    /// The layout of all photos, if it is in memory.
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
    ///   - cursor: A cursor of the layout, which is read only if there is no key.
    /// - Returns: The layout. Its questions refuse a cursor of another layout.
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

    /// Photos of a layout with their fields and pictures.
    func photos(
        at frames: [LayoutAttributes], rowIDs: [Int64], photo: (Int) -> PackedPhoto
    ) throws -> [PlacedPhoto] {
        let pictures = try shownPictures(rowIDs)
        return frames.indices.map { PlacedPhoto(attributes: frames[$0], photo($0), picture: pictures[$0]) }
    }
}
