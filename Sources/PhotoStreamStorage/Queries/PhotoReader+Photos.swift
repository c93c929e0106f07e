import GRDB
package import PhotoStreamModel

extension PhotoReader {
    /// Returns a photo, or `nil`.
    ///
    /// - Complexity: O(log n).
    package func photo(streamID: Int64, id: PhotoID) throws -> StoredPhoto? {
        try database.first(PhotoSQL.byExternalID, with: streamID, id.rawValue, read: PhotoRow.storedPhoto)
    }

    /// Returns the place of a photo, or `nil`.
    ///
    /// - Complexity: O(log n).
    package func orderKey(streamID: Int64, id: PhotoID) throws -> OrderKey? {
        try place(streamID: streamID, id: id)?.key
    }

    /// Returns the photos strictly after a place, in stream order.
    ///
    /// - Parameters:
    ///   - streamID: The stream's row id; an unknown stream has no photos.
    ///   - after: The place, at which there need not be a photo; `nil` for the start of the stream.
    ///   - limit: The maximum number of photos; no photos unless positive.
    /// - Returns: The next photos; fewer than `limit` only at the end of the stream.
    /// - Throws: `DatabaseError` if SQLite fails.
    /// - Complexity: O(limit + log n).
    package func photos(streamID: Int64, after: OrderKey?, limit: Int) throws -> [StoredPhoto] {
        guard limit > 0 else { return [] }
        let statement =
            try after.map {
                try RawStatement(database, sql: PhotoSQL.pageAfter, with: streamID, $0.time, $0.rank, limit)
            } ?? RawStatement(database, sql: PhotoSQL.pageFromHead, with: streamID, limit)
        var photos: [StoredPhoto] = []
        photos.reserveCapacity(min(limit, 1_024))
        var last = after
        try statement.forEach { row in
            let photo = try PhotoRow.storedPhoto(row)
            // A caller continues from the last key, so the keys must advance.
            if let last, photo.key >= last { throw StorageError.unordered }
            last = photo.key
            photos.append(photo)
        }
        return photos
    }

    /// Returns the photos with some row ids, in the order of the ids.
    ///
    /// - Throws: ``ReadInterruption/damage(chunkID:message:)`` if a row does not exist: row ids come from derived data, which then contradict the
    ///   photos.
    /// - Complexity: O(k log n).
    package func photos(rowIDs: [Int64]) throws -> [StoredPhoto] {
        let statement = try RawStatement(database, sql: PhotoSQL.byRowID)
        return try rowIDs.map { rowID in
            try statement.bind(rowID)
            guard let photo = try statement.first(PhotoRow.storedPhoto) else {
                throw ReadInterruption.contradiction("photo row \(rowID) is missing though the stream's chunks name it")
            }
            return photo
        }
    }

    /// Returns the row id and place of a photo, or `nil`.
    func place(streamID: Int64, id: PhotoID) throws -> PhotoPlace? {
        try database.first(PhotoSQL.placeByExternalID, with: streamID, id.rawValue) {
            PhotoPlace(rowID: try $0.rowID(0), key: try $0.orderKey(1))
        }
    }
}

extension StorageError {
    /// The error of an index that returns photos out of order.
    static var unordered: StorageError { damaged("photos do not come in the order of their index") }
}

/// The row id and place of a photo.
struct PhotoPlace: Equatable {
    let rowID: Int64
    var key: OrderKey
}

/// A stored photo with its row id and place.
package struct StoredPhoto: Hashable, Sendable {
    /// The row id; invalid after the photo is deleted.
    package let rowID: Int64
    /// The place in stream order.
    package let key: OrderKey
    /// The order of the stream.
    package let order: StreamOrder
    /// The metadata.
    package let photo: Photo

    /// The properties that a layout uses.
    package var itemMetrics: ItemMetrics { photo.itemMetrics(at: order.date(ofOrderTime: key.time)) }
}
