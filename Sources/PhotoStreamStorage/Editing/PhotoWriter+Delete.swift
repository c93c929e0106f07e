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
        return try ids.reduce(0) { try delete($1, of: streamID, keptAt: now) ? $0 + 1 : $0 }
    }

    /// Deletes photos for good, and what is kept of those with their ids that a person deleted.
    ///
    /// - Returns: The number of them that the stream had.
    /// - Throws: `DatabaseError` if SQLite fails.
    /// - Complexity: O(k log n).
    @discardableResult
    package func prunePhotos(streamID: Int64, ids: some Sequence<PhotoID>) throws -> Int {
        try ids.reduce(0) { count, id in
            try forgetDeletedPhoto(streamID: streamID, id: id)
            return try delete(id, of: streamID, keptAt: nil) ? count + 1 : count
        }
    }

    /// Deletes a photo.
    ///
    /// - Parameters:
    ///   - id: The photo.
    ///   - streamID: The stream's row id.
    ///   - now: Milliseconds since 1970 if it is kept.
    /// - Returns: Whether the stream had it.
    /// - Throws: `DatabaseError` if SQLite fails.
    func delete(_ id: PhotoID, of streamID: Int64, keptAt now: Int64?) throws -> Bool {
        guard let place = try reader.place(streamID: streamID, id: id) else { return false }
        if let now {
            let forget = try RawStatement(database, sql: PhotoSQL.forgetDeleted)
            try forget.bind(place.rowID)
            try forget.run()
            let keep = try RawStatement(database, sql: PhotoSQL.keepDeleted)
            try keep.bind(place.rowID, now)
            try keep.run()
        }
        let statement = try RawStatement(database, sql: PhotoSQL.delete)
        try statement.bind(place.rowID)
        try statement.run()
        return true
    }
}
