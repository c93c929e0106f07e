import Dispatch
import PhotoStreamModel
import Synchronization

extension PhotoDatabase {
    /// Makes all chunks of a stream anew and stores them, two slices at a time: in memory that does not grow with the
    /// stream, and without holding the write lock for long.
    ///
    /// The slices are read and written in transactions of their own, beside the chunks that count until the last one
    /// exchanges them. What is written to the stream meanwhile lies behind the revision that the first slice was read at,
    /// so the log's tail brings the chunks up to date like any others. A process that is killed on the way leaves rows
    /// that nobody reads; the next rebuild deletes them.
    ///
    /// - Parameters:
    ///   - streamID: The stream.
    ///   - chunksPerSlice: How many chunks are made, written and deleted in one transaction; 128 are about 130,000
    ///     photos. Two slices are in memory at once.
    ///   - betweenSlices: Called after each slice; what it throws ends the work.
    /// - Returns: Whether the new chunks are in the file: not where somebody else has stored or rebuilt the stream's chunks
    ///   meanwhile, the log has lost what happened since, or the stream is gone.
    /// - Throws: ``StorageError``, and what `betweenSlices` throws.
    /// - Complexity: O(photos).
    package func rebuildChunks(
        streamID: Int64, chunksPerSlice: Int, betweenSlices: () throws -> Void = {}
    ) throws -> Bool {
        let start = try read { reader in
            let logEnd = try reader.lastRevision() ?? 0
            return RebuildStart(
                revision: try reader.lastRevision(streamID: streamID) ?? 0, logEnd: logEnd,
                generation: try reader.streamIndex(streamID, logEnd: logEnd)?.generation)
        }
        try deleteStagedChunks(streamID: streamID, limit: chunksPerSlice)
        var (place, photoCount): (OrderKey?, Int) = (nil, 0)
        var staged: [Int64] = []
        do {
            repeat {
                let first = place
                place = try forEachOfTwoSlices(
                    streamID, from: place, chunksPerSlice: chunksPerSlice, version: start.revision
                ) { chunks in
                    staged += try write { try $0.stage(chunks, of: streamID) }
                    photoCount += chunks.reduce(0) { $0 + $1.count }
                    try betweenSlices()
                    giveTurn()
                }
                if let first, let next = place, next >= first { throw StorageError.unordered }
            } while place != nil
        } catch let error as StorageError where error.code == .constraint {
            // Another process stages the same chunks.
            return false
        }
        let generation = try write {
            try $0.exchangeChunks(of: streamID, keeping: [], for: staged, since: start, photoCount: photoCount)
        }
        try deleteStagedChunks(streamID: streamID, limit: chunksPerSlice)
        return generation != nil
    }

    /// Stores what a reader has brought up to date: in one transaction, or where many chunks were made, slice by slice
    /// beside those that count, as a rebuild does.
    ///
    /// In the latter case they all get other ids, so what layouts have stored of them goes; of nearly all of it that would
    /// be useless anyway.
    ///
    /// - Parameters:
    ///   - chunks: What ``PhotoReader/streamChunks(_:known:willMake:)`` answered in an earlier transaction.
    ///   - chunksPerSlice: How many chunks are written and deleted in one transaction.
    ///   - betweenSlices: Called after each slice; what it throws ends the work.
    /// - Returns: What ``PhotoWriter/store(_:)`` does.
    /// - Throws: ``StorageError``, and what `betweenSlices` throws.
    /// - Complexity: O(changed chunks).
    package func store(
        _ chunks: StreamChunks, chunksPerSlice: Int = 128, betweenSlices: () throws -> Void = {}
    ) throws -> StreamChunks? {
        let unsaved = chunks.chunks.indices.filter { chunks.chunks[$0].unsavedContent != nil }
        guard unsaved.count > chunksPerSlice else { return try write { try $0.store(chunks) } }
        try deleteStagedChunks(streamID: chunks.streamID, limit: chunksPerSlice)
        var stored = chunks
        for position in unsaved { stored.chunks[position].id = nil }
        do {
            for first in stride(from: 0, to: unsaved.count, by: chunksPerSlice) {
                let slice = unsaved[first..<min(first + chunksPerSlice, unsaved.count)]
                let ids = try write { try $0.stage(slice.map { stored.chunks[$0] }, of: chunks.streamID) }
                for (position, id) in zip(slice, ids) {
                    (stored.chunks[position].id, stored.chunks[position].unsavedContent) = (id, nil)
                }
                try betweenSlices()
            }
        } catch let error as StorageError where error.code == .constraint {
            // Another process stages the same chunks.
            return nil
        }
        let staged = unsaved.compactMap { stored.chunks[$0].id }
        let generation = try write {
            try $0.exchangeChunks(
                of: chunks.streamID, keeping: Set(stored.chunks.compactMap(\.id)), for: staged,
                since: RebuildStart(
                    revision: chunks.revision, logEnd: chunks.consumedRevision, generation: chunks.generation),
                photoCount: chunks.photoCount)
        }
        try deleteStagedChunks(streamID: chunks.streamID, limit: chunksPerSlice)
        guard let generation else { return nil }
        (stored.isUnsaved, stored.generation, stored.storedRevision) = (false, generation, chunks.consumedRevision)
        return stored
    }

