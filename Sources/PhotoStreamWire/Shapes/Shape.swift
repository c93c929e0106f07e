package import PhotoStreamLayout

/// A value that has one form in JSON, and the schema of that form.
///
/// Numbers, texts and Booleans conform below; an object describes its members as a ``WireObject``.
package protocol WireValue: SendableMetatype {
    /// The schema of everything that ``write(to:in:)`` writes.
    static var schema: Schema { get }

    /// Writes the value.
    ///
    /// - Parameters:
    ///   - writer: The text that is being written.
    ///   - context: The scale of lengths and the members of items.
    func write(to writer: inout JSONWriter, in context: WireContext)

    /// Writes the value with other texts; `null` if it consists of anything other than texts.
    ///
    /// - Parameters:
    ///   - writer: The text that is being written.
    ///   - seal: Returns the text that replaces another.
    func write(to writer: inout JSONWriter, sealedBy seal: (String) -> String)
}

extension WireValue {
    package func write(to writer: inout JSONWriter, sealedBy seal: (String) -> String) { writer.null() }
}

/// The circumstances in which an answer is written.
package struct WireContext: Sendable {
    /// The device pixels in a point: lengths are stored in device pixels and written in points.
    package let displayScale: DisplayScale?
    /// The members that the objects of items have.
    package let fields: ItemFields

    /// The circumstances of a value that is not part of a layout's answer.
    package static let plain = WireContext(displayScale: nil, fields: .all)
}

/// A value whose form in JSON is an object.
///
///     extension SectionAnswer: WireObject {
///         static let schemaName: String? = "Section"
///
///         static func describe(_ members: inout some MemberList<SectionAnswer>) {
///             members.always("id", sharedAs: .plain, about: "Its name.") { $0.id }
///             members.always("frame", sharedAs: .plain, about: "All of it.") { $0.frame }
///         }
///     }
///
/// The description writes the object, is its schema in the OpenAPI document, and is its section of Documentation/JSON.md.
/// A member that it does not describe with `sharedAs` is hidden from shares.
package protocol WireObject: WireValue {
    /// The name in the OpenAPI document; by default `nil`, for an object that exists only inside another.
    static var schemaName: String? { get }
    /// Describes the object's members in the order in which they are written.
    ///
    /// A function rather than a list of members: the compiler specializes it for each ``MemberList``, and the one that
    /// writes calls no closure.
    static func describe(_ members: inout some MemberList<Self>)
    /// The device pixels in a point, if the value knows them; otherwise those of the answer that contains the value.
    var displayScale: DisplayScale? { get }
}

extension WireObject {
    package static var schemaName: String? { nil }
    package var displayScale: DisplayScale? { nil }
    package static var schema: Schema { schemaName.map(Schema.named) ?? .object(members) }

    /// The object's members, in the order in which they are written.
    package static var members: [Schema.Member] {
        var members = MemberCollection<Self>()
        describe(&members)
        return members.members
    }

    package func write(to writer: inout JSONWriter, in context: WireContext) {
        let context = displayScale.map { WireContext(displayScale: $0, fields: context.fields) } ?? context
        writer.object { $0.members(of: self, in: context) }
    }
}

/// Receives the members of an object, in the order in which they are written.
package protocol MemberList<Value> {
    /// The object.
    associatedtype Value

    /// Adds a member; see ``always(_:of:sharedAs:about:as:content:)``, ``nullable(_:of:sharedAs:about:as:content:)`` and
    /// ``optional(_:of:sharedAs:about:as:content:)``.
    mutating func add<Content: WireValue>(
        _ name: () -> StaticString, presence: MemberPresence, of field: ItemField?, sharedAs form: () -> SharedForm?,
        about summary: () -> String, as schema: () -> Schema, content: (Value) -> Content?)

    /// Adds the members of an object that this one includes.
    mutating func include<Part: WireObject>(_ part: (Value) -> Part)
}

/// The form of a member that has no value.
package enum MemberPresence {
    /// The member always has a value.
    case always
    /// The member is `null`.
    case nullable
    /// The member is omitted.
    case optional
}

extension MemberList {
    /// Adds a member that is always present.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - field: The field by which a client requests it; `nil` for a member that every answer has.
    ///   - form: The form in which a share shows it; `nil` to hide it from shares.
    ///   - summary: The meaning, in one phrase.
    ///   - schema: The schema of its value.
    ///   - content: Returns its value.
    @inline(__always)
    package mutating func always<Content: WireValue>(
        _ name: @autoclosure () -> StaticString, of field: ItemField? = nil,
        sharedAs form: @autoclosure () -> SharedForm? = nil, about summary: @autoclosure () -> String,
        as schema: @autoclosure () -> Schema = Content.schema, content: (Value) -> Content
    ) {
        add(name, presence: .always, of: field, sharedAs: form, about: summary, as: schema) { content($0) }
    }

