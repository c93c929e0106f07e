/// The type of a picture or video, determined by the first bytes of its file, never by its name.
///
/// Only types that show nothing but pixels are included: SVG and HTML can run their authors' programs in the name of
/// the server, so they do not count as pictures. Raw files of cameras that are built as TIFF files count as TIFF.
public enum PictureType: String, CaseIterable, Sendable {
    case jpeg = "image/jpeg"
    case png = "image/png"
    case gif = "image/gif"
    case webP = "image/webp"
    case avif = "image/avif"
    case heic = "image/heic"
    case heicSequence = "image/heic-sequence"
    case heif = "image/heif"
    case tiff = "image/tiff"
    case bmp = "image/bmp"
    case jpegXL = "image/jxl"
    case mp4 = "video/mp4"
    case quickTime = "video/quicktime"
    case threeGPP = "video/3gpp"
    case threeGPP2 = "video/3gpp2"
    case webM = "video/webm"
    case matroska = "video/x-matroska"
    case avi = "video/x-msvideo"
    case mpegTransport = "video/mp2t"
    case mpeg = "video/mpeg"

    /// The value of `Content-Type`, such as `image/jpeg`.
    public var mediaType: String { rawValue }

    /// Returns the value of `Content-Type` for the file of a photo.
    ///
    /// The tracks of a QuickTime file with H.264 or HEVC are those of an MP4 file, which browsers play, while some
    /// refuse files of QuickTime's own type unread.
    ///
    /// - Parameter codec: The codec of the photo, such as `avc1`; `nil` if it is unknown.
    /// - Returns: The media type.
    public func mediaType(codec: String?) -> String {
        guard self == .quickTime, let codec, ["avc1", "avc3", "hvc1", "hev1"].contains(codec) else { return mediaType }
        return PictureType.mp4.mediaType
    }

    /// The number of bytes from the start that determine the type.
    static let headByteCount = 512

    /// Determines the type of a file; `nil` if it is none of these.
    ///
    /// - Parameter head: Its first bytes, ``headByteCount`` or all of a shorter file.
    init?(head: [UInt8]) {
        if head.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if head.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if Self.text(head, from: 0, count: 6) == "GIF87a" || Self.text(head, from: 0, count: 6) == "GIF89a" {
            self = .gif
        } else if Self.text(head, from: 0, count: 4) == "RIFF", Self.text(head, from: 8, count: 4) == "WEBP" {
            self = .webP
        } else if Self.isTIFF(head) {
            self = .tiff
        } else if Self.isBMP(head) {
            self = .bmp
        } else if head.starts(with: [0xFF, 0x0A]) || head.starts(with: Self.jpegXLContainer) {
            self = .jpegXL
        } else if let type = Self.type(ofBrands: Self.brands(head)) ?? Self.video(head) {
            self = type
        } else {
            return nil
        }
    }

    private static let jpegXLContainer: [UInt8] = [0, 0, 0, 12, 0x4A, 0x58, 0x4C, 0x20, 0x0D, 0x0A, 0x87, 0x0A]

    private static func isTIFF(_ head: [UInt8]) -> Bool {
        [[0x49, 0x49, 42, 0], [0x4D, 0x4D, 0, 42], [0x49, 0x49, 43, 0], [0x4D, 0x4D, 0, 43]].contains {
            head.starts(with: $0)
        }
    }

    /// Whether the file is a BMP: many texts begin with its two letters, so the reserved bytes and the length of the
    /// second header are checked as well.
    private static func isBMP(_ head: [UInt8]) -> Bool {
        guard text(head, from: 0, count: 2) == "BM", head.count >= 18, head[6..<10].allSatisfy({ $0 == 0 }) else {
            return false
        }
        return [12, 16, 40, 52, 56, 64, 108, 124].contains(head[14]) && head[15..<18].allSatisfy { $0 == 0 }
    }

    /// The brands of a file of boxes that begins with an `ftyp` box.
    ///
    /// Source: ISO/IEC 14496-12, section 4.3.
    static func brands(_ head: [UInt8]) -> [String] {
        guard head.count >= 12, text(head, from: 4, count: 4) == "ftyp" else { return [] }
        let length = head[..<4].reduce(0) { $0 << 8 | Int($1) }
        let end = min(length, head.count)
        guard length >= 16, end >= 16 else { return [] }
        // The minor version follows the first brand.
        return ([8] + Array(stride(from: 16, through: end - 4, by: 4))).compactMap { text(head, from: $0, count: 4) }
    }

    private static func type(ofBrands brands: [String]) -> PictureType? {
        for (names, type) in brandTypes where !names.isDisjoint(with: brands) { return type }
        return nil
    }

    /// The more specific types first, because their files also contain the general brands.
    private static let brandTypes: [(names: Set<String>, type: PictureType)] = [
        (["avif", "avis"], .avif), (["heic", "heix", "heim", "heis"], .heic),
        (["hevc", "hevx", "hevm", "hevs"], .heicSequence), (["mif1", "mif2", "msf1"], .heif),
    ]

    /// The characters at a position of the first bytes; `nil` beyond their end.
    static func text(_ head: [UInt8], from start: Int, count: Int) -> String? {
        guard head.count >= start + count else { return nil }
        return String(decoding: head[start..<start + count], as: UTF8.self)
    }
}

extension PictureType {
    /// Whether every browser can show it as a picture.
    public var isOfWeb: Bool {
        switch self {
        case .jpeg, .png, .gif, .webP: true
        case .avif, .heic, .heicSequence, .heif, .tiff, .bmp, .jpegXL: false
        case .mp4, .quickTime, .threeGPP, .threeGPP2, .webM, .matroska, .avi, .mpegTransport, .mpeg: false
        }
    }

    /// The usual extension of its files, without the dot.
    public var fileExtension: String {
        switch self {
        case .jpeg: "jpg"
        case .png: "png"
        case .gif: "gif"
        case .webP: "webp"
        case .avif: "avif"
        case .heic, .heicSequence: "heic"
        case .heif: "heif"
        case .tiff: "tif"
        case .bmp: "bmp"
        case .jpegXL: "jxl"
        case .mp4: "mp4"
        case .quickTime: "mov"
        case .threeGPP: "3gp"
        case .threeGPP2: "3g2"
        case .webM: "webm"
        case .matroska: "mkv"
        case .avi: "avi"
        case .mpegTransport: "mts"
        case .mpeg: "mpg"
        }
    }
}
