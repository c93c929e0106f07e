import Logging
import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamStorage
import Synchronization

extension PhotoStreamService {
    /// Writes what earlier answers had to compute: updated chunks, checkpoints, frames that were served, times of last use.
    ///
    /// Call it after the answers were sent. Each stream takes a short write transaction. If another connection holds the
    /// file for too long, the work is left to the next call; if the stream was changed in the meantime, to the next
    /// question. Only the use of a layout is stored until it is asked for again a while after the first time. Does nothing
    /// to a file that is open for reading only.
    ///
    /// - Throws: ``StreamServiceError/storage(_:message:)`` when the file fails, `CancellationError` when the task is cancelled;
    ///   the next call stores the rest.
    public func storeDerived() throws {
        do {
            try storeOrThrowBusy()
        } catch StreamServiceError.storage(.busy, let message) {
            logger.info("storing is deferred", metadata: ["reason": "\(message)"])
        }
    }

    /// As ``storeDerived()``, but throws if the file is locked for too long.
    func storeOrThrowBusy() throws {
        guard !isReadOnly else { return }
        // One call at a time: the second finds stored what the first has taken.
        try storing.withLock { _ in try storeWhatIsDue() }
    }

    private func storeWhatIsDue() throws {
        var rest = layouts.takeReports(now: now()).map { Batch(streamID: $0, work: $1[...]) }[...]
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
    }

    /// The layouts of a stream that are to be stored.
    private struct Batch {
        let streamID: Int64
        var work: ArraySlice<LayoutCache.Report>
    }

    /// Stores a stream's chunks once, then the layouts that were made from them, each in its own transaction.
    private func store(
        _ work: ArraySlice<LayoutCache.Report>, streamID: Int64, didReport: () -> Void
    ) throws {
        guard let newest = work.map(\.laidOut.chunks).max(by: { $0.revision < $1.revision }) else { return }
        let chunks = try translatingStorageErrors { try database.store(newest) { try Task.checkCancellation() } }
        var stored: [(work: LayoutCache.Report, laidOut: LaidOutStream)] = []
        for item in work {
            try Task.checkCancellation()
            let isOfChunks = item.laidOut.chunks.isSameState(as: newest)
            if let chunks, isOfChunks, let laidOut = try store(item, from: chunks) {
                layouts.replace(item.laidOut, with: laidOut, for: item.key)
                layouts.finish(item, wasDropped: item.use.isKept && laidOut.unsavedPlacementCount > 0)
                stored.append((item, laidOut))
            } else {
                layouts.giveBack([item])
            }
            didReport()
        }
        try forgetDropped(stored)
    }

    /// Stores a layout in one transaction.
    ///
    /// - Returns: The stored layout, or `nil` if it was left alone because the stored chunks have changed.
    private func store(_ work: LayoutCache.Report, from chunks: StreamChunks) throws -> LaidOutStream? {
        try writeLocally { writer in
            guard try writer.store(chunks) != nil else { return nil }
            let laidOut = try store(work, from: chunks, with: writer)
            try writer.limitLayouts(streamID: chunks.streamID)
            guard let id = laidOut.storedID, try !writer.reader.hasLayout(id) else { return laidOut }
            return laidOut.unstored
        }
    }

    /// Forgets layouts that were stored just before and dropped again, when the budget made room for another.
    private func forgetDropped(_ stored: [(work: LayoutCache.Report, laidOut: LaidOutStream)]) throws {
        guard stored.count > 1 else { return }
        for (work, laidOut) in stored {
            guard let id = laidOut.storedID, try !transaction({ try $0.hasLayout(id) }) else { continue }
            layouts.replace(laidOut, with: laidOut.unstored, for: work.key)
            layouts.finish(work, wasDropped: work.use.isKept)
        }
    }

    private func store(
        _ work: LayoutCache.Report, from chunks: StreamChunks, with writer: PhotoWriter
    ) throws -> LaidOutStream {
        let laidOut = work.laidOut
        var placements = laidOut.placements
        for position in placements.indices { placements[position].chunkID = chunks.chunks[position].id ?? 0 }
        var (isStored, storedID) = (laidOut.isStored, laidOut.storedID)
        // Placements that were stored under another chunk id are gone.
        for position in isStored.indices where laidOut.chunks.chunks[position].id != chunks.chunks[position].id {
            isStored[position] = false
        }
        if laidOut.isStorable {
            let hasRoom = try laidOut.checkpointByteCount <= writer.reader.layoutBudget()
            var use = work.use.report(work.key, now: now())
            use.isKept = use.isKept && hasRoom
            var row = try writer.recordUse(use)
            if row.isKept, !hasRoom {
                // It was kept when it was smaller, or the budget larger. A new row tells every process that holds it that
                // nothing of it is stored any more.
                try writer.deleteLayout(row.id)
                row = try writer.recordUse(use)
            }
            // A re-created layout row has no stored placements.
            if row.id != storedID { isStored = isStored.map { _ in false } }
            storedID = row.id
            if row.isKept, hasRoom {
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
