/// The values of one record, one place per field; reused from record to record.
struct RecordFields {
    /// The record's bytes, valid UTF-8; valid only while the record is handled.
    private(set) var bytes: UnsafeRawBufferPointer
    private var values: [FieldValue]

    init() {
        bytes = UnsafeRawBufferPointer(start: nil, count: 0)
        values = Array(repeating: .absent, count: ImportField.count)
    }

    /// The values of a record that was read before, one for each field.
    init(_ bytes: UnsafeRawBufferPointer, _ values: [FieldValue]) {
        (self.bytes, self.values) = (bytes, values)
    }

    /// Starts over with another record.
    mutating func reset(to bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
        for index in values.indices { values[index] = .absent }
    }

    subscript(field: ImportField) -> FieldValue { values[field.index] }

    subscript(index: Int) -> FieldValue {
        get { values[index] }
        set { values[index] = newValue }
    }

    /// Fields that the record has, one bit per ``ImportField/index``.
    var presentMask: UInt32 {
        var mask: UInt32 = 0
        for index in values.indices where values[index].kind != .absent { mask |= 1 << UInt32(index) }
        return mask
    }

    /// Calls `body` with the text of a scalar: escapes decoded, doubled quotes made single.
    @inline(__always)
    func withContent<Result>(of value: FieldValue, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        let raw = bytes.slice(value.start..<value.end)
        switch value.kind {
        case .escapedText: return raw.decodingJSONEscapes().withUnsafeBytes(body)
        case .doubledText: return raw.undoublingQuotes().withUnsafeBytes(body)
        default: return body(raw)
        }
    }

    /// The text of a scalar.
    func text(of value: FieldValue) -> String {
        withContent(of: value) { String(decoding: $0, as: UTF8.self) }
    }

    /// Whether there is no value, or one that says that there is none: `null`, blank text.
    func isEmpty(_ value: FieldValue) -> Bool {
        switch value.kind {
        case .absent, .null: true
        case .number, .true, .false, .array, .object: false
        case .text, .escapedText, .doubledText: withContent(of: value) { $0.firstNonBlankOffset == nil }
        }
    }

    /// A value as messages show it: in quotes, shortened.
    func shown(_ value: FieldValue) -> String {
        switch value.kind {
        case .absent, .null: return "null"
        case .array: return "an array"
        case .object: return "an object"
        case .number, .true, .false: return text(of: value).shortened
        case .text, .escapedText, .doubledText: return "\"\(text(of: value).shortened)\""
        }
    }
}

extension String {
    /// The text with each U+0000 shown as a replacement character: reasons quote values, and the file stores reasons.
    var withoutNUL: String {
        guard utf8.contains(0) else { return self }
        return String(UnicodeScalarView(unicodeScalars.map { $0 == "\0" ? "\u{FFFD}" : $0 }))
    }

    /// The first 60 characters, with an ellipsis where there are more.
    var shortened: String { shortened(to: 60) }

    /// The first `limit` characters, with an ellipsis where there are more.
    func shortened(to limit: Int) -> String { utf8.count > limit && count > limit ? prefix(limit) + "…" : self }
}

extension UnsafeRawBufferPointer {
    /// The content of a quoted cell with each pair of quotes made one.
    fileprivate func undoublingQuotes() -> [UInt8] {
        var content: [UInt8] = []
        content.reserveCapacity(count)
        var offset = 0
        while offset < count {
            content.append(self[offset])
            offset += self[offset] == .quote ? 2 : 1
        }
        return content
    }
}
