package import PhotoStreamModel

/// The answer of a decode worker to a ``PictureRequest``.
package enum PictureAnswer: Hashable, Sendable {
    /// The header of a picture.
    case header(PictureHeader)
    /// The result of a decode.
    case decoded(DecodedPicture)
    /// The SHA-256 of the bytes of a file, 32 bytes.
    case hash([UInt8])
    /// The request failed; the worker continues.
    case failed(PictureFailure)
}

/// The format of a picture, as recognized by its content.
package enum PictureFormat: UInt8, CaseIterable, Sendable {
    case jpeg = 0
    case png = 1
    case gif = 2
    case webP = 3
    case tiff = 4
    case heic = 5
    case avif = 6
    case bmp = 7
    case jpegXL = 8
    case raw = 9

    /// The possible extensions of files with this format, in lower case and without the dot; the usual one first.
    ///
    /// Many raw files are also TIFF files, so each of the two has the extensions of both.
    package var fileExtensions: [String] {
        switch self {
        case .jpeg: ["jpg", "jpeg", "jpe", "jfif", "mpo"]
        case .png: ["png"]
        case .gif: ["gif"]
        case .webP: ["webp"]
        case .tiff: ["tif", "tiff"] + Self.rawExtensions
        case .heic: ["heic", "heif", "hif"]
        case .avif: ["avif"]
        case .bmp: ["bmp", "dib"]
        case .jpegXL: ["jxl"]
        case .raw: Self.rawExtensions + ["tif", "tiff"]
        }
    }

    private static let rawExtensions = [
        "dng", "3fr", "arw", "cr2", "cr3", "crw", "dcr", "erf", "fff", "iiq", "kdc", "mef", "mos", "mrw", "nef", "nrw",
        "orf", "pef", "raf", "raw", "rw2", "rwl", "sr2", "srf", "srw", "x3f",
    ]
}

/// The size and the metadata of a picture.
package struct PictureHeader: Hashable, Sendable {
    /// The format.
    package var format: PictureFormat
    /// The file's own size, before ``orientation`` is applied.
    package var size: PixelSize
    /// The orientation; ``Orientation/up`` for formats whose decoders rotate pictures themselves (HEIC, AVIF).
    package var orientation: Orientation
    /// The metadata in the file.
    package var embedded: PictureMetadata
    /// The metadata of the sidecars; `nil` if there are none.
    package var sidecar: PictureMetadata?
    /// The provisional placeholder and colour, of the small preview that cameras write next to the metadata; `nil` if
    /// there is none, or if it may show something else than the picture.
    package var preview: PicturePreview?
    /// Parts that could not be read, one sentence each, without a path.
    package var warnings: [String]

    /// Creates a header.
    package init(
        format: PictureFormat, size: PixelSize, orientation: Orientation, embedded: PictureMetadata,
        sidecar: PictureMetadata? = nil, preview: PicturePreview? = nil, warnings: [String] = []
    ) {
        (self.format, self.size, self.orientation, self.preview) = (format, size, orientation, preview)
        (self.embedded, self.sidecar, self.warnings) = (embedded, sidecar, warnings)
    }
}

/// Values computed from the preview of a picture, displayed in the orientation of the file.
package struct PicturePreview: Hashable, Sendable {
    /// The ThumbHash, at most 25 bytes.
    package var placeholder: [UInt8]
    /// The dominant colour.
    package var color: RGBColor

    /// Creates a preview.
    package init(placeholder: [UInt8], color: RGBColor) {
        (self.placeholder, self.color) = (placeholder, color)
    }
}

