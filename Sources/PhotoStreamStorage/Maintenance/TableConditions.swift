/// Extracts the conditions of a table's CHECK constraints from its SQL.
enum TableConditions {
    /// Returns the conditions, without their parentheses.
    ///
    /// - Parameter sql: A valid `CREATE TABLE` statement, with `CHECK` in capitals.
    /// - Returns: One condition for each CHECK, in order.
    static func checks(in sql: String) -> [String] {
        var rest = Array(sql.utf8)[...]
        var conditions: [String] = []
        var isInsideWord = false
        while let byte = rest.first {
            if !isInsideWord, rest.starts(with: "CHECK".utf8) {
                let parenthesis = rest.dropFirst(5).drop { isSpace($0) }
                if parenthesis.first == UInt8(ascii: "("), let end = closing(parenthesis) {
                    conditions.append(String(decoding: parenthesis[..<end].dropFirst(), as: UTF8.self))
                    rest = parenthesis[end...]
                    continue
                }
            }
            isInsideWord = isWord(byte)
            skipToken(of: &rest)
        }
        return conditions
    }

    /// Returns the index of the parenthesis that closes the first one.
    private static func closing(_ text: ArraySlice<UInt8>) -> Int? {
        var (rest, depth) = (text, 0)
        while let byte = rest.first {
            if byte == UInt8(ascii: "(") { depth += 1 }
            if byte == UInt8(ascii: ")") { depth -= 1 }
            if depth == 0 { return rest.startIndex }
            skipToken(of: &rest)
        }
        return nil
    }

    /// Skips a comment, a quoted text or name, or one byte.
    private static func skipToken(of rest: inout ArraySlice<UInt8>) {
        guard let first = rest.popFirst() else { return }
        if first == UInt8(ascii: "'") || first == UInt8(ascii: "\"") {
            // A doubled quote inside ends one text and begins the next.
            rest = rest.drop { $0 != first }.dropFirst()
        } else if first == UInt8(ascii: "-"), rest.first == first {
            rest = rest.drop { $0 != UInt8(ascii: "\n") }
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n")
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
