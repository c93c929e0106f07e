/// One JSON object in memory, read once and as a whole: bytes that say what they mean.
///
/// An import takes the last of two members of one name, since sources have such; here they are refused.
package struct JSONObject: Sendable {
    /// A member.
    package struct Member: Sendable {
        /// Its name, without escapes.
        package let name: String
        /// What it is.
        package let value: JSONValue
        /// Where it stands.
        let place: FieldValue
    }

    /// The deepest nesting that is read.
    static let maximumDepth = 64

    /// The members, in the order of the bytes.
    package let members: [Member]
    let bytes: [UInt8]

    /// Reads an object.
    ///
    /// - Parameter bytes: The object, with white space around it at most.
    /// - Throws: ``JSONRefusal`` for anything else, for two members of one name, and for what is nested too deep.
    /// - Complexity: O(bytes).
    package init(_ bytes: [UInt8]) throws {
        self.bytes = bytes
        members = try bytes.withUnsafeBytes { try Self.members(in: $0) }
        var names: Set<String> = []
        for member in members where !names.insert(member.name).inserted {
            throw JSONRefusal(
                reason: "the member \"\(member.name.shortened)\" is given more than once", field: member.name,
                isSyntax: true)
        }
    }

    private static func members(in bytes: UnsafeRawBufferPointer) throws -> [Member] {
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

/// Reads an object in bytes that are valid UTF-8.
private struct JSONReading {
    private var scanner: JSONScanner
    private let texts: RecordFields

    init(_ bytes: UnsafeRawBufferPointer) {
        scanner = JSONScanner(bytes)
        texts = RecordFields(bytes, [])
    }

    /// All members of the only value.
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
        guard try opens(depth, UInt8(ascii: "}")) else { return [] }
        var members: [JSONObject.Member] = []
        repeat {
            let name = texts.text(of: try scanner.skipKey())
            let (value, place) = try value(depth: depth + 1)
            members.append(JSONObject.Member(name: name, value: value, place: place))
        } while try scanner.continues(to: UInt8(ascii: "}"), else: .expectedCommaOrBrace)
        return members
    }

    private mutating func array(depth: Int) throws(JSONProblem) -> [JSONValue] {
        guard try opens(depth, UInt8(ascii: "]")) else { return [] }
        var elements: [JSONValue] = []
        repeat {
            elements.append(try value(depth: depth + 1).value)
        } while try scanner.continues(to: UInt8(ascii: "]"), else: .expectedCommaOrBracket)
        return elements
    }

    /// Steps over the opening bracket, and over the closing one where nothing is between them.
    private mutating func opens(_ depth: Int, _ end: UInt8) throws(JSONProblem) -> Bool {
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
            return (.object, FieldValue(.object, start, scanner.offset))
        case UInt8(ascii: "["):
            let elements = try array(depth: depth)
            return (.array(elements), FieldValue(.array, start, scanner.offset))
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
