public import PhotoStreamLayout
public import PhotoStreamModel
import PhotoStreamStorage

extension Session {
    /// Returns the first page of a layout.
    ///
    /// - Parameters:
    ///   - stream: The stream.
    ///   - key: The layout.
    ///   - limit: The maximum number of items, 1 to ``PhotoStreamService/maximumLimit``.
    /// - Returns: The page.
    /// - Throws: ``StreamServiceError/unknownStream(_:)``, ``StreamServiceError/invalidLimit(_:maximum:)``.
    /// - Complexity: O(limit + log photos), whether or not the layout was ever asked for; but where frames are counted
    ///   from the end of the content, that of ``layout(of:_:sectionsFrom:sectionLimit:)``.
    public func page(
        of stream: StreamName, _ key: LayoutKey, limit: Int = PhotoStreamService.defaultLimit
    ) throws -> PageAnswer {
        try page(firstPlace(of: stream, key, limit: limit))
    }

    /// Returns the page after a cursor.
    ///
    /// It continues the very layout that the earlier pages showed, whatever has changed since.
    ///
    /// In a layout that is packed from the last photo, it keeps the distances from the end that the photos have now:
    /// changes before the place move nothing, but changes after the page do.
    ///
    /// - Parameters:
    ///   - cursor: The cursor of an earlier page.
    ///   - stream: The stream.
    ///   - layoutKey: The layout, which must be the cursor's; `nil` for the cursor's own.
    ///   - limit: The maximum number of items, 1 to ``PhotoStreamService/maximumLimit``.
    /// - Returns: The page.
    /// - Throws: ``StreamServiceError/invalidCursor(_:)``, ``StreamServiceError/outdatedCursor``,
    ///   ``StreamServiceError/unknownStream(_:)``, ``StreamServiceError/invalidLimit(_:maximum:)``.
    /// - Complexity: As for the first page while the stream is as it was then; after a change that of
    ///   ``layout(of:_:sectionsFrom:sectionLimit:)``, to tell whether the page is still in place.
    public func page(
        after cursor: String, of stream: StreamName, layoutKey: LayoutKey? = nil,
        limit: Int = PhotoStreamService.defaultLimit
    ) throws -> PageAnswer {
        try page(place(after: cursor, of: stream, layoutKey, limit: limit))
    }

    /// Returns the frames of a layout's first page: those of ``page(of:_:limit:)``, without the photos.
    ///
    /// - Parameters:
    ///   - stream: The stream.
    ///   - key: The layout.
    ///   - limit: The maximum number of items, 1 to ``PhotoStreamService/maximumLimit``.
    /// - Returns: The frames.
    /// - Throws: As ``page(of:_:limit:)``.
    /// - Complexity: O(limit) and a chunk or two when the layout is in memory, else that of ``page(of:_:limit:)``.
    public func frames(
        of stream: StreamName, _ key: LayoutKey, limit: Int = PhotoStreamService.defaultLimit
    ) throws -> FramesPage {
        try frames(firstPlace(of: stream, key, limit: limit))
    }

    /// Returns the frames of the page after a cursor: those of ``page(after:of:layoutKey:limit:)``, without the photos.
    ///
    /// - Parameters:
    ///   - cursor: The cursor of an earlier page.
    ///   - stream: The stream.
    ///   - layoutKey: The layout, which must be the cursor's; `nil` for the cursor's own.
    ///   - limit: The maximum number of items, 1 to ``PhotoStreamService/maximumLimit``.
    /// - Returns: The frames.
    /// - Throws: As ``page(after:of:layoutKey:limit:)``.
    /// - Complexity: O(limit) and a chunk or two when the layout is in memory and the stream is as it was, else that of
    ///   ``page(after:of:layoutKey:limit:)``.
    public func frames(
        after cursor: String, of stream: StreamName, layoutKey: LayoutKey? = nil,
        limit: Int = PhotoStreamService.defaultLimit
    ) throws -> FramesPage {
        try frames(place(after: cursor, of: stream, layoutKey, limit: limit))
    }
}

// MARK: - Places of a chain of pages

