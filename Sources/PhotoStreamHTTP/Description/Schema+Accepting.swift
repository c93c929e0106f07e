import Foundation

extension Schema {
    /// Whether a JSON value has the type that a schema describes; what is in a text, and how long it is, is not looked at.
    ///
    /// - Parameter value: What `JSONSerialization` has read.
    /// - Returns: Whether it has.
    func accepts(_ value: Any) -> Bool {
        switch self {
        case .text, .someText, .name: return value is String
        case .words(let words): return (value as? String).map(words.contains) ?? false
        case .integer: return Self.number(value).map { $0 == $0.rounded() } ?? false
        case .number: return Self.number(value) != nil
        case .flag: return Self.isTruth(value)
        case .array(let element): return (value as? [Any])?.allSatisfy(element.accepts) ?? false
        case .nullable(let schema): return value is NSNull || schema.accepts(value)
        case .anyOf(let schemas): return schemas.contains { $0.accepts(value) }
        case .object(let members): return Self.accepts(value, members, others: true)
        case .onlyObject(let members): return Self.accepts(value, members, others: false)
        case .named(let name): return Schemas.all.first { $0.key == name }?.value.accepts(value) ?? false
        case .anyObject: return value is [String: Any]
        }
    }

    private static func accepts(_ value: Any, _ members: [Member], others: Bool) -> Bool {
        guard let object = value as? [String: Any] else { return false }
        return members.allSatisfy { member in object[member.name].map(member.schema.accepts) ?? !member.isRequired }
            && (others || object.keys.allSatisfy { name in members.contains { $0.name == name } })
    }

    private static func number(_ value: Any) -> Double? {
        isTruth(value) ? nil : (value as? NSNumber)?.doubleValue
    }

    /// Foundation has one class for numbers and truth values.
    private static func isTruth(_ value: Any) -> Bool {
        (value as? NSNumber).map { String(cString: $0.objCType) == "c" } ?? false
    }
}
