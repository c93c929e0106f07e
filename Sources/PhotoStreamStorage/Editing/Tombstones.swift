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
    /// Whether a new file of a length may have the content of a deleted photo, so that its content must be read.
    ///
    /// Metadata change the length, so every file may have the picture's data of a deleted one; only one of the same length
    /// can have all of its bytes.
    ///
    /// - Complexity: O(log n).
    package func hasTombstone(streamID: Int64, byteCount: Int64) throws -> Bool {
        let sql = """
            SELECT 1 FROM tombstone INDEXED BY tombstoneContent WHERE streamId = ?1 AND byteCount IN (0, ?2) LIMIT 1
            """
        return try database.exists(sql, with: streamID, byteCount)
    }

    /// Returns the tombstone of a file with a content and a length, unless a photo of the stream has that content now.
    ///
    /// - Complexity: O(log n + files with this content).
    package func tombstone(streamID: Int64, content: FileContent, byteCount: Int64) throws -> Tombstone? {
        let keys = content.tombstoneKeys(byteCount: byteCount)
        let found = try keys.lazy.compactMap { try tombstone(streamID: streamID, $0) }.first
        guard let found, try !hasPhoto(streamID: streamID, content: content) else { return nil }
        return found
    }

    /// Returns the tombstone with a key.
    ///
    /// - Complexity: O(log n).
    func tombstone(streamID: Int64, _ key: TombstoneKey) throws -> Tombstone? {
        let sql = """
            SELECT externalId, deletedAtMilliseconds, isPruned FROM tombstone INDEXED BY tombstoneContent
            WHERE streamId = ?1 AND byteCount = ?2 AND hash = ?3
            """
        return try database.first(sql, with: streamID, key.byteCount, key.hash) { row in
            Tombstone(id: PhotoID(stored: row.text(0)), deletedAt: row.integer(1), isPruned: row.integer(2) == 1)
        }
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
            guard let content = file.content,
                try !isShared(content, byOthersThan: rowID, streamID: streamID)
            else { continue }
            let tombstone = Tombstone(id: id, deletedAt: now, isPruned: isPruned)
            try addTombstone(tombstone, streamID: streamID, key: content.tombstoneKey(byteCount: file.byteCount))
        }
    }

    /// Records the content of a deleted photo, replacing an earlier record of it.
    ///
    /// - Parameters:
    ///   - tombstone: The deletion.
    ///   - streamID: The stream's row id.
    ///   - key: The content.
    /// - Throws: `DatabaseError` if SQLite fails.
    func addTombstone(_ tombstone: Tombstone, streamID: Int64, key: TombstoneKey) throws {
        try removeTombstones(streamID: streamID, [key])
        let sql = """
            INSERT INTO tombstone (streamId, byteCount, hash, externalId, deletedAtMilliseconds, isPruned)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            """
        try database.run(
            sql, with: streamID, key.byteCount, key.hash, tombstone.id.rawValue, tombstone.deletedAt,
            tombstone.isPruned ? 1 : 0)
    }

    private func isShared(
        _ content: KnownContent, byOthersThan rowID: Int64, streamID: Int64
    ) throws -> Bool {
        let sql = """
            SELECT 1 FROM pictureFile INDEXED BY pictureFileContent
            WHERE streamId = ?1 AND contentHash = ?2 AND state = 0 AND photoId <> ?3 LIMIT 1
            """
        return try database.exists(sql, with: streamID, content.hash, rowID)
    }

    /// Removes the tombstones of a content: its photo is back, or is wanted again.
    func removeTombstones(streamID: Int64, _ keys: [TombstoneKey]) throws {
        for key in keys {
            try database.run(
                "DELETE FROM tombstone WHERE streamId = ?1 AND byteCount = ?2 AND hash = ?3", with: streamID,
                key.byteCount, key.hash)
        }
    }

    /// Removes the records of files at other paths that have no photo because their content was that of a deleted one:
    /// the next import reads them again, and finds the restored photo.
    ///
    /// The photo's own file, which has vanished by then, is recorded with their content, so that the import recognises
    /// it. If the path of its own file belongs to another picture, one of them is kept under another name.
    ///
    /// - Parameters:
    ///   - streamID: The stream's row id.
    ///   - id: The deleted photo, whose tombstones are still there.
    ///   - deletedAt: The time of its deletion, since earlier deleted photos may have had the same id.
    /// - Returns: The row id of the record that was kept under another name, if there is one.
    /// - Throws: `DatabaseError` if SQLite fails.
    func forgetFilesWithoutPhoto(streamID: Int64, contentOf id: PhotoID, deletedAt: Int64?) throws -> Int64? {
        let own = "externalId = ?2 AND deletedAtMilliseconds IS \(deletedAt.map(String.init) ?? "NULL")"
        // A vanished file comes back when its disk does.
        let moved = """
            streamId = ?1 AND path <> ?2 AND photoId IS NULL
                AND state IN (\(PictureFileRow.State.read.rawValue), \(PictureFileRow.State.vanished.rawValue))
                AND contentHash IN (SELECT hash FROM tombstone WHERE streamId = ?1 AND \(own))
            """
        try database.run(
            """
            UPDATE pictureFile SET (byteCount, contentHash, contentKind)
                = (moved.byteCount, moved.contentHash, moved.contentKind)
            FROM (SELECT byteCount, contentHash, contentKind FROM pictureFile WHERE \(moved) ORDER BY rootId, path LIMIT 1) AS moved
            WHERE streamId = ?1 AND path = ?2 AND photoId IS NULL
                AND state = \(PictureFileRow.State.vanished.rawValue)
            """, with: streamID, id.rawValue)
        let isRecorded = try database.exists(
            """
            SELECT 1 FROM pictureFile WHERE streamId = ?1 AND path = ?2 AND photoId IS NULL
                AND rootId IN (SELECT id FROM root) AND NOT EXISTS (
                    SELECT 1 FROM tombstone WHERE streamId = ?1 AND hash = contentHash AND NOT (\(own)))
            """, with: streamID, id.rawValue)
        var kept: Int64?
        if !isRecorded, let free = try reader.freeName(like: id.rawValue, streamID: streamID) {
            kept = try database.first(
                "SELECT id FROM pictureFile WHERE \(moved) ORDER BY rootId, path LIMIT 1", with: streamID, id.rawValue
            ) { $0.integer(0) }
            if let kept { try markVanished(rowID: kept, as: free.rawValue, streamID: streamID) }
        }
        try database.run("DELETE FROM pictureFile WHERE \(moved) AND id IS NOT ?3", with: streamID, id.rawValue, kept)
        return kept
    }

    /// Removes the records of a photo's files at the path that was its former id, and of those that have vanished.
    ///
    /// - Parameters:
    ///   - former: The former id.
    ///   - id: The id of the photo now.
    ///   - streamID: The stream's row id.
    /// - Throws: `DatabaseError` if SQLite fails.
    func forgetFile(at former: PhotoID, ofPhoto id: PhotoID, streamID: Int64) throws {
        guard let place = try reader.place(streamID: streamID, id: id) else { return }
        try database.run(
            "DELETE FROM pictureFile WHERE streamId = ?1 AND photoId = ?3 AND (path = ?2 OR state = 3)", with: streamID,
            former.rawValue, place.rowID)
    }

    /// Removes the tombstones of a photo that is back; those of earlier photos with its id stay.
    func removeTombstones(streamID: Int64, id: PhotoID, deletedAt: Int64?) throws {
        try database.run(
            "DELETE FROM tombstone WHERE streamId = ?1 AND externalId = ?2 AND deletedAtMilliseconds IS ?3",
            with: streamID, id.rawValue, deletedAt)
    }

    /// Removes the tombstones of pruned photos that are no longer kept.
    func forgetPrunedTombstones(now: Int64) throws {
        try database.run(
            """
            DELETE FROM tombstone WHERE isPruned = 1 AND deletedAtMilliseconds < ?1 AND NOT EXISTS (
                SELECT 1 FROM deletedPhoto
                WHERE streamId = tombstone.streamId AND externalId = tombstone.externalId)
            """,
            with: now - Int64(DeletedPhoto.keptDays) * 86_400_000)
    }
}
