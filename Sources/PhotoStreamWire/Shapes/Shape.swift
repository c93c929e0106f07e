package import PhotoStreamLayout

/// A value that has one form in JSON, and the schema of that form.
///
/// Numbers, texts and truth values conform below; an object describes its members as a ``WireObject``.
package protocol WireValue: SendableMetatype {
    /// The schema of everything that ``write(to:in:)`` writes.
    static var schema: Schema { get }

    /// Writes the value.
    ///
    /// - Parameters:
    ///   - writer: The text that is being written.
    ///   - context: The scale of lengths and the members of items.
    func write(to writer: inout JSONWriter, in context: WireContext)
}

/// The circumstances in which an answer is written.
package struct WireContext: Sendable {
    /// The device pixels in a point: lengths are stored in device pixels and written in points.
    package let displayScale: DisplayScale?
    /// The members that the objects of items have.
    package let fields: ItemFields
}

/// A value whose form in JSON is an object.
///
///     extension SectionAnswer: WireObject {
///         static let shape = Shape<SectionAnswer>(
///             "Section",
///             members: [
///                 .always("id", about: "Its name.") { $0.id },
///                 .always("frame", about: "All of it.") { $0.frame },
///             ])
///     }
///
/// The description writes the object, is its schema in the OpenAPI document, and is its table in Documentation/JSON.md.
package protocol WireObject: WireValue {
    /// The object's members.
    static var shape: Shape<Self> { get }
    /// The device pixels in a point, if the value knows them; otherwise those of the answer that contains the value.
    var displayScale: DisplayScale? { get }
}

extension WireObject {
    package var displayScale: DisplayScale? { nil }
    package static var schema: Schema { shape.reference }

    package func write(to writer: inout JSONWriter, in context: WireContext) {
        writer.object { writer in
            for member in Self.shape.members { member.write(&writer, self, context) }
        }
    }
}

/// The members of an object in JSON, in the order in which they are written.
package struct Shape<Value>: Sendable {
    /// A member of the object.
    package struct Member: Sendable {
        /// The name.
        package let name: String
        /// The schema of its value.
        package let schema: Schema
        /// Whether it is always present.
        package let isRequired: Bool
        /// The meaning, in one phrase.
        package let summary: String
        /// Writes name and value, or nothing.
        let write: @Sendable (inout JSONWriter, Value, WireContext) -> Void
    }

    /// The name in the OpenAPI document; `nil` for an object that exists only inside another.
    package let name: String?
    /// The members.
    package let members: [Member]

    /// Creates the description of an object.
    package init(_ name: String?, members: [Member]) {
        self.name = name
        self.members = members
    }

    /// The schema of the object.
    package var schema: Schema {
        .object(
            members.map {
                Schema.Member(name: $0.name, schema: $0.schema, isRequired: $0.isRequired, summary: $0.summary)
            })
    }

    /// The schema by which other schemas refer to it.
    package var reference: Schema { name.map(Schema.named) ?? schema }

    /// Returns the members as members of an object that includes this one.
    package func members<Outer>(of value: @escaping @Sendable (Outer) -> Value) -> [Shape<Outer>.Member] {
        members.map { $0.member(of: value) }
    }
}

extension Shape.Member {
    /// Returns a member that is always present.
    package static func always<Content: WireValue>(
        _ name: StaticString, about summary: String, as schema: Schema = Content.schema,
        content: @escaping @Sendable (Value) -> Content
    ) -> Self {
        Self(name: name.description, schema: schema, isRequired: true, summary: summary) { writer, value, context in
            writer.key(name)
            content(value).write(to: &writer, in: context)
        }
    }

    /// Returns a member that is always present, and `null` if it has no value.
    package static func nullable<Content: WireValue>(
        _ name: StaticString, about summary: String, as schema: Schema = Content.schema,
        content: @escaping @Sendable (Value) -> Content?
    ) -> Self {
        Self(
            name: name.description, schema: .nullable(schema), isRequired: true, summary: summary
        ) { writer, value, context in
            writer.key(name)
            if let content = content(value) { content.write(to: &writer, in: context) } else { writer.null() }
        }
    }

    /// Returns a member that is left out if it has no value.
    package static func optional<Content: WireValue>(
        _ name: StaticString, about summary: String, as schema: Schema = Content.schema,
        content: @escaping @Sendable (Value) -> Content?
    ) -> Self {
        Self(name: name.description, schema: schema, isRequired: false, summary: summary) { writer, value, context in
            guard let content = content(value) else { return }
            writer.key(name)
            content.write(to: &writer, in: context)
        }
    }

    /// Returns the member as a member of an object that includes this one's.
    func member<Outer>(of value: @escaping @Sendable (Outer) -> Value) -> Shape<Outer>.Member {
        Shape<Outer>.Member(
            name: name, schema: schema, isRequired: isRequired, summary: summary
        ) { [write] writer, outer, context in
            write(&writer, value(outer), context)
        }
    }
}

extension JSONWriter {
    /// Writes an object.
    ///
    /// - Parameters:
    ///   - value: The object.
    ///   - fields: The members that the objects of items have.
    package mutating func value(_ value: some WireObject, fields: ItemFields = .all) {
        value.write(to: &self, in: WireContext(displayScale: value.displayScale, fields: fields))
    }

    /// Writes the members of an object, whose other members the caller writes.
    package mutating func members<Value: WireObject>(of value: Value) {
        let context = WireContext(displayScale: value.displayScale, fields: .all)
        for member in Value.shape.members { member.write(&self, value, context) }
    }
}
