/// Reads the `name=value` parts of a layout key's text in their fixed order.
struct LayoutKeyFields {
    /// The whole text, for errors.
    let text: String
    private(set) var parts: ArraySlice<Substring>

    // Reads bytes, because every cursor contains a key.

    /// Whether the next part has this name.
    func has(_ name: String) -> Bool {
        guard let part = parts.first?.utf8, part.starts(with: name.utf8) else { return false }
        return part.dropFirst(name.utf8.count).first == UInt8(ascii: "=")
    }

    /// Whether the next part is exactly this one.
    func isNext(_ part: String) -> Bool {
        parts.first.map { $0 == part } ?? false
    }

    mutating func value(_ name: String) throws(LayoutError) -> Substring {
        guard has(name), let part = parts.popFirst() else { throw .invalidKey(text) }
        return Substring(part.utf8.dropFirst(name.utf8.count + 1))
    }

    mutating func number(_ name: String) throws(LayoutError) -> Int64 {
        guard let number = Self.number(try value(name).utf8) else { throw .invalidKey(text) }
        return number
    }

    mutating func numbers(_ name: String, count: Int) throws(LayoutError) -> [Int64] {
        let numbers = try value(name).utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
            .compactMap(Self.number)
        guard numbers.count == count else { throw .invalidKey(text) }
        return numbers
    }

    private static func number(_ digits: Substring.UTF8View) -> Int64? {
        // Ten digits are enough for every length, and keep later sums far from an overflow.
        guard digits.count <= 10, let number = Int64(Substring(digits)), number >= 0 else { return nil }
        return number
    }

    /// Reads a value of an enumeration by its raw value.
    mutating func choice<Choice: RawRepresentable<String>>(_ name: String) throws(LayoutError) -> Choice {
        guard let choice = Choice(rawValue: String(try value(name))) else { throw .invalidKey(text) }
        return choice
    }

    /// Reads a value of an enumeration, or returns the default if it is missing.
    mutating func choice<Choice: RawRepresentable<String>>(
        _ name: String, or otherwise: Choice
    ) throws(LayoutError) -> Choice {
        has(name) ? try choice(name) : otherwise
    }
}
