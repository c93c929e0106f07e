import GRDB
package import PhotoStreamModel

extension PhotoDatabase {
    /// The number of photos deleted between two checks of the time.
    private static var photosPerLook: Int { 64 }

    /// Deletes photos in one write transaction, which ends when the budget is spent, so other writers wait no longer.
    ///
    /// - Parameters:
    ///   - ids: The ids, in order.
    ///   - streamID: The stream's row id.
    ///   - now: Milliseconds since 1970.
    ///   - isForever: Whether nothing is kept for undo.
    ///   - budgetMilliseconds: The maximum time of the transaction before its commit.
    /// - Returns: For each processed id, whether the stream had it. The caller passes the rest in the next batch.
    /// - Throws: ``StorageError``; with code `notFound` if the stream was deleted.
    /// - Complexity: O(log n) per id.
    package func deletePhotos(
        _ ids: ArraySlice<PhotoID>, from streamID: Int64, now: Int64, forever isForever: Bool,
        budgetMilliseconds: Int = 150
    ) throws -> [Bool] {
        guard !ids.isEmpty else { return [] }
        return try write { writer in
            guard try writer.reader.stream(id: streamID) != nil else {
                throw StorageError(
                    .notFound, message: "stream \(streamID) was deleted while its photos were being deleted")
            }
            let deadline = ContinuousClock.now.advanced(by: .milliseconds(budgetMilliseconds))
            try writer.forgetDeletedPhotos(now: now)
            var wereKnown: [Bool] = []
            for id in ids {
                if isForever { try writer.forgetDeletedPhoto(streamID: streamID, id: id) }
                wereKnown.append(try writer.delete(id, of: streamID, at: now, isKept: !isForever))
                if wereKnown.count % Self.photosPerLook == 0, ContinuousClock.now >= deadline { break }
            }
            try writer.trimLog()
            return wereKnown
        }
    }

    /// Deletes all photos of a stream, the records of their files, and the data derived from them.
    ///
    /// Each write transaction ends when the budget is spent, so other writers wait no longer.
    ///
    /// - Parameters:
    ///   - streamID: The stream's row id.
    ///   - budgetMilliseconds: The maximum time of a transaction before its commit.
    ///   - check: Checks the stream in the first transaction. An error prevents the deletion.
    /// - Returns: The number of deleted photos.
    /// - Throws: ``StorageError`` and errors of `check`. Transactions that were committed before stay.
    /// - Complexity: O(n log n) for n photos, because each is logged.
    package func emptyStream(
        _ streamID: Int64, budgetMilliseconds: Int = 150, if check: (PhotoReader) throws -> Void = { _ in }
    ) throws -> Int {
        var isChecked = false
        while try deletesMore(
            within: budgetMilliseconds, of: "its chunks", first: { if !isChecked { try check($0.reader) } },
            { try $0.deleteSomeDerived(of: streamID) > 0 })
        {
            isChecked = true
            pauseForOtherWriters()
        }
        while try deletesMore(
            within: budgetMilliseconds, of: "picture files",
            { try $0.deleteSomePictureFiles(of: streamID) > 0 })
        { pauseForOtherWriters() }
        var count = 0
        while true {
            var countOfThis = 0
            let hasMore = try deletesMore(within: budgetMilliseconds, of: "photos", first: { _ in countOfThis = 0 }) {
                writer in
                let found = try writer.deleteFirstPhotos(of: streamID, limit: Self.photosPerLook)
                countOfThis += found.deleted
                return found.any
            }
            count += countOfThis
            guard hasMore else { return count }
            pauseForOtherWriters()
        }
    }

    /// Deletes in steps within one write transaction until nothing is left or the budget is spent.
    ///
    /// - Parameters:
    ///   - budgetMilliseconds: The budget.
    ///   - noun: The name of the deleted things, for errors.
    ///   - first: Runs before the first step, and once more if the transaction has to be decided again.
    ///   - step: Deletes some of them, and returns whether there may be more.
    /// - Returns: Whether there may be more.
    /// - Throws: Errors of `step`; `CancellationError` if the caller's task was cancelled before;
    ///   ``StorageError/damaged(_:)`` if a step found rows but deleted none, which it would repeat forever.
    func deletesMore(
        within budgetMilliseconds: Int, of noun: String, first: (PhotoWriter) throws -> Void = { _ in },
        _ step: (PhotoWriter) throws -> Bool
    ) throws -> Bool {
        try Task.checkCancellation()
        return try write { writer in
            try first(writer)
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
    /// The number of chunks deleted at once.
    private static var chunksPerStep: Int { 16 }

    /// The number of records of files deleted at once.
    private static var filesPerStep: Int { 256 }

    /// Deletes the first photos of a stream.
    ///
    /// - Returns: Whether any were found, and how many were deleted.
    fileprivate func deleteFirstPhotos(of streamID: Int64, limit: Int) throws -> (any: Bool, deleted: Int) {
        let ids = try database.integers(
            "SELECT id FROM photo INDEXED BY photoExternalId WHERE streamId = ?1 LIMIT ?2", with: streamID, limit)
        // A damaged index may return another stream's photo.
        let statement = try RawStatement(database, sql: "\(PhotoSQL.delete) AND streamId = ?2")
        var deleted = 0
        for id in ids {
            try statement.run(with: id, streamID)
            deleted += database.changesCount
        }
        return (!ids.isEmpty, deleted)
    }

    /// Runs a step that deletes some rows.
    ///
    /// - Parameters:
    ///   - noun: The name of the deleted things, for errors.
    ///   - step: Returns whether it found any rows.
    /// - Returns: The result of `step`.
    /// - Throws: Errors of `step`; ``StorageError/damaged(_:)`` if it found rows and changed nothing.
    func requiringProgress(of noun: String, _ step: (PhotoWriter) throws -> Bool) throws -> Bool {
        let before = database.totalChangesCount
        let hasFound = try step(self)
        guard !hasFound || database.totalChangesCount > before else {
            throw StorageError.damaged("an index lists \(noun) that do not exist")
        }
        return hasFound
    }

    /// Deletes some chunks of a stream with their stored placements.
    ///
    /// - Returns: The number of deleted chunks.
    fileprivate func deleteSomeDerived(of streamID: Int64) throws -> Int {
        // This takes the remaining chunks out of use.
        try database.run("DELETE FROM streamIndex WHERE streamId = ?1", with: streamID)
        let ids = try database.integers(
            "SELECT id FROM chunk WHERE streamId = ?1 LIMIT ?2", with: streamID, Self.chunksPerStep)
        try delete(ids, of: streamID)
        return ids.count
    }

    /// Deletes some records of a stream's files.
    ///
    /// - Returns: The number of records found.
    fileprivate func deleteSomePictureFiles(of streamID: Int64) throws -> Int {
        let ids = try database.integers(
            "SELECT id FROM pictureFile WHERE streamId = ?1 LIMIT ?2", with: streamID, Self.filesPerStep)
        for id in ids { try database.run("DELETE FROM pictureFile WHERE id = ?1", with: id) }
        return ids.count
    }
}
