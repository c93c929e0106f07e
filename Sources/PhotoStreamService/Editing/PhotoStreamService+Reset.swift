public import PhotoStreamModel
import PhotoStreamStorage

extension PhotoStreamService {
    /// Makes fields that a person edited count as imported again, so that imports may change them.
    ///
    ///     try service.resetEdits(of: [id], fields: [.text(.caption), .list(.tags)], in: stream)
    ///
    /// The values stay until an import replaces them: the values before a person's edit are not stored, so nothing
    /// older can come back. Run the import again to get the source's values.
    ///
    /// - Parameters:
    ///   - ids: The photos.
    ///   - fields: The fields; by default, every field.
    ///   - stream: The stream.
    ///   - check: Receives each photo, in the transaction of the write. An error that it throws prevents the write.
    /// - Returns: The number of photos that had one of the fields edited.
    /// - Throws: ``StreamServiceError/unknownStream(_:)``, ``StreamServiceError/unknownPhoto(_:stream:)``, and the
    ///   errors of `check`; then no photo is changed.
    /// - Complexity: O(log photos) each.
    @discardableResult
    public func resetEdits(
        of ids: [PhotoID], fields: PhotoFields = .all, in stream: StreamName,
        if check: (Photo) throws -> Void = { _ in }
    ) throws -> Int {
        try write { writer in
            let row = try writer.reader.row(of: stream)
            for id in ids { try check(try writer.reader.photo(id, of: row).photo) }
            return try ids.count { try writer.resetEdits(streamID: row.id, id: $0, fields: fields) }
        }
    }

    /// Undoes the moves of photos: each returns to the place of its capture time and its import.
    ///
    /// In manual order, a photo has no such place, because only moves change places, so the call is refused.
    ///
    /// - Parameters:
    ///   - ids: The photos.
    ///   - stream: The stream.
    ///   - check: Receives each photo, in the transaction of the write. An error that it throws prevents the write.
    /// - Returns: The number of photos that were moved before.
    /// - Throws: ``StreamServiceError/unknownStream(_:)``, ``StreamServiceError/unknownPhoto(_:stream:)``,
    ///   ``StreamServiceError/manualOrder(_:)``, and the errors of `check`; then no photo is changed.
    /// - Complexity: O(log photos) each.
    @discardableResult
    public func resetMoves(
        of ids: [PhotoID], in stream: StreamName, if check: (Photo) throws -> Void = { _ in }
    ) throws -> Int {
        try write { writer in
            let row = try writer.reader.row(of: stream)
            guard row.order != .manual else { throw StreamServiceError.manualOrder(stream.rawValue) }
            for id in ids { try check(try writer.reader.photo(id, of: row).photo) }
            return try ids.count { try writer.resetMove(streamID: row.id, id: $0) }
        }
    }
}
