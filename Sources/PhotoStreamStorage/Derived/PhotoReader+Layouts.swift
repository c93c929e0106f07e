extension PhotoReader {
    /// The stored layout of a configuration; `nil` where there is none or its row is damaged.
    package func layout(streamID: Int64, layoutKey: String) throws -> StoredLayout? {
        let statement = try RawStatement(
            database, "SELECT \(StoredLayout.columns) FROM layout WHERE streamId = ? AND layoutKey = ?")
        statement.bind(1, streamID)
        try statement.bind(2, copying: layoutKey)
        return try statement.first(StoredLayout.init)
    }

    /// The stored layout of an id; `nil` where there is none or its row is damaged.
    func layout(_ id: Int64) throws -> StoredLayout? {
        let statement = try RawStatement(database, "SELECT \(StoredLayout.columns) FROM layout WHERE id = ?")
        statement.bind(1, id)
        return try statement.first(StoredLayout.init)
    }

    /// Every layout that was asked for, but for damaged rows.
    func layouts() throws -> [StoredLayout] {
        var layouts: [StoredLayout] = []
        try RawStatement(database, "SELECT \(StoredLayout.columns) FROM layout").forEach { row in
            if let layout = StoredLayout(row) { layouts.append(layout) }
        }
        return layouts
    }

    /// Whether a layout has a row.
    package func hasLayout(_ id: Int64) throws -> Bool {
        let statement = try RawStatement(database, "SELECT 1 FROM layout WHERE id = ?")
        statement.bind(1, id)
        return try statement.first { $0.integer(0) } != nil
    }

    /// Every layout that was asked for, by stream, then least recently used last; damaged rows are left out.
    package func layoutSizes() throws -> [StoredLayoutSize] {
        let sql = """
            SELECT \(StoredLayout.columns),
                (SELECT count(*) FROM layoutChunk WHERE layoutId = layout.id),
                (SELECT count(*) FROM layoutFrames WHERE layoutId = layout.id)
            FROM layout ORDER BY streamId, lastUsedMilliseconds DESC, id
            """
        var result: [StoredLayoutSize] = []
        try RawStatement(database, sql).forEach { row in
            guard let layout = StoredLayout(row) else { return }
            result.append(
                StoredLayoutSize(
                    layout: layout, chunkCount: Int(row.integer(10)), framesCount: Int(row.integer(11))))
        }
        return result
    }

    /// How many bytes all layouts of the file may take together; the default where the file holds no such number.
    package func layoutBudget() throws -> Int64 {
        let statement = try RawStatement(database, "SELECT byteCount FROM layoutBudget WHERE id = 1")
        let byteCount = try statement.first { $0.isInteger(0) && $0.integer(0) >= 0 ? $0.integer(0) : nil }
        return byteCount ?? LayoutBytes.defaultBudget
    }

    /// How many bytes all layouts of the file take together.
    package func layoutByteCount() throws -> Int64 {
        try layouts().reduce(0) { $0 &+ $1.byteCount }
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

    /// What is stored of a layout, by chunk id, without the frames; damaged rows are passed over.
    ///
    /// - Complexity: O(chunks).
    package func placements(layoutID: Int64) throws -> [Int64: StoredPlacement] {
        let statement = try RawStatement(
            database, "SELECT \(StoredPlacement.columns) FROM layoutChunk WHERE layoutId = ?")
        statement.bind(1, layoutID)
        var result: [Int64: StoredPlacement] = [:]
        try statement.forEach { row in
            guard let placement = StoredPlacement(row, ofLayout: layoutID) else { return }
            result[placement.chunkID] = placement
        }
        return result
    }

    /// The stored frames of a chunk in a layout.
    ///
    /// - Parameters:
    ///   - layoutID: The layout.
    ///   - placement: The chunk's placement; frames that were made with another are not answered, whoever stored them.
    /// - Returns: `nil` where there are none or they are damaged.
    /// - Throws: `DatabaseError` when SQLite fails.
    package func frames(layoutID: Int64, _ placement: StoredPlacement) throws -> [UInt8]? {
        let statement = try RawStatement(
            database, "SELECT checksum, frames FROM layoutFrames WHERE layoutId = ? AND chunkId = ?")
        statement.bind(1, layoutID)
        statement.bind(2, placement.chunkID)
        return try statement.first { row in
            let bytes = row.bytes(1)
            return placement.checksum(ofFrames: bytes, ofLayout: layoutID) == row.integer(0) ? bytes : nil
        }
    }
}
