import Logging
import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamStorage
import Synchronization

extension PhotoStreamService {
    /// Writes what earlier answers had to compute: chunks brought up to date, checkpoints, frames that were served, times
    /// of last use.
    ///
    /// Call it after the answers were sent. Each stream's is a short write of its own; where somebody holds the file for
    /// too long it is left to the next call, and where somebody else has changed the stream in the meantime to the next
    /// question. Of a layout nothing but its use is stored before it was asked for again a while after the first time.
    /// Does nothing to a file that is open for reading only.
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
        // One after the other: who comes second finds stored what the first has taken.
        try storing.withLock { _ in try storeWhatIsDue() }
    }

    private func storeWhatIsDue() throws {
        var remaining = layouts.takeWork(now: now())
        do {
            for (streamID, work) in remaining {
                let stored = try write { try store(work, streamID: streamID, $0) }
                remaining[streamID] = nil
                for (work, laidOut) in zip(work, stored) {
                    guard let laidOut else {
                        layouts.giveBack([work])
                        continue
                    }
                    layouts.replace(work.laidOut, with: laidOut, work.key)
                    layouts.finish(work, wasDropped: work.use.isKept && laidOut.unsavedPlacementCount > 0)
                }
                logger.debug("stored", metadata: ["stream id": "\(streamID)", "layouts": "\(work.count)"])
            }
        } catch {
            layouts.giveBack(remaining.values.flatMap { $0 })
            throw error
        }
    }

    /// Stores a stream's chunks once, and of all its layouts that were made from them what is to be stored.
    ///
    /// - Returns: For each layout what it is now, or `nil` where it was left alone.
    private func store(
        _ work: [LayoutCache.Work], streamID: Int64, _ writer: PhotoWriter
    ) throws -> [LaidOutStream?] {
        guard let newest = work.map(\.laidOut.chunks).max(by: { $0.revision < $1.revision }),
            let chunks = try writer.store(newest)
        else { return work.map { _ in nil } }
        let results = try work.map { item -> LaidOutStream? in
            guard item.laidOut.chunks.isSameState(as: newest) else { return nil }
            return try store(item, chunks, writer)
        }
        try writer.limitLayouts(streamID: streamID)
        // The budget may have taken some of them away again.
        return try results.map { laidOut in
            guard let laidOut, let id = laidOut.storedID, try !writer.reader.hasLayout(id) else { return laidOut }
            return laidOut.unstored
        }
    }

    private func store(
        _ work: LayoutCache.Work, _ chunks: StreamChunks, _ writer: PhotoWriter
    ) throws -> LaidOutStream {
        let laidOut = work.laidOut
        var placements = laidOut.placements
        for position in placements.indices { placements[position].chunkID = chunks.chunks[position].id ?? 0 }
        var (isStored, storedID) = (laidOut.isStored, laidOut.storedID)
        if laidOut.isStorable {
            let row = try writer.recordUse(work.use.report(work.key))
            // A row that was dropped and came again has nothing of what the one before had.
            if row.id != storedID { isStored = isStored.map { _ in false } }
            storedID = row.id
            if row.isKept, try laidOut.checkpointByteCount <= writer.reader.layoutBudget() {
                let unsaved = placements.indices.filter { !isStored[$0] }
                let placementCount = try writer.store(unsaved.map { placements[$0] }, ofLayout: row.id)
                let served = laidOut.served.all
                let framesCount = try writer.store(
                    served.map { StoredFrames(placement: placements[$0.key], bytes: $0.value.encoded) },
                    ofLayout: row.id)
                counters.add { work in
                    work.writtenPlacementCount += placementCount
                    work.writtenFramesCount += framesCount
                }
                for position in unsaved { isStored[position] = true }
            }
        }
        return LaidOutStream(
            chunks: chunks, directory: laidOut.directory, placements: placements, isStored: isStored,
            endingFrames: laidOut.endingFrames, storedID: storedID)
    }
}
