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
        try deleteDamagedLayouts()
        let layouts = try reader.layouts().filter { $0.streamID == streamID }.sorted(by: Self.isUsedLater)
        for isKept in [false, true] {
            let beyond = layouts.filter { $0.isKept == isKept }.dropFirst(Self.maximumLayoutCount)
            for layout in beyond { try deleteLayout(layout.id) }
        }
        try dropLayoutsBeyondBudget()
    }

    private static func isUsedLater(_ one: StoredLayout, _ other: StoredLayout) -> Bool {
        (one.lastUsedMilliseconds, one.id) > (other.lastUsedMilliseconds, other.id)
    }

    /// Deletes layouts whose row is damaged, with all that is stored of them.
    private func deleteDamagedLayouts() throws {
        var damaged: [Int64] = []
        try RawStatement(database, "SELECT \(StoredLayout.columns) FROM layout").forEach { row in
            if StoredLayout(row) == nil { damaged.append(row.integer(0)) }
        }
        for id in damaged { try deleteLayout(id) }
    }

    /// What is counted for a layout.
    func byteCount(ofLayout id: Int64) throws -> Int64 {
        try reader.layout(id)?.byteCount ?? 0
    }

    /// Counts again what is stored of a layout.
    ///
    /// - Complexity: O(what is stored of it).
    package func countBytes(ofLayout id: Int64) throws {
        guard var layout = try reader.layout(id) else { return }
        layout.byteCount = try reader.storedByteCount(layoutID: id)
        try update(layout)
    }

    /// Counts what was stored of a layout, or was deleted where it is negative.
    package func addBytes(_ count: Int64, toLayout id: Int64) throws {
        guard count != 0, var layout = try reader.layout(id) else { return }
        layout.byteCount = max(0, layout.byteCount &+ count)
        try update(layout)
    }

    /// Whole layouts go, the least recently used first; the last of all first gives up its frames.
    private func dropLayoutsBeyondBudget() throws {
        let budget = try reader.layoutBudget()
        var total = try reader.layoutByteCount()
        guard total > budget else { return }
        let stored = try reader.layouts().filter { $0.byteCount > 0 }.sorted { Self.isUsedLater($1, $0) }
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
