import GRDB

extension PhotoWriter {
    /// Remembers that a layout was asked for.
    ///
    /// Where the file has seen a later time than the clock of who tells it, some process's clock is ahead: then this use
    /// counts as later than all that the file knows of, so that what is used last goes last, whatever clocks say.
    ///
    /// - Parameter use: What happened since the last report.
    /// - Returns: The layout's id, and whether its placements and frames are to be stored.
    /// - Throws: `DatabaseError` when SQLite fails.
    @discardableResult
    package func recordUse(_ use: LayoutUse) throws -> (id: Int64, isKept: Bool) {
        let sql = """
            INSERT INTO layout
                (streamId, layoutKey, firstUsedMilliseconds, lastUsedMilliseconds, isKept, hitCount, foldedChunkCount)
            SELECT ?1, ?2, ?3, CASE WHEN max(lastUsedMilliseconds) > ?8 THEN max(lastUsedMilliseconds) + 1 ELSE ?4 END,
                ?5, ?6, ?7 FROM layout WHERE true
            ON CONFLICT (streamId, layoutKey) DO UPDATE SET
                lastUsedMilliseconds = max(lastUsedMilliseconds, excluded.lastUsedMilliseconds),
                isKept = max(isKept, excluded.isKept),
                hitCount = hitCount + excluded.hitCount,
                foldedChunkCount = foldedChunkCount + excluded.foldedChunkCount
            RETURNING id, isKept
            """
        let statement = try RawStatement(database, sql)
        statement.bind(1, use.streamID)
        try statement.bind(2, copying: use.layoutKey)
        statement.bind(3, use.firstUsedMilliseconds)
        statement.bind(4, use.lastUsedMilliseconds)
        statement.bind(5, Int64(use.isKept ? 1 : 0))
        statement.bind(6, Int64(use.hitCount))
        statement.bind(7, Int64(use.foldedChunkCount))
        statement.bind(8, use.reportedMilliseconds)
        guard let row = try statement.first({ (id: $0.integer(0), isKept: $0.integer(1) != 0) }) else {
            throw StorageError(.database, "storing the layout \(use.layoutKey) came to no row")
        }
        return row
    }

    /// Stores placements; the frames that belonged to those they replace go.
    ///
    /// - Parameters:
    ///   - placements: Placements of stored chunks; one whose chunk has another version by now is left out.
    ///   - layoutID: The layout.
    /// - Returns: How many were stored.
    /// - Throws: `DatabaseError` when SQLite fails.
    /// - Complexity: O(placements).
    @discardableResult
    package func store(_ placements: [StoredPlacement], ofLayout layoutID: Int64) throws -> Int {
        let placements = try placements.filter { try chunkVersion($0.chunkID) == $0.version }
        // Of a new layout there is nothing to replace.
        if try byteCount(ofLayout: layoutID) > 0 {
            try deletePlacements(of: placements.map(\.chunkID), fromLayout: layoutID)
        }
        for placement in placements { try write(placement, layoutID: layoutID) }
        try addBytes(placements.reduce(0) { $0 + $1.byteCount }, toLayout: layoutID)
        return placements.count
    }

    /// Stores frames beside the placements that they were made with.
    ///
    /// - Parameters:
    ///   - frames: The frames; those whose placement is not the stored one are left out, and all that would take the
    ///     layout beyond the file's budget by itself.
    ///   - layoutID: The layout.
    /// - Returns: How many were stored.
    /// - Throws: `DatabaseError` when SQLite fails.
    /// - Complexity: O(frames).
    @discardableResult
    package func store(_ frames: [StoredFrames], ofLayout layoutID: Int64) throws -> Int {
        guard !frames.isEmpty else { return 0 }
        let room = try reader.layoutBudget() - byteCount(ofLayout: layoutID)
        // What is there already was made from the same placement, so it is the same.
        let sql = """
            INSERT OR IGNORE INTO layoutFrames (layoutId, chunkId, frames)
            SELECT layoutId, chunkId, ?5 FROM layoutChunk
            WHERE layoutId = ?1 AND chunkId = ?2 AND version = ?3 AND entryState = ?4
            """
        var (count, added): (Int, Int64) = (0, 0)
        for frame in frames where !frame.bytes.isEmpty {
            let size = Int64(frame.bytes.count) + LayoutBytes.row
            guard added + size <= room else { break }
            let statement = try RawStatement(database, sql)
            statement.bind(1, layoutID)
            statement.bind(2, frame.placement.chunkID)
            statement.bind(3, frame.placement.version)
            try statement.bind(4, copyingBytes: frame.placement.entryState)
            try statement.bind(5, copyingBytes: frame.bytes)
            try statement.run()
            guard database.changesCount > 0 else { continue }
            count += 1
            added += size
        }
        try addBytes(added, toLayout: layoutID)
        return count
    }

    private func write(_ placement: StoredPlacement, layoutID: Int64) throws {
        let sql = """
            INSERT INTO layoutChunk
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
}
