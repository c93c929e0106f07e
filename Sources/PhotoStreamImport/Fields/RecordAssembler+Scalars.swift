import PhotoStreamModel

extension RecordAssembler {
    /// A text without outer white space.
    ///
    /// - Throws: ``ModelError`` for a text that is too long or holds U+0000.
    static func trimmedText(_ bytes: UnsafeRawBufferPointer, _ kind: PhotoText) throws(ModelError) -> String {
        let trimmed = bytes.trimmedBlanks
        if let problem = kind.problem(in: trimmed) { throw ModelError(problem) }
        let text = String(decoding: trimmed, as: UTF8.self)
        // Only scalars beyond the four blanks need the slow way: U+00A0 and its like, vertical tab, form feed.
        guard let first = trimmed.first, let last = trimmed.last, isOdd(first) || isOdd(last) else { return text }
        return text.trimmed
    }

    private static func isOdd(_ byte: UInt8) -> Bool { byte < 0x20 || byte >= 0x80 }

    /// The orientation that a number or the words of an EXIF tool mean.
    static func orientation(_ bytes: UnsafeRawBufferPointer) throws(ModelError) -> Orientation {
        let trimmed = bytes.trimmedBlanks
        if trimmed.count == 1, let orientation = Orientation(rawValue: trimmed[0] &- UInt8(ascii: "0")) {
            return orientation
        }
        let text = String(decoding: trimmed, as: UTF8.self)
        if let index = orientationWords.firstIndex(of: text.lowercased()) { return Orientation.allCases[index] }
        if let number = try? DecimalNumber(trimmed), number.isWhole, !number.isNegative,
            let value = number.scaled(byPowerOfTen: 0), value <= 8,
            let orientation = Orientation(rawValue: UInt8(value))
        {
            return orientation
        }
        throw ModelError("\"\(text.shortened)\" is not an orientation from 1 to 8")
    }

    /// What exiftool prints for 1 to 8, in lower case.
    private static let orientationWords = [
        "horizontal (normal)", "mirror horizontal", "rotate 180", "mirror vertical",
        "mirror horizontal and rotate 270 cw", "rotate 90 cw", "mirror horizontal and rotate 90 cw", "rotate 270 cw",
    ]

    /// A number of degrees; only plain decimal notation, no `nan` and no hexadecimal.
    static func degrees(_ value: FieldValue, in fields: RecordFields) -> Double? {
        guard value.isScalar else { return nil }
        return fields.withContent(of: value) { bytes in
            guard (try? DecimalNumber(bytes)) != nil else { return nil }
            return Double(String(decoding: bytes.trimmedBlanks, as: UTF8.self))
        }
    }
}
