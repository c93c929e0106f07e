extension PhotoReader {
    /// Returns the number of rows with a wrong checksum or an invalid value, for each derived table that has any.
    ///
    /// - Complexity: O(stored data).
    package func damagedRowCounts() throws -> [(table: String, count: Int)] {
        [
            ("streamIndex", try damagedIndexCount()), ("chunk", try damagedChunkCount()),
            ("chunkContent", try damagedContentCount()), ("layout", try damagedLayoutCount()),
            ("layoutChunk", try damagedPlacementCount()), ("layoutFrames", try damagedFramesCount()),
            ("chunkAttributes", try damagedAttributesCount()),
        ].filter { $0.1 > 0 }
    }

    private func count(_ sql: String, where isDamaged: (RawStatement) -> Bool) throws -> Int {
        try database.rows(sql) { isDamaged($0) ? true : nil }.count
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
        // Discarded chunks have no valid checksum.
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
                ChunkContent.checksum(of: row.bytes(Int32(4 + column)), kind: kinds[column], ofChunk: row.integer(0))
                    != row.integer(Int32(1 + column))
            }
        }
    }

    private func damagedAttributesCount() throws -> Int {
        try count("SELECT chunkId, checksum, attributes FROM chunkAttributes") { row in
            ChunkContent.checksum(of: row.bytes(2), kind: .chunkAttributes, ofChunk: row.integer(0)) != row.integer(1)
        }
    }

    private func damagedLayoutCount() throws -> Int {
        try count("SELECT \(StoredLayout.columns) FROM layout") { !StoredLayout.hasRightChecksum($0) }
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
            // A damaged placement is counted with its own table; its frames are ignored.
            guard let placement = StoredPlacement(row, ofLayout: row.integer(11)) else { return false }
            return placement.checksum(ofFrames: row.bytes(13), ofLayout: row.integer(11)) != row.integer(12)
        }
    }
}

/// A derived table whose rows belong to a row of another table.
///
/// Foreign keys would slow down every store, so there are none.
package enum OrphanTable: String, CaseIterable, Sendable {
    case streamIndex, chunk, chunkContent, chunkAttributes, layout, layoutChunk, layoutFrames

    /// The condition that selects orphaned rows.
    ///
    /// Rows of a stream need the stream; content and attributes need their chunk, a checkpoint its layout and its chunk,
    /// and frames their checkpoint.
    private var condition: String {
        switch self {
        case .streamIndex, .chunk, .layout: "streamId NOT IN (SELECT id FROM stream)"
        case .chunkContent, .chunkAttributes: "NOT EXISTS (SELECT 1 FROM chunk WHERE id = \(rawValue).chunkId)"
        case .layoutChunk:
            """
            NOT EXISTS (SELECT 1 FROM layout WHERE id = layoutChunk.layoutId)
                OR NOT EXISTS (SELECT 1 FROM chunk WHERE id = layoutChunk.chunkId)
            """
        case .layoutFrames:
            """
            NOT EXISTS (SELECT 1 FROM layoutChunk
                WHERE layoutId = layoutFrames.layoutId AND chunkId = layoutFrames.chunkId)
            """
        }
    }

    /// The query that counts orphaned rows.
    fileprivate var count: String { "SELECT count(*) FROM \(rawValue) WHERE \(condition)" }

    /// Returns a statement that deletes some orphaned rows.
    func deletion(limit: Int64) -> String {
        let key = self == .layoutChunk ? "layoutId, chunkId" : "rowid"
        return """
            DELETE FROM \(rawValue) WHERE (\(key)) IN
                (SELECT \(key) FROM \(rawValue) WHERE \(condition) LIMIT \(limit))
            """
    }
}

extension PhotoReader {
    /// Returns the number of orphaned rows by table.
    ///
    /// There are none, unless another program wrote to the derived tables.
    ///
    /// - Complexity: O(stored data).
    package func orphanCounts() throws -> [(table: OrphanTable, count: Int)] {
        try OrphanTable.allCases.map { table in
            (table, Int(try database.number(table.count)))
        }
    }

    /// Returns the number of stored chunks that are not in use.
    package func leftoverChunkCount() throws -> Int {
        let sql = """
            SELECT count(*) FROM chunk WHERE state <> 0 OR streamId NOT IN (SELECT streamId FROM streamIndex)
            """
        return Int(try database.number(sql))
    }
}
