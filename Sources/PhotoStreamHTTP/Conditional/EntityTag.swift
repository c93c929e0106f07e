import HTTPTypes
import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamWire

/// A strong validator of an answer: equal tags mean equal bytes.
///
/// Source: RFC 9110, section 8.8.3.
struct EntityTag: Hashable {
    /// The tag with its quotes.
    let text: String

    /// Creates a tag from its text, quotes included.
    init(text: String) {
        self.text = text
    }

    /// Creates the tag of an answer about a stream.
    ///
    /// - Parameters:
    ///   - state: The stream and the state that the answer shows.
    ///   - question: The query: the relevant parts of the address, and the answer's form.
    ///   - pictures: The revision of the stream's pictures, if the answer shows them.
    ///   - coding: The compression of the bytes.
    init(_ state: StreamState, question: String, pictures: Revision? = nil, coding: ContentCoding) {
        // The engine's version is included: another engine's answers have other tags.
        // A kept view may have another rule in the same state.
        let rule = state.rule.map { "/\($0.canonicalText)" } ?? ""
        let hash = Self.hash("\(Self.version)/\(LayoutKey.engineVersion)/\(question)\(rule)")
        // Without pictures, the tag equals that of a stream without any decoded picture.
        let shown = pictures.flatMap { $0 == Revision(0) ? nil : ".\($0.state)" } ?? ""
        text = "\"\(state.streamID)-\(state.revision.state)\(shown)-\(String(hash, radix: 36))\(coding.tagSuffix)\""
    }

    /// Creates the tag of bytes.
    init(of bytes: [UInt8], _ coding: ContentCoding) {
        text = "\"\(String(FNV1a.hash(bytes), radix: 36))-\(bytes.count)\(coding.tagSuffix)\""
    }

    /// Creates the tag of an answer about an object with a part that changes without a change of the object, such as the result
    /// of decoding a photo's picture.
    ///
    /// The tag begins with that of the object, which the conditions of writes compare.
    ///
    /// - Parameters:
    ///   - body: The answer.
    ///   - object: The answer without that part.
    ///   - coding: The compression of the bytes.
    init(of body: [UInt8], about object: [UInt8], _ coding: ContentCoding) {
        let rest = body == object ? "" : ".\(String(FNV1a.hash(body), radix: 36))"
        text = "\"\(Self.start(of: object))\(rest)\(coding.tagSuffix)\""
    }

    private static func start(of object: [UInt8]) -> String {
        "\(String(FNV1a.hash(object), radix: 36))-\(object.count)"
    }

    /// Whether the tag is that of an answer about an object, regardless of its changing part and its compression.
    func isAbout(_ object: [UInt8]) -> Bool {
        let start = Self.start(of: object)
        let inner = text.dropFirst().dropLast()
        return inner.hasPrefix("\(start).")
            || ContentCoding.allCases.contains { inner == "\(start)\($0.tagSuffix)" }
    }

    /// Creates the tag of a file's bytes.
    init(of file: PictureFile) {
        let version = file.version
        let parts = [
            "\(version.device)", "\(version.number)", "\(version.byteCount)", "\(version.modifiedNanoseconds)",
            "\(version.changedNanoseconds)", "\(file.part)", file.type.mediaType,
        ]
        text = "\"\(String(Self.hash(parts.joined(separator: "/")), radix: 36))-\(file.byteCount)\""
    }

    /// Creates the tag of a thumbnail: pictures with equal keys have equal thumbnails.
    init(of thumbnail: ThumbnailKind, key: String) {
        text = "\"\(key)-\(thumbnail.size.rawValue)-\(thumbnail.format.pathExtension)\""
    }

    /// Raised when the same query is answered with other bytes at the same revision.
    private static let version = 2

    private static func hash(_ text: String) -> UInt64 {
        var text = text
        return text.withUTF8 { unsafe FNV1a.hash($0) }
    }
}

/// The field `If-None-Match` or `If-Match`.
///
/// Source: RFC 9110, section 13.1.
struct EntityTagCondition {
    /// A tag of a list, without the prefix of a weak one.
    struct Tag {
        let text: String
        let isWeak: Bool
    }

    /// Whether the field is `*`: anything that exists.
    let isAny: Bool
    /// The tags of the list; none for any.
    let tags: [Tag]

