import ArgumentParser

/// A cause of an invalid command line that the parser does not report: an unknown option or subcommand.
///
/// The parser reports missing options first, so `--strem x` would only produce "missing expected argument '--stream'".
struct Suggestion {
    /// The unknown word, with a suggestion.
    let message: String
    /// The command that prints the help.
    let help: String

    /// Finds the first word that the command does not know.
    ///
    /// - Parameter arguments: The arguments without the program's name.
    /// - Returns: `nil` if every word is known.
    static func find(in arguments: [String]) -> Suggestion? {
        var command: any ParsableCommand.Type = PhotoStreamCommand.self
        var path = ["photostream"]
        // `help` is the parser's own subcommand, and takes the names of others.
        let asksForHelp = arguments.first == "help"
        var rest = arguments.dropFirst(asksForHelp ? 1 : 0)
        while let word = rest.first, !word.hasPrefix("-"), !command.configuration.subcommands.isEmpty {
            let subcommands = command.configuration.subcommands
            guard let next = subcommands.first(where: { $0.configuration.commandName == word }) else {
                guard word != "help" else { return nil }
                let names = subcommands.compactMap { $0.configuration.commandName }
                return Suggestion(
                    "There is no subcommand '\(word)'.", nearest: nearest(to: word, among: names), command: path)
            }
            command = next
            path.append(word)
            rest = rest.dropFirst()
        }
        if asksForHelp { return nil }
        let leaf = command.configuration.defaultSubcommand ?? command
        let known = options(of: leaf)
        let words = rest.prefix { $0 != "--" }.lazy.filter { $0.hasPrefix("--") }
        let names = words.map { String($0.prefix { $0 != "=" }) }
        guard let unknown = names.first(where: { !known.contains($0) }) else { return nil }
        return Suggestion("Unknown option '\(unknown)'.", nearest: nearest(to: unknown, among: known), command: path)
    }

    private init(_ problem: String, nearest name: String?, command: [String]) {
        message = name.map { "\(problem) Did you mean '\($0)'?" } ?? problem
        help = (command + ["--help"]).joined(separator: " ")
    }

    /// Returns the long names of a command's options, parsed from its help.
    private static func options(of command: any ParsableCommand.Type) -> [String] {
        let help = PhotoStreamCommand.helpMessage(for: command, includeHidden: true, columns: 100_000)
        return help.split(separator: "\n").flatMap { line -> [String] in
            guard line.hasPrefix("  -") else { return [] }
            // The names end before the description, which follows two spaces.
            let names = line.dropFirst(2).split(separator: " ").prefix { $0.hasPrefix("-") }
            return names.map { $0.hasSuffix(",") ? String($0.dropLast()) : String($0) }
                .flatMap { $0.split(separator: "/").map(String.init) }
        } + ["--help", "--version", "--generate-completion-script"]
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
