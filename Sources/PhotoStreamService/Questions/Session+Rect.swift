public import PhotoStreamLayout
public import PhotoStreamModel
import PhotoStreamStorage

extension Session {
    /// Returns the elements that meet a rectangle: photos, headers, footers, badges, backgrounds, separators.
    ///
    /// - Parameters:
    ///   - rect: In points of content space, half-open; an empty one meets nothing, a huge one is clamped.
    ///   - stream: The stream.
    ///   - key: The layout.
    ///   - visibleBounds: The bounds on the screen, in points, where pinned elements stand; `rect` if it is `nil`.
    ///   - limit: The maximum number of items, 1 to ``PhotoStreamService/maximumLimit``. If there are more, the first are
    ///     returned with a cursor.
    /// - Returns: The photos and the other elements, of which there are at most four times as many as the limit.
    /// - Throws: `LayoutError` for NaN, infinite or negative values, ``StreamServiceError/unknownStream(_:)``,
    ///   ``StreamServiceError/invalidLimit(_:maximum:)``.
    /// - Complexity: O(log photos + result) for a masonry when the layout is in memory.
    public func elements(
        in rect: Rect, of stream: StreamName, _ key: LayoutKey, visibleBounds: Rect? = nil,
        limit: Int = PhotoStreamService.defaultLimit
    ) throws -> RectAnswer {
        try elements(try rectangle(rect, of: stream, layout: key, visibleBounds: visibleBounds, limit: limit))
    }

    /// Returns the places of the elements that meet a rectangle: those of ``elements(in:of:_:visibleBounds:limit:)``, without
    /// the photos.
    ///
    /// - Parameters:
    ///   - rect: In points of content space, half-open; an empty one meets nothing, a huge one is clamped.
    ///   - stream: The stream.
    ///   - key: The layout.
    ///   - visibleBounds: The bounds on the screen, in points, where pinned elements stand; `rect` if it is `nil`.
    ///   - limit: The maximum number of items, 1 to ``PhotoStreamService/maximumLimit``.
    /// - Returns: The places; an answer of as many photos as the limit is never shorter because of their texts.
    /// - Throws: As ``elements(in:of:_:visibleBounds:limit:)``.
    /// - Complexity: As ``elements(in:of:_:visibleBounds:limit:)``, but no photo's row is read except for a cursor.
    public func frames(
        in rect: Rect, of stream: StreamName, _ key: LayoutKey, visibleBounds: Rect? = nil,
        limit: Int = PhotoStreamService.defaultLimit
    ) throws -> FramesAnswer {
        try frames(try rectangle(rect, of: stream, layout: key, visibleBounds: visibleBounds, limit: limit))
    }

    /// Continues a truncated answer, with the same rectangle in the layout as it is now.
    ///
    /// - Throws: The errors of ``elements(in:of:_:visibleBounds:limit:)``, ``StreamServiceError/invalidCursor(_:)`` or
    ///   ``StreamServiceError/outdatedCursor``.
    public func elements(
        after cursor: String, of stream: StreamName, layoutKey: LayoutKey? = nil, visibleBounds: Rect? = nil,
        limit: Int = PhotoStreamService.defaultLimit
    ) throws -> RectAnswer {
        try elements(
            try rectangle(after: cursor, of: stream, layoutKey: layoutKey, visibleBounds: visibleBounds, limit: limit))
    }

    /// Continues a truncated answer of places, with the same rectangle in the layout as it is now.
    ///
    /// - Throws: As ``elements(after:of:layoutKey:visibleBounds:limit:)``.
    public func frames(
        inRectAfter cursor: String, of stream: StreamName, layoutKey: LayoutKey? = nil, visibleBounds: Rect? = nil,
        limit: Int = PhotoStreamService.defaultLimit
    ) throws -> FramesAnswer {
        try frames(
            try rectangle(after: cursor, of: stream, layoutKey: layoutKey, visibleBounds: visibleBounds, limit: limit))
    }
}

/// A rectangle that is asked for, or the rest of one.
private struct AskedRectangle {
    let rect: PixelRect
    let visible: PixelRect?
    /// The end of the answer before; `nil` at the first.
    let end: RectCursor.End?
    let placed: PlacedStream
    var limit: Int
}

extension Session {
    private func rectangle(
        _ rect: Rect, of stream: StreamName, layout key: LayoutKey, visibleBounds: Rect?, limit: Int
    ) throws -> AskedRectangle {
        try checkLimit(limit)
        let pixels = try key.displayScale.pixels(covering: rect)
        let visible = try visibleBounds.map { try key.displayScale.pixels(covering: $0) }
        return AskedRectangle(
            rect: pixels, visible: visible, end: nil, placed: try placed(stream, layout: key), limit: limit)
    }

    private func rectangle(
        after cursor: String, of stream: StreamName, layoutKey: LayoutKey?, visibleBounds: Rect?, limit: Int
    ) throws -> AskedRectangle {
        try checkLimit(limit)
        let row = try row(of: stream)
        let content = try cursorCodec().rectCursor(cursor, streamID: row.id, layoutKey: layoutKey)
        try requireNotLost(content.revision)
        let visible = try visibleBounds.map { try content.layoutKey.displayScale.pixels(covering: $0) }
        let placed = try placed(row, layout: content.layoutKey)
        return AskedRectangle(rect: content.rect, visible: visible, end: content.end, placed: placed, limit: limit)
    }

    private func frames(_ asked: AskedRectangle) throws -> FramesAnswer {
        let placed = asked.placed
        let first = try asked.end.map { try placed.indexPath(after: $0) } ?? IndexPath(section: 0, item: 0)
        let answer = try placed.attributes(
            in: asked.rect, visibleBounds: asked.visible, from: first, limit: asked.limit)
        let cursor = try answer.next.map { next in
            try cursorCodec().text(
                RectCursor(
                    streamID: placed.stream.id, layoutKey: placed.laidOut.engine.key, rect: asked.rect,
                    end: try placed.end(before: next), revision: placed.laidOut.chunks.revision))
        }
        return FramesAnswer(
            context: placed.context, items: answer.attributes.filter { $0.elementKind == .item },
            elements: answer.attributes.filter { $0.elementKind != .item }, nextCursor: cursor,
            isTruncated: cursor != nil)
    }

    private func elements(_ asked: AskedRectangle) throws -> RectAnswer {
        let frames = try frames(asked)
        let rowIDs = try asked.placed.rowIDs(of: frames.items.map(\.index))
        let rows = try reader.packedRows(rowIDs, within: PhotoStreamService.maximumByteCount)
        guard rows.count == frames.items.count else {
            var shorter = asked
            shorter.limit = rows.count
            return try elements(shorter)
        }
        let pictures = try shownPictures(rowIDs)
        return RectAnswer(
            context: frames.context,
            items: frames.items.indices.map {
                PlacedPhoto(attributes: frames.items[$0], rows[$0], picture: pictures[$0])
            },
            elements: frames.elements, nextCursor: frames.nextCursor)
    }
}

extension PlacedStream {
    /// The end of a truncated answer, in terms that outlive changes of the stream.
    fileprivate func end(before next: IndexPath) throws -> RectCursor.End {
        let section = directory.sections[next.section]
        // The photos of a map's section lie all over the stream, so the last of the section before says nothing.
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

    /// The index path at which an answer continues in the layout as it is now.
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