    /// Makes the next two slices of a stream's chunks, each by a thread of its own: reading rows in stream order is most
    /// of a rebuild.
    ///
    /// - Parameters:
    ///   - streamID: The stream.
    ///   - place: Where the first begins; `nil` for the first photo.
    ///   - chunksPerSlice: How many chunks a slice has.
    ///   - version: The version of the chunks.
    ///   - body: Takes the chunks of one after the other.
    /// - Returns: The place where the next begins; `nil` behind the last photo.
    /// - Throws: What reading and `body` throw, `CancellationError` when the task is cancelled.
    private func forEachOfTwoSlices(
        _ streamID: Int64, from place: OrderKey?, chunksPerSlice: Int, version: Int64,
        _ body: ([PhotoChunk]) throws -> Void
    ) throws -> OrderKey? {
        let middle = try read {
            try ChunkBuilder(reader: $0, streamID: streamID).place(behindChunks: chunksPerSlice, from: place)
        }
        let slices = Mutex<[Int: Result<ChunkBuilder.Slice, any Error>]>([:])
        withUnsafeCurrentTask { task in
            // Both threads may ask the task whether it is cancelled, as long as this closure runs; one of them has none
            // of its own.
            nonisolated(unsafe) let task = task
            DispatchQueue.concurrentPerform(iterations: middle == nil ? 1 : 2) { number in
                let slice = Result {
                    try read { reader in
                        let builder = ChunkBuilder(reader: reader, streamID: streamID) { _ in
                            if task?.isCancelled == true { throw CancellationError() }
                        }
                        // The first ends where the second begins, whatever is written between the two.
                        return try builder.slice(
                            from: number == 0 ? place : middle, to: number == 0 ? middle : nil,
                            limit: number == 0 ? nil : chunksPerSlice, version: version)
                    }
                }
                slices.withLock { $0[number] = slice }
            }
        }
        let found = slices.withLock { $0 }
        var next: OrderKey?
        for number in 0..<found.count {
            guard let slice = try found[number]?.get() else { continue }
            try body(slice.chunks)
            next = slice.next
        }
        return next
    }

    /// Deletes what a rebuild of the stream has left.
    ///
    /// - Parameters:
    ///   - streamID: The stream.
    ///   - limit: The most chunks that go in one transaction.
    /// - Throws: ``StorageError``.
    package func deleteStagedChunks(streamID: Int64, limit: Int = 128) throws {
        while try write({ writer in
            try writer.requiringProgress(of: "chunks") { try $0.deleteStaged(of: streamID, limit: limit) }
        }) { giveTurn() }
    }
}

/// The state that a rebuild began at.
struct RebuildStart {
    let revision: Int64
    let logEnd: Int64
    let generation: Int64?
}

// Chunks that do not count, as their state says: those that are to come, and those that were.
extension PhotoWriter {
    /// Writes new chunks beside those that count.
    ///
    /// - Returns: Their ids.
    func stage(_ chunks: [PhotoChunk], of streamID: Int64) throws -> [Int64] {
        try chunks.compactMap { chunk in
            try chunk.unsavedContent.map { try write(chunk, $0, streamID: streamID, state: .staged) }
        }
    }

    /// Puts staged chunks in the place of those that count but for some.
    ///
    /// - Returns: The new generation; `nil` where nothing was done: another connection has stored the stream's chunks
    ///   meanwhile, or has taken some of the staged away.
    func exchangeChunks(
        of streamID: Int64, keeping kept: Set<Int64>, for staged: [Int64], since start: RebuildStart, photoCount: Int
    ) throws -> Int64? {
        let logEnd = try reader.lastRevision() ?? 0
        guard try streamExists(streamID), logEnd >= start.logEnd,
            try reader.streamIndex(streamID, logEnd: logEnd)?.generation == start.generation,
            try reader.hasAllChanges(streamID: streamID, after: start.logEnd)
        else { return nil }
        // Two rebuilds of one stream delete each other's.
        var records: [Int64: ChunkRecord] = [:]
        try reader.forEachChunk(of: streamID, .staged) { records[$0] = $1 }
        let found = staged.compactMap { records[$0] }
        guard found.count == staged.count else { return nil }
        var discarded: [Int64] = []
        try reader.forEachChunk(of: streamID, .counted) { id, _ in if !kept.contains(id) { discarded.append(id) } }
        try discard(discarded)
        for record in found { try count(record) }
        return try writeIndex(streamID, consumed: start.logEnd, revision: start.revision, photoCount: photoCount)
    }

    /// Marks chunks as discarded.
    ///
    /// Their checksums are wrong from now on, since a discarded chunk is never read again.
    private func discard(_ chunkIDs: [Int64]) throws {
        let statement = try RawStatement(database, "UPDATE chunk SET state = ? WHERE id = ?")
        for id in chunkIDs {
            statement.bind(1, ChunkRecord.State.discarded.rawValue)
            statement.bind(2, id)
            try statement.run()
        }
    }

    /// A staged chunk counts from now on.
    private func count(_ record: ChunkRecord) throws {
        let counted = ChunkRecord(streamID: record.streamID, state: .counted, chunk: record.chunk)
        let statement = try RawStatement(database, "UPDATE chunk SET state = ?, checksum = ? WHERE id = ?")
        statement.bind(1, counted.state.rawValue)
        statement.bind(2, counted.checksum)
        statement.bind(3, record.chunk.id)
        try statement.run()
    }

    /// Deletes some chunks that do not count.
    ///
    /// - Returns: Whether there may be more.
    func deleteStaged(of streamID: Int64, limit: Int) throws -> Bool {
        for state in [ChunkRecord.State.staged, .discarded] {
            let sql = "SELECT id FROM chunk WHERE streamId = ? AND state = \(state.rawValue) LIMIT \(limit)"
            let chunkIDs = try integers(sql, streamID)
            guard chunkIDs.isEmpty else {
                try delete(chunkIDs, of: streamID)
                return true
            }
        }
        return false
    }
}
