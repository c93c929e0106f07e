extension PhotoReader {
    /// Returns the stored layout with a key; `nil` if there is none or its row is damaged.
    package func layout(streamID: Int64, layoutKey: String) throws -> StoredLayout? {
        try database.first(
            "SELECT \(StoredLayout.columns) FROM layout WHERE streamId = ? AND layoutKey = ?", with: streamID,
            layoutKey,
            read: StoredLayout.init)
    }

    /// Returns the stored layout with an id; `nil` if there is none or its row is damaged.
    func layout(_ id: Int64) throws -> StoredLayout? {
        try database.first("SELECT \(StoredLayout.columns) FROM layout WHERE id = ?", with: id, read: StoredLayout.init)
    }

    /// Returns every stored layout, except damaged rows.
    func layouts() throws -> [StoredLayout] {
        try database.rows("SELECT \(StoredLayout.columns) FROM layout", read: StoredLayout.init)
    }

    /// Returns every stored layout by stream, most recently used first, except damaged rows.
    package func layoutSizes() throws -> [StoredLayoutSize] {
        let sql = """
            SELECT \(StoredLayout.columns),
                (SELECT count(*) FROM layoutChunk WHERE layoutId = layout.id),
                (SELECT count(*) FROM layoutFrames WHERE layoutId = layout.id)
            FROM layout ORDER BY streamId, lastUsedMilliseconds DESC, id DESC
            """
        return try database.rows(sql) { row in
            StoredLayout(row).map { layout in
                StoredLayoutSize(layout: layout, chunkCount: Int(row.integer(10)), framesCount: Int(row.integer(11)))
            }
        }
    }

    /// Returns the maximum size of all stored layouts together, in bytes; the default if the file does not set it.
    package func layoutBudget() throws -> Int64 {
        let byteCount = try database.first("SELECT byteCount FROM layoutBudget WHERE id = 1") {
            $0.isInteger(0) && $0.integer(0) >= 0 ? $0.integer(0) : nil
        }
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
        try database.number("SELECT \(Self.byteCountSQL) FROM layout WHERE id = ?", with: layoutID)
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
        var result: [Int64: StoredPlacement] = [:]
        try database.forEach("SELECT \(StoredPlacement.columns) FROM layoutChunk WHERE layoutId = ?", with: layoutID) {
            row in
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
        try database.first(
            "SELECT checksum, frames FROM layoutFrames WHERE layoutId = ? AND chunkId = ?", with: layoutID,
            placement.chunkID
        ) { row in
            let bytes = row.bytes(1)
            return placement.checksum(ofFrames: bytes, ofLayout: layoutID) == row.integer(0) ? bytes : nil
        }
    }
}
