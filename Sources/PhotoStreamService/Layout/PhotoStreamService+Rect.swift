public import PhotoStreamLayout
public import PhotoStreamModel
import PhotoStreamStorage

extension PhotoStreamService {
    /// The photos whose cells meet a rectangle, in stream order.
    ///
    /// - Parameters:
    ///   - rect: In points of content space, half-open; an empty one meets nothing, a huge one is clamped.
    ///   - stream: The stream.
    ///   - key: The layout.
    ///   - limit: The most items to answer, 1 to ``maximumLimit``; where there are more, the first are kept and the
    ///     answer says so.
    /// - Returns: The photos.
    /// - Throws: `LayoutError` for NaN, infinite or negative values, ``StreamServiceError/unknownStream(_:)``,
    ///   ``StreamServiceError/invalidLimit(_:maximum:)``.
    /// - Complexity: O(log photos + result) for shortest column when the layout is at hand.
    public func items(
        in rect: Rect, of stream: StreamName, _ key: LayoutKey, limit: Int = defaultLimit
    ) throws -> RectAnswer {
        try checkLimit(limit)
        let pixels = try key.displayScale.pixels(covering: rect)
        return try read { reader in
            try items(in: pixels, of: try self.stream(stream, reader), key, limit: limit, after: nil, reader)
        }
    }

    /// Goes on where a truncated answer has ended, with the same rectangle in the layout as it is now.
    ///
    /// - Throws: What ``items(in:of:_:limit:)`` throws, ``StreamServiceError/invalidCursor(_:)`` or
    ///   ``StreamServiceError/outdatedCursor``.
    public func items(
        after cursor: String, of stream: StreamName, layoutKey: LayoutKey? = nil, limit: Int = defaultLimit
    ) throws -> RectAnswer {
        try checkLimit(limit)
        return try read { reader in
            let row = try self.stream(stream, reader)
            let content = try CursorCodec(reader).rectCursor(cursor, streamID: row.id, layoutKey: layoutKey)
            return try items(in: content.rect, of: row, content.layoutKey, limit: limit, after: content.place, reader)
        }
    }

    private func items(
        in rect: PixelRect, of row: StreamRow, _ key: LayoutKey, limit: Int, after place: OrderKey?,
        _ reader: PhotoReader
    ) throws -> RectAnswer {
        let laidOut = try laidOut(row, key, reader)
        let firstIndex = try place.map { try laidOut.index(behind: $0, reader) } ?? 0
        var hits = try hits(in: rect, from: firstIndex, atMost: limit + 1, laidOut, reader)
        let isTruncated = hits.count > limit
        if isTruncated { hits.removeLast() }
        let photos = try reader.photos(rowIDs: hits.map(\.rowID))
        let cursor = try photos.last.flatMap { last in
            try isTruncated
                ? CursorCodec(reader).text(
                    RectCursor(streamID: row.id, layoutKey: key, rect: rect, place: last.key)) : nil
        }
        return RectAnswer(
            context: LayoutContext(row, laidOut),
            items: zip(hits, photos).map { PlacedPhoto(attributes: $0.attributes, photo: $1.photo) },
            isTruncated: isTruncated,
            nextCursor: cursor)
    }

    private func hits(
        in rect: PixelRect, from firstIndex: Int, atMost limit: Int, _ laidOut: LaidOutStream, _ reader: PhotoReader
    ) throws -> [Hit] {
        var hits: [Hit] = []
        for position in laidOut.directory.chunks(meeting: rect) {
            let entry = laidOut.directory.entries[position]
            guard entry.firstIndex + entry.count > firstIndex else { continue }
            let chunk = try laidOut.placedChunk(position, reader)
            var found: [LayoutAttributes] = []
            let goesOn = laidOut.layout.forEachItem(in: rect, of: chunk, entry) { attributes in
                if attributes.index >= firstIndex { found.append(attributes) }
                return hits.count + found.count < limit
            }
            if !found.isEmpty {
                let rowIDs = try reader.content(of: laidOut.chunks.chunks[position]).rowIDs.ids
                hits += found.map { Hit(attributes: $0, rowID: rowIDs[$0.index - entry.firstIndex]) }
            }
            if !goesOn { break }
        }
        return hits
    }
}

/// An item that meets a rectangle.
private struct Hit {
    let attributes: LayoutAttributes
    let rowID: Int64
}
