public import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamStorage

/// The beginning of an answer about a rectangle.
public enum RectStart: Hashable, Sendable {
    /// The first elements in a rectangle of the content, in points.
    ///
    /// The rectangle is half-open. An empty one meets no elements, and a huge one is clamped.
    case first(in: Rect)
    /// The elements after an answer with this cursor, in the same rectangle of the current layout.
    case after(String)
}

extension SessionLayout {
    /// Returns the elements that meet a rectangle: photos, headers, footers, badges, backgrounds, separators.
    ///
    /// - Parameters:
    ///   - start: The rectangle, or the cursor of a truncated answer.
    ///   - visibleBounds: The bounds on the screen, in points, to which elements are pinned; `nil` for the rectangle.
    ///   - limit: The maximum number of items, 1 to ``PhotoStreamService/maximumLimit``. If there are more, the first are
    ///     returned with a cursor.
    ///   - withPhotos: Whether the answer contains the photos, not only their places. The photos' texts never shorten
    ///     an answer of places.
    /// - Returns: The photos and other elements, at most four times as many as the limit.
    /// - Throws: `LayoutError` for NaN, infinite or negative values, ``StreamServiceError/invalidLimit(_:maximum:)``,
    ///   ``StreamServiceError/invalidCursor(_:)``, ``StreamServiceError/outdatedCursor``.
    /// - Complexity: O(log photos + result) for a masonry if the layout is cached. Places need no rows of photos,
    ///   except after a cursor.
    public func rect(
        _ start: RectStart, visibleBounds: Rect? = nil, limit: Int = PhotoStreamService.defaultLimit,
        withPhotos: Bool = true
    ) throws -> RectAnswer {
        try session.checkLimit(limit)
        let (rect, end) = try bounds(of: start)
        let visible = try visibleBounds.map { try key.displayScale.pixels(covering: $0) }
        let placed = try placed()
        let first = try end.map { try placed.indexPath(after: $0) } ?? IndexPath(section: 0, item: 0)
        var answer = try placed.attributes(in: rect, visibleBounds: visible, from: first, limit: limit)
        var items: [PlacedPhoto] = []
        if withPhotos {
            let rowIDs = try placed.rowIDs(of: answer.items.map(\.index))
            let rows = try session.reader.packedRows(rowIDs, within: PhotoStreamService.maximumByteCount)
            if rows.count < rowIDs.count { answer = answer.cut(toItems: rows.count) }
            items = try session.photos(
                at: answer.items, rowIDs: Array(rowIDs.prefix(rows.count)), of: self.photos, clusters: answer.clusters
            ) { rows[$0] }
        }
        let cursor = try answer.next.map { next in
            try cursorCodec().text(
                RectCursor(
                    streamID: stream.id, layoutKey: key, rect: rect, end: try placed.end(before: next),
                    revision: placed.laidOut.chunks.revision))
        }
        let elements = answer.attributes.filter { $0.elementKind != .item }
        return RectAnswer(
            context: placed.context, frames: answer.items, clusters: answer.clusters, items: items, elements: elements,
            headedSections: placed.directory.headedSections(of: elements), nextCursor: cursor)
    }

    /// Returns whether ``rect(_:visibleBounds:limit:withPhotos:)`` returns immediately; see ``isReady()``.
    ///
    /// - Throws: ``StreamServiceError/invalidCursor(_:)``.
    public func isReady(for start: RectStart) throws -> Bool {
        if case .after(let text) = start, try session.reader.isAhead(cursor(text).revision) { return false }
        return try isReady()
    }

    private func cursor(_ text: String) throws -> RectCursor {
        try cursorCodec().rectCursor(text, streamID: stream.id, layoutKey: key)
    }

    private func bounds(of start: RectStart) throws -> (rect: PixelRect, end: RectCursor.End?) {
        switch start {
        case .first(let rect): return (try key.displayScale.pixels(covering: rect), nil)
        case .after(let text):
            let content = try cursor(text)
            try session.requireNotLost(content.revision)
            return (content.rect, content.end)
        }
    }
}

extension RectElements {
    fileprivate var items: [LayoutAttributes] { attributes.filter { $0.elementKind == .item } }
}

extension PlacedStream {
    /// Returns the end of a truncated answer in a form that remains valid if the stream changes.
    fileprivate func end(before next: IndexPath) throws -> RectCursor.End {
        let section = directory.sections[next.section]
        // The photos of a map's section are spread over the stream, so those of an earlier section do not help.
        let index =
            directory.engine.readsPositions
            ? try index(of: IndexPath(section: next.section, item: next.item - 1))
            : section.items.lowerBound + next.item - 1
        let before = try rowIDs(of: index.map { [$0] } ?? []).first.flatMap {
            try reader.packedRows([$0]).key(at: 0)
        }
        let hasItemsLeft = next.item < section.items.count
        return RectCursor.End(
            place: before, isBeforeFooter: next.item > 0 && !hasItemsLeft,
            isUnlocated: directory.engine.readsPositions && next.section > 0)
    }

    /// Returns the index path at which an answer continues in the current layout.
    fileprivate func indexPath(after end: RectCursor.End) throws -> IndexPath {
        if directory.engine.readsPositions {
            let section = end.isUnlocated ? 1 : 0
            let count = directory.sections[section].items.count
            let passed = try end.place.map { try itemCount(before: try self.index(after: $0), inMapSection: section) }
            return IndexPath(section: section, item: end.isBeforeFooter ? count : passed ?? 0)
        }
        guard let place = end.place else { return IndexPath(section: 0, item: 0) }
        let index = try index(after: place)
        if end.isBeforeFooter || index == directory.itemCount {
            guard index > 0 else { return IndexPath(section: 0, item: 0) }
            let section = directory.section(containing: index - 1)
            return IndexPath(section: section, item: directory.sections[section].items.count)
        }
        return try indexPath(of: index)
    }
}
