import GRDB
package import PhotoStreamModel

extension PhotoWriter {
    /// Deletes photos that a person deletes, and keeps them for ``DeletedPhoto/keptDays`` days.
    ///
    /// Photos that were deleted longer ago are forgotten, some at a time.
    ///
    /// - Parameters:
    ///   - streamID: The stream's row id.
    ///   - ids: The photos.
    ///   - now: Milliseconds since 1970.
    /// - Returns: The number of them that the stream had.
    /// - Throws: `DatabaseError` if SQLite fails.
    /// - Complexity: O(k log n).
    @discardableResult
    package func deletePhotos(streamID: Int64, ids: some Sequence<PhotoID>, now: Int64) throws -> Int {
        try forgetDeletedPhotos(now: now)
        return try ids.reduce(0) { try delete($1, of: streamID, at: now, isKept: true) ? $0 + 1 : $0 }
    }

    /// Deletes photos for good, along with deleted photos that are kept under their ids.
    ///
    /// Their contents are recorded, so that no import brings them back.
    ///
    /// - Parameters:
    ///   - streamID: The stream's row id.
    ///   - ids: The photos.
    ///   - now: Milliseconds since 1970.
    /// - Returns: The number of them that the stream had.
    /// - Throws: `DatabaseError` if SQLite fails.
    /// - Complexity: O(k log n).
    @discardableResult
    package func deletePhotosForever(streamID: Int64, ids: some Sequence<PhotoID>, now: Int64) throws -> Int {
        try ids.reduce(0) { count, id in
            try forgetDeletedPhoto(streamID: streamID, id: id)
            return try delete(id, of: streamID, at: now, isKept: false) ? count + 1 : count
        }
    }

    /// Removes photos whose files have vanished, and keeps them for ``DeletedPhoto/keptDays`` days, so that they come
    /// back with their files.
    ///
    /// - Parameters:
    ///   - streamID: The stream's row id.
    ///   - ids: The photos.
    ///   - now: Milliseconds since 1970.
    /// - Throws: `DatabaseError` if SQLite fails.
    /// - Complexity: O(k log n).
    package func prunePhotos(streamID: Int64, ids: some Sequence<PhotoID>, now: Int64) throws {
        try forgetDeletedPhotos(now: now)
        for id in ids { _ = try delete(id, of: streamID, at: now, isKept: true, isPruned: true) }
    }

    /// Deletes a photo.
    ///
    /// - Parameters:
    ///   - id: The photo.
    ///   - streamID: The stream's row id.
    ///   - now: Milliseconds since 1970.
    ///   - isKept: Whether it can be restored.
    ///   - isPruned: Whether an import deletes it because its file has vanished.
    /// - Returns: Whether the stream had it.
    /// - Throws: `DatabaseError` if SQLite fails.
    func delete(
        _ id: PhotoID, of streamID: Int64, at now: Int64, isKept: Bool, isPruned: Bool = false
    ) throws -> Bool {
        guard let place = try reader.place(streamID: streamID, id: id) else { return false }
        try addTombstones(of: id, rowID: place.rowID, streamID: streamID, now: now, isPruned: isPruned)
        if isKept {
            try database.run(PhotoSQL.forgetDeleted, with: place.rowID)
            try database.run(PhotoSQL.keepDeleted, with: place.rowID, now, isPruned ? 1 : 0)
        }
        try database.run(PhotoSQL.delete, with: place.rowID)
        return true
    }
}
