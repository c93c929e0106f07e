import PhotoStreamLayout
import PhotoStreamModel

extension LayoutOptionValues {
    /// Reads an option's value.
    ///
    /// - Parameters:
    ///   - option: The option.
    ///   - text: Its value; for a flag, `true` or `false`.
    /// - Throws: ``LayoutOptionError`` that names the text.
    public mutating func set(_ option: LayoutOption, to text: String) throws {
        guard try take(option, from: text) else {
            let expected = option.expectation
            throw LayoutOptionError(option) { "\(option.name($0)) is \"\(text)\", but must be \(expected)" }
        }
    }

    private mutating func take(_ option: LayoutOption, from text: String) throws -> Bool {
        switch option.kind {
        case .number(let path): put(Double(decimal: text), at: path)
        case .count(let path): put(Int(text), at: path)
        case .flag(let path):
            switch text {
            case "true": put(true, at: path)
            case "false": put(false, at: path)
            default: false
            }
        case .size(let path): put(try? Size(text: text), at: path)
        case .insets(let path): put(try? EdgeInsets(text: text), at: path)
        case .choice(let choice): choice.set(&self, text)
        case .key: try putKey(text)
        }
    }

    private mutating func put<Value>(_ value: Value?, at path: WritableKeyPath<Self, Value?>) -> Bool {
        self[keyPath: path] = value
        return value != nil
    }

    private mutating func put(_ value: Bool, at path: WritableKeyPath<Self, Bool>) -> Bool {
        self[keyPath: path] = value
        return true
    }

    private mutating func putKey(_ text: String) throws -> Bool {
        do {
            layoutKey = try LayoutKey(parsing: text)
        } catch {
            throw LayoutOptionError(error, of: self)
        }
        return true
    }
}

extension LayoutOption {
    /// The continuation of "must be" in an error message.
    fileprivate var expectation: String {
        switch kind {
        case .number: "a number"
        case .count: "a whole number"
        case .flag: "true or false"
        case .size: "two numbers such as 80,60"
        case .insets: "four numbers such as 8,8,8,8"
        case .choice(let choice): "one of " + choice.words.joined(separator: ", ")
        case .key: "a layout key"
        }
    }
}
