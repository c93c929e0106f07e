import GRDB

extension PhotoWriter {
    /// The most layouts that are kept for a stream, and the most whose use alone is remembered.
    package static let maximumLayoutCount = 64

    /// Says how many bytes all layouts of the file may take together, and drops what is beyond.
    ///
    /// - Parameter byteCount: Not negative; 0 keeps nothing.
    /// - Throws: `DatabaseError` when SQLite fails.
    package func setLayoutBudget(_ byteCount: Int64) throws {
        let statement = try RawStatement(
            database, "INSERT OR REPLACE INTO layoutBudget (id, byteCount) VALUES (1, ?)")
        statement.bind(1, byteCount)
        try statement.run()
        try dropLayoutsBeyondBudget()
    }

    /// Drops the least recently used layouts: beyond ``maximumLayoutCount`` of a stream, then beyond the budget of the
    /// file.
    ///
    /// - Parameter streamID: The stream.
    /// - Throws: `DatabaseError` when SQLite fails.
    /// - Complexity: O(layouts + what goes).
    package func limitLayouts(streamID: Int64) throws {
        for isKept in [0, 1] {
            let sql = """
                DELETE FROM layout WHERE id IN
                    (SELECT id FROM layout WHERE streamId = ? AND isKept = ?
                    ORDER BY lastUsedMilliseconds DESC, id DESC LIMIT -1 OFFSET ?)
                """
            let statement = try RawStatement(database, sql)
            statement.bind(1, streamID)
            statement.bind(2, Int64(isKept))
            statement.bind(3, Int64(Self.maximumLayoutCount))
            try statement.run()
        }
        try dropLayoutsBeyondBudget()
    }

    /// What is counted for a layout.
    func byteCount(ofLayout id: Int64) throws -> Int64 {
        let statement = try RawStatement(database, "SELECT byteCount FROM layout WHERE id = ?")
        statement.bind(1, id)
        return try statement.first { $0.integer(0) } ?? 0
    }

    /// Counts what is stored of a layout anew.
    ///
    /// - Complexity: O(what is stored of it).
    func countBytes(ofLayout id: Int64) throws {
        let statement = try RawStatement(
            database, "UPDATE layout SET byteCount = \(PhotoReader.byteCountSQL) WHERE id = ?")
        statement.bind(1, id)
        try statement.run()
    }

    /// Counts what was stored of a layout, or was deleted where it is negative.
    func addBytes(_ count: Int64, toLayout id: Int64) throws {
        guard count != 0 else { return }
        let statement = try RawStatement(database, "UPDATE layout SET byteCount = byteCount + ? WHERE id = ?")
        statement.bind(1, count)
        statement.bind(2, id)
        try statement.run()
    }

    /// Whole layouts go, the least recently used first; the last of all first gives up its frames.
    private func dropLayoutsBeyondBudget() throws {
        let budget = try reader.layoutBudget()
        var total = try reader.layoutByteCount()
        guard total > budget else { return }
        var stored: [(id: Int64, byteCount: Int64)] = []
        let sql = "SELECT id, byteCount FROM layout WHERE byteCount > 0 ORDER BY lastUsedMilliseconds, id"
        try RawStatement(database, sql).forEach { stored.append(($0.integer(0), $0.integer(1))) }
        for layout in stored.dropLast() where total > budget {
            try deleteLayout(layout.id)
            total -= layout.byteCount
        }
        guard total > budget, let last = stored.last else { return }
        try database.execute(sql: "DELETE FROM layoutFrames WHERE layoutId = ?", arguments: [last.id])
        try countBytes(ofLayout: last.id)
        if try reader.layoutByteCount() > budget { try deleteLayout(last.id) }
    }

    /// Deletes a layout with all that is stored of it.
    package func deleteLayout(_ id: Int64) throws {
        try database.execute(sql: "DELETE FROM layout WHERE id = ?", arguments: [id])
    }
}
