import GRDB
package import PhotoStreamModel

extension PhotoDatabase {
    /// How many photos go between two looks at the clock.
    private static var photosPerLook: Int { 64 }

    /// Deletes photos in one write transaction, which ends when the budget is spent: other writers wait no longer.
    ///
    /// - Parameters:
    ///   - ids: Which, in order.
    ///   - streamID: The stream's row id.
    ///   - budgetMilliseconds: The time that the transaction may take before its commit.
    /// - Returns: Of the first ids, whether the stream had them; the caller goes on with the rest in the next batch.
    /// - Throws: ``StorageError``; with code `notFound` when the stream was deleted.
    /// - Complexity: O(log n) per id.
    package func deletePhotos(
        _ ids: ArraySlice<PhotoID>, from streamID: Int64, budgetMilliseconds: Int = 150
    ) throws -> [Bool] {
        guard !ids.isEmpty else { return [] }
        return try write { writer in
            guard try writer.reader.stream(id: streamID) != nil else {
                throw StorageError(.notFound, "stream \(streamID) was deleted while photos of it were deleted")
            }
            let deadline = ContinuousClock.now.advanced(by: .milliseconds(budgetMilliseconds))
            var wereKnown: [Bool] = []
            for id in ids {
                wereKnown.append(try writer.deletePhoto(streamID: streamID, id: id))
                if wereKnown.count % Self.photosPerLook == 0, ContinuousClock.now >= deadline { break }
            }
            try writer.trimLog()
            return wereKnown
        }
    }

    /// Deletes all photos of a stream and what is derived from them, in write transactions that end when the budget is
    /// spent: other writers wait no longer.
    ///
    /// - Parameters:
    ///   - streamID: The stream's row id.
    ///   - budgetMilliseconds: The time that a transaction may take before its commit.
    ///   - check: Looks at the stream as it was, in the first transaction; what it throws prevents that and all others.
    /// - Returns: How many photos were deleted.
    /// - Throws: ``StorageError``, and what `check` throws; what was deleted before stays deleted.
    /// - Complexity: O(n log n) in its photos, each of which is logged.
    package func emptyStream(
        _ streamID: Int64, budgetMilliseconds: Int = 150, if check: (PhotoReader) throws -> Void = { _ in }
    ) throws -> Int {
        var isChecked = false
        while try deletesMore(
            within: budgetMilliseconds, of: "its chunks",
            { writer in
                if !isChecked { try check(writer.reader) }
                isChecked = true
                return try writer.deleteSomeDerived(of: streamID) > 0
            })
        { giveTurn() }
        var count = 0
        while try deletesMore(
            within: budgetMilliseconds, of: "photos",
            { writer in
                let found = try writer.deleteFirstPhotos(of: streamID, limit: Self.photosPerLook)
                count += found.deleted
                return found.any
            })
        { giveTurn() }
        return count
    }

    /// Deletes step after step in one write transaction until nothing is left or the budget is spent.
    ///
    /// - Parameters:
    ///   - budgetMilliseconds: The budget.
    ///   - noun: What is deleted.
    ///   - step: Deletes some, and returns whether there may be more.
    /// - Returns: Whether there may be more.
    /// - Throws: What `step` throws, `CancellationError` when the caller's task was cancelled before, and
    ///   ``StorageError/damaged(_:)`` where a step has found rows and deleted none: it would find them for ever.
    func deletesMore(
        within budgetMilliseconds: Int, of noun: String, _ step: (PhotoWriter) throws -> Bool
    ) throws -> Bool {
        try Task.checkCancellation()
        return try write { writer in
            let deadline = ContinuousClock.now.advanced(by: .milliseconds(budgetMilliseconds))
            while try writer.requiringProgress(of: noun, step) {
                guard ContinuousClock.now < deadline, !Task.isCancelled else {
                    try writer.trimLog()
                    return true
                }
            }
            try writer.trimLog()
            return false
        }
    }
}

extension PhotoWriter {
    /// How many chunks go at once.
    private static var chunksPerStep: Int { 16 }

    /// Deletes the first photos of a stream.
    ///
    /// - Returns: Whether any were found, and how many were deleted.
    fileprivate func deleteFirstPhotos(of streamID: Int64, limit: Int) throws -> (any: Bool, deleted: Int) {
        let ids = try rowIDs("SELECT id FROM photo INDEXED BY photoPlace WHERE streamId = ?1 LIMIT ?2", streamID, limit)
        // A damaged index may name another stream's photo.
        let statement = try RawStatement(database, "\(PhotoSQL.delete) AND streamId = ?2")
        var deleted = 0
        for id in ids {
            statement.bind(1, id)
            statement.bind(2, streamID)
            try statement.run()
            deleted += database.changesCount
        }
        return (!ids.isEmpty, deleted)
    }

    /// Runs a step that deletes some rows.
    ///
    /// - Parameters:
    ///   - noun: What it deletes.
    ///   - step: Returns whether it has found any.
    /// - Returns: What `step` returns.
    /// - Throws: What `step` throws, and ``StorageError/damaged(_:)`` where it has found some and changed nothing.
    func requiringProgress(of noun: String, _ step: (PhotoWriter) throws -> Bool) throws -> Bool {
        let before = database.totalChangesCount
        let hasFound = try step(self)
        guard !hasFound || database.totalChangesCount > before else {
            throw StorageError.damaged("an index names \(noun) that are not there")
        }
        return hasFound
    }

    /// Deletes some chunks of a stream with what its layouts have stored of them.
    ///
    /// - Returns: How many there were.
    fileprivate func deleteSomeDerived(of streamID: Int64) throws -> Int {
        // What is left does not count from now on.
        let index = try RawStatement(database, "DELETE FROM streamIndex WHERE streamId = ?1")
        index.bind(1, streamID)
        try index.run()
        let ids = try rowIDs("SELECT id FROM chunk WHERE streamId = ?1 LIMIT ?2", streamID, Self.chunksPerStep)
        try delete(ids, of: streamID)
        return ids.count
    }

    private func rowIDs(_ sql: String, _ streamID: Int64, _ limit: Int) throws -> [Int64] {
        let statement = try RawStatement(database, sql)
        statement.bind(1, streamID)
        statement.bind(2, Int64(limit))
        var ids: [Int64] = []
        try statement.forEach { ids.append($0.integer(0)) }
        return ids
    }
}
