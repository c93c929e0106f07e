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
    /// - Complexity: O(limit + log photos), whether or not the layout was ever asked for; but where frames are counted
    ///   from the end of the content, that of ``layout(of:_:)``.
    public func page(of stream: StreamName, _ key: LayoutKey, limit: Int = defaultLimit) throws -> PageAnswer {
        try checkLimit(limit)
        return try read { try firstPage(of: try self.stream(stream, $0), key, limit: limit, $0) }
    }

    /// The frames of a layout's first page.
    ///
    /// - Parameters:
    ///   - stream: The stream.
    ///   - key: The layout.
    ///   - limit: The most items to answer, 1 to ``maximumLimit``.
    /// - Returns: The frames, the very ones of ``page(of:_:limit:)``.
    /// - Throws: As ``page(of:_:limit:)``.
    /// - Complexity: O(limit) and a chunk or two when the layout is at hand, else that of ``page(of:_:limit:)``.
    public func frames(of stream: StreamName, _ key: LayoutKey, limit: Int = defaultLimit) throws -> FramesPage {
        try checkLimit(limit)
        return try read { reader in
            let source = try PageSource(self, try self.stream(stream, reader), key, reader)
            return try frames(from: firstStart(source), limit: limit, source)
        }
    }

    /// The first page as of the reader's transaction.
    func firstPage(
        of row: StreamRow, _ key: LayoutKey, limit: Int, _ reader: PhotoReader
    ) throws -> PageAnswer {
        let source = try PageSource(self, row, key, reader)
        return try page(from: firstStart(source), limit: limit, source)
    }

    private func firstStart(_ source: PageSource) -> PageStart {
        PageStart(
            place: nil, layout: source.engine.firstCursor(contentExtent: source.contentExtent),
            chainRevision: source.revision)
    }

    /// The page behind a cursor: it continues the very layout that the earlier pages showed, whatever has changed
    /// since.
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
    /// - Complexity: As for the first page while the stream is as it was then; after a change that of
    ///   ``layout(of:_:)``, to tell whether the page is still in place.
    public func page(
        after cursor: String, of stream: StreamName, layoutKey: LayoutKey? = nil, limit: Int = defaultLimit
    ) throws -> PageAnswer {
        try checkLimit(limit)
        return try read { reader in
            let (start, source) = try opened(cursor, stream, layoutKey, reader)
            return try page(from: start, limit: limit, source)
        }
    }

    /// The frames of the page behind a cursor.
    ///
    /// - Parameters:
    ///   - cursor: What the page before gave.
    ///   - stream: The stream.
    ///   - layoutKey: The layout, to have it checked against the cursor's; `nil` for the cursor's own.
    ///   - limit: The most items to answer, 1 to ``maximumLimit``.
    /// - Returns: The frames, the very ones of ``page(after:of:layoutKey:limit:)``.
    /// - Throws: As ``page(after:of:layoutKey:limit:)``.
    /// - Complexity: O(limit) and a chunk or two when the layout is at hand and the stream is as it was, else that of
    ///   ``page(after:of:layoutKey:limit:)``.
    public func frames(
        after cursor: String, of stream: StreamName, layoutKey: LayoutKey? = nil, limit: Int = defaultLimit
    ) throws -> FramesPage {
        try checkLimit(limit)
        return try read { reader in
            let (start, source) = try opened(cursor, stream, layoutKey, reader)
            return try frames(from: start, limit: limit, source)
        }
    }

    private func opened(
        _ cursor: String, _ stream: StreamName, _ layoutKey: LayoutKey?, _ reader: PhotoReader
    ) throws -> (PageStart, PageSource) {
        let row = try self.stream(stream, reader)
        let content = try CursorCodec(reader).pageCursor(cursor, streamID: row.id, layoutKey: layoutKey)
        let start = PageStart(place: content.place, layout: content.layout, chainRevision: content.chainRevision)
        return (start, try PageSource(self, row, content.layoutKey, reader))
    }

    /// The frames behind a cursor.
    private func frames(from start: PageStart, limit: Int, _ source: PageSource) throws -> FramesPage {
        guard let placed = placedAtHand(start, source) else {
            return FramesPage(try foldedPage(from: start, limit: limit, source))
        }
        return try frames(from: start, limit: limit, source, placed)
    }

    /// The page behind a cursor.
    private func page(from start: PageStart, limit: Int, _ source: PageSource) throws -> PageAnswer {
        guard let placed = placedAtHand(start, source) else {
            return try foldedPage(from: start, limit: limit, source)
        }
        let page = try frames(from: start, limit: limit, source, placed)
        let rows = try source.reader.packedRows(
            try placed.rowIDs(of: page.positions), within: Self.maximumByteCount)
        guard rows.count == page.items.count else { return try self.page(from: start, limit: rows.count, source) }
        return PageAnswer(page, rows)
    }

    /// The layout where a page can be made of what chunks hold, because the cursor's count is the position in stream order:
    /// the stream is as it was when the chain began, and nothing has to be done for the layout.
    private func placedAtHand(_ start: PageStart, _ source: PageSource) -> PlacedStream? {
        guard !source.engine.foldsBackward, start.chainRevision == source.revision else { return nil }
        return source.placedAtHand()
    }

    /// The frames behind a cursor of what chunks hold; no photo's row is read but the last one's.
    private func frames(
        from start: PageStart, limit: Int, _ source: PageSource, _ placed: PlacedStream
    ) throws -> FramesPage {
        let (first, count) = (min(start.layout.index, placed.directory.itemCount), placed.directory.itemCount)
        var wanted = limit
        while true {
            let range = first..<min(first + wanted + 1, count)
            let found = try placed.metrics(of: range)
            guard
                let page = try source.engine.page(
                    behind: start.layout, found, isEnd: range.count <= wanted, limit: limit,
                    checking: { try Task.checkCancellation() })
            else {
                wanted *= 2
                continue
            }
            var cursor: String?
            if range.count > page.items.count, let last = page.items.indices.last,
                let rowID = try placed.rowIDs(of: [first + last]).first
            {
                cursor = try source.cursor(behind: try source.reader.packedRows([rowID]).key(at: 0), page.next, start)
            }
            return FramesPage(
                context: source.context, items: page.items, firstPosition: first, nextCursor: cursor,
                chainRevision: start.chainRevision, isInPlace: true)
        }
    }

    /// The page behind a cursor of the photos' rows.
    private func foldedPage(from start: PageStart, limit: Int, _ source: PageSource) throws -> PageAnswer {
        let (found, page) =
            source.engine.foldsBackward
            ? try partOfWhole(from: start, limit: limit, source) : try fold(from: start, limit: limit, source)
        let (attributes, next) = (page?.items ?? [], page?.next ?? start.layout)
        let photos = found.prefix(attributes.count)
        var cursor: String?
        if found.count > photos.count, let last = photos.last {
            cursor = try source.cursor(behind: last.key, next, start)
        }
        let items = zip(attributes, photos).map { PlacedPhoto(attributes: $0, PackedPhoto($1.photo)) }
        let (firstPosition, isInPlace) = try position(of: items, photos, start, source)
        return PageAnswer(
            context: source.context, items: items, firstPosition: firstPosition, nextCursor: cursor,
            chainRevision: start.chainRevision, isInPlace: isInPlace)
    }

    /// The photos of a page and more, and the page as the fold of the pages before goes on.
    private func fold(
        from start: PageStart, limit: Int, _ source: PageSource
    ) throws -> ([StoredPhoto], LayoutPage?) {
        var (wanted, byteLimit) = (limit, Self.maximumByteCount)
        while true {
            // One more than is wanted tells whether that was all; twice as many where the first line is not full yet.
            let (found, isCut) = try source.reader.photos(
                streamID: source.row.id, after: start.place, limit: wanted + 1, within: byteLimit)
            let page = try source.engine.page(
                behind: start.layout, PackedMetrics(found.map(\.itemMetrics)),
                isEnd: found.count <= wanted && !isCut, limit: isCut ? min(limit, found.count - 1) : limit,
                checking: { try Task.checkCancellation() })
            if let page { return (found, page) }
            byteLimit *= 2
            wanted *= 2
        }
    }

    /// The photos of a page and one more, and the page as a part of the current layout, which folds backward.
    private func partOfWhole(
        from start: PageStart, limit: Int, _ source: PageSource
    ) throws -> ([StoredPhoto], LayoutPage?) {
        let placed = try source.placed()
        let (found, isCut) = try source.reader.photos(
            streamID: source.row.id, after: start.place, limit: limit + 1, within: Self.maximumByteCount)
        guard let first = found.first, let index = try placed.index(of: first) else { return (found, nil) }
        let limit = isCut ? min(limit, found.count - 1) : limit
        return (found, try placed.page(behind: start.layout, from: index, limit: limit))
    }

    /// Where a page's first photo is in the stream as it is, and whether its frames are those of the current layout.
    private func position(
        of items: [PlacedPhoto], _ photos: ArraySlice<StoredPhoto>, _ start: PageStart, _ source: PageSource
    ) throws -> (first: Int, isInPlace: Bool) {
        let counted = items.first?.attributes.index ?? start.layout.index
        // Without a change since the chain began its pages are the layout; that a chain equals the whole is a law.
        guard start.chainRevision != source.revision, let first = photos.first else { return (counted, true) }
        let placed = try source.placed()
        guard let index = try placed.index(of: first) else { return (counted, false) }
        return (index, try placed.frames(from: index, count: items.count) == items.map(\.attributes.frame))
    }
}

