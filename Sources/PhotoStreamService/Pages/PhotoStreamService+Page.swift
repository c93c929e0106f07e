public import PhotoStreamLayout
public import PhotoStreamModel
import PhotoStreamStorage

extension PhotoStreamService {
    /// The first page of a layout.
    ///
    /// - Parameters:
    ///   - stream: The stream.
    ///   - key: The layout.
    ///   - limit: The most items to answer, 1 to ``maximumLimit``.
    /// - Returns: The page.
    /// - Throws: ``StreamServiceError/unknownStream(_:)``, ``StreamServiceError/invalidLimit(_:maximum:)``.
    /// - Complexity: O(limit + log photos) beside the content size, which is as cheap as ``layout(of:_:)``.
    public func page(of stream: StreamName, _ key: LayoutKey, limit: Int = defaultLimit) throws -> PageAnswer {
        try checkLimit(limit)
        return try withLayout(of: stream, key) { row, placed in
            let start = PageStart(
                place: nil, layout: placed.laidOut.engine.firstCursor(contentExtent: placed.directory.contentExtent),
                chainRevision: Revision(placed.laidOut.chunks.revision))
            return try page(from: start, limit: limit, row, placed)
        }
    }

    /// The page behind a cursor: it continues the very layout that the earlier pages showed, whatever has changed since.
    ///
    /// Where packing begins with the last photo, it keeps the distances from the end that the photos have now: what has
    /// changed before the place moves nothing, but what has changed behind the page does.
    ///
    /// - Parameters:
    ///   - cursor: What the page before gave.
    ///   - stream: The stream.
    ///   - layoutKey: The layout, to have it checked against the cursor's; `nil` for the cursor's own.
    ///   - limit: The most items to answer, 1 to ``maximumLimit``.
    /// - Returns: The page.
    /// - Throws: ``StreamServiceError/invalidCursor(_:)``, ``StreamServiceError/outdatedCursor``,
    ///   ``StreamServiceError/unknownStream(_:)``, ``StreamServiceError/invalidLimit(_:maximum:)``.
    public func page(
        after cursor: String, of stream: StreamName, layoutKey: LayoutKey? = nil, limit: Int = defaultLimit
    ) throws -> PageAnswer {
        try checkLimit(limit)
        return try read { reader in
            let row = try self.stream(stream, reader)
            let content = try CursorCodec(reader).pageCursor(cursor, streamID: row.id, layoutKey: layoutKey)
            let start = PageStart(
                place: content.place, layout: content.layout, chainRevision: content.chainRevision)
            let laidOut = try laidOut(row, content.layoutKey, reader)
            return try page(from: start, limit: limit, row, PlacedStream(laidOut: laidOut, reader: reader))
        }
    }

    private func page(
        from start: PageStart, limit: Int, _ row: StreamRow, _ placed: PlacedStream
    ) throws -> PageAnswer {
        let engine = placed.laidOut.engine
        let (found, page) =
            engine.foldsBackward
            ? try partOfWhole(from: start, limit: limit, row, placed) : try fold(from: start, limit: limit, row, placed)
        let (attributes, next) = (page?.items ?? [], page?.next ?? start.layout)
        let photos = found.prefix(attributes.count)
        var cursor: String?
        if found.count > photos.count, let last = photos.last {
            cursor = try CursorCodec(placed.reader).text(
                PageCursor(
                    streamID: row.id, layoutKey: engine.key, place: last.key, layout: next,
                    chainRevision: start.chainRevision))
        }
        let items = zip(attributes, photos).map { PlacedPhoto(attributes: $0, photo: $1.photo) }
        return PageAnswer(
            context: LayoutContext(row, placed.laidOut), items: items, nextCursor: cursor,
            chainRevision: start.chainRevision, isInPlace: try isInPlace(items, photos, start, placed))
    }

    /// The photos of a page and more, and the page as the fold of the pages before goes on.
    private func fold(
        from start: PageStart, limit: Int, _ row: StreamRow, _ placed: PlacedStream
    ) throws -> ([StoredPhoto], LayoutPage?) {
        var wanted = limit
        while true {
            // One more than is wanted tells whether that was all; twice as many where the first line is not full yet.
            let found = try placed.reader.photos(streamID: row.id, after: start.place, limit: wanted + 1)
            let page = placed.laidOut.engine.page(
                behind: start.layout, PackedMetrics(found.map(\.itemMetrics)), isEnd: found.count <= wanted,
                limit: limit)
            if let page { return (found, page) }
            wanted *= 2
        }
    }

    /// The photos of a page and one more, and the page as a part of the current layout, which folds backward.
    private func partOfWhole(
        from start: PageStart, limit: Int, _ row: StreamRow, _ placed: PlacedStream
    ) throws -> ([StoredPhoto], LayoutPage?) {
        let found = try placed.reader.photos(streamID: row.id, after: start.place, limit: limit + 1)
        guard let first = found.first, let index = try placed.index(of: first) else { return (found, nil) }
        return (found, try placed.page(behind: start.layout, from: index, limit: limit))
    }

    /// Whether a page's frames are those of the current layout.
    private func isInPlace(
        _ items: [PlacedPhoto], _ photos: ArraySlice<StoredPhoto>, _ start: PageStart, _ placed: PlacedStream
    ) throws -> Bool {
        // Without a change since the chain began its pages are the layout; that a chain equals the whole is a law.
        guard start.chainRevision.rawValue != placed.laidOut.chunks.revision, let first = photos.first else {
            return true
        }
        guard let index = try placed.index(of: first) else { return false }
        return try placed.frames(from: index, count: items.count) == items.map(\.attributes.frame)
    }
}

/// Where a page begins.
private struct PageStart {
    let place: OrderKey?
    let layout: LayoutCursor
    let chainRevision: Revision
}
