public import PhotoStreamModel

/// The answer to a request for a thumbnail.
public enum ThumbnailAnswer: Sendable {
    /// The thumbnail.
    case thumbnail(PictureThumbnail)
    /// The file itself, which is no larger than the thumbnail would be.
    case original(PictureFile)
    /// The picture is at an address elsewhere.
    case address(String)
    /// The picture cannot be decoded: the reason, and the colour that represents it, if known.
    case undecodable(reason: String, color: RGBColor?)
    /// No thumbnails can be created here: the file itself, if its type is served unmodified.
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

    /// Returns the thumbnail with another text for its key.
    package func named(_ key: String) -> PictureThumbnail { PictureThumbnail(key: key, kind: kind, bytes: bytes) }
}

/// The result of a lookup of a thumbnail.
public enum ThumbnailLookup: Sendable {
    /// It is known.
    case answer(ThumbnailAnswer)
    /// It has to be created.
    case job(PictureJob)
}
