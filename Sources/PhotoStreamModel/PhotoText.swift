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

/// The limits of tags.
public enum PhotoTag: Sendable {
    /// The maximum length of one tag, in bytes of UTF-8.
    public static let maximumByteCount = 4 * 1_024

    /// The maximum length of all tags of a photo together, in bytes of UTF-8.
    public static let maximumTotalByteCount = 64 * 1_024

    /// Checks the tags of a photo, each and all together.
    ///
    /// - Throws: ``ModelError`` that names the text that is too long.
    public static func check(_ tags: [String]) throws(ModelError) {
        for tag in tags {
            let found = PhotoText.problem(
                byteCount: tag.utf8.count, hasNUL: tag.utf8.contains(0), noun: "a tag",
                maximumByteCount: maximumByteCount)
            if let found { throw ModelError(found) }
        }
        let byteCount = tags.reduce(0) { $0 + $1.utf8.count }
        guard byteCount <= maximumTotalByteCount else {
            throw ModelError("the tags have \(byteCount) bytes together, more than \(maximumTotalByteCount)")
        }
    }
}

extension PhotoNumber {
    /// The name in JSON, of the column in a CSV file and in the table `photo`.
    public var name: StaticString { row.name }

    /// The meaning, as a sentence.
    package var summary: String { row.summary }

    /// The values that are accepted.
    public var range: ClosedRange<Int> { Int(row.range.lowerBound)...Int(row.range.upperBound) }

    /// Checks that a number is in range.
    ///
    /// - Throws: ``ModelError`` that names the number.
    public func check(_ value: Int) throws(ModelError) {
        if !range.contains(value) { throw problem(of: "\(value)") }
    }

    /// Returns the error for a value that is not such a number.
    package func problem(of value: String) -> ModelError {
        ModelError("\"\(value)\" is not \(row.noun) from \(range.lowerBound) to \(range.upperBound)")
    }
}
