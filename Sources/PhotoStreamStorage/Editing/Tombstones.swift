import GRDB
package import PhotoStreamModel

/// The content of a photo that was deleted, by which its picture is recognised under any name.
package struct Tombstone: Hashable, Sendable {
    /// The id that the photo had.
    package let id: PhotoID
    /// The time of the deletion, in milliseconds since 1970.
    package let deletedAt: Int64
    /// Whether an import removed the photo because its file had vanished.
    ///
    /// Such a photo comes back with its picture; one that a person deleted does not.
    package let isPruned: Bool
}

extension PhotoReader {
    /// Whether a photo whose file had this length was deleted, so that hashing a new file may find it.
    ///
    /// - Complexity: O(log n).
    package func hasTombstone(streamID: Int64, byteCount: Int64) throws -> Bool {
        let sql = """
            SELECT 1 FROM tombstone INDEXED BY tombstoneContent WHERE streamId = ?1 AND byteCount = ?2 LIMIT 1
            """
        return try database.exists(sql, with: streamID, byteCount)
    }

    /// Returns the tombstone of a content, unless a photo of the stream has that content now.
    ///
    /// - Complexity: O(log n + files of the same length).
    package func tombstone(streamID: Int64, byteCount: Int64, contentHash: [UInt8]) throws -> Tombstone? {
        let sql = """
            SELECT externalId, deletedAtMilliseconds, isPruned FROM tombstone INDEXED BY tombstoneContent
            WHERE streamId = ?1 AND byteCount = ?2 AND hash = ?3
            """
        let found = try database.first(sql, with: streamID, byteCount, contentHash) { row in
            Tombstone(
                id: PhotoID(stored: row.text(0)), deletedAt: row.integer(1), isPruned: row.integer(2) == 1)
        }
        guard let found, try !hasPhoto(streamID: streamID, byteCount: byteCount, contentHash: contentHash) else {
            return nil
        }
        return found
    }
}

extension PhotoWriter {
    /// Records the known contents of a photo that is about to be deleted, except those that another photo has.
    ///
    /// - Parameters:
    ///   - id: The id of the photo.
    ///   - rowID: Its row id.
    ///   - streamID: The stream's row id.
    ///   - now: Milliseconds since 1970.
    ///   - isPruned: Whether an import deletes it because its file has vanished.
    /// - Throws: `DatabaseError` if SQLite fails.
    func addTombstones(of id: PhotoID, rowID: Int64, streamID: Int64, now: Int64, isPruned: Bool) throws {
        for file in try reader.pictureFiles(ofPhotoRowID: rowID) {
            guard let hash = file.contentHash,
                try !isShared(hash, of: file.byteCount, byOthersThan: rowID, streamID: streamID)
            else { continue }
            let tombstone = Tombstone(id: id, deletedAt: now, isPruned: isPruned)
            try addTombstone(tombstone, streamID: streamID, byteCount: file.byteCount, contentHash: hash)
        }
    }

    /// Records the content of a deleted photo, replacing an earlier record of it.
    ///
    /// - Parameters:
    ///   - tombstone: The deletion.
    ///   - streamID: The stream's row id.
    ///   - byteCount: The length of the file.
    ///   - contentHash: The hash of its bytes.
    /// - Throws: `DatabaseError` if SQLite fails.
    func addTombstone(_ tombstone: Tombstone, streamID: Int64, byteCount: Int64, contentHash: [UInt8]) throws {
        try removeTombstone(streamID: streamID, byteCount: byteCount, contentHash: contentHash)
        let sql = """
            INSERT INTO tombstone (streamId, byteCount, hash, externalId, deletedAtMilliseconds, isPruned)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            """
        try database.run(
            sql, with: streamID, byteCount, contentHash, tombstone.id.rawValue, tombstone.deletedAt,
            tombstone.isPruned ? 1 : 0)
    }

    private func isShared(
        _ hash: [UInt8], of byteCount: Int64, byOthersThan rowID: Int64, streamID: Int64
    ) throws -> Bool {
        let sql = """
            SELECT 1 FROM pictureFile INDEXED BY pictureFileState
            WHERE streamId = ?1 AND state = 0 AND byteCount = ?2 AND photoId <> ?3 AND contentHash = ?4 LIMIT 1
            """
        return try database.exists(sql, with: streamID, byteCount, rowID, hash)
    }

    /// Removes the tombstone of a content: its photo is back, or is wanted again.
    package func removeTombstone(streamID: Int64, byteCount: Int64, contentHash: [UInt8]) throws {
        try database.run(
            "DELETE FROM tombstone WHERE streamId = ?1 AND byteCount = ?2 AND hash = ?3", with: streamID, byteCount,
            contentHash)
    }

    /// Removes the records of files at other paths that have no photo because their content was that of a deleted one:
    /// the next import reads them again, and finds the restored photo.
    ///
    /// The photo's own file, which has vanished by then, is recorded with their content, so that the import recognises
    /// it.
    ///
    /// - Parameters:
    ///   - streamID: The stream's row id.
    ///   - id: The deleted photo, whose tombstones are still there.
    /// - Throws: `DatabaseError` if SQLite fails.
    func forgetFilesWithoutPhoto(streamID: Int64, contentOf id: PhotoID) throws {
        // A vanished file comes back when its disk does.
        let moved = """
            streamId = ?1 AND path <> ?2 AND photoId IS NULL
                AND state IN (\(PictureFileRow.State.read.rawValue), \(PictureFileRow.State.vanished.rawValue))
                AND (byteCount, contentHash) IN (
                    SELECT byteCount, hash FROM tombstone WHERE streamId = ?1 AND externalId = ?2)
            """
        try database.run(
            """
            UPDATE pictureFile SET (byteCount, contentHash) = (moved.byteCount, moved.contentHash)
            FROM (SELECT byteCount, contentHash FROM pictureFile WHERE \(moved) ORDER BY rootId, path LIMIT 1) AS moved
            WHERE streamId = ?1 AND path = ?2 AND photoId IS NULL
                AND state = \(PictureFileRow.State.vanished.rawValue)
            """, with: streamID, id.rawValue)
        try database.run("DELETE FROM pictureFile WHERE \(moved)", with: streamID, id.rawValue)
    }

    /// Removes the records of a photo's files at the path that was its former id.
    ///
    /// - Parameters:
    ///   - former: The former id.
    ///   - id: The id of the photo now.
    ///   - streamID: The stream's row id.
    /// - Throws: `DatabaseError` if SQLite fails.
    func forgetFile(at former: PhotoID, ofPhoto id: PhotoID, streamID: Int64) throws {
        guard let place = try reader.place(streamID: streamID, id: id) else { return }
        try database.run(
            "DELETE FROM pictureFile WHERE streamId = ?1 AND path = ?2 AND photoId = ?3", with: streamID,
            former.rawValue,
            place.rowID)
    }

    /// Removes the tombstones of a photo that is back.
    func removeTombstones(streamID: Int64, id: PhotoID) throws {
        try database.run("DELETE FROM tombstone WHERE streamId = ?1 AND externalId = ?2", with: streamID, id.rawValue)
    }

    /// Removes the tombstones of pruned photos that are no longer kept.
    func forgetPrunedTombstones(now: Int64) throws {
        try database.run(
            "DELETE FROM tombstone WHERE isPruned = 1 AND deletedAtMilliseconds < ?1",
            with: now - Int64(DeletedPhoto.keptDays) * 86_400_000)
    }
}
