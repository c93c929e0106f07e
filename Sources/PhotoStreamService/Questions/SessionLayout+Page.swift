import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamStorage

/// The beginning of a page.
public enum PageStart: Hashable, Sendable {
    /// The first photo of the stream.
    case first
    /// The place at which an answer with this cursor ends.
    ///
    /// The page continues the layout of the earlier pages, even if the stream has changed. In a layout that is packed
    /// from the last photo, it uses the photos' current distances from the end: changes before the place move no photo,
    /// but changes after the page do.
    case after(String)
}

extension SessionLayout {
    /// Returns a page of a chain of pages.
    ///
    /// - Parameters:
    ///   - start: The beginning of the page.
    ///   - limit: The maximum number of items, 1 to ``PhotoStreamService/maximumLimit``.
    ///   - withPhotos: Whether the answer contains the photos, not only their places.
    /// - Returns: The page.
    /// - Throws: ``StreamServiceError/invalidLimit(_:maximum:)``, ``StreamServiceError/invalidCursor(_:)``,
    ///   ``StreamServiceError/outdatedCursor``.
    /// - Complexity: O(limit + log photos), even if the layout is not cached. That of
    ///   ``summary(sectionsFrom:sectionLimit:)`` if frames are counted from the end of the content, and for a cursor
    ///   after a change of the stream, because only the layout shows whether the page is still in place. Places need no
    ///   rows of photos if the layout is cached and the stream unchanged.
    public func page(
        _ start: PageStart = .first, limit: Int = PhotoStreamService.defaultLimit, withPhotos: Bool = true
    ) throws -> PageAnswer {
        try session.checkLimit(limit)
        let place = try place(at: start, limit: limit)
        guard let placed = try knownLayout(for: place) else { return try foldedPage(place, withPhotos: withPhotos) }
        return try page(place, in: placed, withPhotos: withPhotos)
    }
}

extension SessionLayout {
    /// Returns whether a page is returned immediately: it needs only rows of photos, or ``isReady()`` is true.
    ///
    /// - Throws: ``StreamServiceError/invalidCursor(_:)``.
    public func isReady(for start: PageStart) throws -> Bool {
        var needsLayout = engine.framesNeedContentExtent || engine.pagesNeedLayout || isSelection
        if case .after(let cursor) = start {
            let revision = try cursorCodec().pageCursor(cursor, streamID: stream.id, layoutKey: key)
                .chainRevision
            if try session.reader.isAhead(revision) { return false }
            needsLayout = try needsLayout || revision != session.mark(of: stream).revision
        }
        return try !needsLayout || isReady()
    }
}

// MARK: - Places of a chain of pages

/// The start of a page in a chain of pages of one layout.
private struct PagePlace {
    /// The place in the order that the photos follow; `nil` for the first page.
    let place: OrderKey?
    /// The layout's state there.
    let layout: LayoutCursor
    /// The stream's revision when the first page of the chain was read.
    let chainRevision: Revision
    let context: PageContext
    /// The maximum number of items.
    let limit: Int

    /// Whether the stream has not changed since the chain began.
    var isUnchanged: Bool { chainRevision == context.revision }
}

extension SessionLayout {
    private func place(at start: PageStart, limit: Int) throws -> PagePlace {
        var cursor: PageCursor?
        if case .after(let text) = start {
            let content = try cursorCodec().pageCursor(text, streamID: stream.id, layoutKey: key)
            try session.requireNotLost(content.chainRevision)
            cursor = content
        }
        let revision = try session.mark(of: stream).revision
        let whole = engine.framesNeedContentExtent ? try placed().directory : nil
        return PagePlace(
            place: cursor?.place,
            layout: cursor?.layout ?? engine.firstCursor(contentExtent: whole?.contentExtent ?? 0),
            chainRevision: cursor?.chainRevision ?? revision,
            context: PageContext(
                stream: stream.name, streamID: stream.id, condition: view.asked, revision: revision, layoutKey: key,
                contentSize: whole?.contentSize),
            limit: limit)
    }

    /// Returns the cursor of the page after a photo's place.
    private func cursor(after order: OrderKey, next: LayoutCursor, of place: PagePlace) throws -> String {
        try cursorCodec().text(
            PageCursor(
                streamID: stream.id, layoutKey: key, place: order, layout: next, chainRevision: place.chainRevision))
    }
}

// MARK: - Pages from chunks, and from the rows of photos

extension SessionLayout {
    /// Returns the layout of the whole stream if it is cached and its chunks suffice for a page; that of a view in any case,
    /// since only its layout tells which photos it has.
    ///
    /// The cursor's count must be the position in stream order, so the stream must not have changed since the chain
    /// began.
    private func knownLayout(for place: PagePlace) throws -> PlacedStream? {
        guard !engine.pagesNeedLayout, place.isUnchanged else { return nil }
        return isSelection ? try placed() : try placedInMemory()
    }

