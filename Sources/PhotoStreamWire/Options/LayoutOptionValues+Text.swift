import PhotoStreamLayout
import PhotoStreamModel

extension LayoutOptionValues {
    /// Reads an option's value.
    ///
    /// - Parameters:
    ///   - option: The option.
    ///   - text: Its value; of a flag `true` or `false`.
    /// - Throws: ``LayoutOptionError`` naming the text.
    public mutating func set(_ option: LayoutOption, to text: String) throws {
        guard try take(option, text) else {
            let expected = option.expectation
            throw LayoutOptionError(option) { "\(option.name($0)) is \"\(text)\", but must be \(expected)" }
        }
    }

    private mutating func take(_ option: LayoutOption, _ text: String) throws -> Bool {
        switch option.kind {
        case .number(let path): put(Double(decimal: text), path)
        case .count(let path): put(Int(text), path)
        case .flag(let path):
            switch text {
            case "true": put(true, path)
            case "false": put(false, path)
            default: false
            }
        case .size(let path): put(try? Size(text: text), path)
        case .insets(let path): put(try? EdgeInsets(text: text), path)
        case .choice(let choice): choice.set(&self, text)
        case .key: try putKey(text)
        }
    }

    private mutating func put<Value>(_ value: Value?, _ path: WritableKeyPath<Self, Value?>) -> Bool {
        self[keyPath: path] = value
        return value != nil
    }

    private mutating func put(_ value: Bool, _ path: WritableKeyPath<Self, Bool>) -> Bool {
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
    /// What its value must be, behind "must be".
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
