public import PhotoStreamModel
import PhotoStreamStorage

/// Photos without a layout.
public struct PhotoListAnswer: Hashable, Sendable {
    /// The photos, in stream order or in the order of the requested ids.
    public let photos: [Photo]
    /// For each photo, the result of decoding its picture, if the picture was decoded.
    public let pictures: [ShownPicture?]
    /// For each photo, whether its file is gone, as the last import or watch of its folder on this machine found.
    public let areVanished: [Bool]
    /// Whether more photos follow.
    public let isTruncated: Bool
    /// The requested ids that the stream does not have, in the order of the query; `nil` if the query has no ids.
    public let missing: [PhotoID]?
}

extension Session {
    /// Returns the photos after another in stream order.
    ///
    /// - Parameters:
    ///   - stream: The stream.
    ///   - id: The photo to continue after; `nil` to begin with the first.
    ///   - limit: The maximum number of photos, 1 to ``PhotoStreamService/maximumLimit``.
    /// - Returns: The photos in stream order.
    /// - Throws: ``StreamServiceError/unknownStream(_:)``, ``StreamServiceError/unknownPhoto(_:stream:)``,
    ///   ``StreamServiceError/invalidLimit(_:maximum:)``.
    /// - Complexity: O(limit + log photos) at every place.
    public func photos(
        of stream: StreamName, after id: PhotoID? = nil, limit: Int = PhotoStreamService.defaultLimit
    ) throws -> PhotoListAnswer {
        try checkLimit(limit)
        let row = try row(of: stream)
        let place = try id.map { id in
            guard let key = try reader.orderKey(streamID: row.id, id: id) else {
                throw StreamServiceError.unknownPhoto(id.rawValue, stream: stream.rawValue)
            }
            return key
        }
        let (found, isCut) = try reader.photos(
            streamID: row.id, after: place, limit: limit + 1, within: PhotoStreamService.maximumByteCount)
        let shown = found.prefix(isCut ? min(limit, found.count - 1) : limit)
        return PhotoListAnswer(
            photos: shown.map(\.photo), pictures: try shownPictures(shown.map(\.rowID)),
            areVanished: try areVanished(shown.map(\.rowID), of: row), isTruncated: found.count > shown.count,
            missing: nil)
    }

    /// Returns photos by their ids.
    ///
    /// - Parameters:
    ///   - ids: The ids, 1 to ``PhotoStreamService/maximumLimit``; duplicates count once.
    ///   - stream: The stream.
    /// - Returns: The photos in the order of the ids, and the ids that the stream does not have. If the photos would
    ///   take more than ``PhotoStreamService/maximumByteCount``, the answer is truncated: repeat the query with the ids
    ///   that are neither in the photos nor missing.
    /// - Throws: ``StreamServiceError/unknownStream(_:)``, ``StreamServiceError/invalidIDCount(_:maximum:)``.
    /// - Complexity: O(ids × log photos).
    public func photos(withIDs ids: [PhotoID], of stream: StreamName) throws -> PhotoListAnswer {
        let row = try row(of: stream)
        let found = try storedPhotos(withIDs: ids, of: row)
        return PhotoListAnswer(
            photos: found.photos.map(\.photo), pictures: try shownPictures(found.photos.map(\.rowID)),
            areVanished: try areVanished(found.photos.map(\.rowID), of: row), isTruncated: found.isTruncated,
            missing: found.missing)
    }

    /// For each photo of a stream, by row ids, whether its file is gone.
    private func areVanished(_ rowIDs: [Int64], of stream: StreamRow) throws -> [Bool] {
        let vanished = try reader.vanishedPhotos(streamID: stream.id, among: rowIDs)
        return rowIDs.map(vanished.contains)
    }

    /// Whether the file of a photo is gone, as the last import or watch of its folder on this machine found.
    ///
    /// - Throws: ``StreamServiceError/unknownStream(_:)``, ``StreamServiceError/unknownPhoto(_:stream:)``.
    public func isVanished(_ id: PhotoID, of stream: StreamName) throws -> Bool {
        let row = try row(of: stream)
        return try areVanished([try reader.photo(id, of: row).rowID], of: row)[0]
    }

    /// Returns the photos with some ids, as many as fit into an answer.
    func storedPhotos(
        withIDs ids: [PhotoID], of row: StreamRow
    ) throws -> (photos: [StoredPhoto], missing: [PhotoID], isTruncated: Bool) {
        let maximum = PhotoStreamService.maximumLimit
        guard (1...maximum).contains(ids.count) else {
            throw StreamServiceError.invalidIDCount(ids.count, maximum: maximum)
        }
        var (photos, missing, byteCount): ([StoredPhoto], [PhotoID], Int) = ([], [], 0)
        var seen: Set<PhotoID> = []
        for id in ids where seen.insert(id).inserted {
            guard let photo = try reader.photo(streamID: row.id, id: id) else {
                missing.append(id)
                continue
            }
            byteCount += photo.photo.textByteCount
            guard photos.isEmpty || byteCount <= PhotoStreamService.maximumByteCount else {
                return (photos, missing, true)
            }
            photos.append(photo)
        }
        return (photos, missing, false)
    }

    /// Passes every photo of a stream to `body` in stream order.
    ///
    /// This query never restarts the session, so `body` receives each photo once if the session makes no other query.
    /// At most ``PhotoStreamService/maximumLimit`` photos are in memory at a time.
    ///
    /// - Parameters:
    ///   - stream: The stream.
    ///   - body: Receives a photo.
    /// - Throws: ``StreamServiceError/unknownStream(_:)``, and the errors of `body`.
    public func forEachPhoto(of stream: StreamName, _ body: (Photo) throws -> Void) throws {
        try forEachStoredPhoto(of: try row(of: stream)) { try body($0.photo) }
    }

    /// Passes every photo of a stream to `body` in stream order, with its place.
    func forEachStoredPhoto(of row: StreamRow, body: (StoredPhoto) throws -> Void) throws {
        let limit = PhotoStreamService.maximumLimit
        var place: OrderKey?
        repeat {
            let found = try reader.photos(streamID: row.id, after: place, limit: limit)
            for photo in found { try body(photo) }
            place = found.count < limit ? nil : found.last?.key
        } while place != nil
    }

    /// Returns one photo.
    ///
    /// - Throws: ``StreamServiceError/unknownStream(_:)``, ``StreamServiceError/unknownPhoto(_:stream:)``.
    public func photo(_ id: PhotoID, of stream: StreamName) throws -> Photo {
        try reader.photo(id, of: try row(of: stream)).photo
    }
}
