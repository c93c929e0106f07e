import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamStorage

extension PhotoStreamService {
    /// Runs `body` in one read transaction with the stream and its layout as of that transaction.
    func withLayout<T>(
        of stream: StreamName, _ key: LayoutKey, _ body: (PhotoReader, StreamRow, LaidOutStream) throws -> T
    ) throws -> T {
        try read { reader in
            let row = try self.stream(stream, reader)
            return try body(reader, row, try laidOut(row, key, reader))
        }
    }

    /// The stream's layout as of the reader's transaction.
    func laidOut(_ stream: StreamRow, _ key: LayoutKey, _ reader: PhotoReader) throws -> LaidOutStream {
        let cacheKey = LayoutCache.Key(streamID: stream.id, layoutKey: key)
        if let cached = layouts.layout(cacheKey, revision: try reader.revision(streamID: stream.id)) { return cached }
        let laidOut = try LayoutResolver(layout: MasonryLayout(key), reader: reader).resolve(stream.id)
        layouts.insert(laidOut, for: cacheKey, wantsStoring: !isReadOnly && wantsStoring(laidOut))
        return laidOut
    }

    /// The row of a stream.
    func stream(_ name: StreamName, _ reader: PhotoReader) throws -> StreamRow {
        guard let row = try reader.stream(named: name) else { throw StreamServiceError.unknownStream(name.rawValue) }
        return row
    }

    /// Writes what earlier answers had to compute: chunks brought up to date, and folded layouts.
    ///
    /// Call it after the answers were sent. Each layout is a short write of its own; where somebody else has changed
    /// the stream in the meantime, or holds the file for too long, it is left to the next question. Does nothing to a
    /// file that is open for reading only.
    public func storeDerived() throws {
        for (key, laidOut) in layouts.takeUnsaved() {
            do {
                try write { try store(laidOut, $0) }
                layouts.remove(key)
            } catch StreamServiceError.storage(code: StorageError.Code.busy.rawValue, _) {
                continue
            }
        }
    }

    private func store(_ laidOut: LaidOutStream, _ writer: PhotoWriter) throws {
        guard let chunks = try writer.store(laidOut.chunks) else { return }
        let placed = laidOut.folded.compactMap { position, frames -> (placement: StoredPlacement, frames: [UInt8])? in
            guard let chunkID = chunks.chunks[position].id else { return nil }
            var placement = laidOut.placements[position]
            placement.chunkID = chunkID
            return (placement, frames.encoded)
        }
        try writer.storeLayout(
            placed, streamID: chunks.streamID, layoutKey: laidOut.layout.key.description, now: now())
    }

    /// Whether the file lacks something of a layout, or believes that it was last used over a minute ago.
    private func wantsStoring(_ laidOut: LaidOutStream) -> Bool {
        guard !laidOut.isUnsaved, let stored = laidOut.stored else { return true }
        return now() - stored.lastUsedMilliseconds > 60_000
    }
}
