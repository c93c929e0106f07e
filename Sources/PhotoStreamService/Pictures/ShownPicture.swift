import Foundation
public import PhotoStreamModel
import PhotoStreamStorage

/// The result of decoding a photo's picture, for answers; until then, the values of the preview in its file.
public struct ShownPicture: Hashable, Sendable {
    /// The key in the addresses of its thumbnails; `nil` if the picture is not decoded yet, so that placeholder and
    /// colour are provisional.
    public let key: PictureKey?
    /// The ThumbHash.
    public let placeholderBytes: [UInt8]
    /// The dominant colour.
    public let color: RGBColor?
    /// The signer of its thumbnails' addresses; `nil` if answers show none.
    public let signer: ImageSigner?

    init?(_ row: PictureRow, signedBy signer: ImageSigner?) {
        guard row.state == .ready, let key = row.key else { return nil }
        (self.key, placeholderBytes, color, self.signer) = (key, row.placeholder ?? [], row.color, signer)
    }

    init(_ preview: PictureFileRow.Preview) {
        (key, placeholderBytes, color, signer) = (nil, preview.placeholder, preview.color, nil)
    }

    /// The ThumbHash in base64; `nil` if there is none.
    public var placeholder: String? {
        placeholderBytes.isEmpty ? nil : Data(placeholderBytes).base64EncodedString()
    }
}

/// The counts of a stream's pictures.
public struct StreamPictures: Hashable, Sendable {
    /// The number of pictures that were decoded.
    public let readyCount: Int
    /// The number of pictures that cannot be decoded.
    public let failedCount: Int
    /// The number of photos that are neither: not tried yet, or without a file on this machine.
    public let pendingCount: Int

    init(_ counts: PictureCounts) {
        (readyCount, failedCount, pendingCount) = (counts.ready, counts.failed, counts.pending)
    }
}

extension Session {
    /// Returns the revision of a stream's pictures, which increases at most once a second as pictures are decoded.
    ///
    /// Decoding does not change the stream's own revision.
    ///
    /// - Throws: ``StreamServiceError/unknownStream(_:)``.
    public func pictureRevision(of stream: StreamName) throws -> Revision {
        try reader.pictureRevision(streamID: try photos(named: stream).stream.id, now: service.now())
    }

    /// Returns the result of decoding a photo's picture; `nil` if there is none.
    ///
    /// - Throws: ``StreamServiceError/unknownStream(_:)``, ``StreamServiceError/unknownPhoto(_:stream:)``.
    public func picture(of id: PhotoID, in stream: StreamName) throws -> ShownPicture? {
        try shownPictures([try reader.photo(id, of: try photos(named: stream)).rowID])[0]
    }

    /// The pictures of photos, in the order of their rows.
    func shownPictures(_ rowIDs: [Int64]) throws -> [ShownPicture?] {
        let rows = try reader.shownPictures(photoRowIDs: rowIDs)
        let previews = try reader.picturePreviews(photoRowIDs: rowIDs.lazy.filter { rows[$0] == nil })
        guard !rows.isEmpty || !previews.isEmpty else { return Array(repeating: nil, count: rowIDs.count) }
        let signer = try imageSigner()
        return rowIDs.map { id in
            rows[id].flatMap { ShownPicture($0, signedBy: signer) } ?? previews[id].map { ShownPicture($0) }
        }
    }
}