/// The metadata of a picture from one source; `nil` if the source does not contain it.
package struct PictureMetadata: Hashable, Sendable {
    /// The capture time.
    package var takenAt: CaptureTime?
    /// The title.
    package var title: String?
    /// The caption.
    package var caption: String?
    /// The keywords, in order; hierarchical ones as paths, such as `place/Rome`.
    package var keywords: [String]
    /// The rating, -1 (rejected) to 5.
    package var rating: Int?
    /// The position at which it was taken.
    package var coordinate: Coordinate?
    /// The maker and model of the camera.
    package var camera: String?

    /// Creates metadata.
    package init(
        takenAt: CaptureTime? = nil, title: String? = nil, caption: String? = nil, keywords: [String] = [],
        rating: Int? = nil, coordinate: Coordinate? = nil, camera: String? = nil
    ) {
        (self.takenAt, self.title, self.caption, self.keywords) = (takenAt, title, caption, keywords)
        (self.rating, self.coordinate, self.camera) = (rating, coordinate, camera)
    }
}

/// The result of one decode.
package struct DecodedPicture: Hashable, Sendable {
    /// The version of the file that was decoded.
    package var stamp: FileStamp
    /// The size as displayed.
    package var displayedSize: PixelSize
    /// The orientation in which it is displayed.
    package var orientation: Orientation
    /// Placeholder, colour and hash, if they were requested.
    package var measures: PictureMeasures?
    /// The thumbnails, in the order of the request.
    package var thumbnails: [Thumbnail]

    /// Creates a result.
    package init(
        stamp: FileStamp, displayedSize: PixelSize, orientation: Orientation, measures: PictureMeasures?,
        thumbnails: [Thumbnail]
    ) {
        (self.stamp, self.displayedSize, self.orientation) = (stamp, displayedSize, orientation)
        (self.measures, self.thumbnails) = (measures, thumbnails)
    }
}

/// Values computed from the pixels and bytes of a picture.
package struct PictureMeasures: Hashable, Sendable {
    /// The SHA-256 of the bytes of the file, 32 bytes.
    package var contentHash: [UInt8]
    /// The ThumbHash, at most 25 bytes.
    package var placeholder: [UInt8]
    /// The dominant colour.
    package var color: RGBColor

    /// Creates measures.
    package init(contentHash: [UInt8], placeholder: [UInt8], color: RGBColor) {
        (self.contentHash, self.placeholder, self.color) = (contentHash, placeholder, color)
    }
}

/// A scaled-down picture.
package struct Thumbnail: Hashable, Sendable {
    /// The requested size and format.
    package var kind: ThumbnailKind
    /// The width in pixels.
    package var width: Int
    /// The height in pixels.
    package var height: Int
    /// The encoded picture.
    package var bytes: [UInt8]

    /// Creates a thumbnail.
    package init(kind: ThumbnailKind, width: Int, height: Int, bytes: [UInt8]) {
        (self.kind, self.width, self.height, self.bytes) = (kind, width, height, bytes)
    }
}

/// A reason for the failure of a request, in one sentence without a path.
package struct PictureFailure: Error, Hashable, Sendable {
    /// The kind of a failure.
    package enum Kind: UInt8, CaseIterable, Sendable {
        /// There is no such file beneath the root.
        case missing = 0
        /// The file, or a folder on its path, may not be read.
        case denied = 1
        /// It is not a regular file, or not a picture of a known format.
        case notAPicture = 2
        /// The format is known, but its pixels cannot be decoded here.
        case unsupported = 3
        /// The file is truncated or damaged.
        case damaged = 4
        /// It has more pixels, bytes or scans than the limit.
        case tooLarge = 5
        /// The file was written meanwhile.
        case changed = 6
        /// The system is out of descriptors or memory; another try may succeed.
        case exhausted = 7
        /// It took longer than the deadline. Reported by the pool.
        case timedOut = 8
        /// The worker crashed. Reported by the pool.
        case crashed = 9
        /// There is no worker. Reported by the pool.
        case noWorker = 10
    }

    /// The kind.
    package var kind: Kind
    /// A sentence without a path.
    package var reason: String

    /// Creates a failure.
    package init(_ kind: Kind, reason: String) {
        (self.kind, self.reason) = (kind, reason)
    }
}
