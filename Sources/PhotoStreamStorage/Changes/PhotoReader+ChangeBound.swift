extension PhotoReader {
    /// Whether more photos of a stream have changed behind a revision than a number, as far as the log alone tells.
    ///
    /// That is had without taking the log back, which is dear, and by the first rows that prove it. Two kinds of photos are
    /// named whatever else has happened: those that were there and were deleted or written to in place, and those that have
    /// come and are there. What was only moved, and what was replaced in silence, counts for nothing here; so `false` says
    /// nothing. (A photo whose row id somebody has changed may count twice; who reads the stream anew too early is right.)
    ///
    /// - Parameters:
    ///   - limit: The number.
    ///   - streamID: The stream.
    ///   - revision: The revision.
    /// - Returns: Whether there are more for sure.
    /// - Throws: `DatabaseError` when SQLite fails.
    /// - Complexity: O(rows of the log behind the revision), of all streams, without a look at a photo; one row where the
    ///   log has no more rows than `limit` behind it.
    package func hasSurelyChanged(more limit: Int, streamID: Int64, after revision: Int64) throws -> Bool {
        guard let last = try lastRevision(), last - revision > limit else { return false }
        var old = OldPhotos()
        if try proves({ old.add($0, $1, isInPlace: $2) > limit }, .forward, streamID, revision) { return true }
        var new = NewPhotos()
        return try proves({ kind, rowID, _ in new.add(kind, rowID) > limit }, .backward, streamID, revision)
    }

    private enum Direction: String {
        case forward = "ASC"
        case backward = "DESC"
    }

    /// Whether some row, with those before it, is proof.
    private func proves(
        _ isProof: (ChangeRow.Kind, Int64, Bool) -> Bool, _ direction: Direction, _ streamID: Int64, _ revision: Int64
    ) throws -> Bool {
        let sql = """
            SELECT kind, photoId, oldTime = newTime AND oldRank = newRank FROM change
            WHERE revision > ?1 AND streamId = ?2 ORDER BY revision \(direction.rawValue)
            """
        let statement = try RawStatement(database, sql)
        statement.bind(1, revision)
        statement.bind(2, streamID)
        defer { statement.reset() }
        while try statement.step() {
            let kind = ChangeRow.Kind(rawValue: UInt8(clamping: statement.integer(0))) ?? .perhapsReplaced
            if isProof(kind, statement.integer(1), statement.integer(2) != 0) { return true }
        }
        return false
    }
}

/// Photos that were there and were deleted or written to, found from the oldest row on.
private struct OldPhotos {
    private var come: Set<Int64> = []
    private var changed: Set<Int64> = []

    /// Adds a row; gives how many there are.
    mutating func add(_ kind: ChangeRow.Kind, _ rowID: Int64, isInPlace: Bool) -> Int {
        switch kind {
        case .inserted: come.insert(rowID)
        case .deleted: if come.remove(rowID) == nil { changed.insert(rowID) }
        case .updated: if isInPlace, !come.contains(rowID) { changed.insert(rowID) }
        case .perhapsReplaced: break
        }
        return changed.count
    }
}

/// Photos that have come and are there, found from the newest row on.
private struct NewPhotos {
    private var gone: Set<Int64> = []
    private var come: Set<Int64> = []

    /// Adds a row; gives how many there are.
    mutating func add(_ kind: ChangeRow.Kind, _ rowID: Int64) -> Int {
        switch kind {
        case .inserted: if gone.remove(rowID) == nil { come.insert(rowID) }
        case .deleted, .perhapsReplaced: gone.insert(rowID)
        case .updated: break
        }
        return come.count
    }
}
