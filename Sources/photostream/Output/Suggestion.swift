import ArgumentParser

/// Names that are similar to an unknown word.
enum Suggestion {
    /// Returns the message about the first word of a command line that should be a subcommand but is not.
    ///
    /// Otherwise the parser would take it for an argument of the default subcommand.
    ///
    /// - Parameter arguments: The arguments without the program's name.
    /// - Returns: `nil` if every subcommand is known.
    static func unknownSubcommand(in arguments: [String]) -> String? {
        var command: any ParsableCommand.Type = PhotoStreamCommand.self
        var path = "photostream"
        // `help` is the parser's own subcommand, and takes the names of others.
        for word in arguments.first == "help" ? arguments.dropFirst() : arguments[...] {
            let subcommands = command.configuration.subcommands
            guard !subcommands.isEmpty, !word.hasPrefix("-"), word != "help" else { return nil }
            guard let next = subcommands.first(where: { $0.configuration.commandName == word }) else {
                let similar = nearest(to: word, among: subcommands.compactMap { $0.configuration.commandName })
                let hint = similar.map { ". Did you mean '\($0)'?" } ?? ""
                return "there is no subcommand '\(word)'\(hint) (see '\(path) --help')"
            }
            command = next
            path += " " + word
        }
        return nil
    }

    /// Returns the most similar name, if similar enough: one letter in three may be wrong, missing or transposed.
    static func nearest(to word: String, among names: [String]) -> String? {
        let candidates = names.map { (name: $0, distance: distance(from: word, to: $0)) }
        guard let best = candidates.min(by: { $0.distance < $1.distance }) else { return nil }
        return best.distance <= max(1, word.filter { $0 != "-" && $0 != "_" }.count / 3) ? best.name : nil
    }

    /// Returns the number of insertions, deletions, replacements and transpositions between two words.
    ///
    /// Source: the restricted Damerau-Levenshtein distance, by dynamic programming.
    static func distance(from first: String, to second: String) -> Int {
        let (first, second) = (Array(first), Array(second))
        var rows = [Array(0...second.count)]
        for i in first.indices {
            var row = [i + 1]
            for j in second.indices {
                var cost = min(rows[i][j + 1], row[j]) + 1
                cost = min(cost, rows[i][j] + (first[i] == second[j] ? 0 : 1))
                if i > 0, j > 0, first[i] == second[j - 1], first[i - 1] == second[j] {
                    cost = min(cost, rows[i - 1][j - 1] + 1)
                }
                row.append(cost)
            }
            rows.append(row)
        }
        return rows[first.count][second.count]
    }
}
