/// A qualifier with its value, such as `rating:>=4`.
public struct ConditionTerm: Hashable, Sendable {
    /// The value of a term.
    package enum Value: Hashable, Sendable {
        /// A folded text, or the beginning of one. A path has no slashes at its ends, other than a beginning such as `italy/`.
        case text(String, isPrefix: Bool)
        /// Words.
        case words(SearchPhrase)
        /// Numbers, in units of the last decimal place.
        case numbers(ConditionRange)
        /// Days.
        case days(ConditionDays)
        /// A circle.
        case circle(ConditionCircle)
        /// A rectangle.
        case box(ConditionBox)
        /// A kind of file.
        case fileType(ConditionFileType)
        /// A field.
        case field(PhotoField)
        /// A state.
        case state(ConditionState)
    }

    /// The qualifier.
    public let qualifier: ConditionQualifier
    /// The value, of the kind that the qualifier takes.
    package let value: Value

    init(_ qualifier: ConditionQualifier, value: Value) {
        (self.qualifier, self.value) = (qualifier, value)
    }

    /// The values of a photo that the term reads.
    public var inputs: ConditionInputs { Self.inputs(of: qualifier, value) }

    private static func inputs(of qualifier: ConditionQualifier, _ value: Value) -> ConditionInputs {
        switch value {
        case .field(let field): ConditionInputs(PhotoFields(field))
        case .state(let state): state.row.inputs
        default: qualifier.row.inputs
        }
    }

    /// Whether the term depends on the current day.
    public var dependsOnClock: Bool {
        if case .days(let days) = value { days.dependsOnClock } else { false }
    }

    /// Returns the term with fixed days.
    ///
    /// - Parameter today: The current day.
    /// - Returns: A term that does not depend on the clock.
    func resolved(today: CivilDate) -> ConditionTerm {
        guard case .days(let days) = value else { return self }
        return ConditionTerm(qualifier, value: .days(.between(days.range(today: today))))
    }

    /// Whether the term names an album, or albums in it; the beginning of the album's own name does not.
    func names(album: String) -> Bool {
        guard qualifier == .album, case .text(let path, let isPrefix) = value else { return false }
        return isPrefix
            ? path.utf8.starts(with: "\(FoldedText.joinedPath(of: album))/".utf8) : PhotoAlbum.isPath(path, in: album)
    }

    /// Returns the term with another path of an album, and of those in it.
    func moving(album: String, to newAlbum: String) -> ConditionTerm {
        guard names(album: album), case .text(let path, let isPrefix) = value,
            let moved = PhotoAlbum.path(path, moving: album, to: newAlbum)
        else { return self }
        let text = FoldedText.joinedPath(of: moved) + (path.utf8.last == UInt8(ascii: "/") ? "/" : "")
        return ConditionTerm(qualifier, value: .text(text, isPrefix: isPrefix))
    }

    /// The term in the language of conditions.
    public var canonicalText: String {
        let text =
            switch value {
            case .text(let text, let isPrefix): Self.quoted(text) + (isPrefix ? "*" : "")
            case .words(let words): words.canonicalText
            case .numbers(let range): range.canonicalText { FixedDecimal.text($0, places: decimalPlaces) }
            case .days(let days): days.canonicalText
            case .circle(let circle): circle.canonicalText
            case .box(let box): box.canonicalText
            case .fileType(let type): type.rawValue
            case .field(let field): field.row.name.description
            case .state(let state): state.rawValue
            }
        return "\(qualifier.rawValue):\(text)"
    }

    private var decimalPlaces: Int {
        if case .number(_, let places) = qualifier.row.takes { places } else { 0 }
    }

    /// Returns a text in quotation marks, unless it reads the same without.
    private static func quoted(_ text: String) -> String {
        let isPlain = text.unicodeScalars.allSatisfy { scalar in
            switch scalar {
            case "0"..."9", "a"..."z", "-", "_", ".", "/": true
            default: scalar.value >= 0x80 && scalar.properties.isAlphabetic
            }
        }
        return isPlain ? text : "\"\(text.replacing("\"", with: "\"\""))\""
    }
}

