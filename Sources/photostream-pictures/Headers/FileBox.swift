import PhotoStreamPictureMessages

/// A box of an ISO base media file, by its place in the file, so that boxes of any length are skipped unread.
///
/// Source: ISO/IEC 14496-12, section 4.2.
struct FileBox {
    /// The maximum number of boxes in one box, or at the top of a file when one is searched for.
    private static let maximumCount = 1_024
    /// The maximum number of all boxes at the top of a file: a long film has two for each of its fragments.
    private static let maximumTopCount = 65_536

    /// The four characters of its kind.
    let kind: [UInt8]
    /// The range of the whole box in the file.
    let range: Range<Int64>
    /// The range of its content in the file.
    let content: Range<Int64>

    func isKind(_ name: StaticString) -> Bool { kind.has(name, at: 0) }

    /// Reads the start of the content, at most `count` bytes.
    ///
    /// - Throws: ``PictureFailure`` if the system cannot read the file.
    func bytes(of file: OpenedPicture, atMost count: Int) throws(PictureFailure) -> [UInt8] {
        try file.read(at: content.lowerBound, count: Int(min(Int64(count), Int64(content.count))))
    }

    /// Lists the boxes in this one.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - skipped: The number of bytes before the first box.
    /// - Returns: The boxes up to the first damaged one.
    /// - Throws: ``PictureFailure`` if the system cannot read the file.
    func children(of file: OpenedPicture, after skipped: Int64 = 0) throws(PictureFailure) -> [FileBox] {
        guard skipped < content.count else { return [] }
        return try Self.boxes(of: .file(file), in: (content.lowerBound + skipped)..<content.upperBound)
    }

    /// Returns the first box of a kind at the top of a file.
    ///
    /// - Returns: `nil` if there is none before the first damaged box.
    /// - Throws: ``PictureFailure`` if the system cannot read the file.
    static func first(_ kind: StaticString, of file: OpenedPicture) throws(PictureFailure) -> FileBox? {
        try boxes(of: .file(file), in: 0..<file.byteCount, upTo: kind).last.flatMap { $0.isKind(kind) ? $0 : nil }
    }

    /// Lists the boxes at the top of a file.
    ///
    /// - Returns: `nil` if the file does not consist of boxes.
    /// - Throws: ``PictureFailure`` if the system cannot read the file.
    static func all(of bytes: PictureBytes) throws(PictureFailure) -> [FileBox]? {
        let boxes = try boxes(of: bytes, in: 0..<bytes.byteCount, limit: maximumTopCount)
        return boxes.last?.range.upperBound == bytes.byteCount ? boxes : nil
    }

    /// Lists the boxes in a range, up to the first damaged one and the first of a kind.
    ///
    /// - Throws: ``PictureFailure`` if the system cannot read the file.
    static func boxes(
        of file: PictureBytes, in range: Range<Int64>, upTo kind: StaticString? = nil, limit: Int = maximumCount
    ) throws(PictureFailure) -> [FileBox] {
        var (boxes, place) = ([FileBox](), range.lowerBound)
        while boxes.count < limit, range.upperBound - place >= 8 {
            let head = try file.read(at: place, count: 16)
            guard let short = head.number(at: 0, count: 4, isBigEndian: true), head.count >= 8 else { break }
            var (headCount, count) = (Int64(8), Int64(short))
            if short == 1 {
                guard let high = head.number(at: 8, count: 4, isBigEndian: true), high < 1 << 24,
                    let low = head.number(at: 12, count: 4, isBigEndian: true)
                else { break }
                (headCount, count) = (16, Int64(high) << 32 | Int64(low))
            } else if short == 0 {
                count = range.upperBound - place
            }
            guard count >= headCount, count <= range.upperBound - place else { break }
            let box = FileBox(
                kind: Array(head[4..<8]), range: place..<(place + count), content: (place + headCount)..<(place + count)
            )
            boxes.append(box)
            if let kind, box.isKind(kind) { break }
            place += count
        }
        return boxes
    }
}
