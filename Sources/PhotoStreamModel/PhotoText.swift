/// A text field of a photo, with its maximum length.
///
/// A longer text, or one that contains U+0000, is left out of an import with a warning; an edit with it fails. Rows
/// that already hold longer texts are left as they are.
public enum PhotoText: Sendable, CaseIterable {
    /// The caption.
    case caption
    /// The alternative text.
    case alt
    /// A single tag.
    case tag
    /// The URL or path of the image.
    case location
    /// The hash of the image file's bytes.
    case contentHash
    /// A ThumbHash or BlurHash as text.
    case placeholder

    /// The maximum length of all tags of a photo together, in bytes of UTF-8.
    public static let maximumTagsByteCount = 64 * 1_024

    /// The maximum length in bytes of UTF-8: 64 KB for a caption, 4 KB for any other text.
    public var maximumByteCount: Int { self == .caption ? 64 * 1_024 : 4 * 1_024 }

    /// Checks that a text is not too long and does not contain U+0000.
    ///
    /// - Throws: ``ModelError`` that names the text.
    /// - Complexity: O(bytes).
    public func check(_ text: String) throws(ModelError) {
        var text = text
        let hasNUL = text.withUTF8 { $0.contains(0) }
        if let problem = problem(byteCount: text.utf8.count, hasNUL: hasNUL) { throw ModelError(problem) }
    }

    /// Returns why a text cannot be stored, or `nil` if it can.
    ///
    /// - Parameters:
    ///   - byteCount: The length of its UTF-8.
    ///   - hasNUL: Whether it contains U+0000.
    /// - Returns: The reason as a clause.
    package func problem(byteCount: Int, hasNUL: Bool) -> String? {
        guard byteCount <= maximumByteCount else {
            return "\(noun) has \(byteCount) bytes, more than \(maximumByteCount)"
        }
        return hasNUL ? "\(noun) holds a NUL character (U+0000)" : nil
    }

    private var noun: String {
        switch self {
        case .caption: "the caption"
        case .alt: "the alternative text"
        case .tag: "a tag"
        case .location: "the location"
        case .contentHash: "the content hash"
        case .placeholder: "the placeholder"
        }
    }
}

extension PhotoText {
    /// Checks the tags of a photo, each and all together.
    ///
    /// - Throws: ``ModelError`` that names what is too long.
    public static func check(tags: [String]) throws(ModelError) {
        for tag in tags { try PhotoText.tag.check(tag) }
        let byteCount = tags.reduce(0) { $0 + $1.utf8.count }
        guard byteCount <= maximumTagsByteCount else {
            throw ModelError("the tags have \(byteCount) bytes together, more than \(maximumTagsByteCount)")
        }
    }
}

extension PhotoRecord {
    /// Checks the length of each text that the record sets, and that none holds U+0000.
    ///
    /// - Throws: ``ModelError`` that names the text.
    public func checkTexts() throws(ModelError) {
        let texts: [(PhotoText, FieldChange<String>)] = [
            (.caption, caption), (.alt, alt), (.location, location), (.contentHash, contentHash),
            (.placeholder, placeholder),
        ]
        for case (let text, .set(let value)) in texts { try text.check(value) }
        if case .set(let tags) = tags { try PhotoText.check(tags: tags) }
    }
}
