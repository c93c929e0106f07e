import ArgumentParser

/// `photostream streams`: the streams of a file.
struct StreamsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "streams",
        abstract: "List, create, copy, rename or delete streams.",
        discussion: """
            EXAMPLES:
              photostream streams
              photostream streams create holiday
              photostream streams copy holiday album --order manual
              photostream streams rename holiday "holiday 2026"
              photostream streams delete "holiday 2026" --yes
            """,
        subcommands: [
            StreamsListCommand.self, StreamsCreateCommand.self, StreamsCopyCommand.self, StreamsRenameCommand.self,
            StreamsDeleteCommand.self,
        ],
        defaultSubcommand: StreamsListCommand.self)
}
