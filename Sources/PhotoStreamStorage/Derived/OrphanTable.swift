/// A table whose rows belong to a row of another, which no foreign key watches: it would cost every store.
package enum OrphanTable: String, CaseIterable, Sendable {
    case layoutChunk, layoutFrames, chunkContent

    /// Of the rows those that belong to nothing.
    ///
    /// A checkpoint needs its layout and its chunk, frames need the checkpoint, a content its chunk.
    private var condition: String {
        switch self {
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
        case .chunkContent: "NOT EXISTS (SELECT 1 FROM chunk WHERE id = chunkContent.chunkId)"
        }
    }

    /// What is unique in the table.
    private var key: String { self == .layoutChunk ? "(layoutId, chunkId)" : "rowid" }

    /// Counts the rows.
    var count: String { "SELECT count(*) FROM \(rawValue) WHERE \(condition)" }

    /// Deletes some of the rows.
    func deletion(limit: Int64) -> String {
        let columns = self == .layoutChunk ? "layoutId, chunkId" : "rowid"
        return """
            DELETE FROM \(rawValue) WHERE \(key) IN
                (SELECT \(columns) FROM \(rawValue) WHERE \(condition) LIMIT \(limit))
            """
    }
}