extension ConditionTerm {
    /// Reads the value of a qualifier.
    ///
    /// - Parameters:
    ///   - qualifier: The qualifier.
    ///   - text: The value without quotation marks.
    ///   - isPrefix: Whether an asterisk follows it.
    ///   - readable: The values of a photo that the term may read.
    ///   - column: The column of the value.
    /// - Throws: ``ConditionError`` if the value is not one of the qualifier's.
    init(
        _ qualifier: ConditionQualifier, text: String, isPrefix: Bool, readable: ConditionInputs, column: Int
    ) throws(ConditionError) {
        self.qualifier = qualifier
        let expectation = qualifier.expectation(reading: readable)
        switch qualifier.row.takes {
        case .text, .path, .words: break
        default:
            guard !isPrefix else {
                throw ConditionError(
                    column: column, problem: "\(qualifier.rawValue): takes no asterisk", expected: expectation)
            }
        }
        guard let value = Self.value(of: qualifier, text: text, isPrefix: isPrefix),
            Self.inputs(of: qualifier, value).isSubset(of: readable)
        else {
            throw ConditionError(
                column: column, problem: Self.problem(of: qualifier, text: text), expected: expectation,
                suggestion: qualifier.names(reading: readable).flatMap { text.nearest(of: $0) })
        }
        self.value = value
    }

    private static func problem(of qualifier: ConditionQualifier, text: String) -> String {
        switch qualifier.row.takes {
        case .text, .path: "\(qualifier.rawValue): has an empty value"
        case .words: "\(text.quotedForMessage) has no letter or digit"
        default: "\(text.quotedForMessage) is not a value of \(qualifier.rawValue):"
        }
    }

    private static func value(of qualifier: ConditionQualifier, text: String, isPrefix: Bool) -> Value? {
        let name = text.lowercased()
        switch qualifier.row.takes {
        case .text:
            let folded = FoldedText.folded(text)
            return folded.isEmpty && !isPrefix ? nil : .text(folded, isPrefix: isPrefix)
        case .path:
            let path = FoldedText.path(of: text)
            guard isPrefix, let last = FoldedText.folded(text).utf8.last, last == UInt8(ascii: "/"), !path.isEmpty
            else {
                return path.isEmpty && !isPrefix ? nil : .text(path.joined(separator: "/"), isPrefix: isPrefix)
            }
            return .text(path.joined(separator: "/") + "/", isPrefix: true)
        case .words: return SearchPhrase(text, isPrefix: isPrefix).map(Value.words)
        case .number(let limits, let places):
            return ConditionRange(text, within: limits) { Self.number($0, places: places) }.map(Value.numbers)
        case .days: return ConditionDays(text).map(Value.days)
        case .circle: return ConditionCircle(text).map(Value.circle)
        case .box: return ConditionBox(text).map(Value.box)
        case .fileType: return ConditionFileType(name: name).map(Value.fileType)
        case .field:
            return PhotoField.allCases.first { $0.row.name.description.lowercased() == name }.map(Value.field)
        case .state: return ConditionState(rawValue: name).map(Value.state)
        }
    }

    /// Reads a number; if there are decimal places, also a fraction such as `16/9` or `16:9`.
    private static func number(_ text: Substring, places: Int) -> ClosedRange<Int>? {
        let parts = text.split(omittingEmptySubsequences: false) { $0 == "/" || $0 == ":" }
        if parts.count == 2, places > 0 {
            let scale = 1_000_000
            guard let over = FixedDecimal.value(parts[0], places: 6),
                let under = FixedDecimal.value(parts[1], places: 6), (1...1_000 * scale).contains(over),
                (1...1_000 * scale).contains(under)
            else { return nil }
            let hundredths = (over * 100 * 2 + under) / (under * 2)
            return hundredths...hundredths
        }
        guard places > 0 || !text.utf8.contains(UInt8(ascii: ".")), let value = FixedDecimal.value(text, places: places)
        else { return nil }
        return value...value
    }
}

extension FoldedText {
    /// Returns the folded names of a path.
    package static func path(of text: String) -> [String] {
        folded(text).unicodeScalars.split(separator: "/").map { folded(String($0)) }.filter { !$0.isEmpty }
    }

    /// Returns the folded names of a path, with slashes between them.
    static func joinedPath(of text: String) -> String { path(of: text).joined(separator: "/") }
}
