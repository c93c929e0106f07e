import PhotoStreamPictureMessages

/// The picture's data in a PNG file: its critical chunks, and those that change its colours or are frames.
enum PNGContent {
    /// The chunks of colours, transparency and animations.
    private static let kept = Set(
        ["tRNS", "gAMA", "cHRM", "sRGB", "iCCP", "cICP", "sBIT", "bKGD", "acTL", "fcTL", "fdAT"].map {
            Array($0.utf8)
        })

    /// Returns the parts; `nil` if the file does not consist of chunks up to the last one.
    ///
    /// Checksums are hashed, too, since a decoder may leave out a chunk with a wrong one.
    ///
    /// Source: the PNG specification, third edition, sections 5.3 and 11.
    ///
    /// - Throws: ``PictureFailure`` if the system cannot read the file.
    static func parts(of bytes: PictureBytes) throws(PictureFailure) -> ContentParts? {
        var (parts, place) = (ContentParts("png"), Int64(8))
        for _ in 0..<ContentParts.maximumCount {
            let head = try bytes.read(at: place, count: 8)
            guard head.count == 8, let length = head.number(at: 0, count: 4, isBigEndian: true) else { return nil }
            let (name, end) = (Array(head[4...]), place + 12 + Int64(length))
            guard end <= bytes.byteCount else { return nil }
            // A small first letter marks a chunk that decoders may leave out.
            if name[0] & 0x20 == 0 || kept.contains(name) { parts.add(place..<end) }
            if name.has("IEND", at: 0) { return parts }
            place = end
        }
        return nil
    }
}
