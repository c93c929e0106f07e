import Dispatch
import PhotoStreamModel
import Synchronization

extension PhotoDatabase {
    /// Rebuilds all chunks of a stream, two slices at a time: with bounded memory and short write transactions.
    ///
    /// Each slice is read and written in its own transaction, while the current chunks stay in use until the last
    /// transaction swaps the new ones in. Later writes to the stream have greater revisions than the one at which the
    /// first slice was read, so the tail of the log brings the chunks up to date like any others. A killed process
    /// leaves rows that are never read; the next rebuild deletes them.
    ///
    /// - Parameters:
    ///   - streamID: The stream.
    ///   - chunksPerSlice: The number of chunks per transaction; 128 chunks are about 130,000 photos. Two slices are in
    ///     memory at once.
    ///   - betweenSlices: Called after each slice. An error ends the work.
    /// - Returns: Whether the new chunks are in the file. `false` if another connection has stored or rebuilt the
    ///   stream's chunks, the log no longer covers the time of the rebuild, or the stream was deleted.
    /// - Throws: ``StorageError`` and errors of `betweenSlices`.
    /// - Complexity: O(photos).
    package func rebuildChunks(
        streamID: Int64, chunksPerSlice: Int, betweenSlices: () throws -> Void = {}
    ) throws -> Bool {
        let start = try read { reader in
            let logEnd = try reader.logEnd() ?? Revision(0)
            return RebuildStart(
                revision: try reader.lastRevision(streamID: streamID)?.rawValue ?? 0, logEnd: logEnd,
                generation: try reader.streamIndex(streamID, logEnd: logEnd.rawValue)?.generation)
        }
        try deleteStagedChunks(streamID: streamID, limit: chunksPerSlice)
        var (place, photoCount): (OrderKey?, Int) = (nil, 0)
        var staged: [Int64] = []
        do {
            repeat {
                let first = place
                place = try forEachOfTwoSlices(
                    of: streamID, from: place, chunksPerSlice: chunksPerSlice, version: start.revision
                ) { chunks in
                    staged += try writeLocally { try $0.stage(chunks, of: streamID) }
                    photoCount += chunks.reduce(0) { $0 + $1.count }
                    try betweenSlices()
                    pauseForOtherWriters()
                }
                if let first, let next = place, next >= first { throw StorageError.unordered }
            } while place != nil
        } catch let error as StorageError where error.code == .constraint {
            // Another process stages chunks of the same stream.
            return false
        }
        let generation = try writeLocally {
            try $0.exchangeChunks(of: streamID, keeping: [], for: staged, since: start, photoCount: photoCount)
        }
        try deleteStagedChunks(streamID: streamID, limit: chunksPerSlice)
        return generation != nil
    }

    /// Stores updated chunks: in one transaction or, if there are many, slice by slice next to the current ones, as a
    /// rebuild does.
    ///
    /// In the latter case all changed chunks get new ids, so their stored placements are deleted; nearly all of these
    /// would be useless anyway.
    ///
    /// - Parameters:
    ///   - chunks: The result of ``PhotoReader/streamChunks(_:known:willMake:)`` in an earlier transaction.
    ///   - chunksPerSlice: The number of chunks written and deleted per transaction.
    ///   - betweenSlices: Called after each slice. An error ends the work.
    /// - Returns: The result of ``PhotoWriter/store(_:)``.
    /// - Throws: ``StorageError`` and errors of `betweenSlices`.
    /// - Complexity: O(changed chunks).
    package func store(
        _ chunks: StreamChunks, chunksPerSlice: Int = 128, betweenSlices: () throws -> Void = {}
    ) throws -> StreamChunks? {
        let unsaved = chunks.chunks.indices.filter { chunks.chunks[$0].unsavedContent != nil }
        guard unsaved.count > chunksPerSlice else { return try writeLocally { try $0.store(chunks) } }
        try deleteStagedChunks(streamID: chunks.streamID, limit: chunksPerSlice)
        var stored = chunks
        for position in unsaved { stored.chunks[position].id = nil }
        do {
            for first in stride(from: 0, to: unsaved.count, by: chunksPerSlice) {
                let slice = unsaved[first..<min(first + chunksPerSlice, unsaved.count)]
                let ids = try writeLocally { try $0.stage(slice.map { stored.chunks[$0] }, of: chunks.streamID) }
                for (position, id) in zip(slice, ids) {
                    stored.chunks[position].didStore(as: id)
                }
                try betweenSlices()
            }
        } catch let error as StorageError where error.code == .constraint {
            // Another process stages chunks of the same stream.
            return nil
        }
        let staged = unsaved.compactMap { stored.chunks[$0].id }
        let generation = try writeLocally { writer in
            let generation = try writer.exchangeChunks(
                of: chunks.streamID, keeping: Set(stored.chunks.compactMap(\.id)), for: staged,
                since: RebuildStart(
                    revision: chunks.revision.rawValue, logEnd: chunks.consumedRevision, generation: chunks.generation),
                photoCount: chunks.photoCount)
            if generation != nil { try writer.deleteAttributesOfTouched(&stored) }
            return generation
        }
        try deleteStagedChunks(streamID: chunks.streamID, limit: chunksPerSlice)
        guard let generation else { return nil }
        (stored.isUnsaved, stored.generation, stored.storedRevision) = (
            false, generation, chunks.consumedRevision.rawValue
        )
        return stored
    }

