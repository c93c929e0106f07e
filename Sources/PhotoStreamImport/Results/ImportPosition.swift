/// A place in a source, for a person to find it again.
package struct ImportPosition: Sendable, Equatable, CustomStringConvertible {
    /// The path as it was given, or `-` for standard input.
    package var source: String
    /// The line, from 1; LF, CRLF and a lone CR end one.
    package var line: Int
    /// The column in Unicode scalars, from 1; a byte order mark does not count.
    package var column: Int

    /// Creates a position.
    package init(source: String, line: Int, column: Int) {
        self.source = source
        self.line = line
        self.column = column
    }

    /// `photos.jsonl:3:17`, as compilers write it.
    package var description: String { "\(source):\(line):\(column)" }
}
