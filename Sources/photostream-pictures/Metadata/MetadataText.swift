/// Texts of metadata, in the encodings that cameras and programs use.
enum MetadataText {
    /// Decodes a text up to its first zero byte: UTF-8 if valid, else Latin-1.
    ///
    /// - Returns: `nil` if the text is empty.
    static func decoded(_ bytes: some Collection<UInt8>) -> String? {
        let content = Array(bytes.prefix { $0 != 0 })
        return trimmed(String(validating: content, as: UTF8.self) ?? latin1(content))
    }

    /// Decodes Latin-1.
    static func latin1(_ bytes: some Sequence<UInt8>) -> String {
        String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
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
