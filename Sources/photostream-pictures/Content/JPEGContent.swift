import PhotoStreamPictureMessages

/// The picture's data in a JPEG file: everything up to the end of its pixels but the segments of applications and
/// comments.
///
/// The profile and Adobe's segment change the colours of the pixels, so they count. JFIF has a resolution, which programs change.
/// Data after the end, such as further pictures or the film of a motion photo, is not the picture.
enum JPEGContent {
    /// The maximum number of segments and filling bytes before the pixels.
    private static let maximumCount = 10_000

    /// Returns the parts; `nil` if the file does not consist of segments up to its pixels.
    ///
    /// Source: ISO/IEC 10918-1, annex B.
    ///
    /// - Throws: ``PictureFailure`` if the system cannot read the file.
    static func parts(of bytes: PictureBytes) throws(PictureFailure) -> ContentParts? {
        var (parts, place) = (ContentParts("jpeg"), Int64(2))
        for _ in 0..<maximumCount {
            // The longest name is that of a profile.
            let head = try bytes.read(at: place, count: 16)
            guard head.count >= 4, head[0] == 0xFF else { return nil }
            if head[1] == 0xFF {
                place += 1
                continue
            }
            guard let length = head.number(at: 2, count: 2, isBigEndian: true), length >= 2 else { return nil }
            let segment = place..<(place + 2 + Int64(length))
            guard segment.upperBound <= bytes.byteCount else { return nil }
            switch head[1] {
            case 0xDA:
                parts.add(place..<(try end(of: bytes, after: segment.upperBound)))
                return parts
            case 0xE2 where head.has("ICC_PROFILE\0", at: 4), 0xEE where head.has("Adobe", at: 4): parts.add(segment)
            case 0xE0...0xEF, 0xFE: break
            case 0x00...0xBF, 0xD0...0xD9: return nil
            default: parts.add(segment)
            }
            place = segment.upperBound
        }
        return nil
    }

    /// Returns the offset after the marker that ends a picture; the end of the file if there is none.
    private static func end(of bytes: PictureBytes, after start: Int64) throws(PictureFailure) -> Int64 {
        var place = start
        while place < bytes.byteCount {
            // A marker with its length may begin with the last byte of a block.
            let block = try bytes.read(at: place, count: ContentHash.blockByteCount + 3)
            guard !block.isEmpty else { break }
            let end = block.count > ContentHash.blockByteCount ? ContentHash.blockByteCount : block.count
            var index = 0
            while index < end, let found = block[index..<end].firstIndex(of: 0xFF) {
                guard found + 1 < block.count else { return bytes.byteCount }
                switch block[found + 1] {
                case 0x00, 0xD0...0xD7: index = found + 2
                case 0xFF: index = found + 1
                case 0xD9: return place + Int64(found) + 2
                default:
                    // A segment between two scans.
                    guard let length = block.number(at: found + 2, count: 2, isBigEndian: true) else {
                        return bytes.byteCount
                    }
                    index = found + 2 + max(length, 2)
                }
            }
            place += Int64(max(index, end))
        }
        return bytes.byteCount
    }
}