/// What a page is made from: the photos, and only where it must be the layout of the whole stream.
private struct PageSource {
    let service: PhotoStreamService
    let row: StreamRow
    let engine: LayoutEngine
    let reader: PhotoReader
    private let mark: StreamVersion
    /// The layout, where a page cannot be placed without it.
    private let whole: PlacedStream?

    init(_ service: PhotoStreamService, _ row: StreamRow, _ key: LayoutKey, _ reader: PhotoReader) throws {
        try service.checkIsOurs(key)
        (self.service, self.row, self.reader) = (service, row, reader)
        engine = LayoutEngine(key)
        mark = try service.mark(of: row, reader)
        whole = engine.framesNeedContentExtent ? try service.placed(row, key, reader) : nil
    }

    var revision: Revision { mark.revision }

    var contentExtent: Int64 { whole?.directory.contentExtent ?? 0 }

    var context: PageContext {
        PageContext(
            stream: row.name, streamID: row.id, revision: revision, layoutKey: engine.key,
            contentSize: whole?.directory.contentSize)
    }

    /// The layout of the whole stream, if nothing has to be done for it.
    func placedAtHand() -> PlacedStream? {
        if let whole { return whole }
        let key = LayoutCache.Key(streamID: row.id, layoutKey: engine.key)
        return service.layouts.ready(key, mark, now: service.now()).map {
            PlacedStream(laidOut: $0, reader: reader, counters: service.counters, contents: service.contents)
        }
    }

    /// The cursor of the page behind a place.
    func cursor(behind place: OrderKey, _ next: LayoutCursor, _ start: PageStart) throws -> String {
        try CursorCodec(reader).text(
            PageCursor(
                streamID: row.id, layoutKey: engine.key, place: place, layout: next,
                chainRevision: start.chainRevision))
    }

    /// The layout of the whole stream.
    func placed() throws -> PlacedStream {
        try whole ?? service.placed(row, engine.key, reader)
    }
}

/// Where a page begins.
private struct PageStart {
    let place: OrderKey?
    let layout: LayoutCursor
    let chainRevision: Revision
}
