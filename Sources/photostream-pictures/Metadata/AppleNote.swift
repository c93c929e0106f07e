/// The note of an Apple camera in EXIF, a directory whose offsets count from the note's first byte.
enum AppleNote {
    private static let maximumByteCount = 256

    /// Returns a text in a note.
    ///
    /// - Parameters:
    ///   - tag: The tag of the text.
    ///   - bytes: The note of any camera.
    /// - Returns: `nil` if the note has none, is damaged, or is another maker's.
    static func text(_ tag: Int, in bytes: [UInt8]) -> String? {
        guard bytes.has("Apple iOS\0", at: 0), bytes.has("MM", at: 12) || bytes.has("II", at: 12) else { return nil }
        let isBigEndian = bytes.has("MM", at: 12)
        func number(at place: Int, count: Int) -> Int? {
            bytes.number(at: place, count: count, isBigEndian: isBigEndian)
        }
        for entry in 0..<(number(at: 14, count: 2) ?? 0) {
            let place = 16 + entry * 12
            guard let found = number(at: place, count: 2) else { return nil }
            guard found == tag else { continue }
            guard number(at: place + 2, count: 2) == 2, let count = number(at: place + 4, count: 4),
                count <= maximumByteCount,
                let start = count <= 4 ? place + 8 : number(at: place + 8, count: 4), start <= bytes.count - count
            else { return nil }
            return MetadataText.decoded(bytes[start..<start + count])
        }
        return nil
    }
}