    /// Builds the next two slices of a stream's chunks on two threads: reading rows in stream order takes most of the
    /// time of a rebuild.
    ///
    /// - Parameters:
    ///   - streamID: The stream.
    ///   - place: The place to begin at; `nil` for the first photo.
    ///   - chunksPerSlice: The number of chunks in a slice.
    ///   - version: The version of the chunks.
    ///   - body: Receives the slices in stream order.
    /// - Returns: The first place of the next slice; `nil` after the last photo.
    /// - Throws: Read errors and errors of `body`, `CancellationError` if the task is cancelled.
    private func forEachOfTwoSlices(
        of streamID: Int64, from place: OrderKey?, chunksPerSlice: Int, version: Int64,
        body: ([PhotoChunk]) throws -> Void
    ) throws -> OrderKey? {
        let middle = try read {
            try ChunkBuilder(reader: $0, streamID: streamID).place(afterChunks: chunksPerSlice, from: place)
        }
        let slices = Mutex<[Int: Result<ChunkBuilder.Slice, any Error>]>([:])
        unsafe withUnsafeCurrentTask { task in
            // Both threads may check whether the task is cancelled while this closure runs; one of them has no task of
            // its own.
            nonisolated(unsafe) let task = unsafe task
            DispatchQueue.concurrentPerform(iterations: middle == nil ? 1 : 2) { number in
                let slice = Result {
                    try read { reader in
                        let builder = ChunkBuilder(reader: reader, streamID: streamID) { _ in
                            if unsafe task?.isCancelled == true { throw CancellationError() }
                        }
                        // The first slice ends at the start of the second, regardless of writes in between.
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

    /// Deletes the leftover chunks of the stream's rebuilds.
    ///
    /// - Parameters:
    ///   - streamID: The stream.
    ///   - limit: The maximum number of chunks deleted per transaction.
    /// - Throws: ``StorageError``.
    package func deleteStagedChunks(streamID: Int64, limit: Int = 128) throws {
        while try write({ writer in
            try writer.requiringProgress(of: "chunks") { try $0.deleteStaged(of: streamID, limit: limit) }
        }) { pauseForOtherWriters() }
    }
}

/// The state at the start of a rebuild.
struct RebuildStart {
    let revision: Int64
    let logEnd: Revision
    let generation: Int64?
}

// Staged and discarded chunks, which are not in use.
extension PhotoWriter {
    /// Writes new chunks next to those in use.
    ///
    /// - Returns: Their ids.
    func stage(_ chunks: [PhotoChunk], of streamID: Int64) throws -> [Int64] {
        try chunks.compactMap { chunk in
            try chunk.unsavedContent.map { try write(chunk, content: $0, streamID: streamID, state: .staged) }
        }
    }

    /// Replaces the chunks in use, except `kept`, with staged ones.
    ///
    /// - Returns: The new generation; `nil` if nothing was done because another connection has stored the stream's
    ///   chunks or deleted staged ones.
    func exchangeChunks(
        of streamID: Int64, keeping kept: Set<Int64>, for staged: [Int64], since start: RebuildStart, photoCount: Int
    ) throws -> Int64? {
        let logEnd = try reader.lastRevision() ?? 0
        guard try streamExists(streamID), logEnd >= start.logEnd.rawValue,
            try reader.streamIndex(streamID, logEnd: logEnd)?.generation == start.generation,
            try reader.hasAllChanges(streamID: streamID, after: start.logEnd)
        else { return nil }
        // Two rebuilds of one stream delete each other's chunks.
        var records: [Int64: ChunkRecord] = [:]
        try reader.forEachChunk(of: streamID, in: .staged) { records[$0] = $1 }
        let found = staged.compactMap { records[$0] }
        guard found.count == staged.count else { return nil }
        var discarded: [Int64] = []
        try reader.forEachChunk(of: streamID, in: .counted) { id, _ in if !kept.contains(id) { discarded.append(id) } }
        try discard(discarded)
        for record in found { try count(record) }
        return try writeIndex(
            streamID, consumed: start.logEnd.rawValue, revision: start.revision, photoCount: photoCount)
    }

    /// Marks chunks as discarded.
    ///
    /// Their checksums become invalid, since discarded chunks are never read again.
    private func discard(_ chunkIDs: [Int64]) throws {
        let statement = try RawStatement(database, sql: "UPDATE chunk SET state = ? WHERE id = ?")
        for id in chunkIDs { try statement.run(with: ChunkRecord.State.discarded.rawValue, id) }
    }

    /// Marks a staged chunk as counted.
    private func count(_ record: ChunkRecord) throws {
        let counted = ChunkRecord(streamID: record.streamID, state: .counted, chunk: record.chunk)
        try database.run(
            "UPDATE chunk SET state = ?, checksum = ? WHERE id = ?", with: counted.state.rawValue, counted.checksum,
            record.chunk.id)
    }

    /// Deletes some staged or discarded chunks.
    ///
    /// - Returns: Whether there may be more.
    func deleteStaged(of streamID: Int64, limit: Int) throws -> Bool {
        for state in [ChunkRecord.State.staged, .discarded] {
            let sql = "SELECT id FROM chunk WHERE streamId = ? AND state = \(state.rawValue) LIMIT \(limit)"
            let chunkIDs = try database.integers(sql, with: streamID)
            guard chunkIDs.isEmpty else {
                try delete(chunkIDs, of: streamID)
                return true
            }
        }
        return false
    }
}
