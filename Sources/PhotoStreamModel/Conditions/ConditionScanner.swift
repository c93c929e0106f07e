/// The parts into which a condition's text is divided.
struct ConditionLexeme {
    /// The kind of a part.
    enum Kind {
        case open
        case close
        case minus
        case and
        case or
        /// Words, with or without quotation marks.
        case words(String, isPrefix: Bool)
        /// A qualifier with its value.
        case term(ConditionTerm)
    }

    /// The kind.
    let kind: Kind
    /// The column of its first character.
    let column: Int
}

/// Divides the text of a condition into its parts.
///
/// It reads scalars, not characters: to Swift, a quotation mark with a combining mark after it is a character of its own.
struct ConditionScanner {
    private let scalars: [Unicode.Scalar]
    /// The number of the character that contains each scalar, from 1.
    private let columns: [Int]
    private let isTyping: Bool
    /// The values of photos that a term may read.
    private let readable: ConditionInputs
    private var position = 0

    static let minusProblem = "A minus sign is alone"
    static let minusExpectation = "a term directly after it, or quotation marks around it"

    init(_ text: String, isTyping: Bool, readable: ConditionInputs) {
        (self.isTyping, self.readable) = (isTyping, readable)
        scalars = Array(text.unicodeScalars)
        var columns: [Int] = []
        for (column, character) in text.enumerated() {
            columns += repeatElement(column + 1, count: character.unicodeScalars.count)
        }
        self.columns = columns
    }

    /// Returns the next part; `nil` at the end.
    mutating func next() throws(ConditionError) -> ConditionLexeme? {
        while position < scalars.count, scalars[position].properties.isWhitespace { position += 1 }
        guard let mark = syntax(at: position) else { return nil }
        let start = position
        switch mark {
        case "(": return lexeme(.open)
        case ")": return lexeme(.close)
        case "|": return lexeme(.or)
        case "-":
            guard isWithinTerm(at: start + 1) || syntax(at: start + 1) == "(" else {
                throw error(at: start, Self.minusProblem, expected: Self.minusExpectation)
            }
            return lexeme(.minus)
        case "\"":
            let (words, isPrefix) = try quoted()
            return ConditionLexeme(kind: .words(words, isPrefix: isPrefix), column: column(of: start))
        default: return try bare()
        }
    }

    private mutating func lexeme(_ kind: ConditionLexeme.Kind) -> ConditionLexeme {
        position += 1
        return ConditionLexeme(kind: kind, column: column(of: position - 1))
    }

    /// Reads a word, an operator or a qualifier with its value.
    private mutating func bare() throws(ConditionError) -> ConditionLexeme {
        let start = position
        while isWithinTerm(at: position), syntax(at: position) != ":" { position += 1 }
        if syntax(at: position) == ":" { return try term(from: start) }
        let word = string(start..<position)
        switch word {
        case "OR": return ConditionLexeme(kind: .or, column: column(of: start))
        case "AND": return ConditionLexeme(kind: .and, column: column(of: start))
        case "NOT":
            throw error(at: start, "NOT is not an operator", expected: "a minus sign directly before the term")
        default: break
        }
        let (words, isPrefix) = try withoutAsterisk(start..<position)
        let isLast = isTyping && position == scalars.count
        return ConditionLexeme(kind: .words(words, isPrefix: isPrefix || isLast), column: column(of: start))
    }

