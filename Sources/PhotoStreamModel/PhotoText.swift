/// A text of a photo and the most bytes that it may have.
///
/// An import leaves a longer text out with a warning and keeps the record; an edit with a longer text is refused. The same
/// goes for a text that holds U+0000. Rows that hold longer texts already stay as they are.
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

    /// The most bytes of UTF-8 that all tags of a photo may have together.
    public static let maximumTagsByteCount = 64 * 1_024

    /// The most bytes of UTF-8: 64 KB for a caption, 4 KB for any other text.
    public var maximumByteCount: Int { self == .caption ? 64 * 1_024 : 4 * 1_024 }

    /// Checks a text's length and that it does not hold U+0000.
    ///
    /// - Throws: ``ModelError`` that names the text.
    /// - Complexity: O(bytes).
    public func check(_ text: String) throws(ModelError) {
        var text = text
        let found: String? = text.withUTF8 { problem(in: UnsafeRawBufferPointer($0)) }
        if let found { throw ModelError(found) }
    }

    /// Returns why a text cannot be stored, or `nil` if it can.
    ///
    /// - Parameter bytes: The text as UTF-8.
    /// - Returns: The reason as half a sentence.
    package func problem(in bytes: UnsafeRawBufferPointer) -> String? {
        guard bytes.count <= maximumByteCount else {
            return "\(noun) has \(bytes.count) bytes, more than \(maximumByteCount)"
        }
        return bytes.contains(0) ? "\(noun) holds a NUL character (U+0000)" : nil
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
