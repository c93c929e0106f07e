import PhotoStreamModel

/// The schema of a JSON value, as the OpenAPI document contains it.
///
/// Source: JSON Schema 2020-12.
package indirect enum Schema: Sendable {
    case text
    /// A text that is not empty.
    case someText
    /// A name of at most this many bytes, without these characters or those that no name contains.
    case name(maximumByteCount: Int, without: String)
    case integer
    case number
    case flag
    case words([String])
    case array(Schema)
    /// Members in order.
    case object([Member])
    /// Members in order and no others, for bodies of requests.
    case onlyObject([Member])
    /// A schema that has a name.
    case named(String)
    case nullable(Schema)
    case anyOf([Schema])
    /// Any object.
    case anyObject

    /// A member of an object.
    package struct Member: Sendable {
        package let name: String
        package let schema: Schema
        package let isRequired: Bool
        /// The meaning; empty if the name is enough.
        package let summary: String
        /// The form in which a share shows it; `nil` if it does not.
        package var sharedForm: SharedForm?
    }

    /// The order of a stream.
    package static let streamOrder = Schema.words(StreamOrder.allCases.map(\.rawValue))
    /// The schema of a stream's name.
    package static let streamName = Schema.name(maximumByteCount: StreamName.maximumByteCount, without: "/")
    /// The schema of a photo's id.
    package static let photoID = Schema.name(maximumByteCount: PhotoID.maximumByteCount, without: "")

    /// Returns members that are always present.
    package static func always(_ members: KeyValuePairs<String, Schema>) -> [Member] {
        members.map { Member(name: $0.key, schema: $0.value, isRequired: true, summary: "") }
    }

    /// Returns members that are present if they have a value.
    package static func sometimes(_ members: KeyValuePairs<String, Schema>) -> [Member] {
        members.map { Member(name: $0.key, schema: $0.value, isRequired: false, summary: "") }
    }
}

extension JSONWriter {
    /// Writes a schema.
    package mutating func value(_ schema: Schema) {
        object { $0.members(of: schema) }
    }

    /// Writes the members of a schema.
    package mutating func members(of schema: Schema) {
        switch schema {
        case .text: type("string")
        case .someText:
            type("string")
            key("minLength")
            value(1)
        case .name(let maximumByteCount, let others):
            type("string")
            key("minLength")
            value(1)
            key("maxLength")
            value(maximumByteCount)
            key("pattern")
            value(#"^(?!\.{1,2}$)[^\#(others)\u0000-\u001F\u007F-\u009F]+$"#)
        case .integer: type("integer")
        case .number: type("number")
        case .flag: type("boolean")
        case .words(let words):
            type("string")
            key("enum")
            array(words) { $0.value($1) }
        case .array(let element):
            type("array")
            key("items")
            value(element)
        case .object(let members): self.members(of: members)
        case .onlyObject(let members):
            self.members(of: members)
            key("additionalProperties")
            value(false)
        case .named(let name):
            key("$ref")
            value("#/components/schemas/" + name)
        case .nullable(let schema): choices([schema], orNull: true)
        case .anyOf(let schemas): choices(schemas, orNull: false)
        case .anyObject: type("object")
        }
    }

    private mutating func choices(_ schemas: [Schema], orNull: Bool) {
        key("anyOf")
        array { writer in
            for schema in schemas { writer.value(schema) }
            if orNull { writer.object { $0.type("null") } }
        }
    }

    private mutating func members(of members: [Schema.Member]) {
        type("object")
        key("properties")
        object { writer in
            for member in members {
                writer.key(named: member.name)
                writer.object { writer in
                    writer.members(of: member.schema)
                    writer.member("description", ifPresent: member.summary.isEmpty ? nil : member.summary)
                }
            }
        }
        key("required")
        array(members.filter(\.isRequired)) { $0.value($1.name) }
    }

    private mutating func type(_ name: StaticString) {
        key("type")
        value(name.description)
    }
}
