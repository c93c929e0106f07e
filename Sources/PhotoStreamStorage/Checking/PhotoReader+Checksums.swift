extension PhotoReader {
    /// How many rows of each derived table have a wrong checksum, or hold what no program of ours writes.
    ///
    /// - Complexity: O(what is stored).
    package func damagedRowCounts() throws -> [(table: String, count: Int)] {
        [
            ("streamIndex", try damagedIndexCount()), ("chunk", try damagedChunkCount()),
            ("chunkContent", try damagedContentCount()), ("layout", try damagedLayoutCount()),
            ("layoutChunk", try damagedPlacementCount()), ("layoutFrames", try damagedFramesCount()),
        ].filter { $0.1 > 0 }
    }

    private func count(_ sql: String, where isDamaged: (RawStatement) -> Bool) throws -> Int {
        var count = 0
        try RawStatement(database, sql).forEach { if isDamaged($0) { count += 1 } }
        return count
    }

    private func damagedIndexCount() throws -> Int {
        let sql = "SELECT streamId, consumedRevision, streamRevision, photoCount, generation, checksum FROM streamIndex"
        return try count(sql) { row in
            let index = StreamIndexRow(
                consumedRevision: row.integer(1), streamRevision: row.integer(2), photoCount: Int(row.integer(3)),
                generation: row.integer(4))
            return index.checksum(streamID: row.integer(0)) != row.integer(5)
        }
    }

    private func damagedChunkCount() throws -> Int {
        // What is to be deleted has no checksum.
        let sql = "SELECT \(ChunkRecord.columns) FROM chunk WHERE state <> \(ChunkRecord.State.discarded.rawValue)"
        return try count(sql) { ChunkRecord($0) == nil }
    }

    private func damagedContentCount() throws -> Int {
        let sql = """
            SELECT chunkId, metricsChecksum, rowIdsChecksum, positionsChecksum, metrics, rowIds, positions
            FROM chunkContent
            """
        let kinds: [RowChecksum.Kind] = [.chunkMetrics, .chunkRowIDs, .chunkPositions]
        return try count(sql) { row in
            kinds.indices.contains { column in
                ChunkContent.checksum(kinds[column], row.bytes(Int32(4 + column)), ofChunk: row.integer(0))
                    != row.integer(Int32(1 + column))
            }
        }
    }

    private func damagedLayoutCount() throws -> Int {
        try count("SELECT \(StoredLayout.columns) FROM layout") { StoredLayout($0) == nil }
    }

    private func damagedPlacementCount() throws -> Int {
        try count("SELECT \(StoredPlacement.columns), layoutId FROM layoutChunk") { row in
            StoredPlacement(row, ofLayout: row.integer(11)) == nil
        }
    }

    private func damagedFramesCount() throws -> Int {
        let sql = """
            SELECT \(StoredPlacement.columns(of: "layoutChunk")), layoutChunk.layoutId, layoutFrames.checksum, frames
            FROM layoutFrames JOIN layoutChunk USING (layoutId, chunkId)
            """
        return try count(sql) { row in
            // A damaged placement is counted where it stands; its frames go with it.
            guard let placement = StoredPlacement(row, ofLayout: row.integer(11)) else { return false }
            return placement.checksum(ofFrames: row.bytes(13), ofLayout: row.integer(11)) != row.integer(12)
        }
    }
}
