/// What a record has for one field, as a range of the record's bytes.
struct FieldValue: Equatable {
    enum Kind: UInt8 {
        case absent
        case null
        /// Text as it stands.
        case text
        /// Text with JSON escapes.
        case escapedText
        /// Text of a quoted cell with doubled quotes.
        case doubledText
        case number
        case `true`
        case `false`
        case array
        case object
    }

    static let absent = FieldValue(.absent, 0, 0)

    let kind: Kind
    let start: Int
    let end: Int

    @inline(__always)
    init(_ kind: Kind, _ start: Int, _ end: Int) {
        self.kind = kind
        self.start = start
        self.end = end
    }

    /// Whether it is text, a number or a truth value.
    var isScalar: Bool {
        switch kind {
        case .text, .escapedText, .doubledText, .number, .true, .false: true
        case .absent, .null, .array, .object: false
        }
    }
}
