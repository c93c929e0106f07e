/// A JSON object as a literal, whose members keep their order.
///
///     var object: JSONMembers = ["stream": name.rawValue, "next": cursor, "size": ["width": 3] as JSONMembers]
///     object.add("problem", value: problem)
package struct JSONMembers: WireValue, ExpressibleByDictionaryLiteral {
    fileprivate var members: [(name: String, value: (any WireValue)?)]

    package static var schema: Schema { .anyObject }

    /// Creates an object; a value of `nil` is written as `null`.
    package init(dictionaryLiteral members: (String, (any WireValue)?)...) {
        self.init(members)
    }

    /// Creates an object from its members in order.
    package init(_ members: [(String, (any WireValue)?)]) {
        self.members = members.map { ($0, $1) }
    }

    /// Adds a member, unless its value is `nil`.
    package mutating func add(_ name: String, value: (any WireValue)?) {
        if let value { members.append((name, value)) }
    }

    package func write(to writer: inout JSONWriter, in context: WireContext) {
        writer.object { $0.members(self, in: context) }
    }
}

extension JSONWriter {
    /// Writes an object.
    package mutating func value(_ object: JSONMembers) {
        object.write(to: &self, in: .plain)
    }

    /// Writes the members of an object, whose other members the caller writes.
    package mutating func members(_ object: JSONMembers, in context: WireContext = .plain) {
        for (name, value) in object.members {
            key(named: name)
            if let value { value.write(to: &self, in: context) } else { null() }
        }
    }
}
