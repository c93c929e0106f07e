import PhotoStreamModel

extension PhotoDatabase {
    /// Makes all chunks of a stream anew and stores them, slice by slice: in memory that does not grow with the stream,
    /// and without holding the write lock for long.
    ///
    /// The slices are read and written in transactions of their own, beside the chunks that count until the last one
    /// exchanges them. What is written to the stream meanwhile lies behind the revision that the first slice was read at,
    /// so the log's tail brings the chunks up to date like any others. A process that is killed on the way leaves rows
    /// that nobody reads; the next rebuild deletes them.
    ///
    /// - Parameters:
    ///   - streamID: The stream.
    ///   - chunksPerSlice: How many chunks are made, written and deleted in one transaction.
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
                let slice = try read { reader in
                    try ChunkBuilder(reader: reader, streamID: streamID)
                        .slice(from: place, limit: chunksPerSlice, version: start.revision)
                }
                staged += try write { try $0.stage(slice.chunks, of: streamID) }
                place = slice.next
                photoCount += slice.chunks.reduce(0) { $0 + $1.count }
                try betweenSlices()
            } while place != nil
        } catch let error as StorageError where error.code == .constraint {
            // Another process stages the same chunks.
            return false
        }
        let isDone = try write {
            try $0.exchangeChunks(of: streamID, for: staged, since: start, photoCount: photoCount)
        }
        try deleteStagedChunks(streamID: streamID, limit: chunksPerSlice)
        return isDone
    }

    /// Deletes what a rebuild of the stream has left.
    ///
    /// - Parameters:
    ///   - streamID: The stream.
    ///   - limit: The most chunks that go in one transaction.
    /// - Throws: ``StorageError``.
    package func deleteStagedChunks(streamID: Int64, limit: Int = 128) throws {
        while try write({ try $0.deleteStaged(of: streamID, limit: limit) }) {}
    }
}

/// The state that a rebuild began at.
struct RebuildStart {
    let revision: Int64
    let logEnd: Int64
    let generation: Int64?
}

// Chunks that do not count stand under ids that no stream has: those that are to come, and those that were.
extension PhotoWriter {
    private static func stagingID(_ streamID: Int64) -> Int64 { -2 * streamID }
    private static func discardedID(_ streamID: Int64) -> Int64 { -2 * streamID - 1 }

    /// Writes new chunks beside those that count.
    ///
    /// - Returns: Their ids.
    func stage(_ chunks: [StreamChunk], of streamID: Int64) throws -> [Int64] {
        try chunks.compactMap { chunk in
            try chunk.unsavedContent.map { try write(chunk, $0, streamID: Self.stagingID(streamID)) }
        }
    }

    /// Puts staged chunks in the place of those that count.
    ///
    /// - Returns: Whether it did: not where another rebuild has taken some of them away.
    func exchangeChunks(
        of streamID: Int64, for staged: [Int64], since start: RebuildStart, photoCount: Int
    ) throws -> Bool {
        let logEnd = try reader.lastRevision() ?? 0
        guard try streamExists(streamID), logEnd >= start.logEnd,
            try reader.streamIndex(streamID, logEnd: logEnd)?.generation == start.generation,
            try reader.hasAllChanges(streamID: streamID, after: start.logEnd)
        else { return false }
        guard try areStaged(staged, of: streamID) else { return false }
        let discard = try RawStatement(database, "UPDATE chunk SET streamId = ? WHERE streamId = ?")
        discard.bind(1, Self.discardedID(streamID))
        discard.bind(2, streamID)
        try discard.run()
        let take = try RawStatement(database, "UPDATE chunk SET streamId = ? WHERE id = ?")
        for id in staged {
            take.bind(1, streamID)
            take.bind(2, id)
            try take.run()
        }
        _ = try writeIndex(streamID, consumed: start.logEnd, revision: start.revision, photoCount: photoCount)
        return true
    }

    /// Whether chunks stand where they were staged, all of them: two rebuilds of one stream delete each other's.
    private func areStaged(_ ids: [Int64], of streamID: Int64) throws -> Bool {
        let present = Set(try integers("SELECT id FROM chunk WHERE streamId = ?", Self.stagingID(streamID)))
        return ids.allSatisfy(present.contains)
    }

    /// Deletes some chunks that do not count.
    ///
    /// - Returns: Whether there may be more.
    func deleteStaged(of streamID: Int64, limit: Int) throws -> Bool {
        for id in [Self.stagingID(streamID), Self.discardedID(streamID)] {
            let chunkIDs = try integers("SELECT id FROM chunk WHERE streamId = ? LIMIT \(limit)", id)
            guard chunkIDs.isEmpty else {
                try delete(chunkIDs, of: streamID)
                return true
            }
        }
        return false
    }
}
