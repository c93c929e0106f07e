/// A place in a source, for a person to find it again.
public struct ImportPosition: Sendable, Equatable, CustomStringConvertible {
    /// The path as it was given, or `-` for standard input.
    public var source: String
    /// The line, from 1; LF, CRLF and a lone CR end one.
    public var line: Int
    /// The column in Unicode scalars, from 1; a byte order mark does not count.
    public var column: Int

    /// Creates a position.
    public init(source: String, line: Int, column: Int) {
        self.source = source
        self.line = line
        self.column = column
    }

    /// `photos.jsonl:3:17`, as compilers write it.
    public var description: String { "\(source):\(line):\(column)" }
}
