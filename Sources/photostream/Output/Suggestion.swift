import ArgumentParser
import PhotoStreamModel

/// Messages about unknown words of a command line.
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
                let similar = word.nearest(of: subcommands.compactMap { $0.configuration.commandName })
                let hint = similar.map { ". Did you mean '\($0)'?" } ?? ""
                return "there is no subcommand '\(word)'\(hint) (see '\(path) --help')"
            }
            command = next
            path += " " + word
        }
        return nil
    }
}