    /// Reads a qualifier whose colon is at the current position, with its value.
    private mutating func term(from start: Int) throws(ConditionError) -> ConditionLexeme {
        let name = string(start..<position)
        let column = column(of: start)
        let known = ConditionQualifier.allCases.filter { $0.isKnown(reading: readable) }
        guard let qualifier = known.first(where: { $0.rawValue == name.lowercased() }) else {
            let isAddress = string(position..<min(position + 3, scalars.count)) == "://"
            throw ConditionError(
                column: column,
                problem: isAddress ? "An address is not a word" : "\((name + ":").quotedForMessage) is not a qualifier",
                expected: isAddress
                    ? "quotation marks around it" : "a qualifier such as tag:, or quotation marks around the words",
                suggestion: name.nearest(of: known.map(\.rawValue)).map { $0 + ":" })
        }
        position += 1
        let first = position
        var (value, isPrefix): (String, Bool)
        if syntax(at: first) == "\"" {
            (value, isPrefix) = try quoted()
        } else {
            while isWithinTerm(at: position) { position += 1 }
            (value, isPrefix) = try withoutAsterisk(first..<position)
        }
        guard !value.isEmpty || isPrefix else {
            throw ConditionError(
                column: column, problem: "\(qualifier.rawValue): has an empty value",
                expected: qualifier.expectation(reading: readable))
        }
        let term = try ConditionTerm(
            qualifier, text: value, isPrefix: isPrefix, readable: readable, column: self.column(of: first))
        return ConditionLexeme(kind: .term(term), column: column)
    }

    /// Reads a text in quotation marks, and an asterisk after it.
    private mutating func quoted() throws(ConditionError) -> (String, isPrefix: Bool) {
        let start = position
        let isCurly = ["“", "”", "„"].contains(scalars[start])
        func isQuotationMark(_ position: Int) -> Bool {
            position < scalars.count
                && (isCurly ? ["“", "”", "„"].contains(scalars[position]) : scalars[position] == scalars[start])
        }
        var content = String.UnicodeScalarView()
        position += 1
        while true {
            guard position < scalars.count else {
                throw error(at: start, "A quotation mark is not closed", expected: "another at the end of the words")
            }
            if isQuotationMark(position) {
                guard isQuotationMark(position + 1) else { break }
                position += 1
            }
            content.append(scalars[position])
            position += 1
        }
        position += 1
        let isPrefix = syntax(at: position) == "*"
        if isPrefix { position += 1 }
        guard !isWithinTerm(at: position), syntax(at: position) != "(" else {
            throw error(at: position, "A quotation mark ends in the middle of a word", expected: "a space after it")
        }
        return (String(content), isPrefix)
    }

    /// Returns the text of a range without an asterisk at its end.
    private func withoutAsterisk(_ range: Range<Int>) throws(ConditionError) -> (String, isPrefix: Bool) {
        let quotationMark = range.first { syntax(at: $0) == "\"" }
        let parenthesis = syntax(at: range.upperBound) == "(" && !range.isEmpty ? range.upperBound : nil
        if let found = quotationMark ?? parenthesis {
            throw error(
                at: found, "A \(quotationMark == nil ? "parenthesis" : "quotation mark") is in the middle of a word",
                expected: "a space before it, or quotation marks around the whole")
        }
        guard let asterisk = range.first(where: { syntax(at: $0) == "*" }) else { return (string(range), false) }
        guard asterisk == range.upperBound - 1 else {
            throw error(
                at: asterisk, "An asterisk is in the middle of a word", expected: "it at the end, or quotation marks")
        }
        return (string(range.lowerBound..<asterisk), true)
    }

    /// Whether a position is neither at the end of the text nor at white space, a parenthesis or a vertical bar.
    private func isWithinTerm(at position: Int) -> Bool {
        guard let scalar = syntax(at: position) else { return false }
        switch scalar {
        case "(", ")", "|": return false
        default: return !scalar.properties.isWhitespace
        }
    }

    /// The scalar at a position, the wide form of keyboards for Chinese and Japanese, typographic quotation marks and minus
    /// signs as their forms in ASCII; `nil` at the end.
    private func syntax(at position: Int) -> Unicode.Scalar? {
        guard position < scalars.count else { return nil }
        switch scalars[position] {
        case "（": return "("
        case "）": return ")"
        case "｜": return "|"
        case "：": return ":"
        case "＊": return "*"
        case "－", "−": return "-"
        case "“", "”", "„", "＂": return "\""
        case let scalar: return scalar
        }
    }

    private func string(_ range: Range<Int>) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars[range])
        return String(view)
    }

    private func error(at position: Int, _ problem: String, expected: String) -> ConditionError {
        ConditionError(column: column(of: position), problem: problem, expected: expected)
    }

    private func column(of position: Int) -> Int {
        columns.isEmpty ? 1 : columns[min(position, columns.count - 1)]
    }
}
