import GRDB

extension PhotoWriter {
    /// Records the use of a layout.
    ///
    /// If the file has seen a later time than the reporter's clock, some process's clock is ahead. This use then counts
    /// as later than all others, so that the most recently used layout is evicted last, whatever the clocks say.
    ///
    /// - Parameter use: The use since the last report.
    /// - Returns: The layout's id, and whether its placements and frames are to be stored.
    /// - Throws: `DatabaseError` if SQLite fails.
    @discardableResult
    package func recordUse(_ use: LayoutUseReport) throws -> (id: Int64, isKept: Bool) {
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
        // Delete a damaged row with that key.
        let old = try RawStatement(database, sql: "DELETE FROM layout WHERE streamId = ? AND layoutKey = ?")
        try old.bind(use.streamID, use.layoutKey)
        try old.run()
        let layout = StoredLayout(
            id: try nextID(in: "layout"), streamID: use.streamID, layoutKey: use.layoutKey,
            firstUsedMilliseconds: use.firstUsedMilliseconds, lastUsedMilliseconds: lastUsed, isKept: use.isKept,
            byteCount: 0, hitCount: use.hitCount, foldedChunkCount: use.foldedChunkCount)
        try insert(layout)
        return (layout.id, layout.isKept)
    }

    private func insert(_ layout: StoredLayout) throws {
        let row: KeyValuePairs<StaticString, any SQLValue> = [
            "id": layout.id, "streamId": layout.streamID, "layoutKey": layout.layoutKey,
            "firstUsedMilliseconds": layout.firstUsedMilliseconds, "lastUsedMilliseconds": layout.lastUsedMilliseconds,
            "isKept": layout.isKept ? 1 : 0, "byteCount": layout.byteCount, "hitCount": layout.hitCount,
            "foldedChunkCount": layout.foldedChunkCount, "checksum": layout.checksum,
        ]
        try RawStatement(database, into: "layout", row: row).run()
    }

    /// Updates the numbers of a layout's row and its checksum.
    func update(_ layout: StoredLayout) throws {
        let sql = """
            UPDATE layout SET firstUsedMilliseconds = ?, lastUsedMilliseconds = ?, isKept = ?, byteCount = ?,
                hitCount = ?, foldedChunkCount = ?, checksum = ?
            WHERE id = ?
            """
        let statement = try RawStatement(database, sql: sql)
        try statement.bind(
            layout.firstUsedMilliseconds, layout.lastUsedMilliseconds, layout.isKept ? 1 : 0, layout.byteCount,
            layout.hitCount, layout.foldedChunkCount, layout.checksum, layout.id)
        try statement.run()
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
        let statement = try RawStatement(database, sql: sql)
        try statement.bind(layoutID, placement.chunkID, placement.version, placement.entryState)
        return try statement.first { _ in true } ?? false
    }

    /// Deletes the frames of a chunk and returns their recorded size.
    private func deleteFrames(ofChunk chunkID: Int64, layoutID: Int64) throws -> Int64 {
        let statement = try RawStatement(
            database, sql: "DELETE FROM layoutFrames WHERE layoutId = ? AND chunkId = ? RETURNING length(frames)")
        try statement.bind(layoutID, chunkID)
        return try statement.first { $0.integer(0) + LayoutBytes.row } ?? 0
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
        let statement = try RawStatement(database, sql: "SELECT version FROM chunk WHERE id = ?")
        try statement.bind(chunkID)
        return try statement.first { $0.integer(0) }
    }
}

extension PhotoWriter {
    /// The maximum number of layouts kept per stream, and of layouts of which only the use is recorded.
    package static let maximumLayoutCount = 64

    /// Sets the maximum size of all stored layouts together, and deletes layouts beyond it.
    ///
    /// - Parameter byteCount: The size in bytes, not negative; 0 stores nothing.
    /// - Throws: `DatabaseError` if SQLite fails.
    package func setLayoutBudget(_ byteCount: Int64) throws {
        let statement = try RawStatement(
            database, sql: "INSERT OR REPLACE INTO layoutBudget (id, byteCount) VALUES (1, ?)")
        try statement.bind(byteCount)
        try statement.run()
        try dropLayoutsBeyondBudget()
    }

    /// Deletes the least recently used layouts: beyond ``maximumLayoutCount`` of a stream, then beyond the budget of
    /// the file.
    ///
    /// - Parameter streamID: The stream.
    /// - Throws: `DatabaseError` if SQLite fails.
    /// - Complexity: O(layouts + deleted rows).
    package func limitLayouts(streamID: Int64) throws {
        try deleteDamagedLayouts()
        let layouts = try reader.layouts().filter { $0.streamID == streamID }.sorted(by: Self.isUsedLater)
        for isKept in [false, true] {
            let beyond = layouts.filter { $0.isKept == isKept }.dropFirst(Self.maximumLayoutCount)
            for layout in beyond { try deleteLayout(layout.id) }
        }
        try dropLayoutsBeyondBudget()
    }

    private static func isUsedLater(_ one: StoredLayout, than other: StoredLayout) -> Bool {
        (one.lastUsedMilliseconds, one.id) > (other.lastUsedMilliseconds, other.id)
    }

    /// Deletes layouts whose row is damaged, with all of their data.
    private func deleteDamagedLayouts() throws {
        var damaged: [Int64] = []
        try RawStatement(database, sql: "SELECT \(StoredLayout.columns) FROM layout").forEach { row in
            if StoredLayout(row) == nil { damaged.append(row.integer(0)) }
        }
        for id in damaged { try deleteLayout(id) }
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

    /// Deletes whole layouts, least recently used first.
    ///
    /// The last remaining one first loses its frames.
    private func dropLayoutsBeyondBudget() throws {
        let budget = try reader.layoutBudget()
        var total = try reader.layoutByteCount()
        guard total > budget else { return }
        let stored = try reader.layouts().filter { $0.byteCount > 0 }.sorted { Self.isUsedLater($1, than: $0) }
        for layout in stored.dropLast() where total > budget {
            try deleteLayout(layout.id)
            total -= layout.byteCount
        }
        guard total > budget, let last = stored.last else { return }
        try database.execute(sql: "DELETE FROM layoutFrames WHERE layoutId = ?", arguments: [last.id])
        try countBytes(ofLayout: last.id)
        if try reader.layoutByteCount() > budget { try deleteLayout(last.id) }
    }

    /// Deletes a layout with all of its data.
    package func deleteLayout(_ id: Int64) throws {
        try database.execute(sql: "DELETE FROM layout WHERE id = ?", arguments: [id])
    }
}