    /// Reads a field; anything except tags is skipped.
    ///
    /// - Parameter text: The field's value; several fields joined by commas.
    init(_ text: String) {
        isAny = text.trimmingSpaces == "*"
        var tags: [Tag] = []
        // By bytes. A tag may contain commas, so its quotes determine its end.
        var rest = text.utf8[...]
        let quote = UInt8(ascii: "\"")
        while let open = rest.firstIndex(of: quote) {
            let isWeak = rest[..<open].suffix(2).elementsEqual("W/".utf8)
            guard let close = rest[open...].dropFirst().firstIndex(of: quote) else { break }
            tags.append(Tag(text: String(Substring(rest[open...close])), isWeak: isWeak))
            rest = rest[close...].dropFirst()
        }
        self.tags = tags
    }

    /// Whether a cached answer may be used again: the weak comparison.
    func matchesWeakly(_ tag: EntityTag) -> Bool { isAny || tags.contains { $0.text == tag.text } }

    /// Whether a write is allowed: the strong comparison.
    func matchesStrongly(_ tag: EntityTag) -> Bool { isAny || tags.contains { $0.text == tag.text && !$0.isWeak } }
}

extension StringProtocol {
    /// The text without blanks at its ends.
    var trimmingSpaces: String {
        // By bytes first: most texts have no blank at all.
        guard utf8.contains(where: { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }) else { return String(self) }
        var text = self[...]
        while text.first == " " || text.first == "\t" { text = text.dropFirst() }
        while text.last == " " || text.last == "\t" { text = text.dropLast() }
        return String(text)
    }
}

extension APICall {
    /// Returns whether the client has the answer with a validator.
    func clientHas(_ tag: EntityTag) -> Bool {
        headers[.ifNoneMatch].map { EntityTagCondition($0).matchesWeakly(tag) } ?? false
    }

    /// The check that refuses a write if the photo of the path does not meet its conditions.
    ///
    /// It receives the stored photo, `nil` if there is none, and throws ``Problem`` by `If-Match`, or by `If-None-Match` if
    /// the photo must not exist yet. A decode does not change the photo, so the client may have read it before or after.
    var photoConditions: (Photo?) throws(Problem) -> Void {
        guard headers[.ifMatch] != nil || headers[.ifNoneMatch] != nil else { return { _ in } }
        return { stored throws(Problem) in try checkConditions(of: "photo", stored.map(\.bytesWithoutPicture)) }
    }

    /// Refuses a write if the stream does not meet its conditions; `nil` without conditions, because the summary of a
    /// stream takes some counting.
    var streamConditions: ((StreamSummary) throws -> Void)? {
        guard headers[.ifMatch] != nil || headers[.ifNoneMatch] != nil else { return nil }
        return { try checkConditions(of: "stream", $0.seen(by: grant, allowing: uploads).shownWithoutPictures.bytes) }
    }

    private func checkConditions(of noun: String, _ object: [UInt8]?) throws(Problem) {
        let isAboutIt = { (tag: EntityTagCondition.Tag) in object.map(EntityTag(text: tag.text).isAbout) ?? false }
        if let condition = headers[.ifMatch].map({ EntityTagCondition($0) }) {
            // The strong comparison.
            guard condition.isAny ? object != nil : condition.tags.contains(where: { !$0.isWeak && isAboutIt($0) })
            else {
                throw Problem(
                    .preconditionFailed, detail: "the \(noun) is not the version that If-Match names; read it again")
            }
        }
        if let condition = headers[.ifNoneMatch].map({ EntityTagCondition($0) }),
            condition.isAny ? object != nil : condition.tags.contains(where: isAboutIt)
        {
            throw Problem(.preconditionFailed, detail: "the \(noun) exists already")
        }
    }
}

extension Photo {
    /// The bytes of the answer about the photo without the state of its picture.
    var bytesWithoutPicture: [UInt8] { JSONWriter.bytes { $0.value(ShownPhoto(self, with: nil)) } }
}

extension StreamSummary {
    /// The stream as the answer about it shows it.
    var shown: StreamSummary { withoutPaths(hasFailures: true) }

    /// The same without the counts of its pictures.
    var shownWithoutPictures: StreamSummary { withoutPictureCounts.shown }

    /// The bytes of the answer.
    var bytes: [UInt8] { JSONWriter.bytes { $0.value(self) } }
}
