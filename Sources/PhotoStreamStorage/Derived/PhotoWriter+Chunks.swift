import GRDB
import PhotoStreamModel

extension PhotoWriter {
    /// Stores what a reader has brought up to date.
    ///
    /// - Parameter chunks: What ``PhotoReader/streamChunks(_:known:willMake:)`` answered in an earlier transaction.
    /// - Returns: The same chunks with their ids and new generation, or `nil` when somebody else has stored the stream's
    ///   chunks since they were read, the log has lost what happened since, or the stream is gone; nothing is written then.
    /// - Throws: `DatabaseError` when SQLite fails.
    /// - Complexity: O(changed chunks).
    package func store(_ chunks: StreamChunks) throws -> StreamChunks? {
        let logEnd = try reader.lastRevision() ?? 0
        guard try reader.streamIndex(chunks.streamID, logEnd: logEnd)?.generation == chunks.generation,
            try streamExists(chunks.streamID), logEnd >= chunks.consumedRevision,
            // Where no chunks are stored the generation says nothing of what the log has lost.
            try reader.hasAllChanges(streamID: chunks.streamID, after: chunks.consumedRevision)
        else { return nil }
        guard chunks.isUnsaved else { return chunks }
        try deleteChunks(of: chunks.streamID, keeping: Set(chunks.chunks.compactMap(\.id)))
        var stored = chunks
        for (position, chunk) in chunks.chunks.enumerated() {
            guard let content = chunk.unsavedContent else { continue }
            stored.chunks[position].id = try write(chunk, content, streamID: chunks.streamID)
            stored.chunks[position].unsavedContent = nil
        }
        stored.isUnsaved = false
        stored.generation = try writeIndex(
            chunks.streamID, consumed: chunks.consumedRevision, revision: chunks.revision,
            photoCount: chunks.photoCount)
        stored.storedRevision = chunks.consumedRevision
        return stored
    }

    /// Says up to where the stored chunks of a stream are.
    ///
    /// - Returns: Their new generation.
    func writeIndex(_ streamID: Int64, consumed: Int64, revision: Int64, photoCount: Int) throws -> Int64 {
        let generation = Int64.random(in: 1...Int64.max)
        let sql = """
            INSERT OR REPLACE INTO streamIndex (streamId, consumedRevision, streamRevision, photoCount, generation)
            VALUES (?, ?, ?, ?, ?)
            """
        let statement = try RawStatement(database, sql)
        statement.bind(1, streamID)
        statement.bind(2, consumed)
        statement.bind(3, revision)
        statement.bind(4, Int64(photoCount))
        statement.bind(5, generation)
        try statement.run()
        return generation
    }

    func streamExists(_ streamID: Int64) throws -> Bool {
        let statement = try RawStatement(database, "SELECT 1 FROM stream WHERE id = ?")
        statement.bind(1, streamID)
        return try statement.first { $0.integer(0) } != nil
    }

    /// Deletes the stream's chunks that are not in `kept`, and what layouts have stored of them.
    private func deleteChunks(of streamID: Int64, keeping kept: Set<Int64>) throws {
        let chunkIDs = try integers("SELECT id FROM chunk WHERE streamId = ?", streamID).filter { !kept.contains($0) }
        try delete(chunkIDs, of: streamID)
    }

    /// Deletes chunks, and what a stream's layouts have stored of them.
    func delete(_ chunkIDs: [Int64], of streamID: Int64) throws {
        guard !chunkIDs.isEmpty else { return }
        let layoutIDs = try integers("SELECT id FROM layout WHERE streamId = ?", streamID)
        let deleteChunk = try RawStatement(database, "DELETE FROM chunk WHERE id = ?")
        for chunkID in chunkIDs {
            deleteChunk.bind(1, chunkID)
            try deleteChunk.run()
        }
        for layoutID in layoutIDs { try deletePlacements(of: chunkIDs, fromLayout: layoutID) }
    }

    /// Deletes what a layout has stored of some chunks, and counts it off.
    func deletePlacements(of chunkIDs: [Int64], fromLayout layoutID: Int64) throws {
        let lengths = [
            ("layoutChunk", "length(entryState) + length(exitState) + length(sections)"),
            ("layoutFrames", "length(frames)"),
        ]
        var deleted: Int64 = 0
        for (table, length) in lengths {
            let sql = "DELETE FROM \(table) WHERE layoutId = ? AND chunkId = ? RETURNING \(length)"
            let statement = try RawStatement(database, sql)
            for chunkID in chunkIDs {
                statement.bind(1, layoutID)
                statement.bind(2, chunkID)
                if let size = try statement.first({ $0.integer(0) }) { deleted += size + LayoutBytes.row }
            }
        }
        try addBytes(-deleted, toLayout: layoutID)
    }

    func integers(_ sql: String, _ argument: Int64) throws -> [Int64] {
        let statement = try RawStatement(database, sql)
        statement.bind(1, argument)
        var result: [Int64] = []
        try statement.forEach { result.append($0.integer(0)) }
        return result
    }

    /// Writes a chunk's row and content; returns its id.
    func write(_ chunk: StreamChunk, _ content: ChunkContent, streamID: Int64) throws -> Int64 {
        // An UPSERT, not a REPLACE: the row's id must stay, and no delete trigger may run.
        let sql = """
            INSERT INTO chunk (id, streamId, firstTime, firstRank, photoCount, version, locatedCount, minX, maxX, minY, maxY)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET firstTime = excluded.firstTime, firstRank = excluded.firstRank,
                photoCount = excluded.photoCount, version = excluded.version, locatedCount = excluded.locatedCount,
                minX = excluded.minX, maxX = excluded.maxX, minY = excluded.minY, maxY = excluded.maxY
            """
        let statement = try RawStatement(database, sql)
        statement.bind(1, chunk.id)
        statement.bind(2, streamID)
        statement.bind(3, chunk.firstKey.time)
        statement.bind(4, chunk.firstKey.rank)
        statement.bind(5, Int64(chunk.count))
        statement.bind(6, chunk.version)
        statement.bind(7, Int64(chunk.positions.count))
        let box = chunk.positions.box
        for (column, side) in [box?.minX, box?.maxX, box?.minY, box?.maxY].enumerated() {
            statement.bind(Int32(8 + column), side.map { Int64($0) })
        }
        try statement.run()
        let id = chunk.id ?? database.lastInsertedRowID
        let insertContent = try RawStatement(
            database, "INSERT OR REPLACE INTO chunkContent (chunkId, metrics, rowIds, positions) VALUES (?, ?, ?, ?)")
        insertContent.bind(1, id)
        try insertContent.bind(2, copyingBytes: content.metrics.encoded)
        try insertContent.bind(3, copyingBytes: content.rowIDs.encoded)
        try insertContent.bind(4, copyingBytes: content.metrics.encodedPositions)
        try insertContent.run()
        return id
    }
}
