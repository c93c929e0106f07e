import PhotoStreamService

extension JSONWriter {
    /// Writes a member with a text, or without one `null`.
    mutating func member(_ name: StaticString, _ text: String?) {
        key(name)
        if let text { value(text) } else { null() }
    }

    /// Writes a member with a whole number.
    mutating func member(_ name: StaticString, _ number: some FixedWidthInteger) {
        key(name)
        value(number)
    }

    /// Writes a member with a number.
    mutating func member(_ name: StaticString, _ number: Double) {
        key(name)
        value(number)
    }

    /// Writes a member with a truth value.
    mutating func member(_ name: StaticString, _ truth: Bool) {
        key(name)
        value(truth)
    }
}

extension StandardOutput {
    /// Writes one JSON value on a line of its own.
    static func write(json body: (inout JSONWriter) -> Void) throws {
        var writer = JSONWriter()
        body(&writer)
        try write(writer.bytes)
        try write(line: "")
    }
}
