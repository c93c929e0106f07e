import PhotoStreamPictureMessages

/// The picture's data in a GIF file: everything but its version, comments and XMP.
enum GIFContent {
    /// Returns the parts; `nil` if the file does not consist of blocks up to its trailer.
    ///
    /// Source: the GIF89a specification, sections 18 to 26.
    ///
    /// - Throws: ``PictureFailure`` if the system cannot read the file.
    static func parts(of bytes: PictureBytes) throws(PictureFailure) -> ContentParts? {
        var parts = ContentParts("gif")
        // Programs that add a comment also raise the version.
        let screen = try bytes.read(at: 6, count: 7)
        guard screen.count == 7 else { return nil }
        var place = 13 + colorByteCount(screen[4])
        parts.add(6..<place)
        for _ in 0..<ContentParts.maximumCount where !parts.isFull {
            let head = try bytes.read(at: place, count: 14)
            guard let kind = head.first else { return nil }
            switch kind {
            case 0x3B: return parts
            case 0x2C:
                guard head.count >= 10 else { return nil }
                // The descriptor, the colours, and the size of the codes.
                let data = place + 10 + colorByteCount(head[9]) + 1
                guard let end = try end(ofBlocksAt: data, in: bytes) else { return nil }
                parts.add(place..<end)
                place = end
            case 0x21:
                guard head.count >= 2, let end = try end(ofBlocksAt: place + 2, in: bytes) else { return nil }
                let isMetadata = head[1] == 0xFE || head[1] == 0xFF && head.has("XMP DataXMP", at: 3)
                if !isMetadata { parts.add(place..<end) }
                place = end
            default: return nil
            }
        }
        return nil
    }

    /// Returns the length of a table of colours, from the flags before it.
    private static func colorByteCount(_ flags: UInt8) -> Int64 { flags & 0x80 == 0 ? 0 : 6 << Int64(flags & 7) }

    /// The maximum number of blocks in a series, of up to 255 bytes each.
    private static let maximumBlockCount = 4_000_000

    /// Returns the end of a series of blocks, after its empty one; `nil` if the file ends before, or there are too many.
    private static func end(ofBlocksAt start: Int64, in bytes: PictureBytes) throws(PictureFailure) -> Int64? {
        var place = start
        for _ in 0..<maximumBlockCount {
            guard let count = try bytes.read(at: place, count: 1).first else { return nil }
            place += 1 + Int64(count)
            if count == 0 { return place }
        }
        return nil
    }
}
