import GRDB

extension PhotoDatabase {
    /// Deletes all data derived from the photos, of every stream.
    ///
    /// The next query recreates them identically.
    ///
    /// Each write transaction ends when the budget is spent, so other writers wait no longer than that. The first
    /// transaction takes all derived data out of use, so a killed process leaves a correct file that is merely larger
    /// than necessary. Data that other processes store in the meantime stay.
    ///
    /// - Parameters:
    ///   - budgetMilliseconds: The maximum time of a transaction before its commit.
    ///   - betweenBatches: Called after each transaction. An error ends the work.
    /// - Throws: ``StorageError`` and errors of `betweenBatches`.
    /// - Complexity: O(stored data).
    package func clearDerived(budgetMilliseconds: Int = 150, betweenBatches: () throws -> Void = {}) throws {
        let (lastLayout, lastChunk) = try writeLocally { writer in
            try writer.database.execute(sql: "DELETE FROM streamIndex")
            try writer.clearWords()
            return (try writer.greatestID(of: "layout"), try writer.greatestID(of: "chunk"))
        }
        let steps: [(PhotoWriter) throws -> Bool] = [
            { try $0.deleteSomeOfLayouts(upTo: lastLayout) }, { try $0.deleteSomeChunks(upTo: lastChunk) },
            { try $0.deleteSomeOrphans() },
        ]
        for step in steps {
            repeat {
                try betweenBatches()
                pauseForOtherWriters()
            } while try deletesMore(within: budgetMilliseconds, of: "rows", step)
        }
    }
}

extension PhotoWriter {
    /// The number of rows deleted at once.
    private static var rowsPerStep: Int64 { 32 }

    fileprivate func greatestID(of table: String) throws -> Int64 {
        try database.number("SELECT coalesce(max(id), 0) FROM \(table)")
    }

    /// Deletes some of a layout's data, or the layout itself once it has none.
    ///
    /// - Returns: Whether there may be more.
    fileprivate func deleteSomeOfLayouts(upTo last: Int64) throws -> Bool {
        guard let id = try database.integers("SELECT id FROM layout WHERE id <= ? LIMIT 1", with: last).first else {
            return false
        }
        let sql = "SELECT chunkId FROM layoutChunk WHERE layoutId = ? LIMIT \(Self.rowsPerStep)"
        let chunkIDs = try database.integers(sql, with: id)
        if chunkIDs.isEmpty {
            try deleteLayout(id)
        } else {
            try deletePlacements(of: chunkIDs, fromLayout: id)
        }
        return true
    }

    /// Deletes some chunks, including those without a stream, with the placements that layouts may have stored for them
    /// since.
    ///
    /// - Returns: Whether there may be more.
    fileprivate func deleteSomeChunks(upTo last: Int64) throws -> Bool {
        let sql = "SELECT id FROM chunk WHERE id <= ? LIMIT \(Self.rowsPerStep)"
        let chunkIDs = try database.integers(sql, with: last)
        for layoutID in try database.integers("SELECT id FROM layout WHERE id > 0") {
            try deletePlacements(of: chunkIDs, fromLayout: layoutID)
        }
        for chunkID in chunkIDs { try database.run("DELETE FROM chunk WHERE id = ?", with: chunkID) }
        return !chunkIDs.isEmpty
    }

    /// Deletes some orphaned rows, which only another program can leave.
    ///
    /// - Returns: Whether there may be more.
    fileprivate func deleteSomeOrphans() throws -> Bool {
        var deleted = 0
        for table in OrphanTable.allCases {
            try database.execute(sql: table.deletion(limit: Self.rowsPerStep))
            deleted += database.changesCount
        }
        if deleted > 0 { for layout in try reader.layouts() { try countBytes(ofLayout: layout.id) } }
        return deleted > 0
    }
}
