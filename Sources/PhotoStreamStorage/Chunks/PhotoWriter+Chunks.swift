import GRDB
import PhotoStreamModel

extension PhotoWriter {
    /// Stores updated chunks.
    ///
    /// - Parameter chunks: The result of ``PhotoReader/streamChunks(_:known:willMake:)`` in an earlier transaction.
    /// - Returns: The same chunks with their ids and new generation. `nil`, without any write, if another connection
    ///   has stored the stream's chunks since, the log has lost changes since, or the stream was deleted.
    /// - Throws: `DatabaseError` if SQLite fails.
    /// - Complexity: O(changed chunks).
    package func store(_ chunks: StreamChunks) throws -> StreamChunks? {
        let logEnd = try reader.lastRevision() ?? 0
        guard try reader.streamIndex(chunks.streamID, logEnd: logEnd)?.generation == chunks.generation,
            try streamExists(chunks.streamID), logEnd >= chunks.consumedRevision.rawValue,
            // If no chunks are stored, the generation does not reveal what the log has lost.
            try reader.hasAllChanges(streamID: chunks.streamID, after: chunks.consumedRevision)
        else { return nil }
        guard chunks.isUnsaved else { return chunks }
        try deleteChunks(of: chunks.streamID, keeping: Set(chunks.chunks.compactMap(\.id)))
        var stored = chunks
        for (position, chunk) in chunks.chunks.enumerated() {
            guard let content = chunk.unsavedContent else { continue }
            stored.chunks[position].didStore(as: try write(chunk, content: content, streamID: chunks.streamID))
        }
        try deleteAttributesOfTouched(&stored)
        stored.isUnsaved = false
        stored.generation = try writeIndex(
            chunks.streamID, consumed: chunks.consumedRevision.rawValue, revision: chunks.revision.rawValue,
            photoCount: chunks.photoCount)
        stored.storedRevision = chunks.consumedRevision.rawValue
        return stored
    }

    /// Records the state of a stream's stored chunks.
    ///
    /// - Returns: Their new generation.
    func writeIndex(_ streamID: Int64, consumed: Int64, revision: Int64, photoCount: Int) throws -> Int64 {
        let generation = Int64.random(in: 1...Int64.max)
        let index = StreamIndexRow(
            consumedRevision: consumed, streamRevision: revision, photoCount: photoCount, generation: generation)
        let row: KeyValuePairs<StaticString, any SQLValue> = [
            "streamId": streamID, "consumedRevision": consumed, "streamRevision": revision, "photoCount": photoCount,
            "generation": generation, "checksum": index.checksum(streamID: streamID),
        ]
        try RawStatement(database, into: "streamIndex", replacing: true, row: row).run()
        return generation
    }

    func streamExists(_ streamID: Int64) throws -> Bool {
        try database.exists("SELECT 1 FROM stream WHERE id = ?", with: streamID)
    }

    /// Deletes the stream's chunks that are not in `kept`, with their stored placements.
    private func deleteChunks(of streamID: Int64, keeping kept: Set<Int64>) throws {
        let sql = "SELECT id FROM chunk WHERE streamId = ? AND state = \(ChunkRecord.State.counted.rawValue)"
        try delete(try database.integers(sql, with: streamID).filter { !kept.contains($0) }, of: streamID)
    }

    /// Deletes chunks, with the placements that a stream's layouts have stored for them.
    func delete(_ chunkIDs: [Int64], of streamID: Int64) throws {
        guard !chunkIDs.isEmpty else { return }
        let layoutIDs = try database.integers("SELECT id FROM layout WHERE streamId = ?", with: streamID)
        for chunkID in chunkIDs { try database.run("DELETE FROM chunk WHERE id = ?", with: chunkID) }
        for layoutID in layoutIDs { try deletePlacements(of: chunkIDs, fromLayout: layoutID) }
    }

