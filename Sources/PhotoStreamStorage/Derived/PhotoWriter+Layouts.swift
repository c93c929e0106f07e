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
        let layouts = try reader.layouts()
        let latest = layouts.map(\.lastUsedMilliseconds).max() ?? .min
        let lastUsed = latest > use.reportedMilliseconds ? max(latest, latest &+ 1) : use.lastUsedMilliseconds
        if var layout = layouts.first(where: { $0.streamID == use.streamID && $0.layoutKey == use.layoutKey }) {
            layout.lastUsedMilliseconds = max(layout.lastUsedMilliseconds, lastUsed)
            layout.isKept = layout.isKept || use.isKept
            layout.hitCount &+= use.hitCount
            layout.foldedChunkCount &+= use.foldedChunkCount
            try update(layout)
            return (layout.id, layout.isKept)
        }
        // A damaged row of that name.
        let old = try RawStatement(database, "DELETE FROM layout WHERE streamId = ? AND layoutKey = ?")
        old.bind(1, use.streamID)
        try old.bind(2, copying: use.layoutKey)
        try old.run()
        let layout = StoredLayout(
            id: try nextID(in: "layout"), streamID: use.streamID, layoutKey: use.layoutKey,
            firstUsedMilliseconds: use.firstUsedMilliseconds, lastUsedMilliseconds: lastUsed, isKept: use.isKept,
            byteCount: 0, hitCount: use.hitCount, foldedChunkCount: use.foldedChunkCount)
        try insert(layout)
        return (layout.id, layout.isKept)
    }

    private func insert(_ layout: StoredLayout) throws {
        let statement = try RawStatement(
            database, "INSERT INTO layout (\(StoredLayout.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
        statement.bind(1, layout.id)
        statement.bind(2, layout.streamID)
        try statement.bind(3, copying: layout.layoutKey)
        for (column, number) in (layout.numbers + [layout.checksum]).enumerated() {
            statement.bind(Int32(4 + column), number)
        }
        try statement.run()
    }

    /// Writes the numbers of a layout's row, and its checksum.
    func update(_ layout: StoredLayout) throws {
        let sql = """
            UPDATE layout SET firstUsedMilliseconds = ?, lastUsedMilliseconds = ?, isKept = ?, byteCount = ?,
                hitCount = ?, foldedChunkCount = ?, checksum = ?
            WHERE id = ?
            """
        let statement = try RawStatement(database, sql)
        for (column, number) in (layout.numbers + [layout.checksum, layout.id]).enumerated() {
            statement.bind(Int32(1 + column), number)
        }
        try statement.run()
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
        var (count, added): (Int, Int64) = (0, 0)
        for frame in frames where !frame.bytes.isEmpty {
            let size = Int64(frame.bytes.count) + LayoutBytes.row
            guard added + size <= room else { break }
            guard try hasPlacement(frame.placement, ofLayout: layoutID) else { continue }
            // What is there already was made from the same placement, so it is the same, unless it is damaged.
            guard try reader.frames(layoutID: layoutID, frame.placement) == nil else { continue }
            added -= try deleteFrames(ofChunk: frame.placement.chunkID, layoutID: layoutID)
            try write(frame, layoutID: layoutID)
            count += 1
            added += size
        }
        try addBytes(added, toLayout: layoutID)
        return count
    }

    /// Whether a placement is the stored one.
    private func hasPlacement(_ placement: StoredPlacement, ofLayout layoutID: Int64) throws -> Bool {
        let sql = """
            SELECT 1 FROM layoutChunk WHERE layoutId = ? AND chunkId = ? AND version = ? AND entryState = ?
            """
        let statement = try RawStatement(database, sql)
        statement.bind(1, layoutID)
        statement.bind(2, placement.chunkID)
        statement.bind(3, placement.version)
        try statement.bind(4, copyingBytes: placement.entryState)
        return try statement.first { _ in true } ?? false
    }

    /// Deletes the frames of a chunk; returns the bytes that were counted for them.
    private func deleteFrames(ofChunk chunkID: Int64, layoutID: Int64) throws -> Int64 {
        let statement = try RawStatement(
            database, "DELETE FROM layoutFrames WHERE layoutId = ? AND chunkId = ? RETURNING length(frames)")
        statement.bind(1, layoutID)
        statement.bind(2, chunkID)
        return try statement.first { $0.integer(0) + LayoutBytes.row } ?? 0
    }

    private func write(_ frame: StoredFrames, layoutID: Int64) throws {
        let statement = try RawStatement(
            database, "INSERT INTO layoutFrames (layoutId, chunkId, checksum, frames) VALUES (?, ?, ?, ?)")
        statement.bind(1, layoutID)
        statement.bind(2, frame.placement.chunkID)
        statement.bind(3, frame.placement.checksum(ofFrames: frame.bytes, ofLayout: layoutID))
        try statement.bind(4, copyingBytes: frame.bytes)
        try statement.run()
    }

    private func write(_ placement: StoredPlacement, layoutID: Int64) throws {
        let sql = """
            INSERT OR REPLACE INTO layoutChunk
                (layoutId, chunkId, version, entryState, exitState, sections, advance, leastTop, greatestEnd,
                longestItem, placedCount, checksum)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
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
            Int64(placement.placedCount), placement.checksum(ofLayout: layoutID),
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
