import PhotoStreamPictureMessages

/// The formats that the first bytes of a file allow.
enum PictureSignature {
    /// The number of bytes that ``format(of:)`` reads.
    static let byteCount = 4_096

    /// Returns the format of a file with these first bytes, or `nil` if it is unknown.
    static func format(of head: [UInt8]) -> PictureFormat? {
        if head.starts(with: [0xFF, 0xD8, 0xFF]) { return .jpeg }
        if head.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return .png }
        if head.has("GIF87a", at: 0) || head.has("GIF89a", at: 0) { return .gif }
        if head.has("RIFF", at: 0), head.has("WEBP", at: 8) { return .webP }
        if head.has("ftyp", at: 4), let format = format(ofBrandsIn: head) { return format }
        if isRaw(head) { return .raw }
        let isBigEndian = head.has("MM", at: 0)
        if isBigEndian || head.has("II", at: 0),
            [42, 43].contains(head.number(at: 2, count: 2, isBigEndian: isBigEndian))
        {
            return isTIFFOfCamera(head, isBigEndian: isBigEndian) ? .raw : .tiff
        }
        if head.has("BM", at: 0) { return .bmp }
        if head.starts(with: [0xFF, 0x0A]) || head.has("JXL ", at: 4) { return .jpegXL }
        return VideoContainer(head) == nil ? nil : .video
    }

    /// Whether the file begins like a camera's raw file that is not a TIFF: Fujifilm's RAF, Olympus' ORF, Sigma's X3F,
    /// Minolta's MRW, Canon's CRW and CR2, Panasonic's RW2.
    private static func isRaw(_ head: [UInt8]) -> Bool {
        head.has("FUJIFILMCCD-RAW", at: 0) || head.has("IIRO", at: 0) || head.has("IIRS", at: 0)
            || head.has("MMOR", at: 0) || head.has("FOVb", at: 0) || head.has("\0MRM", at: 0)
            || head.has("HEAPCCDR", at: 6)
            || (head.has("II", at: 0) && (head.has("CR", at: 8) || head.has("U", at: 2)))
    }

    /// Returns the format for an ISO base media file's brands; `nil` if none is that of a picture.
    private static func format(ofBrandsIn head: [UInt8]) -> PictureFormat? {
        guard let length = head.number(at: 0, count: 4, isBigEndian: true) else { return nil }
        if head.has("crx ", at: 8) { return .raw }
        var found: PictureFormat?
        for index in stride(from: 8, to: min(length, head.count, 256), by: 4) where index != 12 {
            if head.has("avif", at: index) || head.has("avis", at: index) { return .avif }
            for brand: StaticString in ["heic", "heix", "hevc", "hevx", "heim", "heis", "mif1", "msf1"]
            where head.has(brand, at: index) {
                found = .heic
            }
        }
        return found
    }

    /// Whether the first directory is that of a camera's raw file: a DNG, a small preview with the picture in a
    /// subdirectory, or a compression that only cameras use.
    private static func isTIFFOfCamera(_ head: [UInt8], isBigEndian: Bool) -> Bool {
        guard let start = head.number(at: 4, count: 4, isBigEndian: isBigEndian),
            let count = head.number(at: start, count: 2, isBigEndian: isBigEndian)
        else { return false }
        var (isPreview, hasSubdirectories) = (false, false)
        for entry in 0..<count {
            let place = start + 2 + entry * 12
            guard let tag = head.number(at: place, count: 2, isBigEndian: isBigEndian) else { break }
            let value = head.number(at: place + 8, count: 4, isBigEndian: isBigEndian)
            let short = head.number(at: place + 8, count: 2, isBigEndian: isBigEndian)
            switch tag {
            case 0xC612: return true
            case 0xFE: isPreview = value.map { $0 & 1 == 1 } ?? false
            case 0x14A: hasSubdirectories = true
            case 0x103: if let short, [34_713, 65_535, 32_767, 32_770].contains(short) { return true }
            default: break
            }
        }
        return isPreview && hasSubdirectories
    }
}
