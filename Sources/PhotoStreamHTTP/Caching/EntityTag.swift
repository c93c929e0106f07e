import PhotoStreamLayout
import PhotoStreamService

/// A strong validator of an answer: equal tags are equal bytes.
///
/// Source: RFC 9110, section 8.8.3.
struct EntityTag: Hashable {
    /// The tag with its quotes.
    let text: String

    /// A tag as it was sent.
    init(text: String) {
        self.text = text
    }

    /// The tag of an answer about a stream.
    ///
    /// - Parameters:
    ///   - state: Which state of which stream the answer speaks of.
    ///   - question: What was asked: the address without what is not part of the question, and the answer's form.
    ///   - coding: How the bytes are compressed.
    init(_ state: StreamState, question: String, _ coding: ContentCoding) {
        // The engine's version is part of the question: another engine's answers have other tags.
        let hash = Self.hash("\(Self.version)/\(LayoutKey.engineVersion)/\(question)")
        text = "\"\(state.streamID)-\(state.revision)-\(String(hash, radix: 36))\(coding.tagSuffix)\""
    }

    /// The tag of bytes.
    init(of bytes: [UInt8], _ coding: ContentCoding) {
        text = "\"\(String(Self.hash(bytes), radix: 36))-\(bytes.count)\(coding.tagSuffix)\""
    }

    /// The tag of a file's bytes.
    init(of file: PictureFile) {
        let version = file.version
        let parts = [
            "\(version.device)", "\(version.number)", "\(version.byteCount)", "\(version.modifiedNanoseconds)",
            "\(version.changedNanoseconds)", file.type.mediaType,
        ]
        text = "\"\(String(Self.hash(parts.joined(separator: "/")), radix: 36))-\(version.byteCount)\""
    }

    /// Raised when the same question gets other bytes at the same revision.
    private static let version = 1

    private static func hash(_ text: String) -> UInt64 {
        var text = text
        return text.withUTF8 { hash($0) }
    }

    /// FNV-1a, which every process computes alike.
    private static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}

/// The field `If-None-Match` or `If-Match`.
///
/// Source: RFC 9110, section 13.1.
enum EntityTagCondition: Equatable {
    /// `*`: whatever there is.
    case any
    /// Some tags; of weak ones without their prefix, and beside them whether they were weak.
    case tags([Tag])

    /// A tag of a list.
    struct Tag: Equatable {
        let text: String
        let isWeak: Bool
    }

    /// Reads a field; what is no tag is passed over.
    ///
    /// - Parameter text: The field's value; several fields joined by commas.
    init(_ text: String) {
        guard text.trimmingSpaces != "*" else {
            self = .any
            return
        }
        var tags: [Tag] = []
        // By bytes, of which a quote is one; a tag may hold commas, so it is the quotes that tell where it ends.
        var rest = text.utf8[...]
        let quote = UInt8(ascii: "\"")
        while let open = rest.firstIndex(of: quote) {
            let isWeak = rest[..<open].suffix(2).elementsEqual("W/".utf8)
            guard let close = rest[open...].dropFirst().firstIndex(of: quote) else { break }
            tags.append(Tag(text: String(Substring(rest[open...close])), isWeak: isWeak))
            rest = rest[close...].dropFirst()
        }
        self = .tags(tags)
    }

    /// Whether a cached answer may be used again: the weak comparison.
    func matchesWeakly(_ tag: EntityTag) -> Bool {
        switch self {
        case .any: true
        case .tags(let tags): tags.contains { $0.text == tag.text }
        }
    }

    /// Whether a write may go on: the strong comparison.
    func matchesStrongly(_ tag: EntityTag) -> Bool {
        switch self {
        case .any: true
        case .tags(let tags): tags.contains { $0.text == tag.text && !$0.isWeak }
        }
    }
}

extension StringProtocol {
    /// The text without blanks at its ends.
    var trimmingSpaces: String {
        // By bytes first: most have no blank at all.
        guard utf8.contains(where: { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }) else { return String(self) }
        var text = self[...]
        while text.first == " " || text.first == "\t" { text = text.dropFirst() }
        while text.last == " " || text.last == "\t" { text = text.dropLast() }
        return String(text)
    }
}
