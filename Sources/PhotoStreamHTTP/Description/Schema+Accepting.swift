import PhotoStreamImport
import PhotoStreamWire

extension Schema {
    /// Returns whether a member of a body has the type that a schema describes; the content and length of a text are
    /// not checked.
    ///
    /// - Parameter value: The member's value.
    /// - Returns: Whether it has that type.
    func accepts(_ value: JSONValue) -> Bool {
        switch (self, value) {
        case (.nullable(let schema), _): value == .null || schema.accepts(value)
        case (.anyOf(let schemas), _): schemas.contains { $0.accepts(value) }
        case (.text, .text), (.someText, .text), (.name, .text), (.number, .number), (.flag, .flag): true
        case (.words(let words), .text(let text)): words.contains(text)
        case (.anyObject, .object): true
        case (.integer, .number(let number)): number == number.rounded()
        case (.array(let element), .array(let elements)): elements.allSatisfy(element.accepts)
        default: false
        }
    }

    /// The type in the messages of problems.
    var noun: String {
        switch self {
        case .nullable(let schema): "\(schema.noun) or null"
        case .anyOf(let schemas): schemas.map(\.noun).joined(separator: " or ")
        case .integer: "a whole number"
        case .number: "a number"
        case .flag: "a Boolean"
        case .anyObject: "an object"
        case .array(let element): "a list, each element \(element.noun)"
        default: "a text"
        }
    }
}
