public import PhotoStreamLayout
public import PhotoStreamModel
import PhotoStreamStorage

extension PhotoStreamService {
    /// The most items that one answer may hold.
    public static let maximumLimit = 1_000
    /// How many items an answer holds unless it is told otherwise.
    public static let defaultLimit = 100

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
        let pixels = try key.displayScale.pixels(covering: rect)
        return try items(in: pixels, of: stream, key, limit: limit, after: nil)
    }

    /// Goes on where a truncated answer has ended, with the same rectangle in the layout as it is now.
    ///
    /// - Throws: What ``items(in:of:_:limit:)`` throws, ``StreamServiceError/invalidCursor(_:)`` or
    ///   ``StreamServiceError/outdatedCursor``.
    public func items(
        after cursor: String, of stream: StreamName, layoutKey: LayoutKey? = nil, limit: Int = defaultLimit
    ) throws -> RectAnswer {
        let content = try read { reader in
            let row = try self.stream(stream, reader)
            return try CursorCodec(reader).rectCursor(cursor, streamID: row.id, layoutKey: layoutKey)
        }
        return try items(in: content.rect, of: stream, content.layoutKey, limit: limit, after: content.place)
    }

    private func items(
        in rect: PixelRect, of stream: StreamName, _ key: LayoutKey, limit: Int, after place: OrderKey?
    ) throws -> RectAnswer {
        try checkLimit(limit)
        return try withLayout(of: stream, key) { reader, row, laidOut in
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

    func checkLimit(_ limit: Int) throws {
        guard (1...Self.maximumLimit).contains(limit) else {
            throw StreamServiceError.invalidLimit(limit, maximum: Self.maximumLimit)
        }
    }
}

/// An item that meets a rectangle.
private struct Hit {
    let attributes: LayoutAttributes
    let rowID: Int64
}
