/// Reads the `name=value` parts of a layout key's text in their fixed order.
struct LayoutKeyFields {
    /// The whole text, for errors.
    let text: String
    private var parts: ArraySlice<Substring>

    init(text: String, parts: ArraySlice<Substring>) {
        self.text = text
        self.parts = parts
    }

    /// Whether the next part has this name.
    func has(_ name: String) -> Bool {
        parts.first?.hasPrefix(name + "=") ?? false
    }

    /// Whether the next part is exactly this.
    func isNext(_ part: String) -> Bool {
        parts.first.map { $0 == part } ?? false
    }

    mutating func value(_ name: String) throws(LayoutError) -> Substring {
        guard has(name), let part = parts.popFirst() else { throw .invalidKey(text) }
        return part.dropFirst(name.count + 1)
    }

    mutating func number(_ name: String) throws(LayoutError) -> Int64 {
        try numbers(name, count: 1)[0]
    }

    mutating func numbers(_ name: String, count: Int) throws(LayoutError) -> [Int64] {
        // Ten digits hold every length there is, and keep later sums far from an overflow.
        let numbers = try value(name).split(separator: ":", omittingEmptySubsequences: false).compactMap { digits in
            digits.utf8.count <= 10 ? Int64(digits).flatMap { $0 >= 0 ? $0 : nil } : nil
        }
        guard numbers.count == count else { throw .invalidKey(text) }
        return numbers
    }

    /// A value of an enumeration, by its raw value.
    mutating func choice<Choice: RawRepresentable<String>>(_ name: String) throws(LayoutError) -> Choice {
        guard let choice = Choice(rawValue: String(try value(name))) else { throw .invalidKey(text) }
        return choice
    }

    /// A value of an enumeration where it is there, else what it is by default.
    mutating func choice<Choice: RawRepresentable<String>>(
        _ name: String, or otherwise: Choice
    ) throws(LayoutError) -> Choice {
        has(name) ? try choice(name) : otherwise
    }
}
