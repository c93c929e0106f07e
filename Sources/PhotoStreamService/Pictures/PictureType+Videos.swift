// The types of videos.
extension PictureType {
    /// Determines the type of a video.
    ///
    /// - Parameter head: The first bytes of its file, ``headByteCount`` or all of a shorter one.
    /// - Returns: The type; `nil` if it is not a video.
    static func video(_ head: [UInt8]) -> PictureType? {
        let brands = brands(head)
        if !brands.isEmpty { return video(ofBrands: brands) }
        if isQuickTimeWithoutBrands(head) { return .quickTime }
        if text(head, from: 0, count: 4) == "RIFF", text(head, from: 8, count: 4) == "AVI " { return .avi }
        switch documentType(head) {
        case "webm": return .webM
        case "matroska": return .matroska
        default: break
        }
        if isProgramStream(head) { return .mpeg }
        return isTransportStream(head) ? .mpegTransport : nil
    }

    // Files of boxes

    /// The first brands of files that are marked with brands of videos, too: raw pictures, and sounds.
    private static let otherBrands: Set<String> = ["crx ", "M4A ", "M4B ", "M4P ", "F4A ", "F4B "]
    /// The brands of files that any player of MP4 plays.
    private static let mp4Brands: Set<String> = [
        "isom", "iso2", "iso3", "iso4", "iso5", "iso6", "iso7", "iso8", "iso9", "mp41", "mp42", "mmp4", "avc1", "M4V ",
        "M4VH", "M4VP", "MSNV", "F4V ", "XAVC", "dash", "cmfc",
    ]

    /// The type of a file with brands; the first decides if it is that of videos of phones.
    private static func video(ofBrands brands: [String]) -> PictureType? {
        guard let first = brands.first, !otherBrands.contains(first) else { return nil }
        if first.hasPrefix("3g2") { return .threeGPP2 }
        if first.hasPrefix("3g") { return .threeGPP }
        // A QuickTime file that is also marked as an MP4 file is one.
        if !mp4Brands.isDisjoint(with: brands) { return .mp4 }
        return brands.contains("qt  ") ? .quickTime : nil
    }

    /// Whether the file begins with the atoms of a QuickTime file from before brands.
    ///
    /// Free space may precede the others. A text may begin with its names, as "All free" does, so that another atom
    /// must follow it.
    ///
    /// Source: QuickTime File Format Specification (2001), "Overview of the File Format".
    private static func isQuickTimeWithoutBrands(_ head: [UInt8]) -> Bool {
        var start = 0
        while let name = text(head, from: start + 4, count: 4) {
            let length = head[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
            switch name {
            case "moov", "mdat": return true
            case "wide", "free", "skip", "pnot":
                guard length >= 8 else { return false }
                start += length
            default: return false
            }
        }
        return false
    }

    // Matroska

    /// The type of document of an EBML file; `nil` if it is none.
    ///
    /// Source: RFC 8794, sections 4 to 6 and 11.2.4.
    private static func documentType(_ head: [UInt8]) -> String? {
        guard head.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) else { return nil }
        var rest = head[4...]
        guard let headerLength = number(from: &rest) else { return nil }
        rest = rest.prefix(headerLength)
        while let id = number(from: &rest, keepsMarker: true), let length = number(from: &rest), length <= rest.count {
            if id == 0x4282 { return String(decoding: rest.prefix(length).prefix { $0 != 0 }, as: UTF8.self) }
            rest = rest.dropFirst(length)
        }
        return nil
    }

    /// Reads a number of variable length; `nil` if it is not there or invalid.
    private static func number(from rest: inout ArraySlice<UInt8>, keepsMarker: Bool = false) -> Int? {
        guard let first = rest.first, first != 0, rest.count > first.leadingZeroBitCount else { return nil }
        let others = first.leadingZeroBitCount
        let start = keepsMarker ? Int(first) : Int(first) & (0x7F >> others)
        let value = rest.dropFirst().prefix(others).reduce(start) { $0 << 8 | Int($1) }
        rest = rest.dropFirst(1 + others)
        return value
    }

    // MPEG

    /// Whether the file begins with the header of a pack.
    ///
    /// Source: ISO/IEC 13818-1, section 2.5.3.4; ISO/IEC 11172-1, section 2.4.3.2.
    private static func isProgramStream(_ head: [UInt8]) -> Bool {
        guard head.starts(with: [0, 0, 1, 0xBA]), head.count > 4 else { return false }
        return head[4] & 0xC0 == 0x40 || head[4] & 0xF0 == 0x20
    }

    /// Whether the file begins with three packets of 188 bytes, or with three that follow four bytes of a time each, as
    /// those of camcorders do.
    ///
    /// Source: ISO/IEC 13818-1, section 2.4.3.2.
    private static func isTransportStream(_ head: [UInt8]) -> Bool {
        [(first: 0, length: 188), (first: 4, length: 192)].contains { packets in
            (0..<3).allSatisfy { number in
                let start = packets.first + number * packets.length
                // No error, not scrambled, and with an adaptation field or a payload.
                return start + 4 <= head.count && head[start] == 0x47 && head[start + 1] & 0x80 == 0
                    && head[start + 3] & 0xC0 == 0 && head[start + 3] & 0x30 != 0
            }
        }
    }
}
