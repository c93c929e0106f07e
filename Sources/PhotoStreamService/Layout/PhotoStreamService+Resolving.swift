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
    func mark(of stream: StreamRow, _ reader: PhotoReader) throws -> StreamMark {
        var isNew = false
        let mark = try reader.mark(
            stream.id,
            since: {
                isNew = true
                return layouts.mark(of: stream.id)
            })
        if isNew { layouts.remember(mark, of: stream.id) }
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
            try Self.checkMayTakeLong()
            let laidOut = try resolve(cacheKey, earlier, reader, ChunkWork(layouts, flight), progress)
            flight.answerGuests(reader)
            return laidOut
        }
    }

    /// Waits for somebody else's fold, and lets it answer a question where it may.
    ///
    /// It may where what is folded is no older than what the question found when it first looked: then nothing is that
    /// was there when it came is lacking. So all who come during one fold of a stream that is written to share the next
    /// one, and need not fold once each.
    ///
    /// - Parameters:
    ///   - body: The question.
    ///   - wait: The fold.
    ///   - first: The state of the stream that the question found when it first looked.
    /// - Returns: The answer, or `nil` where it is to ask again.
    /// - Throws: What `body` throws, and `CancellationError` when the caller's task is cancelled.
    func answer<T>(
        _ body: (PhotoReader) throws -> T, sharing wait: FlightInProgress, since first: StreamMark?
    ) throws -> T? {
        func isWaiting() { counters.add { $0.awaitedFoldCount += 1 } }
        guard let first, let mark = wait.flight.mark, wait.mark != nil, !first.isLater(than: mark) else {
            try wait.flight.wait(forResult: wait.mark != nil, waiting: isWaiting)
            return nil
        }
        do {
            let answer = try translatingStorageErrors {
                try database.translatingErrors { try wait.flight.answer(body, waiting: isWaiting) }
            }
            if answer == nil { try wait.flight.wait(forResult: false, waiting: {}) }
            return answer
        } catch is FlightInProgress {
            // It needs another fold, too.
            return nil
        } catch is CancellationError where !Task.isCancelled {
            // It was the other's task.
            return nil
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
            engine: LayoutEngine(key.layoutKey), reader: reader, earlier: earlier, stored: stored)
        let (laidOut, foldedCount) = try resolver.resolve(chunks, willFold: work.begin) { part in
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
