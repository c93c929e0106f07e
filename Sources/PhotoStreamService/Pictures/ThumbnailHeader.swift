import PhotoStreamModel
import PhotoStreamStorage

/// The format and the size in the header of a thumbnail.
struct ThumbnailHeader: Equatable {
    let format: ThumbnailFormat
    let width: Int
    let height: Int

    /// Reads a WebP or JPEG file; `nil` if it is neither, or truncated.
    ///
    /// Sources: RFC 9649 (WebP), RFC 6386 (VP8), ITU-T T.81 (JPEG).
    init?(_ bytes: [UInt8]) {
        let format: ThumbnailFormat = bytes.starts(with: [0xFF, 0xD8]) ? .jpeg : .webP
        guard let size = format == .jpeg ? Self.jpegSize(bytes) : Self.webPSize(bytes) else { return nil }
        (self.format, width, height) = (format, size.width, size.height)
    }

    /// Returns how a thumbnail differs from its header, as a clause; `nil` if it does not.
    static func problem(of thumbnail: StoredThumbnail) -> String? {
        let (kind, width, height) = (thumbnail.kind, thumbnail.width, thumbnail.height)
        guard let header = Self(thumbnail.bytes) else { return "has no header of a WebP or JPEG file" }
        guard header.format == kind.format else { return "is of the type \(header.format.mediaType)" }
        guard (header.width, header.height) == (width, height) else {
            return "is \(header.width) × \(header.height) pixels, not \(width) × \(height)"
        }
        guard (1...Int(kind.size.rawValue)).contains(max(width, height)), min(width, height) > 0 else {
            return "is \(width) × \(height) pixels"
        }
        return nil
    }

    private static func webPSize(_ bytes: [UInt8]) -> (width: Int, height: Int)? {
        guard bytes.count >= 30, text(bytes, at: 0) == "RIFF", text(bytes, at: 8) == "WEBP",
            little(bytes, at: 4, count: 4) + 8 == bytes.count
        else { return nil }
        switch text(bytes, at: 12) {
        case "VP8 ":
            guard bytes[23...25].elementsEqual([0x9D, 0x01, 0x2A]) else { return nil }
            return (little(bytes, at: 26, count: 2) & 0x3FFF, little(bytes, at: 28, count: 2) & 0x3FFF)
        case "VP8L":
            guard bytes[20] == 0x2F else { return nil }
            let bits = little(bytes, at: 21, count: 4)
            return (bits & 0x3FFF + 1, bits >> 14 & 0x3FFF + 1)
        case "VP8X": return (little(bytes, at: 24, count: 3) + 1, little(bytes, at: 27, count: 3) + 1)
        default: return nil
        }
    }

    private static func jpegSize(_ bytes: [UInt8]) -> (width: Int, height: Int)? {
        var place = 2
        while place + 9 <= bytes.count, bytes[place] == 0xFF {
            let (marker, length) = (bytes[place + 1], big(bytes, at: place + 2))
            switch marker {
            // Tables, not frames.
            case 0xC4, 0xC8, 0xCC: break
            case 0xC0...0xCF: return (big(bytes, at: place + 7), big(bytes, at: place + 5))
            default: break
            }
            guard length >= 2 else { return nil }
            place += 2 + length
        }
        return nil
    }

    private static func text(_ bytes: [UInt8], at place: Int) -> String {
        String(decoding: bytes[place..<place + 4], as: UTF8.self)
    }

    private static func little(_ bytes: [UInt8], at place: Int, count: Int) -> Int {
        bytes[place..<place + count].reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    private static func big(_ bytes: [UInt8], at place: Int) -> Int { Int(bytes[place]) << 8 | Int(bytes[place + 1]) }
}
