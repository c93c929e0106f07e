import PhotoStreamModel

/// A parser of lists of texts: an array, text separated by commas, semicolons or vertical bars, or a cell that contains
/// a JSON array.
enum ListReader {
    /// Returns the texts in order, trimmed, without blank ones and duplicates.
    ///
    /// - Throws: ``ModelError`` if an element is neither text nor a number, if a text or all texts together are too long,
    ///   or if a text contains U+0000.
    static func texts(of value: FieldValue, in fields: RecordFields, as list: PhotoList) throws(ModelError) -> [String]
    {
        let texts = try uncheckedTexts(of: value, in: fields, as: list)
        try list.check(texts)
        return texts
    }

    private static func uncheckedTexts(
        of value: FieldValue, in fields: RecordFields, as list: PhotoList
    ) throws(ModelError) -> [String] {
        guard value.kind == .array else {
            let ofArray = try fields.withContent(of: value) { bytes throws(ModelError) in
                try textsOfArray(bytes, as: list)
            }
            if let ofArray { return ofArray }
            return distinct(fields.text(of: value).split { $0 == "," || $0 == ";" || $0 == "|" })
        }
        var texts: [String] = []
        for element in fields.elements(of: value) where element.kind != .null {
            guard element.isScalar else { throw ModelError("the \(list.name) contain \(fields.shown(element))") }
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
    /// - Throws: ``ModelError`` if an element is not a text of the list.
    private static func textsOfArray(_ text: Bytes, as list: PhotoList) throws(ModelError) -> [String]? {
        guard let start = text.firstNonBlankOffset, text[start] == UInt8(ascii: "[") else { return nil }
        var check = JSONScanner(text, from: start)
        guard (try? check.skipValue(depth: 0)) != nil, check.peek() == nil else { return nil }
        var fields = RecordFields()
        fields.reset(to: text)
        return try uncheckedTexts(of: FieldValue(.array, from: start, to: text.count), in: fields, as: list)
    }
}
