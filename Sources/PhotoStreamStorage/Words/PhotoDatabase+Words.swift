import GRDB
import PhotoStreamModel
import Synchronization

extension PhotoDatabase {
    /// Adds the words of some photos to the index, in one write transaction.
    ///
    /// A killed process leaves an index that lacks photos, which readers complete from the rows.
    ///
    /// - Parameter budgetMilliseconds: The time of the transaction before its commit.
    /// - Returns: Whether there is more to do.
    /// - Throws: ``StorageError``.
    /// - Complexity: O(words of the photos that are new or have changed), within the budget.
    package func indexSomeWords(budgetMilliseconds: Int = 150) throws -> Bool {
        guard try read({ try $0.wordIndexIsBehind() }) else { return false }
        let hasMore = try writeLocally { try $0.indexSomeWords(within: .milliseconds(budgetMilliseconds)) }
        if hasMore { pauseForOtherWriters() }
        return hasMore
    }
}

extension PhotoWriter {
    /// The number of photos that are indexed between two looks at the clock.
    private static let photosPerStep = 256

    /// The number of newer documents beyond which the index is built again; they make searches slower.
    private static func newerLimit(photoCount: Int64) -> Int64 { max(20_000, photoCount / 16) }

    /// Deletes all documents.
    func clearWords() throws {
        file.state.withLock { $0.distrustsWords = false }
        try database.execute(sql: "DELETE FROM photoWordsState; DELETE FROM photoWordsNewer")
        do {
            try database.execute(sql: "INSERT INTO photoWords (photoWords) VALUES ('delete-all')")
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
            // SQLite does not open an index that is damaged, not even to drop it. These are the rows of an empty one.
            try database.execute(
                sql: """
                    DELETE FROM photoWords_idx;
                    DELETE FROM photoWords_data;
                    INSERT INTO photoWords_data VALUES (1, x''), (10, x'00000000000000');
                    REPLACE INTO photoWords_config VALUES ('version', 4)
                    """)
        }
    }

    /// Adds the words of some photos to the index.
    ///
    /// - Returns: Whether there may be more.
    fileprivate func indexSomeWords(within budget: Duration) throws -> Bool {
        let deadline = ContinuousClock.now.advanced(by: budget)
        guard var state = try reader.wordIndexState() else {
            try clearWords()
            try WordIndexState(consumed: reader.logEnd() ?? Revision(0)).write(to: database)
            // After another program has emptied the log, no state is valid until it has a row again.
            return try reader.wordIndexState() != nil
        }
        var (hasChanges, hasPhotos) = (true, true)
        while hasChanges || hasPhotos {
            if hasChanges {
                hasChanges = try indexChanges(&state)
            } else {
                hasPhotos = try indexPhotos(&state)
            }
            guard ContinuousClock.now < deadline else { break }
        }
        guard -state.leastDocument <= Self.newerLimit(photoCount: state.lastPhotoID) else {
            try clearWords()
            return true
        }
        try state.write(to: database)
        return hasChanges || hasPhotos
    }

    /// Adds newer documents of photos that have documents and have changed.
    ///
    /// - Returns: Whether the log may have more changes.
    private func indexChanges(_ state: inout WordIndexState) throws -> Bool {
        let sql = "SELECT revision, tag, photoId FROM change WHERE revision > ? ORDER BY revision LIMIT ?"
        let rows = try database.rows(sql, with: state.consumed.rawValue, Int64(Self.photosPerStep)) { row in
            (revision: Revision(try row.revision(0), tag: row.integer(1)), photo: row.integer(2))
        }
        guard let last = rows.last else { return false }
        let changed = Set(rows.map(\.photo).filter { 1 <= $0 && $0 <= state.lastPhotoID })
        let photos = try changed.sorted().compactMap { id in
            try database.first(PhotoSQL.byRowID, with: id, read: PhotoRow.storedPhoto).map { (id: id, photo: $0.photo) }
        }
        let first = state.leastDocument - Int64(photos.count)
        let newer = try RawStatement(
            database, sql: "INSERT OR REPLACE INTO photoWordsNewer (photoId, document) VALUES (?, ?)")
        for (offset, (id, photo)) in photos.enumerated() {
            try addDocument(first + Int64(offset), of: photo)
            try newer.run(with: id, first + Int64(offset))
        }
        state.leastDocument = first
        state.consumed = last.revision
        return rows.count == Self.photosPerStep
    }

    /// Adds the documents of photos that have none.
    ///
    /// - Returns: Whether there may be more of them.
    private func indexPhotos(_ state: inout WordIndexState) throws -> Bool {
        let photos = try database.rows(
            PhotoSQL.afterRowID, with: state.lastPhotoID, Int64(Self.photosPerStep), read: PhotoRow.storedPhoto)
        for photo in photos {
            try addDocument(photo.rowID, of: photo.photo)
            state.lastPhotoID = photo.rowID
        }
        return photos.count == Self.photosPerStep
    }

    private func addDocument(_ number: Int64, of photo: Photo) throws {
        let words = WordColumn.allCases.map { $0.indexed(of: photo) }
        guard words.contains(where: { !$0.isEmpty }) else { return }
        let statement = try RawStatement(database, sql: Self.documentSQL)
        statement.bind(1, to: number)
        for (position, text) in words.enumerated() { try statement.bind(Int32(position + 2), copying: text) }
        try statement.run()
    }

    private static let documentSQL = """
        INSERT INTO photoWords (rowid, \(WordColumn.allCases.map(\.rawValue).joined(separator: ", ")))
        VALUES (\(Array(repeating: "?", count: WordColumn.allCases.count + 1).joined(separator: ", ")))
        """
}