/// The place where a page begins, in a chain of pages of one layout.
private struct PagePlace {
    let row: StreamRow
    let engine: LayoutEngine
    /// The stream's state in the session.
    let mark: StreamVersion
    /// The layout of the whole stream, if no page can be placed without it.
    let whole: PlacedStream?
    /// The place in the order after which the photos follow; `nil` at the first page.
    let place: OrderKey?
    /// The layout's state there.
    let layout: LayoutCursor
    /// The stream's revision when the first page of the chain was read.
    let chainRevision: Revision
    /// The maximum number of items.
    var limit: Int

    var context: PageContext {
        PageContext(
            stream: row.name, streamID: row.id, revision: mark.revision, layoutKey: engine.key,
            contentSize: whole?.directory.contentSize)
    }

    /// Whether the stream is as it was when the chain began.
    var isUnchanged: Bool { chainRevision == mark.revision }
}

extension Session {
    private func firstPlace(of stream: StreamName, _ key: LayoutKey, limit: Int) throws -> PagePlace {
        try checkLimit(limit)
        let row = try row(of: stream)
        let (engine, mark, whole) = try layout(of: row, key: key)
        return PagePlace(
            row: row, engine: engine, mark: mark, whole: whole, place: nil,
            layout: engine.firstCursor(contentExtent: whole?.directory.contentExtent ?? 0),
            chainRevision: mark.revision, limit: limit)
    }

    private func place(
        after cursor: String, of stream: StreamName, _ layoutKey: LayoutKey?, limit: Int
    ) throws -> PagePlace {
        try checkLimit(limit)
        let row = try row(of: stream)
        let content = try cursorCodec().pageCursor(cursor, streamID: row.id, layoutKey: layoutKey)
        try requireNotLost(content.chainRevision)
        let (engine, mark, whole) = try layout(of: row, key: content.layoutKey)
        return PagePlace(
            row: row, engine: engine, mark: mark, whole: whole, place: content.place, layout: content.layout,
            chainRevision: content.chainRevision, limit: limit)
    }

    private func layout(
        of row: StreamRow, key: LayoutKey
    ) throws -> (engine: LayoutEngine, mark: StreamVersion, whole: PlacedStream?) {
        try requireBuiltIn(key)
        let engine = LayoutEngine(key)
        return (engine, try mark(of: row), engine.framesNeedContentExtent ? try placed(row, layout: key) : nil)
    }

    /// The cursor of the page after a photo's place.
    private func cursor(after key: OrderKey, next: LayoutCursor, of place: PagePlace) throws -> String {
        try cursorCodec().text(
            PageCursor(
                streamID: place.row.id, layoutKey: place.engine.key, place: key, layout: next,
                chainRevision: place.chainRevision))
    }
}

// MARK: - Pages of what chunks hold, and of the rows of photos

extension Session {
    private func frames(_ place: PagePlace) throws -> FramesPage {
        guard let placed = try placedInMemory(place) else { return FramesPage(try foldedPage(place)) }
        return try frames(place, in: placed)
    }

    private func page(_ place: PagePlace) throws -> PageAnswer {
        guard let placed = try placedInMemory(place) else { return try foldedPage(place) }
        let page = try frames(place, in: placed)
        let rowIDs = try placed.rowIDs(of: page.positions)
        let rows = try reader.packedRows(rowIDs, within: PhotoStreamService.maximumByteCount)
        guard rows.count == page.items.count else {
            var shorter = place
            shorter.limit = rows.count
            return try self.page(shorter)
        }
        return PageAnswer(page, rows: rows, pictures: try shownPictures(rowIDs))
    }

    /// The layout of the whole stream, if it is in memory and a page can be made of what its chunks hold.
    ///
    /// That needs the cursor's count to be the position in stream order, so the stream must be as it was when the chain
    /// began.
    private func placedInMemory(_ place: PagePlace) throws -> PlacedStream? {
        guard !place.engine.foldsBackward, place.isUnchanged else { return nil }
        return try place.whole ?? placedInMemory(place.row, layout: place.engine.key, at: place.mark)
    }

