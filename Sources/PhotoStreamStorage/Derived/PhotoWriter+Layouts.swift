extension PhotoWriter {
    /// The most layouts that are kept for a stream.
    package static let maximumLayoutCount = 64

    /// Stores what a fold has placed.
    ///
    /// - Parameters:
    ///   - placed: Placements with their frames' bytes, none where they are computed. One whose chunk has another version by now is left out.
    ///   - streamID: The stream.
    ///   - layoutKey: The configuration's canonical text.
    ///   - now: Milliseconds since 1970, for ``StoredLayout/lastUsedMilliseconds``.
    /// - Throws: `DatabaseError` when SQLite fails.
    /// - Complexity: O(placed).
    package func storeLayout(
        _ placed: [(placement: StoredPlacement, frames: [UInt8])], streamID: Int64, layoutKey: String, now: Int64
    ) throws {
        let layoutID = try touchLayout(streamID: streamID, layoutKey: layoutKey, foldedChunks: placed.count, now: now)
        for (placement, frames) in placed where try chunkVersion(placement.chunkID) == placement.version {
            try write(placement, layoutID: layoutID)
            guard !frames.isEmpty else { continue }
            let statement = try RawStatement(
                database, "INSERT OR REPLACE INTO layoutFrames (layoutId, chunkId, frames) VALUES (?, ?, ?)")
            statement.bind(1, layoutID)
            statement.bind(2, placement.chunkID)
            try statement.bind(3, copyingBytes: frames)
            try statement.run()
        }
        try deleteLeastUsedLayouts(streamID: streamID)
    }

    /// Remembers that a layout was asked for.
    ///
    /// - Parameters:
    ///   - streamID: The stream.
    ///   - layoutKey: The configuration's canonical text.
    ///   - foldedChunks: How many chunks were folded for the answer.
    ///   - now: Milliseconds since 1970.
    /// - Returns: The layout's id.
    /// - Throws: `DatabaseError` when SQLite fails.
    @discardableResult
    package func touchLayout(streamID: Int64, layoutKey: String, foldedChunks: Int, now: Int64) throws -> Int64 {
        let sql = """
            INSERT INTO layout (streamId, layoutKey, lastUsedMilliseconds, foldedChunkCount) VALUES (?, ?, ?, ?)
            ON CONFLICT (streamId, layoutKey) DO UPDATE SET lastUsedMilliseconds = excluded.lastUsedMilliseconds,
                foldedChunkCount = foldedChunkCount + excluded.foldedChunkCount
            RETURNING id
            """
        let statement = try RawStatement(database, sql)
        statement.bind(1, streamID)
        try statement.bind(2, copying: layoutKey)
        statement.bind(3, now)
        statement.bind(4, Int64(foldedChunks))
        guard let id = try statement.first({ $0.integer(0) }) else {
            throw StorageError(.database, "storing the layout \(layoutKey) came to no row")
        }
        return id
    }

    private func write(_ placement: StoredPlacement, layoutID: Int64) throws {
        let sql = """
            INSERT OR REPLACE INTO layoutChunk
                (layoutId, chunkId, version, entryState, exitState, sections, advance, leastTop, greatestEnd,
                longestItem, placedCount)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        let statement = try RawStatement(database, sql)
        statement.bind(1, layoutID)
        statement.bind(2, placement.chunkID)
        statement.bind(3, placement.version)
        try statement.bind(4, copyingBytes: placement.entryState)
        try statement.bind(5, copyingBytes: placement.exitState)
        try statement.bind(6, copyingBytes: placement.sections)
        let lengths = [
            placement.advance, placement.leastTop, placement.greatestEnd, placement.longestItem,
            Int64(placement.placedCount),
        ]
        for (position, length) in lengths.enumerated() { statement.bind(Int32(7 + position), length) }
        try statement.run()
    }

    private func chunkVersion(_ chunkID: Int64) throws -> Int64? {
        let statement = try RawStatement(database, "SELECT version FROM chunk WHERE id = ?")
        statement.bind(1, chunkID)
        return try statement.first { $0.integer(0) }
    }

    private func deleteLeastUsedLayouts(streamID: Int64) throws {
        let sql = """
            DELETE FROM layout WHERE id IN
                (SELECT id FROM layout WHERE streamId = ? ORDER BY lastUsedMilliseconds DESC, id DESC LIMIT -1 OFFSET ?)
            """
        let statement = try RawStatement(database, sql)
        statement.bind(1, streamID)
        statement.bind(2, Int64(Self.maximumLayoutCount))
        try statement.run()
    }
}
