package import PhotoStreamModel

/// A file beneath a root folder.
package struct PictureFileName: Hashable, Sendable {
    /// The root: an absolute path without symbolic links.
    package var root: String
    /// The path from the root, without a leading slash.
    package var path: String

    /// Creates a name.
    package init(root: String, path: String) {
        (self.root, self.path) = (root, path)
    }
}

/// A request to a decode worker, which answers each with one ``PictureAnswer``, in order.
package enum PictureRequest: Hashable, Sendable {
    /// Read the size and the metadata, without decoding. The answer is ``PictureAnswer/header(_:)``.
    case header(PictureFileName, sidecars: [String])
    /// Decode once and make thumbnails. The answer is ``PictureAnswer/decoded(_:)``.
    case decode(DecodeRequest)
    /// Hash the picture's data and all bytes of the file. The answer is ``PictureAnswer/content(_:)``.
    case hash(PictureFileName)
}

/// A picture to decode.
package struct DecodeRequest: Hashable, Sendable {
    /// The file.
    package var file: PictureFileName
    /// The orientation in which to display it; `nil` for the file's own.
    package var orientation: Orientation?
    /// The thumbnails to create.
    package var thumbnails: [ThumbnailKind]
    /// Whether placeholder, colour and content are requested as well.
    package var isMeasured: Bool

    /// Creates a request.
    package init(
        file: PictureFileName, orientation: Orientation?, thumbnails: [ThumbnailKind], isMeasured: Bool
    ) {
        (self.file, self.orientation) = (file, orientation)
        (self.thumbnails, self.isMeasured) = (thumbnails, isMeasured)
    }
}
