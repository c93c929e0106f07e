import PhotoStreamModel

/// A parser of tags: an array, text separated by commas, semicolons or vertical bars, or a cell that contains a JSON
/// array.
enum TagReader {
    /// Returns the tags in order, trimmed, without blank ones and duplicates.
    ///
    /// - Throws: ``ModelError`` if an element is neither text nor a number, if a tag or all tags together are too long,
    ///   or if a tag contains U+0000.
    static func tags(of value: FieldValue, in fields: RecordFields) throws(ModelError) -> [String] {
        let tags = try uncheckedTags(of: value, in: fields)
        try PhotoTag.check(tags)
        return tags
    }

    private static func uncheckedTags(of value: FieldValue, in fields: RecordFields) throws(ModelError) -> [String] {
        guard value.kind == .array else {
            if let tags = try fields.withContent(of: value, tagsOfArray) { return tags }
            return distinct(fields.text(of: value).split { $0 == "," || $0 == ";" || $0 == "|" })
        }
        var texts: [String] = []
        for element in fields.elements(of: value) where element.kind != .null {
            guard element.isScalar else { throw ModelError("the tags contain \(fields.shown(element))") }
            texts.append(fields.text(of: element))
        }
        return distinct(texts)
    }

    /// Returns texts in order, trimmed, without blank ones and duplicates.
    private static func distinct(_ texts: [some StringProtocol]) -> [String] {
        var known: Set<String> = []
        return texts.map(\.trimmed).filter { !$0.isEmpty && known.insert($0).inserted }
    }

    /// Parses a cell that contains a JSON array, as programs write lists to CSV.
    ///
    /// - Returns: `nil` if the text is anything else, such as `[draft], sea`.
    /// - Throws: ``ModelError`` if an element is not a tag.
    private static func tagsOfArray(_ text: Bytes) throws(ModelError) -> [String]? {
        guard let start = text.firstNonBlankOffset, text[start] == UInt8(ascii: "[") else { return nil }
        var check = JSONScanner(text, from: start)
        guard (try? check.skipValue(depth: 0)) != nil, check.peek() == nil else { return nil }
        var fields = RecordFields()
        fields.reset(to: text)
        return try uncheckedTags(of: FieldValue(.array, from: start, to: text.count), in: fields)
    }
}
