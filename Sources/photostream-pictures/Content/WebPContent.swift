import PhotoStreamPictureMessages

/// The picture's data in a WebP file: the chunks of pixels, transparency, animation and profile.
enum WebPContent {
    /// Returns the parts; `nil` if the file does not consist of chunks.
    ///
    /// The chunk `VP8X` is there if a file has metadata or needs it otherwise, so only its additions to the others count:
    /// that there is a profile or an animation, the size of the latter, and transparency without a chunk for it.
    ///
    /// Source: RFC 9649, section 2.
    ///
    /// - Throws: ``PictureFailure`` if the system cannot read the file.
    static func parts(of bytes: PictureBytes) throws(PictureFailure) -> ContentParts? {
        let head = try bytes.read(at: 4, count: 4)
        guard let length = head.number(at: 0, count: 4, isBigEndian: false) else { return nil }
        let end = 8 + Int64(length)
        guard end <= bytes.byteCount else { return nil }
        var (parts, place) = (ContentParts("webp"), Int64(12))
        var (flags, canvas): (UInt8, [UInt8]) = (0, [])
        var (hasPixels, hasTransparency) = (false, false)
        var chunkCount = 0
        while place < end, !parts.isFull, chunkCount < ContentParts.maximumCount {
            chunkCount += 1
            let head = try bytes.read(at: place, count: 18)
            guard let length = head.number(at: 4, count: 4, isBigEndian: false) else { return nil }
            // Chunks have even lengths, except that some writers leave out the last byte.
            let chunk = place..<(place + 8 + Int64(length))
            guard chunk.upperBound <= end else { return nil }
            if head.has("VP8X", at: 0), head.count == 18 {
                (flags, canvas) = (head[8], Array(head[12...]))
            } else if ["VP8 ", "VP8L", "ANMF"].contains(where: { head.has($0, at: 0) }) {
                hasPixels = true
                hasTransparency = hasTransparency || !head.has("VP8 ", at: 0)
                parts.add(chunk)
            } else if ["ALPH", "ANIM", "ICCP"].contains(where: { head.has($0, at: 0) }) {
                hasTransparency = hasTransparency || head.has("ALPH", at: 0)
                parts.add(chunk)
            }
            place = chunk.upperBound + Int64(length & 1)
        }
        guard hasPixels, !parts.isFull, place >= end else { return nil }
        parts.add(Int(flags & 0x22), hasTransparency ? 0 : Int(flags & 0x10))
        if flags & 0x02 != 0 { parts.add(canvas) }
        return parts
    }
}
