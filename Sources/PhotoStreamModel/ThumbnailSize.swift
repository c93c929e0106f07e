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

    /// The sizes that are made of every picture in the background.
    public static let defaults: [ThumbnailSize] = [.pixels320, .pixels640]
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
