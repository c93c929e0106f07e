/// A condition on photos.
///
///     let condition = try Condition(parsing: "beach rating:>=4 (camera:iphone OR tag:\"New York\") -is:edited")
///     let text = condition.canonicalText  // beach rating:4.. (camera:iphone OR tag:"new york") -is:edited
///
/// - Terms that follow one another must all match (`AND` may be written between them). If `OR` or
///   `|` is between terms, one must match; `a b OR c` is `(a b) OR c`. A minus sign before a term or a group in parentheses negates it.
/// - `word` is found in the title, the caption, the alternative text, the tags, the people, the camera, the folder and the
///   file name, without case and accents; `wor*` is the beginning of a word, and `"two words"` must follow one another.
///   Words of one term are in one text, those of several terms may be in several.
/// - A ``ConditionQualifier`` with a colon and a value, in quotation marks if it contains white space or parentheses. Within
///   them, two quotation marks stand for one.
///
/// Equal conditions have equal canonical texts, and the canonical text is parsed to an equal condition.
public struct Condition: Hashable, Sendable, CustomStringConvertible {
    /// The maximum length of a text, and of its canonical text, in bytes of UTF-8.
    public static let maximumByteCount = 1_000
    /// The maximum number of words, phrases and qualifiers.
    public static let maximumTermCount = 64
    /// The maximum number of parentheses and minus signs around a term.
    public static let maximumDepth = 16

    /// A part of a condition.
    ///
    /// The parts of ``and(_:)`` and ``or(_:)`` are at least two, and none of them is of the same case or ``all``. The part
    /// of ``not(_:)`` is not a negation.
    package indirect enum Node: Hashable, Sendable {
        /// Every photo.
        case all
        /// Photos with some words in the texts of some fields: those that the readers of the answer see.
        case words(SearchPhrase, in: PhotoFields)
        /// Photos with a property.
        case term(ConditionTerm)
        /// Photos that a part does not match.
        case not(Node)
        /// Photos that all parts match.
        case and([Node])
        /// Photos that one of the parts matches.
        case or([Node])
    }

    /// The condition as a tree.
    package let root: Node
    /// Whether its days were fixed for a current day, so that the same question is about other photos on another day; not
    /// compared.
    package let isOfOneDay: Bool

    /// Creates the condition that a tree is.
    package init(_ root: Node, isOfOneDay: Bool = false) {
        (self.root, self.isOfOneDay) = (root, isOfOneDay)
    }

    /// Whether both are about the same photos; ``isOfOneDay`` is not compared.
    public static func == (left: Condition, right: Condition) -> Bool { left.root == right.root }

    /// Hashes the values that are compared.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(root)
    }

    /// The condition that every photo meets: that of an empty text.
    public static let all = Condition(.all)

    /// Reads a condition.
    ///
    /// - Parameters:
    ///   - text: The text, as a person types it.
    ///   - isTyping: Whether a word at the very end of the text is the beginning of one.
    ///   - readable: The values that the readers of the answer see. Qualifiers and names of others are unknown, and words are
    ///     not found in them: otherwise the answers would tell the hidden values.
    /// - Throws: ``ConditionError`` if the text is not a condition, or exceeds a limit.
    public init(
        parsing text: String, isTyping: Bool = false, readable: ConditionInputs = .all
    ) throws(ConditionError) {
        var parser = try ConditionParser(text, isTyping: isTyping, readable: readable)
        self.init(try parser.parse())
        let byteCount = canonicalText.utf8.count
        guard byteCount <= Self.maximumByteCount else {
            throw ConditionError(
                column: 1, problem: "The canonical text of the condition has \(byteCount) bytes",
                expected: "at most \(Self.maximumByteCount)")
        }
    }

    /// The condition in its only canonical form: words folded, ranges with dots, no needless parentheses.
    public var canonicalText: String { root == .all ? "" : root.canonicalText }

    /// The canonical text.
    public var description: String { canonicalText }

    /// The condition that exactly the other photos meet.
    public var negated: Condition { Condition(root.negated) }

    /// Returns the condition that photos meet if they meet both.
    package func and(_ other: Condition) -> Condition {
        Condition(.all(of: [root, other.root]), isOfOneDay: isOfOneDay || other.isOfOneDay)
    }

}

extension Condition {
    /// Whether archived photos are in the result: the condition contains `is:archived` or `has:archived`, negated or not.
    ///
    /// They are left out of the result of any other condition, which ``matches(_:)`` does not do. Because a condition and
    /// its negation agree, they divide the same photos.
    public var includesArchived: Bool {
        root.terms.contains { $0.value == .state(.archived) || $0.value == .field(.flag(.archived)) }
    }

