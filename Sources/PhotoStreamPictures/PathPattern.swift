/// A pattern of file names in the syntax of shells, without regard to case.
///
///     let pattern = try PathPattern("2023/**/*.jpg")
///     let isMatch = pattern.matches("2023/05/A.JPG")  // true
///
/// `*`, `?` and `[a-z]` match within one name, and `**` matches any number of names. A pattern without a slash is
/// compared with the last name of a path, any other with the whole path.
package struct PathPattern: Hashable, Sendable {
    /// The patterns of names; `nil` for any number of names.
    private let names: [NameGlob?]
    private let isOfLastName: Bool

    /// Reads a pattern; `nil` if it is empty, contains U+0000, or has an unclosed bracket or a backslash at the end of a
    /// name.
    package init?(_ text: String) {
        guard !text.utf8.contains(0) else { return nil }
        let parts = text.split(separator: "/")
        guard !parts.isEmpty else { return nil }
        var names: [NameGlob?] = []
        for part in parts {
            guard part != "**" else {
                names.append(nil)
                continue
            }
            guard let name = NameGlob(part) else { return nil }
            names.append(name)
        }
        self.names = names
        isOfLastName = parts.count == 1 && parts != ["**"] && !text.hasPrefix("/")
    }

    /// Whether a path from a root matches.
    ///
    /// - Complexity: O(names of the path × names of the pattern).
    package func matches(_ path: String) -> Bool {
        let parts = path.split(separator: "/").map { NameGlob.folded($0) }
        guard isOfLastName else { return matches(parts) }
        return parts.last.flatMap { names.first??.matches($0) } ?? false
    }

    /// Whether names match; maintains the set of pattern positions that may be reached after each name.
    private func matches(_ parts: [[Unicode.Scalar]]) -> Bool {
        func skippingEmpty(_ positions: Set<Int>) -> Set<Int> {
            var all = positions
            for position in positions {
                var next = position
                while next < names.count, names[next] == nil {
                    next += 1
                    all.insert(next)
                }
            }
            return all
        }
        var positions = skippingEmpty([0])
        for part in parts {
            var next: Set<Int> = []
            for position in positions where position < names.count {
                guard let name = names[position] else {
                    next.insert(position)
                    continue
                }
                if name.matches(part) { next.insert(position + 1) }
            }
            positions = skippingEmpty(next)
        }
        return positions.contains(names.count)
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
