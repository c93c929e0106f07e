public import PhotoStreamLayout
public import PhotoStreamModel
import PhotoStreamStorage

extension PhotoStreamService {
    /// The elements that meet a rectangle: photos in stream order, and headers, footers, badges, backgrounds, separators.
    ///
    /// - Parameters:
    ///   - rect: In points of content space, half-open; an empty one meets nothing, a huge one is clamped.
    ///   - stream: The stream.
    ///   - key: The layout.
    ///   - visibleBounds: What is on the screen, in points, where pinned elements stand; `rect` where it is `nil`.
    ///   - limit: The most items to answer, 1 to ``maximumLimit``; where there are more, the first are kept and the
    ///     answer says so.
    /// - Returns: The photos and the other elements; there are at most four times as many of these as the limit.
    /// - Throws: `LayoutError` for NaN, infinite or negative values, ``StreamServiceError/unknownStream(_:)``,
    ///   ``StreamServiceError/invalidLimit(_:maximum:)``.
    /// - Complexity: O(log photos + result) for shortest column when the layout is at hand.
    public func elements(
        in rect: Rect, of stream: StreamName, _ key: LayoutKey, visibleBounds: Rect? = nil, limit: Int = defaultLimit
    ) throws -> RectAnswer {
        try checkLimit(limit)
        let pixels = try key.displayScale.pixels(covering: rect)
        let visible = try visibleBounds.map { try key.displayScale.pixels(covering: $0) }
        return try read { reader in
            try elements(
                in: pixels, of: try self.stream(stream, reader), key, visible, limit: limit, after: nil, reader)
        }
    }

    /// Goes on where a truncated answer has ended, with the same rectangle in the layout as it is now.
    ///
    /// - Throws: What ``elements(in:of:_:visibleBounds:limit:)`` throws, ``StreamServiceError/invalidCursor(_:)`` or
    ///   ``StreamServiceError/outdatedCursor``.
    public func elements(
        after cursor: String, of stream: StreamName, layoutKey: LayoutKey? = nil, visibleBounds: Rect? = nil,
        limit: Int = defaultLimit
    ) throws -> RectAnswer {
        try checkLimit(limit)
        return try read { reader in
            let row = try self.stream(stream, reader)
            let content = try CursorCodec(reader).rectCursor(cursor, streamID: row.id, layoutKey: layoutKey)
            let visible = try visibleBounds.map { try content.layoutKey.displayScale.pixels(covering: $0) }
            return try elements(
                in: content.rect, of: row, content.layoutKey, visible, limit: limit, after: content.end, reader)
        }
    }

    private func elements(
        in rect: PixelRect, of row: StreamRow, _ key: LayoutKey, _ visible: PixelRect?, limit: Int,
        after end: RectCursor.End?,
        _ reader: PhotoReader
    ) throws -> RectAnswer {
        let placed = try placed(row, key, reader)
        let first = try end.map { try placed.indexPath(behind: $0) } ?? IndexPath(section: 0, item: 0)
        let answer = try placed.attributes(in: rect, visibleBounds: visible, from: first, limit: limit)
        let items = answer.attributes.filter { $0.elementKind == .item }
        let rows = try reader.packedRows(try placed.rowIDs(of: items.map(\.index)), within: Self.maximumByteCount)
        guard rows.count == items.count else {
            return try elements(in: rect, of: row, key, visible, limit: rows.count, after: end, reader)
        }
        let cursor = try answer.next.map { next in
            try CursorCodec(reader).text(
                RectCursor(streamID: row.id, layoutKey: key, rect: rect, end: try placed.end(before: next)))
        }
        return RectAnswer(
            context: LayoutContext(row, placed.laidOut),
            items: items.indices.map { PlacedPhoto(attributes: items[$0], rows[$0]) },
            elements: answer.attributes.filter { $0.elementKind != .item },
            nextCursor: cursor)
    }
}

extension PlacedStream {
    /// Where a truncated answer ended, in terms that outlive changes of the stream.
    fileprivate func end(before next: IndexPath) throws -> RectCursor.End {
        let section = directory.sections[next.section]
        // The section of a map has its photos all over the stream, so the last of the one before says nothing.
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

    /// Where an answer goes on in the layout as it is now.
    fileprivate func indexPath(behind end: RectCursor.End) throws -> IndexPath {
        if directory.engine.readsPositions {
            let section = end.isUnlocated ? 1 : 0
            let count = directory.sections[section].items.count
            let passed = try end.place.map { try itemCount(before: try self.index(behind: $0), inMapSection: section) }
            return IndexPath(section: section, item: end.isBeforeFooter ? count : passed ?? 0)
        }
        guard let place = end.place else { return IndexPath(section: 0, item: 0) }
        let index = try index(behind: place)
        if end.isBeforeFooter || index == directory.itemCount {
            guard index > 0 else { return IndexPath(section: 0, item: 0) }
            let section = directory.section(containing: index - 1)
            return IndexPath(section: section, item: directory.sections[section].items.count)
        }
        return try indexPath(of: index)
    }
}
