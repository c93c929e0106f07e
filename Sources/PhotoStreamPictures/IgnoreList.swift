/// The rules of a file `.photostreamignore`, for the folder that contains it and everything beneath it.
///
///     let list = try IgnoreList("*.png\n!keep.png\n/raw/\n")
///     let isIgnored = list.ignores("a/b.png", isFolder: false)  // true
///
/// The rules are those of `.gitignore` files without regard to case: comments, `!`, `/`, `*`, `?`, `[…]`, `**`, and the
/// last rule that matches decides.
///
/// Source: gitignore(5).
package struct IgnoreList: Hashable, Sendable {
    /// The name of the file.
    package static let fileName = ".photostreamignore"
    /// The maximum length of the file, in bytes.
    package static let maximumByteCount = 1 << 20
    /// The maximum number of its lines.
    package static let maximumLineCount = 10_000
    /// The maximum length of a line, in bytes, other than a comment.
    package static let maximumLineByteCount = 4_096

    /// A reason why a file is not such a list.
    package enum Problem: Error, Hashable, Sendable {
        case tooLarge
        case tooManyLines
        case tooLongLine
        case notText

        /// The reason as a clause.
        package var reason: String {
            switch self {
            case .tooLarge: "it is larger than 1 MiB"
            case .tooManyLines: "it has more than 10,000 lines"
            case .tooLongLine: "it has a line of more than 4,096 bytes"
            case .notText: "it is not UTF-8"
            }
        }
    }

    private struct Rule: Hashable {
        let glob: NameGlob
        /// Whether it ignores, and does not include again.
        let ignores: Bool
        let isForFolders: Bool
        /// Whether it is compared with the last name of a path, not with the whole path.
        let isOfLastName: Bool
    }

    private var rules: [Rule] = []

    /// Reads the rules; lines that match nothing, such as an unclosed bracket, have no effect.
    ///
    /// - Parameter bytes: The content of the file.
    /// - Throws: ``Problem``.
    package init(bytes: some Collection<UInt8>) throws(Problem) {
        guard bytes.count <= Self.maximumByteCount else { throw .tooLarge }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .notText }
        try self.init(text)
    }

    /// Reads the rules.
    ///
    /// - Throws: ``Problem``.
    package init(_ text: String) throws(Problem) {
        guard text.utf8.count <= Self.maximumByteCount else { throw .tooLarge }
        var bytes = text.utf8[...]
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        // The text after the last line feed is a line if there is any.
        guard lines.count - (lines.last?.isEmpty == true ? 1 : 0) <= Self.maximumLineCount else { throw .tooManyLines }
        for line in lines {
            let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
            guard line.first != UInt8(ascii: "#") else { continue }
            guard line.count <= Self.maximumLineByteCount else { throw .tooLongLine }
            if let rule = Self.rule(Self.trimmed(line)) { rules.append(rule) }
        }
    }

    /// Removes spaces at the end of a line, unless a backslash precedes them.
    private static func trimmed(_ line: Substring.UTF8View) -> Substring.UTF8View {
        var end = line.startIndex
        var isEscaped = false
        for position in line.indices {
            if isEscaped || line[position] != UInt8(ascii: " ") { end = line.index(after: position) }
            isEscaped = !isEscaped && line[position] == UInt8(ascii: "\\")
        }
        return line[..<end]
    }

    private static func rule(_ line: Substring.UTF8View) -> Rule? {
        let slash = UInt8(ascii: "/")
        var pattern = line
        let includesAgain = pattern.first == UInt8(ascii: "!")
        if includesAgain { pattern = pattern.dropFirst() }
        let isForFolders = pattern.last == slash
        if isForFolders { pattern = pattern.dropLast() }
        let isOfLastName = !pattern.contains(slash)
        if pattern.first == slash { pattern = pattern.dropFirst() }
        guard !pattern.isEmpty, let glob = NameGlob(Substring(pattern)) else { return nil }
        return Rule(glob: glob, ignores: !includesAgain, isForFolders: isForFolders, isOfLastName: isOfLastName)
    }

    /// Whether the last rule that matches a file or folder leaves it out.
    ///
    /// Folders above it are not considered: everything in a folder that is left out is left out, too.
    ///
    /// - Parameters:
    ///   - path: The path from the folder of the list, not empty.
    ///   - isFolder: Whether it is a folder.
    /// - Returns: Whether it is left out; `nil` if no rule matches.
    /// - Complexity: O(rules) comparisons.
    package func ignores(_ path: String, isFolder: Bool) -> Bool? {
        let (whole, last) = (NameGlob.folded(path), NameGlob.folded(path.lastName))
        return rules.last { rule in
            (isFolder || !rule.isForFolders) && rule.glob.matches(rule.isOfLastName ? last : whole)
        }?.ignores
    }
}
