import PhotoStreamModel
import PhotoStreamService

/// The shape of a JSON value in the OpenAPI document.
///
/// Source: JSON Schema 2020-12.
indirect enum Schema: Sendable {
    case text
    /// A text that is not empty.
    case someText
    /// A name of at most this many bytes, without certain characters in addition to those that no name has.
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
    struct Member: Sendable {
        let name: String
        let schema: Schema
        let isRequired: Bool
    }

    /// The schema of a stream's name.
    static let streamName = Schema.name(maximumByteCount: StreamName.maximumByteCount, without: "/")
    /// The schema of a photo's id.
    static let photoID = Schema.name(maximumByteCount: PhotoID.maximumByteCount, without: "")

    /// Returns members that are always present.
    static func always(_ members: KeyValuePairs<String, Schema>) -> [Member] {
        members.map { Member(name: $0.key, schema: $0.value, isRequired: true) }
    }

    /// Returns members that are present if they have a value.
    static func sometimes(_ members: KeyValuePairs<String, Schema>) -> [Member] {
        members.map { Member(name: $0.key, schema: $0.value, isRequired: false) }
    }
}

extension JSONWriter {
    /// Writes a schema.
    mutating func value(_ schema: Schema) {
        object { $0.members(of: schema) }
    }

    /// Writes the members of a schema.
    mutating func members(of schema: Schema) {
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
                writer.value(member.schema)
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
