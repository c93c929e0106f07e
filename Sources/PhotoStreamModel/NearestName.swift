extension String {
    /// Returns the name that is most similar to this word: one letter in three may be wrong, missing, added or exchanged with
    /// its neighbour, and one in shorter words.
    ///
    ///     "laoyut".nearest(of: ["layout", "page"])  // "layout"
    ///
    /// Case is ignored, and hyphens and underscores do not count as letters. In a tie, the first.
    ///
    /// - Complexity: O(names × square of the length).
    package func nearest(of names: some Sequence<String>) -> String? {
        let own = Array(lowercased().unicodeScalars)
        let mostWrong = max(1, own.count { $0 != "-" && $0 != "_" } / 3)
        var (nearest, leastDistance): (String?, Int) = (nil, mostWrong + 1)
        for name in names {
            let other = Array(name.lowercased().unicodeScalars)
            guard abs(other.count - own.count) < leastDistance else { continue }
            let distance = own.editDistance(to: other)
            if distance < leastDistance { (nearest, leastDistance) = (name, distance) }
        }
        return nearest
    }
}

extension Array where Element: Equatable {
    /// Returns the number of insertions, deletions, replacements and exchanges of neighbours that make another list of this
    /// one, none of them at elements that another has changed.
    ///
    /// Source: the restricted Damerau-Levenshtein distance, by dynamic programming.
    ///
    /// - Complexity: O(count × count of the other).
    package func editDistance(to other: [Element]) -> Int {
        var (beforeLast, last): ([Int], [Int]) = ([], Array<Int>(0...other.count))
        for row in indices {
            var next = [row + 1]
            for column in other.indices {
                var distance = Swift.min(last[column] + (self[row] == other[column] ? 0 : 1), last[column + 1] + 1)
                distance = Swift.min(distance, next[column] + 1)
                if row > 0, column > 0, self[row] == other[column - 1], self[row - 1] == other[column] {
                    distance = Swift.min(distance, beforeLast[column - 1] + 1)
                }
                next.append(distance)
            }
            (beforeLast, last) = (last, next)
        }
        return last[other.count]
    }
}
