import PhotoStreamModel

extension JSONWriter {
    /// Writes a member with a text.
    package mutating func member(_ name: StaticString, _ text: String) {
        key(name)
        value(text)
    }

    /// Writes a member with a text that stands somewhere as UTF-8.
    mutating func member(_ name: StaticString, _ text: UnsafeBufferPointer<UInt8>) {
        key(name)
        value(text)
    }

    /// Writes a member with a time.
    mutating func member(_ name: StaticString, _ time: CaptureTime) {
        key(name)
        value(time)
    }

    /// Writes a member with a text; nothing where there is none.
    package mutating func member(_ name: StaticString, ifPresent text: String?) {
        guard let text else { return }
        member(name, text)
    }

    /// Writes a member with a text; `null` where there is none.
    package mutating func member(_ name: StaticString, orNull text: String?) {
        key(name)
        if let text { value(text) } else { null() }
    }

    /// Writes a member with a whole number.
    package mutating func member(_ name: StaticString, _ number: some FixedWidthInteger) {
        key(name)
        value(number)
    }

    /// Writes a member with a number.
    package mutating func member(_ name: StaticString, _ number: Double) {
        key(name)
        value(number)
    }

    /// Writes a member with a truth value.
    package mutating func member(_ name: StaticString, _ truth: Bool) {
        key(name)
        value(truth)
    }
}
