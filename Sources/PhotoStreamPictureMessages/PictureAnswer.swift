package import PhotoStreamModel

/// The answer of a decode worker to a ``PictureRequest``.
package enum PictureAnswer: Hashable, Sendable {
    /// The header of a picture.
    case header(PictureHeader)
    /// The result of a decode.
    case decoded(DecodedPicture)
    /// The content of a file.
    case content(FileContent)
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
    case video = 10

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
        case .video:
            [
                "mp4", "mov", "m4v", "qt", "3gp", "3g2", "mkv", "webm", "avi", "mts", "m2ts", "mpg", "mpeg",
            ]
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
    /// The bytes of the file that are the film of a motion photo; `nil` if there is none.
    package var film: Range<Int64>?
    /// The parts that were left out or could not be read.
    package var warnings: [PictureWarning]

    /// Creates a header.
    package init(
        format: PictureFormat, size: PixelSize, orientation: Orientation, embedded: PictureMetadata,
        sidecar: PictureMetadata? = nil, preview: PicturePreview? = nil, film: Range<Int64>? = nil,
        warnings: [PictureWarning] = []
    ) {
        (self.format, self.size, self.orientation, self.preview) = (format, size, orientation, preview)
        (self.embedded, self.sidecar, self.film, self.warnings) = (embedded, sidecar, film, warnings)
    }
}

/// A part of a picture's metadata that was left out or could not be read.
package struct PictureWarning: Hashable, Sendable {
    /// The kind.
    package var kind: FileWarning
    /// A sentence without a path.
    package var reason: String

    /// Creates a warning.
    package init(_ kind: FileWarning, reason: String) {
        (self.kind, self.reason) = (kind, reason)
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
    /// The lens.
    package var lens: String?
    /// The f-number.
    package var aperture: Double?
    /// The exposure time, in seconds.
    package var exposureTime: Double?
    /// The sensitivity by ISO 12232.
    package var iso: Double?
    /// The focal length, in millimetres.
    package var focalLength: Double?
    /// The names of people in the picture, in order.
    package var people: [String] = []
    /// The duration of a video, in seconds.
    package var duration: Double?
    /// The codec of a video, by its four characters in ISO files, such as `avc1`.
    package var codec: String?
    /// The instant at which a video was made, in milliseconds since 1970, without a known time zone.
    package var instant: Int64?
    /// The identifier that Apple's cameras give to a picture and to the video that belongs to it.
    package var contentIdentifier: String?
    /// The identifier that the pictures of a burst have in common.
    package var burstIdentifier: String?

    /// The maximum length of a codec, in bytes of UTF-8.
    package static let maximumCodecByteCount = 32
    /// The maximum length of an identifier, in bytes of UTF-8.
    package static let maximumIdentifierByteCount = 128

    /// Creates metadata.
    package init(
        takenAt: CaptureTime? = nil, title: String? = nil, caption: String? = nil, keywords: [String] = [],
        rating: Int? = nil, coordinate: Coordinate? = nil, camera: String? = nil
    ) {
        (self.takenAt, self.title, self.caption, self.keywords) = (takenAt, title, caption, keywords)
        (self.rating, self.coordinate, self.camera) = (rating, coordinate, camera)
    }

    /// Returns the metadata with the values of another source for those that it lacks.
    package func completed(by other: PictureMetadata) -> PictureMetadata {
        var whole = PictureMetadata(
            takenAt: takenAt ?? other.takenAt, title: title ?? other.title, caption: caption ?? other.caption,
            keywords: keywords.isEmpty ? other.keywords : keywords, rating: rating ?? other.rating,
            coordinate: coordinate ?? other.coordinate, camera: camera ?? other.camera)
        whole.lens = lens ?? other.lens
        whole.aperture = aperture ?? other.aperture
        whole.exposureTime = exposureTime ?? other.exposureTime
        whole.iso = iso ?? other.iso
        whole.focalLength = focalLength ?? other.focalLength
        whole.people = people.isEmpty ? other.people : people
        whole.duration = duration ?? other.duration
        whole.codec = codec ?? other.codec
        whole.instant = instant ?? other.instant
        whole.contentIdentifier = contentIdentifier ?? other.contentIdentifier
        whole.burstIdentifier = burstIdentifier ?? other.burstIdentifier
        return whole
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
    /// Placeholder, colour and content, if they were requested.
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
    /// The content of the file.
    package var content: FileContent
    /// The ThumbHash, at most 25 bytes.
    package var placeholder: [UInt8]
    /// The dominant colour.
    package var color: RGBColor

    /// Creates measures.
    package init(content: FileContent, placeholder: [UInt8], color: RGBColor) {
        (self.content, self.placeholder, self.color) = (content, placeholder, color)
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