    /// The condition that is added to any other that does not mention archived photos.
    package static let unarchived = Condition(.not(.term(ConditionTerm(.is, value: .state(.archived)))))

    /// Whether the condition depends on the current day.
    public var dependsOnClock: Bool { root.terms.contains(where: \.dependsOnClock) }

    /// Returns the condition with fixed days for all that depends on the clock.
    ///
    /// - Parameter today: The current day.
    /// - Returns: A condition that no longer depends on the clock.
    public func resolved(today: CivilDate) -> Condition {
        Condition(root.mapping { $0.resolved(today: today) }, isOfOneDay: isOfOneDay || dependsOnClock)
    }

    /// Whether the condition names an album, or albums in it.
    package func names(album: String) -> Bool { root.terms.contains { $0.names(album: album) } }

    /// Returns the condition with another path of an album, and of those in it.
    package func moving(album: String, to newAlbum: String) -> Condition {
        Condition(root.mapping { $0.moving(album: album, to: newAlbum) }, isOfOneDay: isOfOneDay)
    }

    /// The values of a photo that the condition reads.
    public var inputs: ConditionInputs {
        var inputs = root.terms.reduce(into: ConditionInputs()) { $0.formUnion($1.inputs) }
        for fields in root.wordFields { inputs.formUnion(ConditionInputs(fields)) }
        return inputs
    }

    /// The fields in which words are found if the readers see all fields.
    package static let allWordFields: PhotoFields = [
        .text(.title), .text(.caption), .text(.alt), .list(.tags), .list(.people), .text(.camera), .text(.location),
    ]
}

extension Condition.Node {
    /// No photo.
    package static let nothing = Condition.Node.not(.all)

    /// Returns the part that all parts together are.
    package static func all(of parts: [Condition.Node]) -> Condition.Node {
        let flat = parts.flatMap { part in if case .and(let inner) = part { inner } else { [part] } }
        guard !flat.contains(.nothing) else { return .nothing }
        let needed = flat.filter { $0 != .all }
        return needed.count > 1 ? .and(needed) : needed.first ?? .all
    }

    /// Returns the part that one of the parts is.
    package static func any(of parts: [Condition.Node]) -> Condition.Node {
        let flat = parts.flatMap { part in if case .or(let inner) = part { inner } else { [part] } }
        guard !flat.contains(.all) else { return .all }
        let needed = flat.filter { $0 != .nothing }
        return needed.count > 1 ? .or(needed) : needed.first ?? .nothing
    }

    /// The negation.
    package var negated: Condition.Node {
        if case .not(let inner) = self { inner } else { .not(self) }
    }

    /// The qualifiers with their values, in their order.
    package var terms: [ConditionTerm] {
        switch self {
        case .all, .words: []
        case .term(let term): [term]
        case .not(let inner): inner.terms
        case .and(let parts), .or(let parts): parts.flatMap(\.terms)
        }
    }

    /// The fields of each part that is words, in the order of the text.
    package var wordFields: [PhotoFields] {
        switch self {
        case .all, .term: []
        case .words(_, let fields): [fields]
        case .not(let inner): inner.wordFields
        case .and(let parts), .or(let parts): parts.flatMap(\.wordFields)
        }
    }

    /// The part with other terms.
    fileprivate func mapping(_ change: (ConditionTerm) -> ConditionTerm) -> Condition.Node {
        switch self {
        case .all, .words: self
        case .term(let term): .term(change(term))
        case .not(let inner): .not(inner.mapping(change))
        case .and(let parts): .and(parts.map { $0.mapping(change) })
        case .or(let parts): .or(parts.map { $0.mapping(change) })
        }
    }

    /// The part in the language of conditions, without parentheses around it.
    fileprivate var canonicalText: String {
        switch self {
        case .all: "()"
        case .words(let words, _): words.canonicalText
        case .term(let term): term.canonicalText
        case .not(let inner):
            switch inner {
            case .and, .or: "-(\(inner.canonicalText))"
            case .all, .words, .term, .not: "-\(inner.canonicalText)"
            }
        case .and(let parts):
            parts.map { part in if case .or = part { "(\(part.canonicalText))" } else { part.canonicalText } }
                .joined(separator: " ")
        case .or(let parts): parts.map(\.canonicalText).joined(separator: " OR ")
        }
    }
}
