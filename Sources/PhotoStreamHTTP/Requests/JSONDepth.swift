/// How deep JSON is nested, found out while it arrives.
///
/// A line break ends whatever was open: in JSON Lines each line is a text, and strings hold none.
struct JSONDepth {
    /// The deepest nesting that is read.
    static let maximum = 64

    private var depth = 0
    private var isInString = false
    private var isEscaped = false
    private let endsWithLine: Bool

    /// Begins with a text.
    ///
    /// - Parameter isLines: Whether each line is a text of its own.
    init(isLines: Bool) {
        endsWithLine = isLines
    }

    /// Looks at the next bytes.
    ///
    /// - Throws: ``Problem`` where they nest too deep.
    mutating func read(_ bytes: some Sequence<UInt8>) throws(Problem) {
        for byte in bytes {
            if byte == UInt8(ascii: "\n"), endsWithLine {
                (depth, isInString, isEscaped) = (0, false, false)
            } else if isInString {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInString = false
                }
            } else {
                try readOutside(byte)
            }
        }
    }

    private mutating func readOutside(_ byte: UInt8) throws(Problem) {
        switch byte {
        case UInt8(ascii: "\""): isInString = true
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            depth += 1
            guard depth <= Self.maximum else {
                throw Problem(.invalidBody, "the body is nested deeper than \(Self.maximum) levels")
            }
        case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
        default: return
        }
    }
}
