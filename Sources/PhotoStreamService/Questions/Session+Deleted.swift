import Foundation
public import PhotoStreamModel
import PhotoStreamStorage

/// Photos that a person deleted and that can be restored.
public struct DeletedPhotosAnswer: Hashable, Sendable {
    /// A deleted photo.
    public struct Entry: Hashable, Sendable {
        /// The time of the deletion, in milliseconds since 1970.
        public let deletedAtMilliseconds: Int64
        /// The photo before the deletion.
        public let photo: Photo
        /// The ThumbHash of its picture in base64, if the picture was decoded.
        public let placeholder: String?
        /// The dominant colour of its picture, if the picture was decoded.
        public let color: RGBColor?

        init(_ deleted: DeletedPhoto) {
            (deletedAtMilliseconds, photo, color) = (deleted.deletedAt, deleted.photo, deleted.decodedColor)
            placeholder = deleted.decodedPlaceholder.map { Data($0).base64EncodedString() }
        }
    }

    /// The photos, the latest deletion first.
    public let photos: [Entry]
    /// Whether more photos follow.
    public let isTruncated: Bool
}

extension Session {
    /// Returns the photos of a stream that a person deleted and that can be restored, the latest deletion first.
    ///
    /// - Parameters:
    ///   - stream: The stream.
    ///   - id: The deleted photo to continue after; `nil` to begin with the latest deletion.
    ///   - limit: The maximum number of photos, 1 to ``PhotoStreamService/maximumLimit``.
    /// - Returns: The photos.
    /// - Throws: ``StreamServiceError/unknownStream(_:)``, ``StreamServiceError/notDeleted(_:stream:)`` for the photo to
    ///   continue after, ``StreamServiceError/invalidLimit(_:maximum:)``.
    /// - Complexity: O(limit + log photos).
    public func deletedPhotos(
        of stream: StreamName, after id: PhotoID? = nil, limit: Int = PhotoStreamService.defaultLimit
    ) throws -> DeletedPhotosAnswer {
        try checkLimit(limit)
        let photos = try photos(named: stream)
        let found = try reader.deletedPhotos(
            streamID: photos.stream.id, after: id, limit: limit, within: PhotoStreamService.maximumByteCount,
            where: photos.contains)
        guard let found else { throw StreamServiceError.notDeleted(id?.rawValue ?? "", stream: stream.rawValue) }
        return DeletedPhotosAnswer(
            photos: found.photos.map(DeletedPhotosAnswer.Entry.init), isTruncated: found.isTruncated)
    }
}
