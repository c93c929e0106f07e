import GRDB
package import PhotoStreamModel

/// The reason why a photo is kept as deleted.
enum DeletionReason {
    /// A person deleted it; no import brings it back by itself.
    case byPerson
    /// An import removed it because its file had vanished; it comes back with its file.
    case fileVanished
}

/// A photo that a person deleted, or that an import removed because its file had vanished.
package struct DeletedPhoto: Hashable, Sendable {
    /// The number of days after which a deleted photo is forgotten.
    package static let keptDays = 30
    /// The number of photos that are forgotten at once.
    fileprivate static let forgottenAtOnce = 256

    /// The time of the deletion, in milliseconds since 1970.
    package let deletedAt: Int64
    /// The photo as it was.
    package let photo: Photo
    /// The ThumbHash of its picture, if that was decoded.
    package let decodedPlaceholder: [UInt8]?
    /// The dominant colour of its picture, if that was decoded.
    package let decodedColor: RGBColor?

    /// Reads a row; `nil` if no photo can be like that: another program has written it, and it cannot be restored.
    fileprivate init?(_ row: RawStatement) {
        guard let photo = try? PhotoRow.photo(row) else { return nil }
        self.photo = photo
        let next = Int32(PhotoColumn.allCases.count)
        // Up to the end of the year 9999.
        deletedAt = min(max(row.integer(next), 0), 253_402_300_799_999)
        decodedPlaceholder = row.isNull(next + 1) ? nil : row.bytes(next + 1)
        decodedColor = row.optionalInteger(next + 2).flatMap { UInt32(exactly: $0) }.map(RGBColor.init(rawValue:))
    }
}

extension PhotoReader {
    /// Returns photos that a person deleted, latest first.
    ///
    /// - Parameters:
    ///   - streamID: The stream's row id.
    ///   - id: The deleted photo to continue after; `nil` begins with the latest.
    ///   - limit: The maximum number of photos.
    ///   - byteLimit: The maximum size of their texts in bytes.
    ///   - isMeant: Whether to return a photo.
    /// - Returns: The photos, and whether there are more; `nil` if the photo to continue after was not deleted.
    /// - Throws: `DatabaseError` if SQLite fails.
    /// - Complexity: O(limit + log n).
    package func deletedPhotos(
        streamID: Int64, after id: PhotoID?, limit: Int, within byteLimit: Int,
        where isMeant: (Photo) -> Bool = { _ in true }
    ) throws -> (photos: [DeletedPhoto], isTruncated: Bool)? {
        var first = Int64.max
        if let id {
            guard let row = try deletedRow(streamID: streamID, id: id),
                try deletedPhoto(streamID: streamID, id: id).map(isMeant) ?? true
            else { return nil }
            first = row.rowID
        }
        let statement = try RawStatement(database, sql: PhotoSQL.deletedPage, with: streamID, first)
        defer { statement.reset() }
        var (photos, byteCount): ([DeletedPhoto], Int) = ([], 0)
        while try statement.step() {
            guard let deleted = DeletedPhoto(statement), isMeant(deleted.photo) else { continue }
            byteCount += deleted.photo.textByteCount
            guard photos.count < limit, photos.isEmpty || byteCount <= byteLimit else { return (photos, true) }
            photos.append(deleted)
        }
        return (photos, false)
    }

    /// Whether a person deleted a photo with an id.
    package func isDeleted(streamID: Int64, id: PhotoID) throws -> Bool {
        try deletion(streamID: streamID, id: id) == .byPerson
    }

    /// The reason why a photo with an id is kept as deleted; `nil` if it is not.
    func deletion(streamID: Int64, id: PhotoID) throws -> DeletionReason? {
        let sql = """
            SELECT isPruned FROM deletedPhoto INDEXED BY deletedPhotoExternalId
            WHERE streamId = ?1 AND externalId = ?2
            """
        return try database.first(sql, with: streamID, id.rawValue) { $0.integer(0) == 1 ? .fileVanished : .byPerson }
    }