    /// The frames of what chunks hold.
    ///
    /// No photo's row is read but the last one's.
    private func frames(_ place: PagePlace, in placed: PlacedStream) throws -> FramesPage {
        let count = placed.directory.itemCount
        let first = min(place.layout.index, count)
        var wanted = place.limit
        while true {
            let range = first..<min(first + wanted + 1, count)
            let found = try placed.metrics(of: range)
            guard
                let page = try place.engine.page(
                    after: place.layout, found, isEnd: range.count <= wanted, limit: place.limit,
                    checking: { try Task.checkCancellation() })
            else {
                wanted *= 2
                continue
            }
            var next: String?
            if range.count > page.items.count, let last = page.items.indices.last,
                let rowID = try placed.rowIDs(of: [first + last]).first
            {
                next = try cursor(after: try reader.packedRows([rowID]).key(at: 0), next: page.next, of: place)
            }
            return FramesPage(
                context: place.context, items: page.items, firstPosition: first, nextCursor: next,
                chainRevision: place.chainRevision, isInPlace: true)
        }
    }

    /// The page of the photos' rows.
    private func foldedPage(_ place: PagePlace) throws -> PageAnswer {
        let (found, page) = place.engine.foldsBackward ? try partOfWhole(place) : try fold(place)
        let attributes = page?.items ?? []
        let photos = found.prefix(attributes.count)
        var nextCursor: String?
        if found.count > photos.count, let last = photos.last {
            nextCursor = try cursor(after: last.key, next: page?.next ?? place.layout, of: place)
        }
        let pictures = try shownPictures(photos.map(\.rowID))
        let items = zip(zip(attributes, photos), pictures).map {
            PlacedPhoto(attributes: $0.0, PackedPhoto($0.1.photo), picture: $1)
        }
        let (firstPosition, isInPlace) = try position(of: items, photos: photos, place: place)
        return PageAnswer(
            context: place.context, items: items, firstPosition: firstPosition, nextCursor: nextCursor,
            chainRevision: place.chainRevision, isInPlace: isInPlace)
    }

    /// The photos of a page and more, and the page as the fold of the earlier pages continues.
    private func fold(_ place: PagePlace) throws -> ([StoredPhoto], LayoutPage?) {
        var wanted = place.limit
        var byteLimit = PhotoStreamService.maximumByteCount
        while true {
            // One more than is wanted tells whether that was all; twice as many where the first line is not full yet.
            let (found, isCut) = try reader.photos(
                streamID: place.row.id, after: place.place, limit: wanted + 1, within: byteLimit)
            let page = try place.engine.page(
                after: place.layout, PackedMetrics(found.map(\.itemMetrics)),
                isEnd: found.count <= wanted && !isCut,
                limit: isCut ? min(place.limit, found.count - 1) : place.limit,
                checking: { try Task.checkCancellation() })
            if let page { return (found, page) }
            byteLimit *= 2
            wanted *= 2
        }
    }

    /// The photos of a page and one more, and the page as a part of the current layout, which folds backward.
    private func partOfWhole(_ place: PagePlace) throws -> ([StoredPhoto], LayoutPage?) {
        let placed = try whole(place)
        let (found, isCut) = try reader.photos(
            streamID: place.row.id, after: place.place, limit: place.limit + 1,
            within: PhotoStreamService.maximumByteCount)
        guard let first = found.first, let index = try placed.index(of: first) else { return (found, nil) }
        let limit = isCut ? min(place.limit, found.count - 1) : place.limit
        return (found, try placed.page(after: place.layout, from: index, limit: limit))
    }

    /// The position of a page's first photo in the stream as it is, and whether its frames are those of the current
    /// layout.
    private func position(
        of items: [PlacedPhoto], photos: ArraySlice<StoredPhoto>, place: PagePlace
    ) throws -> (first: Int, isInPlace: Bool) {
        let counted = items.first?.attributes.index ?? place.layout.index
        // Without a change since the chain began its pages are the layout: that a chain equals the whole is a law.
        guard !place.isUnchanged, let first = photos.first else { return (counted, true) }
        let placed = try whole(place)
        guard let index = try placed.index(of: first) else { return (counted, false) }
        return (index, try placed.frames(from: index, count: items.count) == items.map(\.attributes.frame))
    }

    private func whole(_ place: PagePlace) throws -> PlacedStream {
        try place.whole ?? placed(place.row, layout: place.engine.key)
    }
}
