import GRDB
package import PhotoStreamModel

/// The result of decoding a photo's picture.
package struct PictureRow: Hashable, Sendable {
    /// The state of a picture.
    package enum State: UInt8, CaseIterable, Sendable {
        /// It was decoded.
        case ready = 0
        /// It could not be decoded; it is not tried again until its file changes or it is forgotten.
        ///
        /// Also of 2, with which version 0.2.0 marked a picture while it was decoded alone.
        case failed = 1
    }

    /// The number of isolated retries that crash after which a picture is not decoded any more.
    package static let deathLimit = 3

    /// The length of the file, in bytes.
    package var byteCount: Int64
    /// The modification time of the file, in nanoseconds since 1970.
    package var modifiedNanoseconds: Int64
    /// The orientation in which it is displayed.
    package var orientation: Orientation
    /// The state.
    package var state: State
    /// The hash of the file's bytes, from which the key is made.
    package var fileHash: [UInt8]?
    /// The hash of the picture's data, which is noted with its file; only written.
    package var pictureHash: [UInt8]?
    /// The key of its thumbnails.
    package var key: PictureKey?
    /// The ThumbHash.
    package var placeholder: [UInt8]?
    /// The dominant colour.
    package var color: RGBColor?
    /// The kind of a failure, by the number of the caller.
    package var failureKind: UInt8?
    /// The reason of a failure, without a path.
    package var reason: String?
    /// The number of isolated retries, each counted before it begins; 0 again after one that does not crash.
    package var deaths: Int

    /// Creates a row; one of a picture that was decoded has a hash of its file and a key.
    package init(
        byteCount: Int64, modifiedNanoseconds: Int64, orientation: Orientation, state: State,
        fileHash: [UInt8]? = nil, pictureHash: [UInt8]? = nil, key: PictureKey? = nil, placeholder: [UInt8]? = nil,
        color: RGBColor? = nil, failureKind: UInt8? = nil, reason: String? = nil, deaths: Int = 0
    ) {
        (self.byteCount, self.modifiedNanoseconds, self.orientation) = (byteCount, modifiedNanoseconds, orientation)
        (self.state, self.fileHash, self.pictureHash, self.key) = (state, fileHash, pictureHash, key)
        (self.placeholder, self.color) = (placeholder, color)
        (self.failureKind, self.reason, self.deaths) = (failureKind, reason, deaths)
    }

    /// The state of a photo's picture on this machine, by the photo's row id: its own last try, or the shared result.
    ///
    /// A try that has read another content than the present result is ignored.
    static let knownSQL = """
        SELECT coalesce(pictureTry.byteCount, picture.byteCount),
            coalesce(pictureTry.modifiedNanoseconds, picture.modifiedNanoseconds),
            coalesce(pictureTry.orientation, picture.orientation), coalesce(pictureTry.state, 0),
            picture.hash, picture.pictureKey, picture.decodedPlaceholder, picture.decodedColor,
            pictureTry.failureKind, pictureTry.reason, coalesce(pictureTry.deaths, 0)
        FROM (SELECT ?1 AS id) AS wanted LEFT JOIN picture ON picture.id = wanted.id
            LEFT JOIN pictureTry ON pictureTry.photoId = wanted.id AND (pictureTry.state <> 0
                OR pictureTry.hash = picture.hash AND pictureTry.orientation = picture.orientation)
        WHERE picture.id IS NOT NULL OR pictureTry.photoId IS NOT NULL
        """

    /// The result of decoding a photo's picture, which all servers show, by the photo's row id.
    static let shownSQL = """
        SELECT byteCount, modifiedNanoseconds, orientation, 0, hash, pictureKey, decodedPlaceholder, decodedColor, NULL,
            NULL, 0
        FROM picture WHERE id = ?1
        """

    /// Reads a row of ``knownSQL`` or ``shownSQL``; values that this program never writes are read as absent.
    init(_ row: RawStatement) {
        func bytes(_ column: Int32) -> [UInt8]? { row.isNull(column) ? nil : row.bytes(column) }
        self.init(
            byteCount: row.integer(0), modifiedNanoseconds: row.integer(1),
            orientation: Orientation(rawValue: UInt8(clamping: row.integer(2))) ?? .up,
            state: State(rawValue: UInt8(clamping: row.integer(3))) ?? .failed,
            fileHash: bytes(4).flatMap { $0.count == 32 ? $0 : nil },
            key: bytes(5).flatMap { PictureKey(bytes: $0) }, placeholder: bytes(6),
            color: row.optionalInteger(7).flatMap { UInt32(exactly: $0) }.map(RGBColor.init(rawValue:)),
            failureKind: row.optionalInteger(8).flatMap { UInt8(exactly: $0) },
            reason: row.optionalText(9), deaths: Int(clamping: max(0, row.integer(10))))
    }

    /// Whether another row is a result for the same content, of this or of another copy of the file.
    ///
    /// Placeholder and colour are not compared: they vary slightly with the sizes that a decode makes, and the first
    /// ones stay.
    package func hasSameResult(as other: PictureRow) -> Bool {
        (fileHash, key, orientation) == (other.fileHash, other.key, other.orientation)
    }

    /// Whether another row is about a file of the same length and time.
    func hasSameStamp(as other: PictureRow) -> Bool {
        (byteCount, modifiedNanoseconds) == (other.byteCount, other.modifiedNanoseconds)
    }
}

/// A photo as a decode needs it.
package struct PicturedPhoto: Hashable, Sendable {
    /// The stream's row id.
    package let streamID: Int64
    /// The row id.
    package let rowID: Int64
    /// The place in the stream.
    package let key: OrderKey
    /// The id.
    package let id: PhotoID
    /// The location, if it has one.
    package let location: String?
    /// The orientation in which it is displayed.
    package let orientation: Orientation
    /// The size as displayed.
    package let pixelSize: PixelSize
    /// The fields that a person edited.
    package let editedFields: PhotoFields
    /// The fields whose value came from the picture's file.
    package let fileFields: PhotoFields
}

/// The counts of a stream's pictures.
package struct PictureCounts: Hashable, Sendable {
    /// The pictures that were decoded.
    package let ready: Int
    /// The pictures that could not be decoded.
    package let failed: Int
    /// The photos whose pictures are still to be decoded.
    package let pending: Int

    /// Creates counts.
    package init(ready: Int, failed: Int, pending: Int) {
        (self.ready, self.failed, self.pending) = (ready, failed, pending)
    }
}
