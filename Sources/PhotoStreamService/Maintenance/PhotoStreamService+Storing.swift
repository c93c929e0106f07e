import Logging
import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamStorage
import Synchronization

extension PhotoStreamService {
    /// Writes the computed data of earlier answers: updated chunks, checkpoints, served frames, days of last use.
    ///
    /// Call it after the answers were sent. Each layout takes a short write transaction. If another connection locks
    /// the file for too long, the work is left to the next call; if the stream has changed in the meantime, to the next
    /// query. Nothing of a layout is stored until it is used again ten seconds after the first time. Does nothing to a
    /// file that is open for reading only.
    ///
    /// - Throws: `StorageError` if the file fails, `CancellationError` if the task is cancelled; the next call stores the
    ///   rest.
    public func storeDerived() throws {
        do {
            try storeOrThrowBusy()
        } catch let error as StorageError where error.code == .busy {
            logger.info("storing is deferred", metadata: ["reason": "\(error)"])
        }
    }

    /// As ``storeDerived()``, but throws if the file is locked for too long.
    func storeOrThrowBusy() throws {
        guard !isReadOnly else { return }
        // One call at a time: the second one skips the work that the first one has stored.
        try storing.withLock { _ in try storeWhatIsDue() }
    }

    /// Whether a condition has searched for words, so that indexing them is worthwhile.
    public var hasSearchedWords: Bool { state.withLock { $0.hasSearchedWords } }

    /// Notes that a condition searches for words.
    func noteWordSearch() {
        state.withLock { $0.hasSearchedWords = true }
    }

    /// Adds the words of photos to the index that conditions search, in one short write transaction.
    ///
    /// Without the index, or if it lacks photos, the answers are the same but slower. Does nothing to a file that is open for
    /// reading only, and defers the work while another connection locks the file.
    ///
    /// - Returns: Whether there is more to do.
    /// - Throws: `StorageError` if the file fails, `CancellationError` if the task is cancelled.
    /// - Complexity: About 150 ms, less if fewer photos are new or have changed.
    public func indexSomeWords() throws -> Bool {
        guard !isReadOnly else { return false }
        try Task.checkCancellation()
        do {
            return try database.indexSomeWords()
        } catch let error as StorageError where error.code == .busy {
            logger.info("indexing words is deferred", metadata: ["reason": "\(error)"])
            return false
        }
    }

    private func storeWhatIsDue() throws {
        var rest = layouts.takeDue().map { Batch(streamID: $0, work: $1[...]) }[...]
        do {
            while let batch = rest.first {
                try Task.checkCancellation()
                try store(batch.work, streamID: batch.streamID) { rest[rest.startIndex].work.removeFirst() }
                rest.removeFirst()
                logger.debug(
                    "stored", metadata: ["stream id": "\(batch.streamID)", "layouts": "\(batch.work.count)"])
            }
        } catch {
            layouts.giveBack(rest.flatMap(\.work))
            throw error
        }
        try storeAttributes()
    }

    /// The layouts of a stream to store.
    private struct Batch {
        let streamID: Int64
        var work: ArraySlice<LayoutCache.Due>
    }

    /// Stores a stream's chunks once, then the layouts that were computed from them, each in its own transaction.
    private func store(_ work: ArraySlice<LayoutCache.Due>, streamID: Int64, didStore: () -> Void) throws {
        guard let newest = work.map(\.laidOut.chunks).max(by: { $0.revision < $1.revision }) else { return }
        let chunks = try database.store(newest) { try Task.checkCancellation() }
        for item in work {
            try Task.checkCancellation()
            if let chunks, item.laidOut.chunks.isSameState(as: newest), let stored = try store(item, from: chunks) {
                layouts.finish(item, as: stored)
            } else {
                layouts.giveBack([item])
            }
            didStore()
        }
    }

    /// Stores a layout in one transaction, unless only its stream's chunks should be stored.
    ///
    /// - Returns: The layout as stored, or `nil` if it was skipped because the stored chunks have changed.
    private func store(_ work: LayoutCache.Due, from chunks: StreamChunks) throws -> LaidOutStream? {
        let laidOut = work.laidOut.adopting(chunks)
        guard work.use.stores(laidOut) else { return laidOut }
        return try writeLocally { writer in
            guard try writer.store(chunks) != nil else { return nil }
            let key = work.key.layoutKey.description
            let row = try writer.reader.layout(streamID: chunks.streamID, layoutKey: key)
            // A layout that was evicted must be used again a while later.
            guard row != nil || work.use.isWanted else { return laidOut.stored(as: nil) }
            guard try laidOut.checkpointByteCount <= writer.reader.layoutBudget() else {
                if let row { try writer.deleteLayout(row.id) }
                return laidOut.stored(as: nil)
            }
            let id = try writer.useLayout(streamID: chunks.streamID, layoutKey: key, on: work.use.day)
            try store(laidOut, frames: work.laidOut.served.all, as: id, with: writer)
            try writer.limitLayouts(afterStoring: id)
            return laidOut.stored(as: id)
        }
    }

    /// Stores the placements that a layout's row lacks, and frames.
    private func store(
        _ laidOut: LaidOutStream, frames: [Int: PackedFrames], as id: Int64, with writer: PhotoWriter
    ) throws {
        // A row that was created again has no placements.
        let unsaved = laidOut.placements.indices.filter { id != laidOut.storedID || !laidOut.isStored[$0] }
        let placementCount = try writer.store(unsaved.map { laidOut.placements[$0] }, ofLayout: id)
        let framesCount = try writer.store(
            frames.map { StoredFrames(placement: laidOut.placements[$0.key], bytes: $0.value.encoded) }, ofLayout: id)
        countWork { work in
            work.writtenPlacementCount += placementCount
            work.writtenFramesCount += framesCount
        }
    }
}

extension LaidOutStream {
    /// The same layout of the same photos, in the stored chunks.
    fileprivate func adopting(_ stored: StreamChunks) -> LaidOutStream {
        var (placements, isStored) = (placements, isStored)
        for position in placements.indices {
            placements[position].chunkID = stored.chunks[position].id ?? 0
            // Placements that were stored under another chunk id no longer exist.
            if chunks.chunks[position].id != stored.chunks[position].id { isStored[position] = false }
        }
        return LaidOutStream(
            chunks: stored, directory: directory, placements: placements, isStored: isStored,
            endingFrames: endingFrames, storedID: storedID)
    }

    /// The same layout after all of it was stored in a row; `nil` if the file has none of it.
    fileprivate func stored(as id: Int64?) -> LaidOutStream {
        LaidOutStream(
            chunks: chunks, directory: directory, placements: placements, isStored: isStored.map { _ in id != nil },
            endingFrames: endingFrames, storedID: id)
    }
}
