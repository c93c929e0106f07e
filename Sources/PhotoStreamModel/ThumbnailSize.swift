/// The sizes of thumbnails: the length of the longer side in pixels.
///
/// A picture is never enlarged.
///
/// The sizes are fixed, so that a picture has only a handful of addresses, regardless of the number of clients.
public enum ThumbnailSize: UInt16, CaseIterable, Sendable {
    case pixels160 = 160
    case pixels240 = 240
    case pixels320 = 320
    case pixels480 = 480
    case pixels640 = 640
    case pixels960 = 960
    case pixels1280 = 1280
    case pixels1920 = 1920
    case pixels2560 = 2560

    /// The sizes that are made of a picture in advance, from one decode; each is half of the next.
    ///
    /// They serve the gallery's default layouts up to a display scale of 2. A picture more than twice as long as it is
    /// wide also has 1,280 pixels, because a cell that it covers shows its shorter side.
    ///
    /// - Parameter size: The size of the picture, in any orientation.
    /// - Returns: The sizes, smallest first.
    public static func prepared(for size: PixelSize) -> [ThumbnailSize] {
        let isElongated = max(size.width, size.height) > 2 * min(size.width, size.height)
        return [.pixels240, .pixels480, .pixels960] + (isElongated ? [.pixels1280] : [])
    }
}

/// The formats of thumbnails.
public enum ThumbnailFormat: UInt8, CaseIterable, Sendable {
    case webP = 0
    case jpeg = 1

    /// The extension of its address.
    public var pathExtension: String {
        switch self {
        case .webP: "webp"
        case .jpeg: "jpg"
        }
    }

    /// The value of `Content-Type`.
    public var mediaType: String {
        switch self {
        case .webP: "image/webp"
        case .jpeg: "image/jpeg"
        }
    }
}

/// A size and a format.
public struct ThumbnailKind: Hashable, Sendable {
    /// The size.
    public let size: ThumbnailSize
    /// The format.
    public let format: ThumbnailFormat

    /// Creates a kind.
    public init(_ size: ThumbnailSize, as format: ThumbnailFormat) {
        (self.size, self.format) = (size, format)
    }
}
