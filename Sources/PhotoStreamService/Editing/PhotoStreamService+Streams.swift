public import PhotoStreamModel
import PhotoStreamStorage

extension PhotoStreamService {
    /// Creates an empty stream.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - order: The order of its photos, which cannot be changed later.
    /// - Throws: `StorageError` if the name is taken.
    public func createStream(_ name: StreamName, order: StreamOrder = .newest) throws {
        _ = try write { try $0.createStream(named: name, order: order, now: now()) }
    }

    /// Renames a stream or a kept view; its photos, layouts and cursors stay unchanged.
    ///
    /// - Parameters:
    ///   - name: The stream.
    ///   - newName: Its new name.
    ///   - check: Receives the stream as it was, in the transaction of the write. An error that it throws prevents the
    ///     write.
    /// - Throws: ``StreamServiceError/unknownStream(_:)``, `StorageError` if the new name
    ///   is taken, and the errors of `check`.
    public func renameStream(
        _ name: StreamName, to newName: StreamName, if check: ((StreamSummary) throws -> Void)? = nil
    ) throws {
        try changeStream(name, to: newName, if: check)
    }

    /// Deletes a kept view, or a stream with its photos and everything derived from them, in transactions under 250 ms,
    /// so that no other writer waits long.
    ///
    /// If it is killed at any moment and called again, it ends in the same state; the stream itself is deleted last.
    ///
    /// - Parameters:
    ///   - name: The stream.
    ///   - evenWithPhotos: Whether to delete it even if it contains photos.
    ///   - check: Receives the stream as it was, in the first transaction that writes. An error that it throws prevents
    ///     all of them.
    /// - Returns: The number of photos that were deleted with it.
    /// - Throws: ``StreamServiceError/unknownStream(_:)``, ``StreamServiceError/streamNotEmpty(_:count:)``,
    ///   ``StreamServiceError/streamInUse(_:views:)`` if a kept view shows its photos, and the errors of `check`. Photos
    ///   that were deleted before an error stay deleted.
    /// - Complexity: O(photos).
    @discardableResult
    public func deleteStream(
        _ name: StreamName, evenWithPhotos: Bool, if check: ((StreamSummary) throws -> Void)? = nil
    ) throws -> Int {
        let streamID = try transaction { try $0.rowOfAny(name).id }
        var count = 0
        if evenWithPhotos {
            count = try database.emptyStream(streamID) { reader in
                let row = try reader.rowOfAny(name)
                try check?(try reader.summary(of: row))
                try reader.requireUnused(row)
            }
        }
        return try write { writer in
            guard let row = try writer.reader.stream(id: streamID) else {
                throw StreamServiceError.unknownStream(name.rawValue)
            }
            // Another connection may have added photos in the meantime.
            let rest = try writer.reader.photoCount(in: streamID)
            guard rest == 0 || evenWithPhotos else {
                throw StreamServiceError.streamNotEmpty(name.rawValue, count: rest)
            }
            if !evenWithPhotos { try check?(try writer.reader.summary(of: row)) }
            try writer.reader.requireUnused(row)
            try writer.deleteStream(named: row.name)
            return count + rest
        }
    }
}

extension PhotoReader {
    /// Refuses a stream whose photos kept views show.
    fileprivate func requireUnused(_ stream: StreamRow) throws {
        let views = try keptViews(of: stream.id).map(\.name.rawValue)
        guard views.isEmpty else { throw StreamServiceError.streamInUse(stream.name.rawValue, views: views) }
    }
}
