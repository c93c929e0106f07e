extension PhotoText {
    /// The name in JSON, of the column in a CSV file and in the table `photo`.
    public var name: StaticString { row.name }

    /// The meaning, as a sentence.
    package var summary: String { row.summary }

    /// The maximum length in bytes of UTF-8: 64 KB for a caption, 4 KB for any other text.
    public var maximumByteCount: Int { row.maximumByteCount }

    /// Checks that a text is not too long and does not contain U+0000.
    ///
    /// - Throws: ``ModelError`` that names the text.
    /// - Complexity: O(bytes).
    public func check(_ text: String) throws(ModelError) {
        let problem = problem(byteCount: text.utf8.count, hasNUL: text.utf8.contains(0))
        if let problem { throw ModelError(problem) }
    }

    /// Returns why a text cannot be stored, or `nil` if it can.
    ///
    /// - Parameters:
    ///   - byteCount: The length of its UTF-8.
    ///   - hasNUL: Whether it contains U+0000.
    /// - Returns: The reason as a clause.
    package func problem(byteCount: Int, hasNUL: Bool) -> String? {
        PhotoText.problem(byteCount: byteCount, hasNUL: hasNUL, noun: row.noun, maximumByteCount: maximumByteCount)
    }

    fileprivate static func problem(
        byteCount: Int, hasNUL: Bool, noun: @autoclosure () -> String, maximumByteCount: Int
    ) -> String? {
        guard byteCount <= maximumByteCount else {
            return "\(noun()) has \(byteCount) bytes, more than \(maximumByteCount)"
        }
        return hasNUL ? "\(noun()) holds a NUL character (U+0000)" : nil
    }
}

extension PhotoList {
    /// The name in JSON, of the column in a CSV file and in the table `photo`.
    public var name: StaticString { row.name }

    /// The meaning, as a sentence.
    package var summary: String { row.summary }

    /// The maximum length of one element, in bytes of UTF-8: 255 for an album, 4 KB for any other.
    public var maximumByteCount: Int { row.maximumByteCount }

    /// The maximum length of all elements of a photo together, in bytes of UTF-8: 64 KB.
    public var maximumTotalByteCount: Int { row.maximumTotalByteCount }

    /// Checks the elements of a list, each and all together.
    ///
    /// - Throws: ``ModelError`` that names the text that is too long, contains U+0000, or is not the path of an album.
    /// - Complexity: O(bytes).
    public func check(_ texts: [String]) throws(ModelError) {
        for text in texts {
            let found = PhotoText.problem(
                byteCount: text.utf8.count, hasNUL: text.utf8.contains(0), noun: row.noun,
                maximumByteCount: maximumByteCount)
            if let found = found ?? (self == .albums ? PhotoAlbum.problem(of: text) : nil) { throw ModelError(found) }
        }
        let byteCount = texts.reduce(0) { $0 + $1.utf8.count }
        guard byteCount <= maximumTotalByteCount else {
            throw ModelError("the \(name) have \(byteCount) bytes together, more than \(maximumTotalByteCount)")
        }
    }
}

extension PhotoFlag {
    /// The name in JSON, of the column in a CSV file and in the table `photo`.
    public var name: StaticString { row.name }

    /// The meaning, as a sentence.
    package var summary: String { row.summary }
}
