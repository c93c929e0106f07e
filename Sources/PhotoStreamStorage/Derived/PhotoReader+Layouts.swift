extension PhotoReader {
    /// The stored layout of a configuration.
    package func layout(streamID: Int64, layoutKey: String) throws -> StoredLayout? {
        let statement = try RawStatement(
            database, "SELECT \(Self.layoutColumns) FROM layout WHERE streamId = ? AND layoutKey = ?")
        statement.bind(1, streamID)
        try statement.bind(2, copying: layoutKey)
        return try statement.first(Self.layout)
    }

    /// Every stored layout, by stream, then least recently used last.
    package func layoutSizes() throws -> [StoredLayoutSize] {
        let sql = """
            SELECT \(Self.layoutColumns),
                (SELECT count(*) FROM layoutChunk WHERE layoutId = layout.id),
                (SELECT coalesce(sum(length(entryState) + length(exitState) + length(sections)), 0) FROM layoutChunk
                    WHERE layoutId = layout.id)
                + (SELECT coalesce(sum(length(frames)), 0) FROM layoutFrames WHERE layoutId = layout.id)
            FROM layout ORDER BY streamId, lastUsedMilliseconds DESC, id
            """
        var result: [StoredLayoutSize] = []
        try RawStatement(database, sql).forEach {
            result.append(
                StoredLayoutSize(
                    layout: Self.layout($0), chunkCount: Int($0.integer(5)), byteCount: Int($0.integer(6))))
        }
        return result
    }

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
    /// Whether they still hold is for the chunk's placement to say.
    package func frames(layoutID: Int64, chunkID: Int64) throws -> [UInt8]? {
        let statement = try RawStatement(
            database, "SELECT frames FROM layoutFrames WHERE layoutId = ? AND chunkId = ?")
        statement.bind(1, layoutID)
        statement.bind(2, chunkID)
        return try statement.first { $0.bytes(0) }
    }

    private static let layoutColumns = "id, streamId, layoutKey, lastUsedMilliseconds, foldedChunkCount"

    private static func layout(_ row: RawStatement) -> StoredLayout {
        StoredLayout(
            id: row.integer(0), streamID: row.integer(1), layoutKey: row.text(2),
            lastUsedMilliseconds: row.integer(3), foldedChunkCount: Int(row.integer(4)))
    }
}
