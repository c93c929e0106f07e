import PhotoStreamPictureMessages

/// The samples of a film: the contents of its boxes `mdat`, wherever they lie.
///
/// If they have more than 64 MiB, only some blocks are read, with the length of all.
enum FilmContent {
    /// Returns the parts; `nil` if the file does not consist of boxes with samples.
    ///
    /// - Throws: ``PictureFailure`` if the system cannot read the file.
    static func parts(of bytes: PictureBytes) throws(PictureFailure) -> ContentParts? {
        guard let boxes = try FileBox.all(of: bytes) else { return nil }
        let samples = boxes.filter { $0.isKind("mdat") }.map(\.content)
        guard samples.contains(where: { !$0.isEmpty }) else { return nil }
        var parts = ContentParts("film")
        parts.addBounded(samples)
        return parts
    }

    /// Returns the parts that stand for all bytes of a large file: blocks of the samples, and everything else.
    ///
    /// - Throws: ``PictureFailure`` if the system cannot read the file.
    static func boundedFile(_ bytes: PictureBytes) throws(PictureFailure) -> ContentParts {
        var parts = ContentParts("file")
        let boxes = try FileBox.all(of: bytes) ?? []
        let samples = boxes.filter { $0.isKind("mdat") }.map(\.content)
        if samples.isEmpty {
            parts.addBounded([0..<bytes.byteCount])
        } else {
            parts.addBounded(boxes.map { $0.isKind("mdat") ? $0.range.lowerBound..<$0.content.lowerBound : $0.range })
            parts.addBounded(samples)
        }
        return parts
    }
}
