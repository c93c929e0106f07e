import Foundation

/// A pattern of file names in the syntax of shells.
///
///     let pattern = try PathPattern("2023/**/*.jpg")
///     let isMatch = pattern.matches("2023/05/a.jpg")  // true
///
/// `*`, `?` and `[a-z]` match within one name, by POSIX `fnmatch`, and `**` matches any number of names. A pattern
/// without a slash is compared with the last name of a path, any other with the whole path.
package struct PathPattern: Hashable, Sendable {
    private let names: [String]
    private let isOfLastName: Bool

    /// Reads a pattern; `nil` if it is empty or contains U+0000.
    package init?(_ text: String) {
        guard !text.isEmpty, !text.utf8.contains(0) else { return nil }
        let names = text.split(separator: "/").map(String.init)
        guard !names.isEmpty else { return nil }
        self.names = names
        isOfLastName = names.count == 1 && names != ["**"] && !text.hasPrefix("/")
    }

    /// Whether a path from a root matches.
    ///
    /// - Complexity: O(names of the path × names of the pattern).
    package func matches(_ path: String) -> Bool {
        let parts = path.split(separator: "/").map(String.init)
        guard isOfLastName else { return Self.matches(parts, all: names) }
        return parts.last.map { Self.matches($0, one: names[0]) } ?? false
    }

    /// Whether names match patterns; maintains the set of pattern positions that may be reached after each name.
    private static func matches(_ parts: [String], all patterns: [String]) -> Bool {
        func skippingEmpty(_ positions: Set<Int>) -> Set<Int> {
            var all = positions
            for position in positions {
                var next = position
                while next < patterns.count, patterns[next] == "**" {
                    next += 1
                    all.insert(next)
                }
            }
            return all
        }
        var positions = skippingEmpty([0])
        for part in parts {
            var next: Set<Int> = []
            for position in positions where position < patterns.count {
                if patterns[position] == "**" {
                    next.insert(position)
                } else if matches(part, one: patterns[position]) {
                    next.insert(position + 1)
                }
            }
            positions = skippingEmpty(next)
        }
        return positions.contains(patterns.count)
    }

    private static func matches(_ name: String, one pattern: String) -> Bool {
        unsafe fnmatch(pattern, name, 0) == 0
    }
}

/// The selection of a folder's files.
package struct PathFilter: Hashable, Sendable {
    /// The patterns to include, one of them enough for a file; all files are selected if there are none.
    package var included: [PathPattern]
    /// The patterns of files and folders to exclude.
    package var excluded: [PathPattern]

    /// Creates a filter.
    package init(included: [PathPattern] = [], excluded: [PathPattern] = []) {
        (self.included, self.excluded) = (included, excluded)
    }

    /// Whether a file is selected, by its path from the root.
    package func includesFile(_ path: String) -> Bool {
        !excluded.contains { $0.matches(path) } && (included.isEmpty || included.contains { $0.matches(path) })
    }

    /// Whether files in a folder may be selected.
    package func includesFolder(_ path: String) -> Bool { !excluded.contains { $0.matches(path) } }
}
