import GRDB
package import PhotoStreamModel

extension PhotoReader {
    /// One photo, or `nil`.
    ///
    /// - Complexity: O(log n).
    package func photo(streamID: Int64, id: PhotoID) throws -> StoredPhoto? {
        let statement = try RawStatement(database, PhotoSQL.byExternalID)
        statement.bind(1, streamID)
        try statement.bind(2, copying: id.rawValue)
        return try statement.first(PhotoRow.storedPhoto)
    }

    /// The place of one photo, or `nil`.
    ///
    /// - Complexity: O(log n).
    package func orderKey(streamID: Int64, id: PhotoID) throws -> OrderKey? {
        try place(streamID: streamID, id: id)?.key
    }

    /// The photos strictly behind a place, in stream order.
    ///
    /// - Parameters:
    ///   - streamID: The stream's row id; an unknown one has no photos.
    ///   - after: The place, whether or not a photo stands there; `nil` starts at the head.
    ///   - limit: The most photos to give; none where it is not positive.
    /// - Returns: The next photos, fewer than `limit` only at the end of the stream.
    /// - Throws: What SQLite reports.
    /// - Complexity: O(limit + log n), wherever the place is.
    package func photos(streamID: Int64, after: OrderKey?, limit: Int) throws -> [StoredPhoto] {
        try photos(
            streamID: streamID, from: after, limit: limit, isBackward: false, PhotoSQL.pageFromHead, PhotoSQL.pageBehind
        )
    }

    /// The photos strictly before a place, against stream order.
    ///
    /// - Parameters:
    ///   - streamID: The stream's row id; an unknown one has no photos.
    ///   - before: The place, whether or not a photo stands there; `nil` starts at the end.
    ///   - limit: The most photos to give; none where it is not positive.
    /// - Returns: The next photos, the nearest first, fewer than `limit` only at the head of the stream.
    /// - Throws: What SQLite reports.
    /// - Complexity: O(limit + log n), wherever the place is.
    package func photos(streamID: Int64, before: OrderKey?, limit: Int) throws -> [StoredPhoto] {
        try photos(
            streamID: streamID, from: before, limit: limit, isBackward: true, PhotoSQL.pageFromEnd, PhotoSQL.pageBefore)
    }

    private func photos(
        streamID: Int64, from place: OrderKey?, limit: Int, isBackward: Bool, _ atEnd: String, _ atPlace: String
    ) throws -> [StoredPhoto] {
        guard limit > 0 else { return [] }
        let statement = try RawStatement(database, place == nil ? atEnd : atPlace)
        statement.bind(1, streamID)
        if let place {
            statement.bind(2, place.time)
            statement.bind(3, place.rank)
        }
        statement.bind(place == nil ? 2 : 4, Int64(limit))
        var photos: [StoredPhoto] = []
        photos.reserveCapacity(min(limit, 1_024))
        var last = place
        try statement.forEach { row in
            let photo = try PhotoRow.storedPhoto(row)
            // A caller goes on from the last key, so it has to lie further on.
            if let last, isBackward ? photo.key <= last : photo.key >= last { throw StorageError.unordered }
            last = photo.key
            photos.append(photo)
        }
        return photos
    }

    /// The photos of these rows, in the order in which they are asked for.
    ///
    /// - Throws: ``DerivedDamage`` when a row does not exist: row ids come from what was derived from the photos, so then
    ///   the two contradict each other.
    /// - Complexity: O(k log n).
    package func photos(rowIDs: [Int64]) throws -> [StoredPhoto] {
        let statement = try RawStatement(database, PhotoSQL.byRowID)
        return try rowIDs.map { rowID in
            statement.bind(1, rowID)
            guard let photo = try statement.first(PhotoRow.storedPhoto) else {
                throw DerivedDamage("photo row \(rowID) is missing though the stream's chunks name it")
            }
            return photo
        }
    }

    /// The row id and the place of one photo, or `nil`.
    func place(streamID: Int64, id: PhotoID) throws -> PhotoPlace? {
        let statement = try RawStatement(database, PhotoSQL.placeByExternalID)
        statement.bind(1, streamID)
        try statement.bind(2, copying: id.rawValue)
        return try statement.first { PhotoPlace(rowID: try $0.rowID(0), key: try PhotoRow.key($0)) }
    }
}

extension StorageError {
    /// An error for photos that do not come in stream order from an index that holds them in it.
    static var unordered: StorageError { damaged("photos do not come in the order of their index") }
}

/// A photo's row and place.
struct PhotoPlace: Equatable {
    let rowID: Int64
    var key: OrderKey
}
