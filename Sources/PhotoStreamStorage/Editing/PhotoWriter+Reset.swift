import GRDB
package import PhotoStreamModel

extension PhotoWriter {
    /// Lets imports change fields of a photo again that a person edited; the values stay.
    ///
    /// - Parameters:
    ///   - streamID: The stream's row id.
    ///   - id: The photo.
    ///   - fields: The fields.
    /// - Returns: Whether anything was written: `false` if none of the fields was edited.
    /// - Throws: ``StorageError`` with code `notFound` for an id that the stream does not have.
    /// - Complexity: O(log n).
    package func resetEdits(streamID: Int64, id: PhotoID, fields: PhotoFields) throws -> Bool {
        var rows = try PhotoRowWriter(self, streamID: streamID)
        guard let stored = try rows.find(id) else {
            throw StorageError(.notFound, message: "there is no photo \"\(id)\" in the stream")
        }
        return try rows.replace(stored, with: stored.photo.resettingEdits(of: fields), by: .person)
    }

    /// Ends the move of a photo, which returns to the place of its capture time and its import.
    ///
    /// - Parameters:
    ///   - streamID: The row id of a stream that is not in manual order.
    ///   - id: The photo.
    /// - Returns: Whether anything was written: `false` if the photo was not moved.
    /// - Throws: ``StorageError`` with code `notFound` for an id that the stream does not have.
    /// - Complexity: O(log n).
    package func resetMove(streamID: Int64, id: PhotoID) throws -> Bool {
        guard let place = try reader.place(streamID: streamID, id: id) else {
            throw StorageError(.notFound, message: "there is no photo \"\(id)\" in the stream")
        }
        guard place.key.isOfMove else { return false }
        try database.run(PhotoSQL.endMove, with: place.rowID)
        return true
    }
}