    /// Returns a photo that is kept as deleted; `nil` if it is not.
    ///
    /// - Complexity: O(log n).
    func deletedPhoto(streamID: Int64, id: PhotoID) throws -> Photo? {
        try database.first(PhotoSQL.deletedPhoto, with: streamID, id.rawValue) { DeletedPhoto($0)?.photo }
    }

    /// Whether any photos of a stream are kept as deleted.
    func hasDeletedPhotos(streamID: Int64) throws -> Bool {
        try database.exists(
            "SELECT 1 FROM deletedPhoto INDEXED BY deletedPhotoStream WHERE streamId = ?1 LIMIT 1", with: streamID)
    }

    /// Whether any photos of a stream are kept because their files had vanished.
    ///
    /// - Complexity: O(deleted photos of the stream).
    func hasPrunedPhotos(streamID: Int64) throws -> Bool {
        try database.exists(
            "SELECT 1 FROM deletedPhoto INDEXED BY deletedPhotoStream WHERE streamId = ?1 AND isPruned = 1 LIMIT 1",
            with: streamID)
    }

    /// Returns the time at which a photo was deleted, in milliseconds since 1970; `nil` if it is not kept as deleted.
    fileprivate func deletionTime(streamID: Int64, id: PhotoID) throws -> Int64? {
        try database.first(
            "SELECT deletedAtMilliseconds FROM deletedPhoto WHERE streamId = ?1 AND externalId = ?2", with: streamID,
            id.rawValue
        ) { $0.integer(0) }
    }

    /// Returns the row of a deleted photo, and the place that the photo had; `nil` if there is none.
    fileprivate func deletedRow(streamID: Int64, id: PhotoID) throws -> PhotoPlace? {
        try database.first(PhotoSQL.deletedByExternalID, with: streamID, id.rawValue) {
            PhotoPlace(rowID: $0.integer(0), key: try $0.orderKey(1))
        }
    }
}

extension PhotoWriter {
    /// Puts a deleted photo back as it was, at the place that it had, and links it with its files again.
    ///
    /// It keeps its row id unless a newer photo has that id; then it becomes a moved photo at its old place.
    ///
    /// - Parameters:
    ///   - streamID: The stream's row id.
    ///   - id: The photo.
    /// - Returns: The photo; `nil` if no person deleted it, if it is no longer kept, or if another program has changed
    ///   its row so that no photo can have the values.
    /// - Throws: ``StorageError`` with code `constraint` if the stream has a photo with that id again.
    /// - Complexity: O(log n).
    package func restorePhoto(streamID: Int64, id: PhotoID) throws -> StoredPhoto? {
        guard let deleted = try reader.deletedRow(streamID: streamID, id: id) else { return nil }
        guard try reader.place(streamID: streamID, id: id) == nil else {
            throw StorageError(.constraint, message: "photo \"\(id)\" already exists")
        }
        let deletedAt = try reader.deletionTime(streamID: streamID, id: id)
        guard try insertDeleted(deleted) else { return nil }
        try forgetDeletedPhoto(streamID: streamID, id: id)
        let own = try forgetFilesWithoutPhoto(streamID: streamID, contentOf: id, deletedAt: deletedAt)
        guard let restored = try reader.photo(streamID: streamID, id: id) else {
            throw StorageError(.corrupt, message: "photo \"\(id)\" was restored but cannot be found")
        }
        try database.run(
            "UPDATE pictureFile SET photoId = ?2 WHERE id = ?1 AND photoId IS NULL", with: own, restored.rowID)
        // The path of a file from its root is the id of its photo, unless that belongs to another deleted picture now.
        try database.run(
            """
            UPDATE pictureFile SET photoId = ?3 WHERE streamId = ?1 AND photoId IS NULL
                AND rootId IN (SELECT id FROM root) AND path = ?2 AND NOT EXISTS (
                    SELECT 1 FROM tombstone WHERE streamId = ?1 AND hash = contentHash
                        AND (externalId, deletedAtMilliseconds) IS NOT (?2, ?4))
            """, with: streamID, id.rawValue, restored.rowID, deletedAt)
        try removeTombstones(streamID: streamID, id: id, deletedAt: deletedAt)
        return restored
    }