    /// Deletes a layout's placements of some chunks, and subtracts their size from the layout's.
    func deletePlacements(of chunkIDs: [Int64], fromLayout layoutID: Int64) throws {
        let lengths = [
            ("layoutChunk", "length(entryState) + length(exitState) + length(sections)"),
            ("layoutFrames", "length(frames)"),
        ]
        var deleted: Int64 = 0
        for (table, length) in lengths {
            let sql = "DELETE FROM \(table) WHERE layoutId = ? AND chunkId = ? RETURNING \(length)"
            let statement = try RawStatement(database, sql: sql)
            for chunkID in chunkIDs {
                try statement.bind(layoutID, chunkID)
                if let size = try statement.first({ $0.integer(0) }) { deleted += size + LayoutBytes.row }
            }
        }
        try addBytes(-deleted, toLayout: layoutID)
    }

    /// Writes a chunk's row and content; returns its id.
    func write(
        _ chunk: PhotoChunk, content: ChunkContent, streamID: Int64, state: ChunkRecord.State = .counted
    ) throws -> Int64 {
        let id = try chunk.id ?? nextID(in: "chunk")
        var chunk = chunk
        chunk.id = id
        let record = ChunkRecord(streamID: streamID, state: state, chunk: chunk)
        let row: KeyValuePairs<StaticString, any SQLValue> = [
            "id": id, "streamId": streamID, "state": state.rawValue, "firstTime": chunk.firstKey.time,
            "firstRank": chunk.firstKey.rank, "photoCount": chunk.count, "version": chunk.version,
            "locatedCount": chunk.positions.count, "minX": record.sides[0], "maxX": record.sides[1],
            "minY": record.sides[2], "maxY": record.sides[3], "checksum": record.checksum,
        ]
        // An UPSERT, not a REPLACE: the row's id must stay, and no delete trigger may run.
        let conflict = """
            ON CONFLICT (id) DO UPDATE SET streamId = excluded.streamId, state = excluded.state,
                firstTime = excluded.firstTime, firstRank = excluded.firstRank,
                photoCount = excluded.photoCount, version = excluded.version, locatedCount = excluded.locatedCount,
                minX = excluded.minX, maxX = excluded.maxX, minY = excluded.minY, maxY = excluded.maxY,
                checksum = excluded.checksum
            """
        try RawStatement(database, into: "chunk", onConflict: conflict, row: row).run()
        try write(content, ofChunk: id)
        try deleteAttributes(ofChunk: id)
        return id
    }

    private func write(_ content: ChunkContent, ofChunk id: Int64) throws {
        let (metrics, rowIDs) = (content.metrics.encoded, content.rowIDs.encoded)
        let positions = content.metrics.encodedPositions
        let row: KeyValuePairs<StaticString, any SQLValue> = [
            "chunkId": id,
            "metricsChecksum": ChunkContent.checksum(of: metrics, kind: .chunkMetrics, ofChunk: id),
            "rowIdsChecksum": ChunkContent.checksum(of: rowIDs, kind: .chunkRowIDs, ofChunk: id),
            "positionsChecksum": ChunkContent.checksum(of: positions, kind: .chunkPositions, ofChunk: id),
            "metrics": metrics, "rowIds": rowIDs, "positions": positions,
        ]
        try RawStatement(database, into: "chunkContent", replacing: true, row: row).run()
    }

    /// Returns an id that no row of a table has or ever had.
    ///
    /// The checksum of a row needs the id before the row is written.
    ///
    /// If the table's id counter is damaged, the id is random.
    func nextID(in table: String) throws -> Int64 {
        let sql = """
            SELECT max(coalesce((SELECT max(id) FROM \(table)), 0),
                coalesce((SELECT max(seq) FROM sqlite_sequence WHERE name = '\(table)'), 0))
            """
        let greatest = try database.number(sql)
        let usual = Int64(1) << 53
        return (0..<usual).contains(greatest) ? greatest + 1 : Int64.random(in: usual..<usual << 9)
    }
}
