extension PhotoReader {
    /// The stored layout of a configuration.
    package func layout(streamID: Int64, layoutKey: String) throws -> StoredLayout? {
        let statement = try RawStatement(
            database, "SELECT \(Self.layoutColumns) FROM layout WHERE streamId = ? AND layoutKey = ?")
        statement.bind(1, streamID)
        try statement.bind(2, copying: layoutKey)
        return try statement.first(Self.layout)
    }

    /// Whether a layout has a row.
    package func hasLayout(_ id: Int64) throws -> Bool {
        let statement = try RawStatement(database, "SELECT 1 FROM layout WHERE id = ?")
        statement.bind(1, id)
        return try statement.first { $0.integer(0) } != nil
    }

    /// Every layout that was asked for, by stream, then least recently used last.
    package func layoutSizes() throws -> [StoredLayoutSize] {
        let sql = """
            SELECT \(Self.layoutColumns),
                (SELECT count(*) FROM layoutChunk WHERE layoutId = layout.id),
                (SELECT count(*) FROM layoutFrames WHERE layoutId = layout.id)
            FROM layout ORDER BY streamId, lastUsedMilliseconds DESC, id
            """
        var result: [StoredLayoutSize] = []
        try RawStatement(database, sql).forEach {
            result.append(
                StoredLayoutSize(
                    layout: Self.layout($0), chunkCount: Int($0.integer(9)), framesCount: Int($0.integer(10))))
        }
        return result
    }

    /// How many bytes all layouts of the file may take together.
    package func layoutBudget() throws -> Int64 {
        try RawStatement(database, "SELECT byteCount FROM layoutBudget").first { $0.integer(0) }
            ?? LayoutBytes.defaultBudget
    }

    /// How many bytes all layouts of the file take together.
    package func layoutByteCount() throws -> Int64 {
        try RawStatement(database, "SELECT coalesce(sum(byteCount), 0) FROM layout").first { $0.integer(0) } ?? 0
    }

    /// The bytes that are really stored of a layout, which ``StoredLayout/byteCount`` keeps.
    ///
    /// - Complexity: O(what is stored of it).
    package func storedByteCount(layoutID: Int64) throws -> Int64 {
        let statement = try RawStatement(database, "SELECT \(Self.byteCountSQL) FROM layout WHERE id = ?")
        statement.bind(1, layoutID)
        return try statement.first { $0.integer(0) } ?? 0
    }

    /// The bytes that are stored of the row of `layout` at hand.
    static let byteCountSQL = """
        (SELECT coalesce(sum(length(entryState) + length(exitState) + length(sections) + \(LayoutBytes.row)), 0)
            FROM layoutChunk WHERE layoutId = layout.id)
        + (SELECT coalesce(sum(length(frames) + \(LayoutBytes.row)), 0) FROM layoutFrames WHERE layoutId = layout.id)
        """

    /// What is stored of a layout, by chunk id, without the frames; rows with impossible numbers are passed over.
    ///
    /// - Complexity: O(chunks).
    package func placements(layoutID: Int64) throws -> [Int64: StoredPlacement] {
        let sql = """
            SELECT chunkId, version, entryState, exitState, sections, advance, leastTop, greatestEnd, longestItem,
                placedCount
            FROM layoutChunk WHERE layoutId = ?
            """
        let statement = try RawStatement(database, sql)
        statement.bind(1, layoutID)
        var result: [Int64: StoredPlacement] = [:]
        // The greatest chunk of the greatest items is below 2^42 pixels; sums of what is let in cannot overflow.
        let greatest = Int64(1) << 44
        try statement.forEach {
            let lengths = (5...9).map($0.integer)
            guard lengths.allSatisfy({ (-greatest...greatest).contains($0) }),
                lengths.dropFirst().allSatisfy({ $0 >= 0 })
            else { return }
            let placement = StoredPlacement(
                chunkID: $0.integer(0), version: $0.integer(1), entryState: $0.bytes(2), exitState: $0.bytes(3),
                sections: $0.bytes(4), advance: lengths[0], leastTop: lengths[1], greatestEnd: lengths[2],
                longestItem: lengths[3], placedCount: Int(lengths[4]))
            result[placement.chunkID] = placement
        }
        return result
    }

    /// The stored frames of a chunk in a layout.
    ///
    /// - Parameters:
    ///   - layoutID: The layout.
    ///   - placement: The chunk's placement; frames that were made with another are not answered, whoever stored them.
    /// - Returns: `nil` where there are none.
    /// - Throws: `DatabaseError` when SQLite fails.
    package func frames(layoutID: Int64, _ placement: StoredPlacement) throws -> [UInt8]? {
        let sql = """
            SELECT frames FROM layoutFrames JOIN layoutChunk USING (layoutId, chunkId)
            WHERE layoutId = ? AND chunkId = ? AND version = ? AND entryState = ?
            """
        let statement = try RawStatement(database, sql)
        statement.bind(1, layoutID)
        statement.bind(2, placement.chunkID)
        statement.bind(3, placement.version)
        try statement.bind(4, copyingBytes: placement.entryState)
        return try statement.first { $0.bytes(0) }
    }

    private static let layoutColumns = """
        id, streamId, layoutKey, firstUsedMilliseconds, lastUsedMilliseconds, isKept, byteCount, hitCount, \
        foldedChunkCount
        """

    private static func layout(_ row: RawStatement) -> StoredLayout {
        StoredLayout(
            id: row.integer(0), streamID: row.integer(1), layoutKey: row.text(2),
            firstUsedMilliseconds: row.integer(3), lastUsedMilliseconds: row.integer(4), isKept: row.integer(5) != 0,
            byteCount: row.integer(6), hitCount: Int(row.integer(7)), foldedChunkCount: Int(row.integer(8)))
    }
}
