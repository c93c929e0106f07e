/// A JSON object in memory, parsed strictly and as a whole.
///
/// Imports use the last of several members with the same name, since real sources have them; this type rejects them.
package struct JSONObject: Sendable {
    /// A member.
    package struct Member: Sendable {
        /// The unescaped name.
        package let name: String
        /// The value.
        package let value: JSONValue
        /// The range of the value in the bytes.
        let place: FieldValue
    }

    /// The maximum nesting depth.
    static let maximumDepth = 64

    /// The members, in source order.
    package let members: [Member]
    let bytes: [UInt8]

    /// Parses an object.
    ///
    /// - Parameter bytes: The object, with optional white space around it.
    /// - Throws: ``JSONRefusal`` for anything else, for a repeated member, and for nesting that is too deep.
    /// - Complexity: O(bytes).
    package init(_ bytes: [UInt8]) throws {
        self.bytes = bytes
        members = try bytes.withBytes { try Self.members(in: $0) }
        var names: Set<String> = []
        for member in members where !names.insert(member.name).inserted {
            throw JSONRefusal(
                reason: "the member \"\(member.name.shortened)\" is given more than once", field: member.name,
                isSyntax: true)
        }
    }

    private static func members(in bytes: Bytes) throws -> [Member] {
        if let fault = bytes.firstUTF8Fault {
            throw JSONRefusal(reason: "invalid UTF-8 at byte \(fault.offset)", field: nil, isSyntax: true)
        }
        let texts = RecordFields(bytes, values: [])
        var scanner = JSONScanner(bytes, maximumDepth: maximumDepth)
        do throws(JSONProblem) {
            var members: [Member] = []
            try scanner.readOnlyObject { scanner, key throws(JSONProblem) in
                let place = try scanner.skipValue(depth: 1)
                let value = texts.value(at: place)
                members.append(Member(name: texts.text(of: key), value: value, place: place))
            }
            return members
        } catch {
            let reason =
                error.kind == .tooDeep
                ? "the body is nested deeper than \(maximumDepth) levels" : error.reason(in: bytes, calledA: "body")
            throw JSONRefusal(reason: "\(reason), at byte \(error.offset)", field: nil, isSyntax: true)
        }
    }
}

extension RecordFields {
    /// Returns a value that was validated.
    ///
    /// - Complexity: O(bytes · depth).
    fileprivate func value(at place: FieldValue) -> JSONValue {
        switch place.kind {
        case .true: .flag(true)
        case .false: .flag(false)
        case .number: .number(Double(text(of: place)) ?? .infinity)
        case .text, .escapedText: .text(text(of: place))
        case .array: .array(elements(of: place).map(value))
        case .object: .object
        case .absent, .null, .doubledText: .null
        }
    }
}

/// A JSON value.
///
/// The members of objects are not kept.
package enum JSONValue: Equatable, Sendable {
    case null
    case flag(Bool)
    /// A number; infinite if a `Double` cannot represent it.
    case number(Double)
    case text(String)
    case array([JSONValue])
    /// An object.
    case object
}

/// The reason why a JSON object in memory, or the record in it, is rejected.
package struct JSONRefusal: Error, Equatable {
    /// A clause that names the invalid value.
    package let reason: String
    /// The member at fault, if known.
    package let field: String?
    /// Whether the bytes are not a JSON object, or are ambiguous.
    package let isSyntax: Bool
}