    /// Returns a page that is computed from chunks; without photos, only the last photo's row is read.
    private func page(_ place: PagePlace, in placed: PlacedStream, withPhotos: Bool) throws -> PageAnswer {
        let count = placed.directory.itemCount
        let first = min(place.layout.index, count)
        let rowIDs = withPhotos ? try placed.rowIDs(of: first..<min(first + place.limit, count)) : []
        let rows = try session.reader.packedRows(rowIDs, within: PhotoStreamService.maximumByteCount)
        let limit = rows.count < rowIDs.count ? rows.count : place.limit
        var wanted = limit
        while true {
            let range = first..<min(first + wanted + 1, count)
            let found = try placed.metrics(of: range)
            guard
                let page = try engine.page(
                    after: place.layout, found, isEnd: range.count <= wanted, limit: limit,
                    checking: { try Task.checkCancellation() })
            else {
                wanted *= 2
                continue
            }
            var next: String?
            if range.count > page.items.count, let last = page.items.indices.last,
                let rowID = try placed.rowIDs(of: [first + last]).first
            {
                next = try cursor(after: try session.reader.packedRows([rowID]).key(at: 0), next: page.next, of: place)
            }
            let shown = rowIDs.prefix(page.items.count)
            return PageAnswer(
                context: place.context, frames: page.items,
                items: withPhotos
                    ? try session.photos(at: page.items, rowIDs: Array(shown), of: photos) { rows[$0] } : [],
                firstPosition: first, nextCursor: next, chainRevision: place.chainRevision, isInPlace: true)
        }
    }

    /// Returns a page that is computed from the rows of photos.
    private func foldedPage(_ place: PagePlace, withPhotos: Bool) throws -> PageAnswer {
        let (found, page) = engine.pagesNeedLayout ? try partOfWhole(place) : try fold(place)
        let frames = page?.items ?? []
        let photos = found.prefix(frames.count)
        var nextCursor: String?
        if found.count > photos.count, let last = photos.last {
            nextCursor = try cursor(after: last.key, next: page?.next ?? place.layout, of: place)
        }
        let (firstPosition, isInPlace) = try position(of: frames, photos: photos, place: place)
        var items: [PlacedPhoto] = []
        if withPhotos {
            let indices = firstPosition..<firstPosition + frames.count
            items = try session.photos(
                at: frames, rowIDs: photos.map(\.rowID), of: self.photos,
                clusters: engine.hasClusters ? try placed().clusters(ofItemsAt: indices) : []
            ) { PackedPhoto(photos[$0].photo) }
        }
        return PageAnswer(
            context: place.context, frames: frames, items: items, firstPosition: firstPosition,
            nextCursor: nextCursor, chainRevision: place.chainRevision, isInPlace: isInPlace)
    }

    /// Returns the photos of the stream or of the view after a place, and whether the limit of bytes has cut them off.
    private func photos(
        after place: OrderKey?, limit: Int, within byteLimit: Int
    ) throws -> ([StoredPhoto], isCut: Bool) {
        guard isSelection else {
            return try session.reader.photos(streamID: stream.id, after: place, limit: limit, within: byteLimit)
        }
        return try placed().photos(after: place, limit: limit, within: byteLimit)
    }

    /// Returns the photos of a page and more, and the page, which continues the fold of the earlier pages.
    private func fold(_ place: PagePlace) throws -> ([StoredPhoto], LayoutPage?) {
        var wanted = place.limit
        var byteLimit = PhotoStreamService.maximumByteCount
        while true {
            // One more photo shows whether more follow; twice as many are read if the first line is not full yet.
            let (found, isCut) = try photos(after: place.place, limit: wanted + 1, within: byteLimit)
            let page = try engine.page(
                after: place.layout, PackedMetrics(found.map(\.itemMetrics)),
                isEnd: found.count <= wanted && !isCut,
                limit: isCut ? min(place.limit, found.count - 1) : place.limit,
                checking: { try Task.checkCancellation() })
            if let page { return (found, page) }
            byteLimit *= 2
            wanted *= 2
        }
    }

    /// Returns the photos of a page and one more, and the page as a part of the current layout, which it needs as a whole.
    private func partOfWhole(_ place: PagePlace) throws -> ([StoredPhoto], LayoutPage?) {
        let placed = try placed()
        let (found, isCut) = try photos(
            after: place.place, limit: place.limit + 1, within: PhotoStreamService.maximumByteCount)
        guard let first = found.first, let index = try placed.index(of: first) else { return (found, nil) }
        let limit = isCut ? min(place.limit, found.count - 1) : place.limit
        let page = try placed.page(after: place.layout, from: index, limit: limit)
        guard page.items.count <= found.count else { throw ReadInterruption.damage(ofChunk: nil) }
        return (found, page)
    }

    /// Returns the position of a page's first photo in the current stream, and whether its frames are those of the
    /// current layout.
    private func position(
        of frames: [LayoutAttributes], photos: ArraySlice<StoredPhoto>, place: PagePlace
    ) throws -> (first: Int, isInPlace: Bool) {
        let counted = frames.first?.index ?? place.layout.index
        // Without a change since the chain began, its pages always equal the layout.
        guard !place.isUnchanged, let first = photos.first else { return (counted, true) }
        let placed = try placed()
        guard let index = try placed.index(of: first) else { return (counted, false) }
        return (index, try placed.frames(from: index, count: frames.count) == frames.map(\.frame))
    }
}
