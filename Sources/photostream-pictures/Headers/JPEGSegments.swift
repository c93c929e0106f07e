import PhotoStreamPictureMessages

/// The segments of a JPEG file before its pixels.
enum JPEGSegments {
    /// The maximum number of segments that are read.
    private static let maximumCount = 2_000

    /// Whether all metadata is in segments that our own reader knows: at most one each with EXIF, XMP and IPTC-IIM.
    ///
    /// Others are the metadata of cameras before EXIF (CIFF, Agfa's and Olympus' APP12, Kodak's APP3), a second part of
    /// XMP, and EXIF in several parts.
    ///
    /// - Throws: ``PictureFailure`` if the system cannot read the file.
    static func areKnown(in file: OpenedPicture) throws(PictureFailure) -> Bool {
        var (place, exifCount, xmpCount, photoshopCount) = (Int64(2), 0, 0, 0)
        for _ in 0..<maximumCount {
            // The longest name is that of XMP.
            let head = try file.read(at: place, count: 40)
            guard head.count >= 4, head[0] == 0xFF else { return true }
            if head[1] == 0xFF {
                place += 1
                continue
            }
            // The pixels begin.
            guard head[1] != 0xDA, head[1] != 0xD9, let length = head.number(at: 2, count: 2, isBigEndian: true)
            else { return true }
            switch head[1] {
            case 0xE0 where head.has("HEAPJPGM", at: 10): return false
            case 0xE1 where head.has("Exif\0", at: 4): exifCount += 1
            case 0xE1 where head.has("http://ns.adobe.com/xap/1.0/\0", at: 4): xmpCount += 1
            case 0xE1 where head.has("http://ns.adobe.com/xmp/extension/", at: 4): return false
            case 0xE3 where head.has("Meta\0", at: 4) || head.has("META\0", at: 4): return false
            case 0xEC where !head.has("Ducky", at: 4): return false
            case 0xED where head.has("Photoshop 3.0", at: 4): photoshopCount += 1
            default: break
            }
            guard exifCount <= 1, xmpCount <= 1, photoshopCount <= 1 else { return false }
            place += 2 + Int64(length)
        }
        return false
    }
}