    /// Inserts a deleted photo again, with its row id and rank if no photo that was added or moved since has them.
    ///
    /// - Returns: Whether a photo can have the values of its row.
    private func insertDeleted(_ deleted: PhotoPlace) throws -> Bool {
        if try isAccepted({ try database.run(PhotoSQL.restore, with: deleted.rowID) }) { return true }
        guard
            try isAccepted({ try database.run(PhotoSQL.restoreWithNewID, with: deleted.rowID, newRowIDs?.next()) })
        else { return false }
        try place(database.lastInsertedRowID, near: deleted.key)
        return true
    }

    /// Runs a statement, and returns whether it keeps the rules of its table.
    private func isAccepted(_ statement: () throws -> Void) throws -> Bool {
        do {
            try statement()
            return true
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
            return false
        }
    }

    /// Puts a photo back that an import removed because its file had vanished.
    ///
    /// - Returns: The photo; `nil` if there is no such photo.
    /// - Throws: `DatabaseError` if SQLite fails.
    package func restorePrunedPhoto(streamID: Int64, id: PhotoID) throws -> StoredPhoto? {
        guard try reader.deletion(streamID: streamID, id: id) == .fileVanished else { return nil }
        return try restorePhoto(streamID: streamID, id: id)
    }

    /// Gives a deleted photo another id, because a photo of the stream has its own.
    func renameDeletedPhoto(streamID: Int64, from id: PhotoID, to newID: PhotoID) throws {
        for table in ["deletedPhoto", "tombstone"] {
            try database.run(
                "UPDATE \(table) SET externalId = ?3 WHERE streamId = ?1 AND externalId = ?2", with: streamID,
                id.rawValue, newID.rawValue)
        }
    }

    /// Gives the deleted photo with an id another one, if there is any, since the id belongs to another picture now.
    func freeDeletedID(_ id: PhotoID, streamID: Int64) throws {
        guard try reader.deletion(streamID: streamID, id: id) != nil,
            let free = try reader.freeName(like: id.rawValue, streamID: streamID)
        else { return }
        try renameDeletedPhoto(streamID: streamID, from: id, to: free)
    }

    /// Removes the row that is kept of a deleted photo.
    func forgetDeletedPhoto(streamID: Int64, id: PhotoID) throws {
        try database.run(
            "DELETE FROM deletedPhoto WHERE streamId = ?1 AND externalId = ?2", with: streamID, id.rawValue)
    }

    /// Forgets some photos that were deleted too long ago.
    ///
    /// A photo whose file has vanished is kept if a person has edited or moved it: its file may come back later.
    ///
    /// - Parameter now: Milliseconds since 1970.
    /// - Throws: `DatabaseError` if SQLite fails.
    package func forgetDeletedPhotos(now: Int64) throws {
        try database.run(
            """
            DELETE FROM deletedPhoto WHERE id IN (
                SELECT id FROM deletedPhoto
                WHERE deletedAtMilliseconds < ?1
                    AND (isPruned = 0 OR editedFields = 0 AND movedTime IS NULL AND movedRank IS NULL)
                ORDER BY deletedAtMilliseconds LIMIT ?2)
            """, with: now - Int64(DeletedPhoto.keptDays) * 86_400_000, DeletedPhoto.forgottenAtOnce)
        try forgetPrunedTombstones(now: now)
    }

    /// Moves a photo to a place, or right after it if the place is taken.
    private func place(_ rowID: Int64, near key: OrderKey) throws {
        let statement = try RawStatement(database, sql: PhotoSQL.move)
        for distance in 0..<OrderKey.rankStep {
            let rank = key.rank &- distance
            // Multiples belong to photos that were never moved.
            guard !rank.isMultiple(of: OrderKey.rankStep) else { continue }
            do {
                return try statement.run(with: rowID, key.time, rank)
            } catch let error as DatabaseError where error.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE {
                // The next rank may be free.
            }
        }
    }
}
