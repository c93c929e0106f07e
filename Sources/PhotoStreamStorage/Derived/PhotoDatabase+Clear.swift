import GRDB

extension PhotoDatabase {
    /// Removes everything that is derived from the photos, of every stream; it comes back, identical, at the next question.
    ///
    /// In write transactions that end when the budget is spent: other writers wait no longer. From the first one on nothing
    /// of it counts any more, so who is killed between two leaves a file that is right, and larger than it need be. What
    /// others store meanwhile stays.
    ///
    /// - Parameters:
    ///   - budgetMilliseconds: The time that a transaction may take before its commit.
    ///   - betweenBatches: Called after each transaction; what it throws ends the work.
    /// - Throws: ``StorageError``, and what `betweenBatches` throws.
    /// - Complexity: O(what is stored).
    package func clearDerived(budgetMilliseconds: Int = 150, betweenBatches: () throws -> Void = {}) throws {
        let (lastLayout, lastChunk) = try write { writer in
            try writer.database.execute(sql: "DELETE FROM streamIndex")
            return (try writer.greatestID(of: "layout"), try writer.greatestID(of: "chunk"))
        }
        let steps: [(PhotoWriter) throws -> Bool] = [
            { try $0.deleteSomeOfLayouts(upTo: lastLayout) }, { try $0.deleteSomeChunks(upTo: lastChunk) },
            { try $0.deleteSomeOrphans() },
        ]
        for step in steps {
            repeat {
                try betweenBatches()
                giveTurn()
            } while try deletesMore(within: budgetMilliseconds, of: "rows", step)
        }
    }
}

extension PhotoWriter {
    /// How many rows go at once.
    private static var rowsPerStep: Int64 { 32 }

    fileprivate func greatestID(of table: String) throws -> Int64 {
        try RawStatement(database, "SELECT coalesce(max(id), 0) FROM \(table)").first { $0.integer(0) } ?? 0
    }

    /// Deletes some of what is stored of a layout, or its name where nothing is.
    ///
    /// - Returns: Whether there may be more.
    fileprivate func deleteSomeOfLayouts(upTo last: Int64) throws -> Bool {
        guard let id = try integers("SELECT id FROM layout WHERE id <= ? LIMIT 1", last).first else { return false }
        let sql = "SELECT chunkId FROM layoutChunk WHERE layoutId = ? LIMIT \(Self.rowsPerStep)"
        let chunkIDs = try integers(sql, id)
        if chunkIDs.isEmpty {
            try deleteLayout(id)
        } else {
            try deletePlacements(of: chunkIDs, fromLayout: id)
        }
        return true
    }

    /// Deletes some chunks, those of no stream too, which layouts may have come to place meanwhile.
    ///
    /// - Returns: Whether there may be more.
    fileprivate func deleteSomeChunks(upTo last: Int64) throws -> Bool {
        let sql = "SELECT id FROM chunk WHERE id <= ? LIMIT \(Self.rowsPerStep)"
        let chunkIDs = try integers(sql, last)
        for layoutID in try integers("SELECT id FROM layout WHERE id > ?", 0) {
            try deletePlacements(of: chunkIDs, fromLayout: layoutID)
        }
        for chunkID in chunkIDs {
            let statement = try RawStatement(database, "DELETE FROM chunk WHERE id = ?")
            statement.bind(1, chunkID)
            try statement.run()
        }
        return !chunkIDs.isEmpty
    }

    /// Deletes some rows that belong to nothing, as only somebody else's hand can leave them.
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
