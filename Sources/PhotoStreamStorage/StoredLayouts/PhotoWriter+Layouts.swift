import GRDB

extension PhotoWriter {
    /// Finds or creates the row of a layout, and records that the layout was used on a day.
    ///
    /// If the file has seen a later day, some process's clock is ahead. The layout then counts as used on that day, so that
    /// it is not evicted before the layouts of that process.
    ///
    /// - Parameters:
    ///   - streamID: The stream.
    ///   - layoutKey: The layout key.
    ///   - day: The start of the day, in milliseconds since 1970.
    /// - Returns: The layout's id.
    /// - Throws: `DatabaseError` if SQLite fails.
    /// - Complexity: O(layouts).
    @discardableResult
    package func useLayout(streamID: Int64, layoutKey: String, on day: Int64) throws -> Int64 {
        let lastUsed = max(day, try reader.layouts().map(\.lastUsedMilliseconds).max() ?? day)
        if var layout = try reader.layout(streamID: streamID, layoutKey: layoutKey) {
            layout.lastUsedMilliseconds = lastUsed
            try update(layout)
            return layout.id
        }
        // Delete a damaged row with that key, or one without data.
        try database.run("DELETE FROM layout WHERE streamId = ? AND layoutKey = ?", with: streamID, layoutKey)
        let layout = StoredLayout(
            id: try nextID(in: "layout"), streamID: streamID, layoutKey: layoutKey, lastUsedMilliseconds: lastUsed,
            byteCount: 0)
        let row: KeyValuePairs<StaticString, any SQLValue> = [
            "id": layout.id, "streamId": streamID, "layoutKey": layoutKey, "firstUsedMilliseconds": lastUsed,
            "lastUsedMilliseconds": lastUsed, "isKept": 1, "byteCount": 0, "hitCount": 0, "foldedChunkCount": 0,
            "checksum": layout.checksum,
        ]
        try RawStatement(database, into: "layout", row: row).run()
        return layout.id
    }

    /// Updates the numbers of a layout's row and its checksum.
    func update(_ layout: StoredLayout) throws {
        let sql = """
            UPDATE layout SET firstUsedMilliseconds = ?2, lastUsedMilliseconds = ?2, hitCount = 0, foldedChunkCount = 0,
                byteCount = ?3, checksum = ?4
            WHERE id = ?1
            """
        try database.run(sql, with: layout.id, layout.lastUsedMilliseconds, layout.byteCount, layout.checksum)
    }

    /// Stores placements.
    ///
    /// The frames of the placements that they replace are deleted.
    ///
    /// - Parameters:
    ///   - placements: Placements of stored chunks. Placements of an outdated version of a chunk are skipped.
    ///   - layoutID: The layout.
    /// - Returns: The number of stored placements.
    /// - Throws: `DatabaseError` if SQLite fails.
    /// - Complexity: O(placements).
    @discardableResult
    package func store(_ placements: [StoredPlacement], ofLayout layoutID: Int64) throws -> Int {
        let placements = try placements.filter { try chunkVersion($0.chunkID) == $0.version }
        // A new layout has nothing to replace.
        if try byteCount(ofLayout: layoutID) > 0 {
            try deletePlacements(of: placements.map(\.chunkID), fromLayout: layoutID)
        }
        for placement in placements { try write(placement, layoutID: layoutID) }
        try addBytes(placements.reduce(0) { $0 + $1.byteCount }, toLayout: layoutID)
        return placements.count
    }

