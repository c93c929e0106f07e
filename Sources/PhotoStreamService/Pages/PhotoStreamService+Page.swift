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
        return try withLayout(of: stream, key) { reader, row, laidOut in
            let start = PageStart(
                place: nil, index: 0, origin: key.contentInset.top, state: laidOut.layout.initialState,
                chainRevision: Revision(laidOut.chunks.revision))
            return try page(from: start, limit: limit, row, laidOut, reader)
        }
    }

    /// The page behind a cursor: it continues the very layout that the earlier pages showed, whatever has changed since.
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
                place: content.place, index: content.index, origin: content.origin, state: content.state,
                chainRevision: content.chainRevision)
            return try page(from: start, limit: limit, row, try laidOut(row, content.layoutKey, reader), reader)
        }
    }

    private func page(
        from start: PageStart, limit: Int, _ row: StreamRow, _ laidOut: LaidOutStream, _ reader: PhotoReader
    ) throws -> PageAnswer {
        let layout = laidOut.layout
        let found = try reader.photos(streamID: row.id, after: start.place, limit: limit + 1)
        let photos = found.prefix(limit)
        let metrics = PackedMetrics(photos.map(\.photo.itemMetrics))
        let placement = layout.place(metrics, from: start.state)
        let items = photos.enumerated().map { position, photo in
            let attributes = layout.attributes(
                placement.frames[position], of: metrics[position], origin: start.origin, index: start.index + position)
            return PlacedPhoto(attributes: attributes, photo: photo.photo)
        }
        var cursor: String?
        if found.count > limit, let last = photos.last {
            cursor = try CursorCodec(reader).text(
                PageCursor(
                    streamID: row.id, layoutKey: layout.key, place: last.key, index: start.index + photos.count,
                    origin: start.origin + placement.advance, state: placement.exitState,
                    chainRevision: start.chainRevision))
        }
        return PageAnswer(
            context: LayoutContext(row, laidOut), items: items, nextCursor: cursor, chainRevision: start.chainRevision,
            isInPlace: try isInPlace(items, photos, start, laidOut, reader))
    }

    /// Whether a page's frames are those of the current layout.
    private func isInPlace(
        _ items: [PlacedPhoto], _ photos: ArraySlice<StoredPhoto>, _ start: PageStart, _ laidOut: LaidOutStream,
        _ reader: PhotoReader
    ) throws -> Bool {
        // Without a change since the chain began its pages are the layout; that a chain equals the whole is a law.
        guard start.chainRevision.rawValue != laidOut.chunks.revision, let first = photos.first else { return true }
        guard var (chunk, position) = try laidOut.position(of: first, reader) else { return false }
        var placed = try laidOut.placedChunk(chunk, reader)
        for item in items {
            if position == placed.metrics.count {
                (chunk, position) = (chunk + 1, 0)
                guard chunk < laidOut.directory.entries.count else { return false }
                placed = try laidOut.placedChunk(chunk, reader)
            }
            let current = laidOut.layout.attributes(at: position, of: placed, laidOut.directory.entries[chunk])
            guard current.frame == item.attributes.frame else { return false }
            position += 1
        }
        return true
    }
}

/// Where a page begins.
private struct PageStart {
    let place: OrderKey?
    let index: Int
    let origin: Int64
    let state: MasonryState
    let chainRevision: Revision
}
