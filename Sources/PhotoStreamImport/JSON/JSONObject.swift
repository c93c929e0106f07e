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
        var reading = JSONReading(bytes)
        do throws(JSONProblem) {
            return try reading.members()
        } catch {
            let reason =
                error.kind == .tooDeep
                ? "the body is nested deeper than \(maximumDepth) levels" : error.reason(in: bytes, calledA: "body")
            throw JSONRefusal(reason: "\(reason), at byte \(error.offset)", field: nil, isSyntax: true)
        }
    }
}

/// A parser of an object in valid UTF-8.
private struct JSONReading {
    private var scanner: JSONScanner
    private let texts: RecordFields

    init(_ bytes: Bytes) {
        scanner = JSONScanner(bytes)
        texts = RecordFields(bytes, values: [])
    }

    /// Parses the only value and returns its members.
    mutating func members() throws(JSONProblem) -> [JSONObject.Member] {
        guard try scanner.next() == UInt8(ascii: "{") else {
            let start = scanner.offset
            _ = try scanner.skipValue(depth: 0)
            throw JSONProblem(kind: .notAnObject, offset: start)
        }
        let members = try object(depth: 0)
        guard scanner.peek() == nil else { throw scanner.problem(.textAfterRecord) }
        return members
    }

    private mutating func object(depth: Int) throws(JSONProblem) -> [JSONObject.Member] {
        guard try opens(at: depth, until: UInt8(ascii: "}")) else { return [] }
        var members: [JSONObject.Member] = []
        repeat {
            let name = texts.text(of: try scanner.skipKey())
            let (value, place) = try value(depth: depth + 1)
            members.append(JSONObject.Member(name: name, value: value, place: place))
        } while try scanner.continues(to: UInt8(ascii: "}"), else: .expectedCommaOrBrace)
        return members
    }

    private mutating func array(depth: Int) throws(JSONProblem) -> [JSONValue] {
        guard try opens(at: depth, until: UInt8(ascii: "]")) else { return [] }
        var elements: [JSONValue] = []
        repeat {
            elements.append(try value(depth: depth + 1).value)
        } while try scanner.continues(to: UInt8(ascii: "]"), else: .expectedCommaOrBracket)
        return elements
    }

    /// Steps over the opening bracket.
    ///
    /// If the closing one follows at once, steps over it as well and returns `false`.
    private mutating func opens(at depth: Int, until end: UInt8) throws(JSONProblem) -> Bool {
        guard depth < JSONObject.maximumDepth else { throw scanner.problem(.tooDeep) }
        scanner.step()
        guard try scanner.next() == end else { return true }
        scanner.step()
        return false
    }

    private mutating func value(depth: Int) throws(JSONProblem) -> (value: JSONValue, place: FieldValue) {
        let first = try scanner.next()
        let start = scanner.offset
        switch first {
        case UInt8(ascii: "{"):
            _ = try object(depth: depth)
            return (.object, FieldValue(.object, from: start, to: scanner.offset))
        case UInt8(ascii: "["):
            let elements = try array(depth: depth)
            return (.array(elements), FieldValue(.array, from: start, to: scanner.offset))
        default:
            let place = try scanner.skipValue(depth: depth)
            return (scalar(place), place)
        }
    }

    private func scalar(_ place: FieldValue) -> JSONValue {
        switch place.kind {
        case .true: .flag(true)
        case .false: .flag(false)
        case .number: .number(Double(texts.text(of: place)) ?? .infinity)
        case .text, .escapedText: .text(texts.text(of: place))
        case .absent, .null, .doubledText, .array, .object: .null
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
