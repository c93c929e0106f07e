import ArgumentParser
import PhotoStreamModel
import PhotoStreamService

/// The photos of a stream that a question is about.
struct ViewOption: ParsableArguments {
    // A condition may begin with a hyphen, such as -is:edited.
    @Option(
        name: .customLong("where"), parsing: .unconditional,
        help: ArgumentHelp(
            """
            Answer for the photos that meet this condition alone, such as 'beach rating:>=4', with positions among them. \
            Documentation/Conditions.md has the language.
            """,
            valueName: "condition"))
    var text: String?

    func validate() throws {
        _ = try condition()
    }

    /// Returns the condition that the photos must meet, with fixed days; `nil` if none is given.
    ///
    /// - Throws: A usage error that names the column.
    func condition() throws -> Condition? {
        try text.map { try Self.condition($0).resolvedNow() }
    }

    /// Reads a condition.
    ///
    /// - Throws: A usage error that names the column.
    static func condition(_ text: String) throws -> Condition {
        do throws(ConditionError) {
            return try Condition(parsing: text)
        } catch {
            throw ValidationError("--where: \(error)".onOneLine)
        }
    }
}
