import GRDB
package import PhotoStreamModel

/// The result of decoding a photo's picture.
package struct PictureRow: Hashable, Sendable {
    /// The state of a picture.
    package enum State: UInt8, CaseIterable, Sendable {
        /// It was decoded.
        case ready = 0
        /// It could not be decoded; it is not tried again until its file changes or it is forgotten.
        case failed = 1
        /// It is being decoded while nothing else is, because a worker died of it.
        case alone = 2
    }

    /// The length of the file, in bytes.
    package var byteCount: Int64
    /// The modification time of the file, in nanoseconds since 1970.
    package var modifiedNanoseconds: Int64
    /// The orientation in which it is displayed.
    package var orientation: Orientation
    /// The state.
    package var state: State
    /// The SHA-256 of the file's bytes.
    package var contentHash: [UInt8]?
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
    /// The number of workers that died of it while it was tried alone.
    package var deaths: Int

    /// Creates a row.
    package init(
        byteCount: Int64, modifiedNanoseconds: Int64, orientation: Orientation, state: State,
        contentHash: [UInt8]? = nil, key: PictureKey? = nil, placeholder: [UInt8]? = nil, color: RGBColor? = nil,
        failureKind: UInt8? = nil, reason: String? = nil, deaths: Int = 0
    ) {
        (self.byteCount, self.modifiedNanoseconds, self.orientation) = (byteCount, modifiedNanoseconds, orientation)
        (self.state, self.contentHash, self.key) = (state, contentHash, key)
        (self.placeholder, self.color) = (placeholder, color)
        (self.failureKind, self.reason, self.deaths) = (failureKind, reason, deaths)
    }

    /// The columns that ``init(_:from:)`` reads.
    static let columns = """
        picture.byteCount, picture.modifiedNanoseconds, picture.orientation, picture.state, picture.contentHash,
        picture.pictureKey, picture.placeholder, picture.color, picture.failureKind, picture.reason, picture.deaths
        """

    /// Reads a row from a column on; values that this program never writes are read as absent.
    init(_ row: RawStatement, from column: Int32) {
        func bytes(_ offset: Int32) -> [UInt8]? { row.isNull(column + offset) ? nil : row.bytes(column + offset) }
        self.init(
            byteCount: row.integer(column), modifiedNanoseconds: row.integer(column + 1),
            orientation: Orientation(rawValue: UInt8(clamping: row.integer(column + 2))) ?? .up,
            state: State(rawValue: UInt8(clamping: row.integer(column + 3))) ?? .failed,
            contentHash: bytes(4).flatMap { $0.count == 32 ? $0 : nil },
            key: bytes(5).flatMap { PictureKey(bytes: $0) }, placeholder: bytes(6),
            color: row.optionalInteger(column + 7).flatMap { UInt32(exactly: $0) }.map(RGBColor.init(rawValue:)),
            failureKind: row.optionalInteger(column + 8).flatMap { UInt8(exactly: $0) },
            reason: row.optionalText(column + 9), deaths: Int(clamping: max(0, row.integer(column + 10))))
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
    /// The fields that a person edited.
    package let editedFields: PhotoFields
    /// The fields whose value came from the picture's file.
    package let fileFields: PhotoFields
}

/// The numbers of a stream's pictures.
package struct PictureCounts: Hashable, Sendable {
    /// The pictures that were decoded.
    package let ready: Int
    /// The pictures that could not be decoded.
    package let failed: Int
    /// The photos whose pictures are still to be decoded.
    package let pending: Int
}
