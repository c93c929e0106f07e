/// Reads the tree of a condition by recursive descent: alternatives, in them terms that all must match, in them negations
/// and groups.
struct ConditionParser {
    private var scanner: ConditionScanner
    /// The next part; `nil` at the end.
    private var next: ConditionLexeme?
    /// The fields in which words are found.
    private let wordFields: PhotoFields
    private var termCount = 0
    private var depth = 0

    /// Begins to read a text.
    ///
    /// - Throws: ``ConditionError`` if the text is too long or begins with an error.
    init(_ text: String, isTyping: Bool, readable: ConditionInputs) throws(ConditionError) {
        let byteCount = text.utf8.count
        guard byteCount <= Condition.maximumByteCount else {
            let first = text.utf8.index(text.startIndex, offsetBy: Condition.maximumByteCount)
            throw ConditionError(
                column: text.indices.count { $0 <= first }, problem: "The condition has \(byteCount) bytes",
                expected: "at most \(Condition.maximumByteCount)")
        }
        wordFields = Condition.allWordFields.intersection(readable.fields)
        scanner = ConditionScanner(text, isTyping: isTyping, readable: readable)
        next = try scanner.next()
    }

    /// Reads the whole text.
    mutating func parse() throws(ConditionError) -> Condition.Node {
        let root = try alternatives()
        guard let next else { return root }
        // Everything but a parenthesis has been read.
        throw ConditionError(
            column: next.column, problem: "A parenthesis is closed but not opened", expected: "an opening one before it"
        )
    }

    private mutating func advance() throws(ConditionError) {
        next = try scanner.next()
    }

    /// Reads terms with `OR` between them.
    private mutating func alternatives() throws(ConditionError) -> Condition.Node {
        guard let first = try requirements() else {
            guard let next, case .or = next.kind else { return .all }
            throw alone("OR", at: next.column)
        }
        var parts = [first]
        while let operation = next, case .or = operation.kind {
            try advance()
            guard let part = try requirements() else { throw alone("OR", at: operation.column) }
            parts.append(part)
        }
        return .any(of: parts)
    }

    /// Reads terms that follow one another; `nil` if there is none.
    private mutating func requirements() throws(ConditionError) -> Condition.Node? {
        var parts: [Condition.Node] = []
        while let lexeme = next {
            switch lexeme.kind {
            case .close, .or: return parts.isEmpty ? nil : .all(of: parts)
            case .and:
                guard !parts.isEmpty else { throw alone("AND", at: lexeme.column) }
                try advance()
                guard let part = try term() else { throw alone("AND", at: lexeme.column) }
                parts.append(part)
            default:
                guard let part = try term() else { return .all(of: parts) }
                parts.append(part)
            }
        }
        return parts.isEmpty ? nil : .all(of: parts)
    }

    /// Reads a term, a group or a negation of one; `nil` if the next part is none of them.
    private mutating func term() throws(ConditionError) -> Condition.Node? {
        guard let lexeme = next else { return nil }
        switch lexeme.kind {
        case .close, .or, .and: return nil
        case .minus:
            try enter(at: lexeme)
            guard let negated = try term()?.negated else {
                throw ConditionError(
                    column: lexeme.column, problem: ConditionScanner.minusProblem,
                    expected: ConditionScanner.minusExpectation)
            }
            depth -= 1
            return negated
        case .open:
            try enter(at: lexeme)
            let group = try alternatives()
            guard next != nil else {
                throw ConditionError(
                    column: lexeme.column, problem: "A parenthesis is not closed", expected: "a closing one after it")
            }
            try advance()
            depth -= 1
            return group
        case .words(let text, let isPrefix):
            guard let words = SearchPhrase(text, isPrefix: isPrefix) else {
                throw ConditionError(
                    column: lexeme.column, problem: "\(text.quotedForMessage) has no letter or digit",
                    expected: "a word, or nothing")
            }
            try count(lexeme)
            return .words(words, in: wordFields)
        case .term(let term):
            try count(lexeme)
            return .term(term)
        }
    }

    /// Goes one parenthesis or minus sign deeper.
    private mutating func enter(at lexeme: ConditionLexeme) throws(ConditionError) {
        depth += 1
        guard depth <= Condition.maximumDepth else {
            throw ConditionError(
                column: lexeme.column, problem: "The parentheses and minus signs are nested too deeply",
                expected: "at most \(Condition.maximumDepth), one in another")
        }
        try advance()
    }

    /// Counts a term and goes to the part after it.
    private mutating func count(_ lexeme: ConditionLexeme) throws(ConditionError) {
        termCount += 1
        guard termCount <= Condition.maximumTermCount else {
            throw ConditionError(
                column: lexeme.column, problem: "The condition has too many terms",
                expected: "at most \(Condition.maximumTermCount)")
        }
        try advance()
    }

    private func alone(_ operation: String, at column: Int) -> ConditionError {
        ConditionError(
            column: column, problem: "\(operation) needs a term before and after it",
            expected: "two terms, or quotation marks around the word")
    }
}
