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
        var list = UniqueTags()
        guard value.kind == .array else {
            if let tags = try fields.withContent(of: value, tagsOfArray).get() { return tags }
            list.append(splitting: fields.text(of: value))
            return list.tags
        }
        for element in fields.elements(of: value) where element.kind != .null {
            guard element.isScalar else { throw ModelError("the tags contain \(fields.shown(element))") }
            list.append(fields.text(of: element)[...])
        }
        return list.tags
    }

    /// Parses a cell that contains a JSON array, as programs write lists to CSV.
    ///
    /// - Returns: `nil` if the text is anything else, such as `[draft], sea`; a failure if an element is not a tag.
    private static func tagsOfArray(_ text: Bytes) -> Result<[String]?, ModelError> {
        guard let start = text.firstNonBlankOffset, text[start] == UInt8(ascii: "[") else { return .success(nil) }
        var check = JSONScanner(text, from: start)
        guard (try? check.skipValue(depth: 0)) != nil, check.peek() == nil else { return .success(nil) }
        var fields = RecordFields()
        fields.reset(to: text)
        do throws(ModelError) {
            return .success(try uncheckedTags(of: FieldValue(.array, from: start, to: text.count), in: fields))
        } catch {
            return .failure(error)
        }
    }
}

/// A list of distinct tags, in order.
private struct UniqueTags {
    private(set) var tags: [String] = []
    private var known: Set<String> = []

    mutating func append(splitting text: String) {
        for part in text.split(whereSeparator: { $0 == "," || $0 == ";" || $0 == "|" }) { append(part) }
    }

    mutating func append(_ text: Substring) {
        let tag = text.trimmed
        guard !tag.isEmpty, known.insert(tag).inserted else { return }
        tags.append(tag)
    }
}
