import Logging
import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamStorage

extension PhotoStreamService {
    /// Runs `body` in one read transaction with the stream and its layout as of that transaction.
    func withLayout<T>(
        of stream: StreamName, _ key: LayoutKey, progress: (Double) throws -> Void = { _ in },
        _ body: (StreamRow, PlacedStream) throws -> T
    ) throws -> T {
        try read { reader in
            let row = try self.stream(stream, reader)
            return try body(row, try placed(row, key, reader, progress: progress))
        }
    }

    /// The stream's layout as of the reader's transaction, ready to be asked.
    ///
    /// - Throws: ``StreamServiceError/customLayout(_:)``, what reading throws, `CancellationError` for a cancelled task,
    ///   and what makes ``PhotoStreamService/read(_:)`` begin anew when somebody else is folding.
    func placed(
        _ stream: StreamRow, _ key: LayoutKey, _ reader: PhotoReader, progress: (Double) throws -> Void = { _ in }
    ) throws -> PlacedStream {
        PlacedStream(
            laidOut: try laidOut(stream, key, reader, progress: progress), reader: reader, counters: counters,
            contents: contents)
    }

    /// The stream's revision and stored generation in the reader's transaction.
    func mark(of stream: StreamRow, _ reader: PhotoReader) throws -> StreamVersion {
        let mark = try reader.version(of: stream.id, since: layouts.mark(of: stream.id))
        layouts.remember(mark, of: stream.id)
        return mark
    }

    /// Refuses a layout that only a program can have.
    func checkIsOurs(_ key: LayoutKey) throws {
        if case .custom(let layout) = key.algorithm { throw StreamServiceError.customLayout(layout.base.name) }
    }

    private func laidOut(
        _ stream: StreamRow, _ key: LayoutKey, _ reader: PhotoReader, progress: (Double) throws -> Void
    ) throws -> LaidOutStream {
        try checkIsOurs(key)
        let cacheKey = LayoutCache.Key(streamID: stream.id, layoutKey: key)
        switch layouts.find(cacheKey, try mark(of: stream, reader), now: now()) {
        case .ready(let laidOut):
            counters.add { $0.hitCount += 1 }
            return laidOut
        case .wait(let flight): throw flight
        case .lead(let flight, let earlier):
            defer { layouts.end(flight, cacheKey) }
            return try resolve(cacheKey, earlier, reader, ChunkWork(self, flight, in: reader), progress)
        }
    }

    private func resolve(
        _ key: LayoutCache.Key, _ earlier: LaidOutStream?, _ reader: PhotoReader, _ work: ChunkWork,
        _ progress: (Double) throws -> Void
    ) throws -> LaidOutStream {
        let stored = try reader.layout(streamID: key.streamID, layoutKey: key.layoutKey.description)
        // Reading a photo's row takes far longer than placing it.
        var read = 0.0
        let chunks = try reader.streamChunks(key.streamID, known: layouts.chunks(of: key.streamID)) { part in
            try work.begin()
            read = 0.9 * part
            try progress(read)
        }
        let resolver = LayoutResolver(
            engine: LayoutEngine(key.layoutKey), reader: reader, contents: contents, earlier: earlier, stored: stored)
        let (laidOut, foldedCount) = try resolver.resolve(chunks, willFold: work.beginFold, check: work.check) { part in
            try work.check()
            try progress(read + (1 - read) * part)
        }
        counters.add { work in
            work.foldedChunkCount += foldedCount
            work.reusedChunkCount += laidOut.isStorable ? chunks.chunks.count - foldedCount : 0
            work.resolvedLayoutCount += 1
            if foldedCount == 0 { work.hitCount += 1 }
        }
        layouts.insert(laidOut, for: key, stored, foldedCount: foldedCount, now: now())
        logger.debug(
            "laid out",
            metadata: [
                "stream id": "\(key.streamID)", "revision": "\(chunks.revision)", "layout": "\(key.layoutKey)",
                "chunks": "\(chunks.chunks.count)", "folded": "\(foldedCount)",
            ])
        return laidOut
    }

    /// The row of a stream.
    func stream(_ name: StreamName, _ reader: PhotoReader) throws -> StreamRow {
        guard let row = try reader.stream(named: name) else { throw StreamServiceError.unknownStream(name.rawValue) }
        return row
    }
}
