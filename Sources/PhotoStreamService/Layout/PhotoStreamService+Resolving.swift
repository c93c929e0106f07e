import Logging
import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamStorage

extension PhotoStreamService {
    /// Runs `body` in one read transaction with the stream and its layout as of that transaction.
    func withLayout<T>(
        of stream: StreamName, _ key: LayoutKey, _ body: (StreamRow, PlacedStream) throws -> T
    ) throws -> T {
        try read { reader in
            let row = try self.stream(stream, reader)
            return try body(row, PlacedStream(laidOut: try laidOut(row, key, reader), reader: reader))
        }
    }

    /// The stream's layout as of the reader's transaction.
    ///
    /// - Throws: ``StreamServiceError/customLayout(_:)``, and what reading throws.
    func laidOut(_ stream: StreamRow, _ key: LayoutKey, _ reader: PhotoReader) throws -> LaidOutStream {
        if case .custom(let layout) = key.algorithm { throw StreamServiceError.customLayout(layout.base.name) }
        let cacheKey = LayoutCache.Key(streamID: stream.id, layoutKey: key)
        let mark = try reader.mark(stream.id, since: layouts.mark(of: stream.id))
        layouts.remember(mark, of: stream.id)
        if let cached = layouts.layout(cacheKey, mark, now: now()) { return cached }
        let chunks = try layouts.chunks(of: stream.id, mark) ?? reader.streamChunks(stream.id)
        let laidOut = try LayoutResolver(engine: LayoutEngine(key), reader: reader).resolve(chunks)
        layouts.insert(laidOut, for: cacheKey, now: now())
        logger.debug(
            "laid out",
            metadata: [
                "stream": "\(stream.name)", "revision": "\(mark.revision)", "layout": "\(key)",
                "chunks": "\(chunks.chunks.count)", "folded": "\(laidOut.folded.count)",
            ])
        return laidOut
    }

    /// The row of a stream.
    func stream(_ name: StreamName, _ reader: PhotoReader) throws -> StreamRow {
        guard let row = try reader.stream(named: name) else { throw StreamServiceError.unknownStream(name.rawValue) }
        return row
    }

    /// Writes what earlier answers had to compute: chunks brought up to date, folded layouts, times of last use.
    ///
    /// Call it after the answers were sent. Each stream's is a short write of its own; where somebody holds the file for
    /// too long it is left to the next call, and where somebody else has changed the stream in the meantime to the next
    /// question. Does nothing to a file that is open for reading only.
    ///
    /// - Throws: ``StreamServiceError/storage(code:message:)`` when the file fails.
    public func storeDerived() throws {
        do {
            try storeOrThrowBusy()
        } catch StreamServiceError.storage(code: StorageError.Code.busy.rawValue, let message) {
            logger.info("storing is put off", metadata: ["reason": "\(message)"])
        }
    }

    /// As ``storeDerived()``, but a file that is held for too long is an error.
    func storeOrThrowBusy() throws {
        guard !isReadOnly else { return }
        var remaining = layouts.takeWork(now: now())
        do {
            for (streamID, work) in remaining {
                try write { try store(work, $0) }
                logger.debug("stored", metadata: ["stream id": "\(streamID)", "layouts": "\(work.count)"])
                remaining[streamID] = nil
                if work.contains(where: \.isUnsaved) { layouts.forget(streamID) }
            }
        } catch {
            layouts.giveBack(remaining.values.flatMap { $0 })
            throw error
        }
    }

    /// Stores a stream's chunks once, and all of its layouts that were made from them.
    private func store(_ work: [LayoutCache.Work], _ writer: PhotoWriter) throws {
        let newest = work.filter(\.isUnsaved).max { $0.laidOut.chunks.revision < $1.laidOut.chunks.revision }
        if let chunks = newest?.laidOut.chunks, let stored = try writer.store(chunks) {
            for item in work
            where item.isUnsaved && !item.laidOut.engine.placesByFunction
                && item.laidOut.chunks.isSameState(as: chunks)
            {
                try store(item.laidOut, stored, writer)
            }
        }
        for item in work where !item.isUnsaved && item.laidOut.stored != nil {
            try writer.touchLayout(
                streamID: item.key.streamID, layoutKey: item.key.layoutKey.description, foldedChunks: 0, now: now())
        }
    }

    private func store(_ laidOut: LaidOutStream, _ chunks: StreamChunks, _ writer: PhotoWriter) throws {
        let placed = laidOut.folded.compactMap { position, frames -> (placement: StoredPlacement, frames: [UInt8])? in
            guard let chunkID = chunks.chunks[position].id else { return nil }
            var placement = laidOut.placements[position]
            placement.chunkID = chunkID
            return (placement, frames.encoded)
        }
        try writer.storeLayout(
            placed, streamID: chunks.streamID, layoutKey: laidOut.engine.key.description, now: now())
    }
}
