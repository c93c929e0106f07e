extension PhotoReader {
    /// Returns the stored layout with a key; `nil` if there is none or its row is damaged.
    package func layout(streamID: Int64, layoutKey: String) throws -> StoredLayout? {
        let statement = try RawStatement(
            database, sql: "SELECT \(StoredLayout.columns) FROM layout WHERE streamId = ? AND layoutKey = ?")
        try statement.bind(streamID, layoutKey)
        return try statement.first(StoredLayout.init)
    }

    /// Returns the stored layout with an id; `nil` if there is none or its row is damaged.
    func layout(_ id: Int64) throws -> StoredLayout? {
        let statement = try RawStatement(database, sql: "SELECT \(StoredLayout.columns) FROM layout WHERE id = ?")
        try statement.bind(id)
        return try statement.first(StoredLayout.init)
    }

    /// Returns every stored layout, except damaged rows.
    func layouts() throws -> [StoredLayout] {
        var layouts: [StoredLayout] = []
        try RawStatement(database, sql: "SELECT \(StoredLayout.columns) FROM layout").forEach { row in
            if let layout = StoredLayout(row) { layouts.append(layout) }
        }
        return layouts
    }

    /// Returns every stored layout by stream, most recently used first, except damaged rows.
    package func layoutSizes() throws -> [StoredLayoutSize] {
        let sql = """
            SELECT \(StoredLayout.columns),
                (SELECT count(*) FROM layoutChunk WHERE layoutId = layout.id),
                (SELECT count(*) FROM layoutFrames WHERE layoutId = layout.id)
            FROM layout ORDER BY streamId, lastUsedMilliseconds DESC, id DESC
            """
        var result: [StoredLayoutSize] = []
        try RawStatement(database, sql: sql).forEach { row in
            guard let layout = StoredLayout(row) else { return }
            result.append(
                StoredLayoutSize(
                    layout: layout, chunkCount: Int(row.integer(10)), framesCount: Int(row.integer(11))))
        }
        return result
    }

    /// Returns the maximum size of all stored layouts together, in bytes; the default if the file does not set it.
    package func layoutBudget() throws -> Int64 {
        let statement = try RawStatement(database, sql: "SELECT byteCount FROM layoutBudget WHERE id = 1")
        let byteCount = try statement.first { $0.isInteger(0) && $0.integer(0) >= 0 ? $0.integer(0) : nil }
        return byteCount ?? LayoutBytes.defaultBudget
    }

    /// Returns the size of all stored layouts together, in bytes.
    package func layoutByteCount() throws -> Int64 {
        try layouts().reduce(0) { $0 &+ $1.byteCount }
    }

    /// Computes the number of bytes stored for a layout, which ``StoredLayout/byteCount`` tracks.
    ///
    /// - Complexity: O(rows of the layout).
    package func storedByteCount(layoutID: Int64) throws -> Int64 {
        let statement = try RawStatement(database, sql: "SELECT \(Self.byteCountSQL) FROM layout WHERE id = ?")
        try statement.bind(layoutID)
        return try statement.first { $0.integer(0) } ?? 0
    }

    /// The size of the current row of `layout`.
    static let byteCountSQL = """
        (SELECT coalesce(sum(length(entryState) + length(exitState) + length(sections) + \(LayoutBytes.row)), 0)
            FROM layoutChunk WHERE layoutId = layout.id)
        + (SELECT coalesce(sum(length(frames) + \(LayoutBytes.row)), 0) FROM layoutFrames WHERE layoutId = layout.id)
        """

    /// Returns a layout's stored placements by chunk id, without frames; damaged rows are skipped.
    ///
    /// - Complexity: O(chunks).
    package func placements(layoutID: Int64) throws -> [Int64: StoredPlacement] {
        let statement = try RawStatement(
            database, sql: "SELECT \(StoredPlacement.columns) FROM layoutChunk WHERE layoutId = ?")
        try statement.bind(layoutID)
        var result: [Int64: StoredPlacement] = [:]
        try statement.forEach { row in
            guard let placement = StoredPlacement(row, ofLayout: layoutID) else { return }
            result[placement.chunkID] = placement
        }
        return result
    }

    /// Returns the stored frames of a chunk in a layout.
    ///
    /// - Parameters:
    ///   - layoutID: The layout.
    ///   - placement: The chunk's placement. Frames that were stored for another placement are ignored.
    /// - Returns: `nil` if there are none or they are damaged.
    /// - Throws: `DatabaseError` if SQLite fails.
    package func frames(layoutID: Int64, _ placement: StoredPlacement) throws -> [UInt8]? {
        let statement = try RawStatement(
            database, sql: "SELECT checksum, frames FROM layoutFrames WHERE layoutId = ? AND chunkId = ?")
        try statement.bind(layoutID, placement.chunkID)
        return try statement.first { row in
            let bytes = row.bytes(1)
            return placement.checksum(ofFrames: bytes, ofLayout: layoutID) == row.integer(0) ? bytes : nil
        }
    }
}
