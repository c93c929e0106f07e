public import PhotoStreamModel
import PhotoStreamStorage

extension PhotoStreamService {
    /// Restores photos that a person deleted in the last 30 days, unchanged and at their previous positions: all of
    /// them, or none if one cannot be restored.
    ///
    /// - Parameters:
    ///   - ids: The photos.
    ///   - stream: The stream.
    /// - Returns: The photos, in the order of the ids.
    /// - Throws: ``StreamServiceError/unknownStream(_:)``, ``StreamServiceError/notDeleted(_:stream:)``,
    ///   ``StreamServiceError/photoExists(_:stream:)``.
    /// - Complexity: O(log photos) per id.
    @discardableResult
    public func restorePhotos(_ ids: [PhotoID], in stream: StreamName) throws -> [Photo] {
        try write { writer in
            let photos = try writer.reader.photos(named: stream)
            return try ids.map { id in
                do {
                    guard let restored = try writer.restorePhoto(streamID: photos.stream.id, id: id),
                        photos.contains(restored.photo)
                    else {
                        throw StreamServiceError.notDeleted(id.rawValue, stream: stream.rawValue)
                    }
                    return restored.photo
                } catch let error as StorageError where error.code == .constraint {
                    throw StreamServiceError.photoExists(id.rawValue, stream: stream.rawValue)
                }
            }
        }
    }
}
