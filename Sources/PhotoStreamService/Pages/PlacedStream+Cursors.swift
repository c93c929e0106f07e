import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamStorage

extension PlacedStream {
    /// A cursor whose page holds a photo where the layout puts it, as text.
    ///
    /// - Parameters:
    ///   - photo: The photo.
    ///   - index: Its position in stream order.
    ///   - limit: The most photos on the page.
    /// - Returns: The text.
    /// - Throws: What reading throws.
    /// - Complexity: O(photos of a chunk).
    func cursorText(toPageWith photo: StoredPhoto, at index: Int, limit: Int) throws -> String {
        let layout = try cursor(toPageWith: index, limit: limit) { position in
            try laidOut.engine.state(decoding: laidOut.placements[position].entryState)
        } metrics: { range in
            try metrics(of: range)
        }
        let first =
            layout.index == index ? photo : try reader.photos(rowIDs: try rowIDs(of: [layout.index]))[0]
        return try CursorCodec(reader).text(
            PageCursor(
                streamID: laidOut.chunks.streamID, layoutKey: laidOut.engine.key, place: first.key.before,
                layout: layout, chainRevision: Revision(laidOut.chunks.revision)))
    }
}

extension OrderKey {
    /// The place that lies directly before it in stream order: nothing comes between the two.
    fileprivate var before: OrderKey {
        if rank < .max { return OrderKey(time: time, rank: rank + 1) }
        return time < .max ? OrderKey(time: time + 1, rank: .min) : self
    }
}