    /// Adds a member that is always present, and `null` if it has no value.
    @inline(__always)
    package mutating func nullable<Content: WireValue>(
        _ name: @autoclosure () -> StaticString, of field: ItemField? = nil,
        sharedAs form: @autoclosure () -> SharedForm? = nil, about summary: @autoclosure () -> String,
        as schema: @autoclosure () -> Schema = Content.schema, content: (Value) -> Content?
    ) {
        add(name, presence: .nullable, of: field, sharedAs: form, about: summary, as: schema, content: content)
    }

    /// Adds a member that is omitted if it has no value.
    @inline(__always)
    package mutating func optional<Content: WireValue>(
        _ name: @autoclosure () -> StaticString, of field: ItemField? = nil,
        sharedAs form: @autoclosure () -> SharedForm? = nil, about summary: @autoclosure () -> String,
        as schema: @autoclosure () -> Schema = Content.schema, content: (Value) -> Content?
    ) {
        add(name, presence: .optional, of: field, sharedAs: form, about: summary, as: schema, content: content)
    }
}

/// Writes the members of an object.
private struct MemberWriter<Value>: MemberList {
    // By address, because a copyable value cannot contain one that cannot be copied. Valid only during the call of
    // `describe` for which it was created.
    let writer: UnsafeMutablePointer<JSONWriter>
    let value: Value
    let context: WireContext

    @inline(__always)
    func add<Content: WireValue>(
        _ name: () -> StaticString, presence: MemberPresence, of field: ItemField?, sharedAs form: () -> SharedForm?,
        about summary: () -> String, as schema: () -> Schema, content: (Value) -> Content?
    ) {
        if let field, !context.fields.contains(field) { return }
        if let content = content(value) {
            writer.pointee.key(name())
            content.write(to: &writer.pointee, in: context)
        } else if presence == .nullable {
            writer.pointee.key(name())
            writer.pointee.null()
        }
    }

    @inline(__always)
    func include<Part: WireObject>(_ part: (Value) -> Part) {
        writer.pointee.members(of: part(value), in: context)
    }
}

/// Writes the members of an object that a share shows.
private struct SharedMemberWriter<Value>: MemberList {
    // By address; see ``MemberWriter``.
    let writer: UnsafeMutablePointer<JSONWriter>
    let value: Value
    let context: WireContext
    let audience: ShareAudience

    func add<Content: WireValue>(
        _ name: () -> StaticString, presence: MemberPresence, of field: ItemField?, sharedAs form: () -> SharedForm?,
        about summary: () -> String, as schema: () -> Schema, content: (Value) -> Content?
    ) {
        guard let form = form(), audience.shows(form), field.map(context.fields.contains) ?? true else { return }
        let content = content(value)
        guard content != nil || presence == .nullable else { return }
        writer.pointee.key(name())
        guard let content else { return writer.pointee.null() }
        switch form {
        case .plain, .position, .original: content.write(to: &writer.pointee, in: context)
        case .photoID, .pictureKey, .cursor:
            content.write(to: &writer.pointee, sealedBy: { audience.text($0, as: form) })
        }
    }

    func include<Part: WireObject>(_ part: (Value) -> Part) {
        writer.pointee.members(of: part(value), in: context)
    }
}

/// Collects the descriptions of an object's members.
private struct MemberCollection<Value>: MemberList {
    var members: [Schema.Member] = []

    mutating func add<Content: WireValue>(
        _ name: () -> StaticString, presence: MemberPresence, of field: ItemField?, sharedAs form: () -> SharedForm?,
        about summary: () -> String, as schema: () -> Schema, content: (Value) -> Content?
    ) {
        members.append(
            Schema.Member(
                name: name().description, schema: presence == .nullable ? .nullable(schema()) : schema(),
                isRequired: presence != .optional, summary: summary(), sharedForm: form()))
    }

    mutating func include<Part: WireObject>(_ part: (Value) -> Part) {
        members += Part.members
    }
}

extension JSONWriter {
    /// Writes an object.
    ///
    /// - Parameters:
    ///   - value: The object.
    ///   - fields: The members that the objects of items have.
    package mutating func value(_ value: some WireObject, fields: ItemFields = .all) {
        value.write(to: &self, in: WireContext(displayScale: nil, fields: fields))
    }

    /// Writes the members of an object, whose other members the caller writes.
    package mutating func members(of value: some WireObject) {
        members(of: value, in: WireContext(displayScale: value.displayScale, fields: .all))
    }

    @inline(__always)
    fileprivate mutating func members<Value: WireObject>(of value: Value, in context: WireContext) {
        if let audience { return members(of: value, in: context, shownTo: audience) }
        withUnsafeMutablePointer(to: &self) { writer in
            var members = MemberWriter(writer: writer, value: value, context: context)
            Value.describe(&members)
        }
    }

    @inline(never)
    private mutating func members<Value: WireObject>(
        of value: Value, in context: WireContext, shownTo audience: ShareAudience
    ) {
        withUnsafeMutablePointer(to: &self) { writer in
            var members = SharedMemberWriter(writer: writer, value: value, context: context, audience: audience)
            Value.describe(&members)
        }
    }
}
