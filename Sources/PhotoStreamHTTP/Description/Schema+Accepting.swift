import PhotoStreamImport
import PhotoStreamWire

extension Schema {
    /// Whether a member of a body has the type that a schema describes; what is in a text, and how long it is, is not
    /// looked at.
    ///
    /// - Parameter value: The member's value.
    /// - Returns: Whether it has; never for an object, which no member is.
    func accepts(_ value: JSONValue) -> Bool {
        switch (self, value) {
        case (.nullable(let schema), _): value == .null || schema.accepts(value)
        case (.anyOf(let schemas), _): schemas.contains { $0.accepts(value) }
        case (.text, .text), (.someText, .text), (.name, .text), (.number, .number), (.flag, .flag): true
        case (.words(let words), .text(let text)): words.contains(text)
        case (.integer, .number(let number)): number == number.rounded()
        case (.array(let element), .array(let elements)): elements.allSatisfy(element.accepts)
        default: false
        }
    }
}
