import PhotoStreamModel

/// The decoded query of an address: only names that the route knows, each of them once unless it is a list.
struct QueryParameters {
    /// Names and values in the order of the address.
    let all: [(name: String, value: String)]

    /// Reads a query.
    ///
    /// - Parameters:
    ///   - text: The text after the question mark; `nil` without one.
    ///   - parameter: Returns the route's parameter with a name; `nil` if the route does not know it.
    /// - Throws: ``Problem`` that names a parameter that is unknown, repeated or badly escaped.
    init(_ text: String?, parameter: (String) -> RouteParameter?) throws(Problem) {
        var all: [(name: String, value: String)] = []
        for part in (text ?? "").utf8.split(separator: UInt8(ascii: "&")) {
            let end = part.firstIndex(of: UInt8(ascii: "=")) ?? part.endIndex
            let badEscape = "the query has an escape sequence that is incomplete or is not UTF-8"
            guard let name = Self.decoded(part[..<end]) else { throw Problem(.badEscape, detail: badEscape) }
            guard let value = Self.decoded(part[end...].dropFirst()) else {
                throw Problem(.badEscape, detail: badEscape, parameter: name)
            }
            guard let known = parameter(name) else {
                throw Problem(.unknownParameter, detail: "the parameter \"\(name)\" is unknown here", parameter: name)
            }
            guard known.isList || !all.contains(where: { $0.name == name }) else {
                throw Problem(
                    .repeatedParameter, detail: "the parameter \(name) is given more than once", parameter: name)
            }
            all.append((name, value))
        }
        self.all = all
    }

    private init(all: [(name: String, value: String)]) {
        self.all = all
    }

    /// Returns the same parameters with other values.
    ///
    /// - Parameter change: Receives a name and a value, and returns the new value.
    /// - Returns: The parameters.
    /// - Throws: The errors of `change`.
    func mapping(
        _ change: (_ name: String, _ value: String) throws(Problem) -> String
    ) throws(Problem) -> QueryParameters {
        var changed = all
        for position in changed.indices {
            changed[position].value = try change(changed[position].name, changed[position].value)
        }
        return QueryParameters(all: changed)
    }

    /// Decodes a name or a value; `nil` if an escape sequence is incomplete or the result is not UTF-8.
    private static func decoded(_ bytes: Substring.UTF8View) -> String? {
        PercentEscapes.decoded(Substring(bytes), plusIsSpace: true)
    }

    /// The decoded value of a parameter.
    subscript(name: String) -> String? { all.first { $0.name == name }?.value }

    /// The decoded values of a parameter that may be repeated, in the order of the address.
    func values(_ name: String) -> [String] { all.filter { $0.name == name }.map(\.value) }

    /// Reads a parameter.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - expectation: The continuation of "must be" in the problem's detail.
    ///   - read: Converts the text to a value; `nil` if it is invalid.
    /// - Returns: `nil` if the parameter is not given.
    /// - Throws: ``Problem`` that names the parameter and its value.
    func value<Value>(
        _ name: String, expecting expectation: String, read: (String) -> Value?
    ) throws(Problem) -> Value? {
        guard let text = self[name] else { return nil }
        guard let value = read(text) else {
            throw Problem(
                .invalidParameter, detail: "\(name) is \"\(text)\", but must be \(expectation)", parameter: name)
        }
        return value
    }

    func required<Value>(
        _ name: String, expecting expectation: String, read: (String) -> Value?
    ) throws(Problem) -> Value {
        guard let value = try value(name, expecting: expectation, read: read) else {
            throw Problem(.missingParameter, detail: "the parameter \(name) is missing", parameter: name)
        }
        return value
    }

    /// Reads a whole number that is not negative.
    func natural(_ name: String) throws(Problem) -> Int? {
        try value(name, expecting: "a whole number, 0 or greater") { Int($0).flatMap { $0 < 0 ? nil : $0 } }
    }

    /// Reads `true` or `false`.
    func flag(_ name: String) throws(Problem) -> Bool? {
        try value(name, expecting: "true or false") { ["true": true, "false": false][$0] }
    }

    /// Reads a finite number.
    func number(_ name: String) throws(Problem) -> Double? {
        try value(name, expecting: "a number", read: Self.number)
    }

    /// Reads a finite number from a text.
    static func number(_ text: String) -> Double? {
        Double(decimal: text).flatMap { $0.isFinite ? $0 : nil }
    }
}
