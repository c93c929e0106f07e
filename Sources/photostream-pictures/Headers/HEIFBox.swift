/// A box of an ISO base media file, by its place in bytes.
struct HEIFBox {
    /// The maximum number of boxes in one box.
    private static let maximumCount = 65_536

    let kind: [UInt8]
    /// The range of the content in the bytes.
    let content: Range<Int>

    func isKind(_ name: StaticString) -> Bool { kind.has(name, at: 0) }

    /// Reads an unsigned number at an offset of the content.
    func number(at offset: Int, count: Int, of bytes: [UInt8]) -> Int? {
        guard offset <= content.count - count else { return nil }
        return bytes.number(at: content.lowerBound + offset, count: count, isBigEndian: true)
    }

    /// Lists the boxes in a range; stops at the first damaged one.
    static func children(of bytes: [UInt8], in range: Range<Int>) -> [HEIFBox] {
        var (boxes, place) = ([HEIFBox](), range.lowerBound)
        while boxes.count < maximumCount, range.upperBound - place >= 8,
            let short = bytes.number(at: place, count: 4, isBigEndian: true)
        {
            // Boxes of more than 4 GiB exceed the maximum size.
            let count = short == 0 ? range.upperBound - place : short
            guard count >= 8, count <= range.upperBound - place else { break }
            boxes.append(HEIFBox(kind: Array(bytes[(place + 4)..<(place + 8)]), content: (place + 8)..<(place + count)))
            place += count
        }
        return boxes
    }
}
