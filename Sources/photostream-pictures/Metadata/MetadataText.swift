/// Texts of metadata, in the encodings that cameras and programs use.
enum MetadataText {
    /// Decodes a text up to its first zero byte: UTF-8 if valid, else Windows' Latin.
    ///
    /// - Returns: `nil` if the text is empty.
    static func decoded(_ bytes: some Collection<UInt8>) -> String? {
        let content = Array(bytes.prefix { $0 != 0 })
        return trimmed(String(validating: content, as: UTF8.self) ?? latin(content))
    }

    /// The characters of Windows-1252 from 0x80 to 0x9F; those without one are control characters, as in Latin-1.
    ///
    /// Source: Microsoft's `cp1252.txt` at unicode.org.
    private static let windows = Array(
        "\u{20AC}\u{81}\u{201A}\u{192}\u{201E}\u{2026}\u{2020}\u{2021}\u{2C6}\u{2030}\u{160}\u{2039}\u{152}\u{8D}\u{17D}\u{8F}\u{90}\u{2018}\u{2019}\u{201C}\u{201D}\u{2022}\u{2013}\u{2014}\u{2DC}\u{2122}\u{161}\u{203A}\u{153}\u{9D}\u{17E}\u{178}"
            .unicodeScalars)

    private static func latin(_ bytes: [UInt8]) -> String {
        String(
            String.UnicodeScalarView(
                bytes.map { 0x80...0x9F ~= $0 ? windows[Int($0) - 0x80] : Unicode.Scalar($0) }))
    }

    /// Returns a text that was decoded as Windows' Latin, decoded as UTF-8 if its bytes are valid.
    static func undoingLatin(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 >= 0x80 }) else { return text }
        var bytes: [UInt8] = []
        for scalar in text.unicodeScalars {
            if let place = windows.firstIndex(of: scalar) {
                bytes.append(UInt8(0x80 + place))
            } else if let byte = UInt8(exactly: scalar.value) {
                bytes.append(byte)
            } else {
                return text
            }
        }
        return String(validating: bytes, as: UTF8.self) ?? text
    }

    /// Removes surrounding white space; `nil` if nothing is left.
    static func trimmed(_ text: String) -> String? {
        let scalars = text.unicodeScalars
        guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace && $0.value != 0 }),
            let last = scalars.lastIndex(where: { !$0.properties.isWhitespace && $0.value != 0 })
        else { return nil }
        return String(scalars[first...last])
    }

    /// Whether cameras write this text into every picture.
    static func isBoilerplate(_ text: String) -> Bool {
        let text = text.uppercased()
        return [
            "OLYMPUS DIGITAL CAMERA", "SONY DSC", "DCIM", "DIGITAL CAMERA", "KONICA MINOLTA DIGITAL CAMERA",
            "MINOLTA DIGITAL CAMERA", "SAMSUNG DIGITAL CAMERA", "SAMSUNG", "DEFAULT", "DSC", "SAMSUNG CAMERA PICTURES",
            "EXIF_JPEG_PICTURE", "JPEG", "FILE WRITTEN BY ADOBE PHOTOSHOP", "CHARSET=ASCII",
        ].contains { text == $0 || text.hasPrefix("FILE WRITTEN BY ADOBE PHOTOSHOP") }
    }
}
