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

extension Schema: WireValue {
    package static var schema: Schema { .anyObject }

    /// The schema as an object.
    package var json: JSONMembers {
        switch self {
        case .text: ["type": "string"]
        case .someText: ["type": "string", "minLength": 1]
        case .name(let maximumByteCount, let others):
            [
                "type": "string", "minLength": 1, "maxLength": maximumByteCount,
                "pattern": #"^(?!\.{1,2}$)[^\#(others)\u0000-\u001F\u007F-\u009F]+$"#,
            ]
        case .integer: ["type": "integer"]
        case .number: ["type": "number"]
        case .flag: ["type": "boolean"]
        case .words(let words): ["type": "string", "enum": words]
        case .array(let element): ["type": "array", "items": element]
        case .object(let members): Self.object(members)
        case .onlyObject(let members): Self.object(members, andOthers: false)
        case .named(let name): ["$ref": "#/components/schemas/" + name]
        case .nullable(let schema): ["anyOf": [schema.json, ["type": "null"]]]
        case .anyOf(let schemas): ["anyOf": schemas]
        case .anyObject: ["type": "object"]
        }
    }

    private static func object(_ members: [Member], andOthers: Bool? = nil) -> JSONMembers {
        let properties = members.map { member in
            var property = member.schema.json
            property.add("description", value: member.summary.isEmpty ? nil : member.summary)
            return (member.name, property as (any WireValue)?)
        }
        var object: JSONMembers = [
            "type": "object", "properties": JSONMembers(properties),
            "required": members.filter(\.isRequired).map(\.name),
        ]
        object.add("additionalProperties", value: andOthers)
        return object
    }

    package func write(to writer: inout JSONWriter, in context: WireContext) {
        json.write(to: &writer, in: context)
    }
}
