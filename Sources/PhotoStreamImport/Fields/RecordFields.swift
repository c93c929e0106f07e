import PhotoStreamModel

/// The values of one record, one per field.
///
/// The storage is reused for every record.
struct RecordFields {
    /// The record's bytes, valid UTF-8.
    ///
    /// The memory is borrowed while the record is processed.
    private(set) var bytes: Bytes
    private var values: [FieldValue]

    init() {
        bytes = .none
        values = Array(repeating: .absent, count: ImportField.count)
    }

    /// Creates the values of a record that was already parsed, one per field.
    init(_ bytes: Bytes, values: [FieldValue]) {
        (self.bytes, self.values) = (bytes, values)
    }

    /// Clears the values, for the next record.
    mutating func reset(to bytes: Bytes) {
        self.bytes = bytes
        for index in values.indices { values[index] = .absent }
    }

    subscript(field: ImportField) -> FieldValue { values[field.index] }

    subscript(index: Int) -> FieldValue {
        get { values[index] }
        set { values[index] = newValue }
    }

    /// The fields that the record has, one bit per ``ImportField/index``.
    var presentMask: UInt32 {
        var mask: UInt32 = 0
        for index in values.indices where values[index].kind != .absent { mask |= 1 << UInt32(index) }
        return mask
    }

    /// Calls `body` with the text of a scalar, with escapes decoded and doubled quotes undoubled.
    @inline(__always)
    func withContent<Result, Failure>(
        of value: FieldValue, _ body: (Bytes) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let raw = bytes.slice(value.start..<value.end)
        switch value.kind {
        case .escapedText:
            // The scanner has validated the escapes.
            return try (JSONEscapes.decodedBytes(raw) ?? []).withBytes(body)
        case .doubledText: return try raw.undoublingQuotes().withBytes(body)
        default: return try body(raw)
        }
    }

    /// Returns the text of a scalar.
    func text(of value: FieldValue) -> String {
        withContent(of: value) { String(decoding: $0, as: UTF8.self) }
    }

    /// Returns the elements of an array that was validated.
    func elements(of array: FieldValue) -> [FieldValue] {
        var scanner = JSONScanner(bytes, from: array.start)
        var elements: [FieldValue] = []
        try? scanner.readArray(depth: 0) { scanner throws(JSONProblem) in
            elements.append(try scanner.skipValue(depth: 1))
        }
        return elements
    }

    /// Whether there is no value, or an empty one: `null` or blank text.
    func isEmpty(_ value: FieldValue) -> Bool {
        switch value.kind {
        case .absent, .null: true
        case .number, .true, .false, .array, .object: false
        case .text, .escapedText, .doubledText: withContent(of: value) { $0.firstNonBlankOffset == nil }
        }
    }

    /// Returns a value for messages: quoted and shortened.
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
    /// The text with each U+0000 replaced by U+FFFD.
    ///
    /// Reasons quote values, and the file stores reasons.
    var withoutNUL: String {
        guard utf8.contains(0) else { return self }
        return String(UnicodeScalarView(unicodeScalars.map { $0 == "\0" ? "\u{FFFD}" : $0 }))
    }

    /// The first 60 characters, with an ellipsis if there are more.
    var shortened: String { shortened(to: 60) }

    /// Returns the first `limit` characters, with an ellipsis if there are more.
    func shortened(to limit: Int) -> String { utf8.count > limit && count > limit ? prefix(limit) + "…" : self }
}

extension Bytes {
    /// Returns the content of a quoted cell with each pair of quotes replaced by one.
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

/// A record's value of one field, as a range of the record's bytes.
struct FieldValue: Equatable {
    enum Kind: UInt8 {
        case absent
        case null
        /// Text without escapes.
        case text
        /// Text with JSON escapes.
        case escapedText
        /// Text of a quoted cell that contains doubled quotes.
        case doubledText
        case number
        case `true`
        case `false`
        case array
        case object
    }

    static let absent = FieldValue(.absent, from: 0, to: 0)

    let kind: Kind
    let start: Int
    let end: Int

    @inline(__always)
    init(_ kind: Kind, from start: Int, to end: Int) {
        self.kind = kind
        self.start = start
        self.end = end
    }

    /// Whether it is text, a number or a Boolean.
    var isScalar: Bool {
        switch kind {
        case .text, .escapedText, .doubledText, .number, .true, .false: true
        case .absent, .null, .array, .object: false
        }
    }
}
