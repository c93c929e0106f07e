public import PhotoStreamModel

/// The answer to a question for a thumbnail.
public enum ThumbnailAnswer: Sendable {
    /// The thumbnail.
    case thumbnail(PictureThumbnail)
    /// The file itself, which is no larger than the thumbnail would be.
    case original(PictureFile)
    /// The picture is at an address elsewhere.
    case address(String)
    /// The picture cannot be decoded; the reason, and the colour that stands for it, if it is known.
    case undecodable(reason: String, color: RGBColor?)
    /// No thumbnails can be made here; the file itself, if it is of a type that is served as it is.
    case unavailable(PictureFile?)
}

/// A thumbnail.
public struct PictureThumbnail: Hashable, Sendable {
    /// The key of its picture, as text.
    public let key: String
    /// Its size and format.
    public let kind: ThumbnailKind
    /// The encoded picture.
    public let bytes: [UInt8]

    /// Returns the thumbnail under another text for its key.
    package func named(_ key: String) -> PictureThumbnail { PictureThumbnail(key: key, kind: kind, bytes: bytes) }
}

/// The outcome of looking for a thumbnail.
public enum ThumbnailLookup: Sendable {
    /// It is known.
    case answer(ThumbnailAnswer)
    /// It has to be made.
    case job(PictureJob)
}
