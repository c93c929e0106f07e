import Foundation
import PhotoStreamModel

/// The query of an address, decoded: every name at most once, and only names that the route knows.
struct QueryParameters {
    /// Names and values in the order of the address.
    let all: [(name: String, value: String)]

    /// Reads a query.
    ///
    /// - Parameters:
    ///   - text: What follows the question mark; `nil` where there is none.
    ///   - allowed: Whether the route knows a parameter.
    /// - Throws: ``Problem`` naming a parameter that is unknown, repeated or badly escaped.
    init(_ text: String?, where allowed: (String) -> Bool) throws(Problem) {
        var all: [(name: String, value: String)] = []
        for part in (text ?? "").utf8.split(separator: UInt8(ascii: "&")) {
            let end = part.firstIndex(of: UInt8(ascii: "=")) ?? part.endIndex
            let badEscape = "the query has an escape that is cut off or is not UTF-8"
            guard let name = Self.decoded(part[..<end]) else { throw Problem(.badEscape, badEscape) }
            guard let value = Self.decoded(part[end...].dropFirst()) else {
                throw Problem(.badEscape, badEscape, parameter: name)
            }
            guard allowed(name) else {
                throw Problem(.unknownParameter, "there is no parameter \"\(name)\" here", parameter: name)
            }
            guard !all.contains(where: { $0.name == name }) else {
                throw Problem(.repeatedParameter, "the parameter \(name) is given more than once", parameter: name)
            }
            all.append((name, value))
        }
        self.all = all
    }

    /// A name or a value as it was meant; `nil` where an escape is cut off or is not UTF-8.
    private static func decoded(_ bytes: Substring.UTF8View) -> String? {
        let text = String(Substring(bytes))
        return (text.contains("+") ? text.replacing("+", with: " ") : text).removingPercentEncoding
    }

    /// The value of a parameter as it was given.
    subscript(name: String) -> String? { all.first { $0.name == name }?.value }

    /// Reads a parameter.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - expectation: What it must be, behind "must be".
    ///   - read: Makes a value of the text, `nil` where it is none.
    /// - Returns: `nil` where the parameter is not given.
    /// - Throws: ``Problem`` naming parameter and value.
    func value<Value>(_ name: String, _ expectation: String, _ read: (String) -> Value?) throws(Problem) -> Value? {
        guard let text = self[name] else { return nil }
        guard let value = read(text) else {
            throw Problem(.invalidParameter, "\(name) is \"\(text)\", but must be \(expectation)", parameter: name)
        }
        return value
    }

    /// Reads a parameter that must be given.
    func required<Value>(_ name: String, _ expectation: String, _ read: (String) -> Value?) throws(Problem) -> Value {
        guard let value = try value(name, expectation, read) else {
            throw Problem(.missingParameter, "the parameter \(name) is missing", parameter: name)
        }
        return value
    }

    /// Reads a whole number that is not negative.
    func natural(_ name: String) throws(Problem) -> Int? {
        try value(name, "a whole number from 0 on") { Int($0).flatMap { $0 < 0 ? nil : $0 } }
    }

    /// Reads `true` or `false`.
    func flag(_ name: String) throws(Problem) -> Bool? {
        try value(name, "true or false") { ["true": true, "false": false][$0] }
    }

    /// Reads a number; NaN and infinities are none.
    func number(_ name: String) throws(Problem) -> Double? {
        try value(name, "a number", Self.number)
    }

    /// Reads a finite number.
    static func number(_ text: String) -> Double? {
        Double(decimal: text).flatMap { $0.isFinite ? $0 : nil }
    }
}