    /// Stores frames for stored placements.
    ///
    /// - Parameters:
    ///   - frames: The frames. Frames whose placement is not the stored one are skipped, as are those that would make
    ///     the layout alone exceed the file's budget.
    ///   - layoutID: The layout.
    /// - Returns: The number of stored frames.
    /// - Throws: `DatabaseError` if SQLite fails.
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
            // Existing frames of the same placement are identical, unless they are damaged.
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
        return try database.exists(sql, with: layoutID, placement.chunkID, placement.version, placement.entryState)
    }

    /// Deletes the frames of a chunk and returns their recorded size.
    private func deleteFrames(ofChunk chunkID: Int64, layoutID: Int64) throws -> Int64 {
        try database.first(
            "DELETE FROM layoutFrames WHERE layoutId = ? AND chunkId = ? RETURNING length(frames)", with: layoutID,
            chunkID
        ) { $0.integer(0) + LayoutBytes.row } ?? 0
    }

    private func write(_ frame: StoredFrames, layoutID: Int64) throws {
        let row: KeyValuePairs<StaticString, any SQLValue> = [
            "layoutId": layoutID, "chunkId": frame.placement.chunkID,
            "checksum": frame.placement.checksum(ofFrames: frame.bytes, ofLayout: layoutID), "frames": frame.bytes,
        ]
        try RawStatement(database, into: "layoutFrames", row: row).run()
    }

    private func write(_ placement: StoredPlacement, layoutID: Int64) throws {
        let row: KeyValuePairs<StaticString, any SQLValue> = [
            "layoutId": layoutID, "chunkId": placement.chunkID, "version": placement.version,
            "entryState": placement.entryState, "exitState": placement.exitState, "sections": placement.sections,
            "advance": placement.advance, "leastTop": placement.leastTop, "greatestEnd": placement.greatestEnd,
            "longestItem": placement.longestItem, "placedCount": placement.placedCount,
            "checksum": placement.checksum(ofLayout: layoutID),
        ]
        try RawStatement(database, into: "layoutChunk", replacing: true, row: row).run()
    }

    private func chunkVersion(_ chunkID: Int64) throws -> Int64? {
        try database.first("SELECT version FROM chunk WHERE id = ?", with: chunkID) { $0.integer(0) }
    }
}

extension PhotoWriter {
    /// Sets the maximum size of all stored layouts together, and deletes layouts beyond it.
    ///
    /// - Parameter byteCount: The size in bytes, not negative; 0 stores nothing.
    /// - Throws: `DatabaseError` if SQLite fails.
    package func setLayoutBudget(_ byteCount: Int64) throws {
        try database.run("INSERT OR REPLACE INTO layoutBudget (id, byteCount) VALUES (1, ?)", with: byteCount)
        try limitLayouts()
    }

    /// Deletes the least recently used layouts beyond the budget of the file.
    ///
    /// Also deletes layouts whose row is damaged, those for which earlier versions stored only a row, and those that have no
    /// data and were not used on the latest day.
    ///
    /// - Parameter storedID: The layout that was just stored, which is deleted last. If it alone exceeds the budget, it
    ///   first loses its frames.
    /// - Throws: `DatabaseError` if SQLite fails.
    /// - Complexity: O(layouts × log layouts + deleted rows).
    package func limitLayouts(afterStoring storedID: Int64? = nil) throws {
        var (layouts, invalid): ([StoredLayout], [Int64]) = ([], [])
        try database.forEach("SELECT \(StoredLayout.columns) FROM layout") { row in
            if let layout = StoredLayout(row) { layouts.append(layout) } else { invalid.append(row.integer(0)) }
        }
        for id in invalid { try deleteLayout(id) }
        let budget = try reader.layoutBudget()
        var total = layouts.reduce(0) { $0 &+ $1.byteCount }
        layouts.sort { ($0.lastUsedMilliseconds, $0.id) < ($1.lastUsedMilliseconds, $1.id) }
        let latest = layouts.last?.lastUsedMilliseconds ?? 0
        for layout in layouts where layout.id != storedID {
            guard total > budget || layout.byteCount == 0 && layout.lastUsedMilliseconds < latest else { continue }
            try deleteLayout(layout.id)
            total -= layout.byteCount
        }
        guard total > budget, let storedID else { return }
        try database.execute(sql: "DELETE FROM layoutFrames WHERE layoutId = ?", arguments: [storedID])
        try countBytes(ofLayout: storedID)
        if try byteCount(ofLayout: storedID) > budget { try deleteLayout(storedID) }
    }

    /// Returns the recorded size of a layout.
    func byteCount(ofLayout id: Int64) throws -> Int64 {
        try reader.layout(id)?.byteCount ?? 0
    }

    /// Recomputes and records the size of a layout.
    ///
    /// - Complexity: O(rows of the layout).
    package func countBytes(ofLayout id: Int64) throws {
        guard var layout = try reader.layout(id) else { return }
        layout.byteCount = try reader.storedByteCount(layoutID: id)
        try update(layout)
    }

    /// Adds to the recorded size of a layout; a negative number subtracts.
    package func addBytes(_ count: Int64, toLayout id: Int64) throws {
        guard count != 0, var layout = try reader.layout(id) else { return }
        layout.byteCount = max(0, layout.byteCount &+ count)
        try update(layout)
    }

    /// Deletes a layout with all of its data.
    package func deleteLayout(_ id: Int64) throws {
        try database.execute(sql: "DELETE FROM layout WHERE id = ?", arguments: [id])
    }
}
