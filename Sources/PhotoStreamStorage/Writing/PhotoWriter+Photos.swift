import GRDB
package import PhotoStreamModel

extension PhotoWriter {
    /// Applies a person's edit: the fields that the record names are marked as edited and outrank every import.
    ///
    /// An edit that changes nothing writes nothing. A changed capture time ends a move, but in manual order.
    ///
    /// - Returns: The photo as it is stored now, or `nil` where the stream has none of that id.
    /// - Complexity: O(log n).
    package func edit(streamID: Int64, record: PhotoRecord) throws -> StoredPhoto? {
        var rows = try PhotoRowWriter(self, streamID: streamID)
        guard let stored = try rows.find(record.id) else { return nil }
        let photo = Photo.applying(record, to: stored.photo, by: .person)
        guard try rows.replace(stored, with: photo) else { return stored }
        return try rows.find(record.id)
    }

    /// Adds a photo as a person describes it: the fields that the record names outrank every import.
    ///
    /// - Returns: The photo as it is stored.
    /// - Throws: ``StorageError`` with code `constraint` when the stream has a photo of that id.
    /// - Complexity: O(log n).
    package func add(streamID: Int64, record: PhotoRecord) throws -> StoredPhoto {
        var rows = try PhotoRowWriter(self, streamID: streamID)
        guard try rows.find(record.id) == nil else {
            throw StorageError(.constraint, "there is a photo \"\(record.id)\" already")
        }
        _ = try rows.add(Photo.applying(record, to: nil, by: .person))
        guard let added = try rows.find(record.id) else {
            throw StorageError(.corrupt, "photo \"\(record.id)\" was added and is not there")
        }
        return added
    }

    /// Deletes a photo.
    ///
    /// - Returns: Whether the stream had it.
    /// - Complexity: O(log n).
    @discardableResult
    package func deletePhoto(streamID: Int64, id: PhotoID) throws -> Bool {
        guard let place = try reader.place(streamID: streamID, id: id) else { return false }
        let statement = try RawStatement(database, PhotoSQL.delete)
        statement.bind(1, place.rowID)
        try statement.run()
        return true
    }

    /// Deletes photos.
    ///
    /// - Returns: How many of them the stream had.
    /// - Complexity: O(k log n).
    @discardableResult
    package func deletePhotos(streamID: Int64, ids: some Sequence<PhotoID>) throws -> Int {
        try ids.reduce(0) { try deletePhoto(streamID: streamID, id: $1) ? $0 + 1 : $0 }
    }
}
