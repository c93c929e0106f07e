/// A derived table whose rows belong to a row of another, which no foreign key watches: it would cost every store.
package enum OrphanTable: String, CaseIterable, Sendable {
    case streamIndex, chunk, chunkContent, layout, layoutChunk, layoutFrames

    /// Of the rows those that belong to nothing.
    ///
    /// Whatever is of a stream needs that. A content needs its chunk, a checkpoint its layout and its chunk,
    /// frames need the checkpoint.
    private var condition: String {
        switch self {
        case .streamIndex, .chunk, .layout: "streamId NOT IN (SELECT id FROM stream)"
        case .chunkContent: "NOT EXISTS (SELECT 1 FROM chunk WHERE id = chunkContent.chunkId)"
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

    /// Counts the rows.
    fileprivate var count: String { "SELECT count(*) FROM \(rawValue) WHERE \(condition)" }

    /// Deletes some of the rows.
    func deletion(limit: Int64) -> String {
        let key = self == .layoutChunk ? "layoutId, chunkId" : "rowid"
        return """
            DELETE FROM \(rawValue) WHERE (\(key)) IN
                (SELECT \(key) FROM \(rawValue) WHERE \(condition) LIMIT \(limit))
            """
    }
}

extension PhotoReader {
    /// How many rows belong to nothing, by table: there never are any but by somebody else's hand.
    ///
    /// - Complexity: O(what is stored).
    package func orphanCounts() throws -> [(table: OrphanTable, count: Int)] {
        try OrphanTable.allCases.map { table in
            (table, Int(try RawStatement(database, table.count).first { $0.integer(0) } ?? 0))
        }
    }

    /// How many chunks of streams are stored that do not count.
    package func leftoverChunkCount() throws -> Int {
        let sql = """
            SELECT count(*) FROM chunk WHERE state <> 0 OR streamId NOT IN (SELECT streamId FROM streamIndex)
            """
        return Int(try RawStatement(database, sql).first { $0.integer(0) } ?? 0)
    }
}
