/// The reason why a text is not a condition.
///
///     do { _ = try Condition(parsing: "sunset tga:beach") } catch { print(error) }
///     // Column 8: "tga:" is not a qualifier. Expected a qualifier such as tag:, or quotation marks around the words.
///     // Did you mean "tag:"?
public struct ConditionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The number of the character at which the problem is, from 1.
    public let column: Int
    /// The problem, as a clause.
    public let problem: String
    /// The text that would be valid there, as a noun phrase or a clause in the imperative.
    public let expected: String
    /// The known name that is nearest to the unknown one; `nil` if none is near.
    public let suggestion: String?

    /// Creates an error.
    init(column: Int, problem: String, expected: String, suggestion: String? = nil) {
        (self.column, self.problem, self.expected, self.suggestion) = (column, problem, expected, suggestion)
    }

    /// The error as sentences.
    public var description: String {
        "Column \(column): \(problem). Expected \(expected)." + (suggestion.map { " Did you mean \"\($0)\"?" } ?? "")
    }
}

extension String {
    /// The text in quotation marks, shortened for a message.
    var quotedForMessage: String {
        let limit = 40
        return "\"\(count > limit ? prefix(limit - 1) + "…" : self[...])\""
    }
}
