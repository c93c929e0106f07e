import ArgumentParser

/// `photostream roots`: the folders beneath which pictures are served.
struct RootsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "roots",
        abstract: "List, add or remove the folders beneath which pictures are served.",
        discussion: """
            A photo's location is looked up beneath these folders, and no picture outside of them is ever served, \
            wherever a location, ".." or a symbolic link points. A root counts on the machine on which it was added.

            EXAMPLES:
              photostream roots add ~/Pictures
              photostream roots add /mnt/scans --stream 1894
              photostream roots
              photostream roots remove ~/Pictures
            """,
        subcommands: [RootsListCommand.self, RootsAddCommand.self, RootsRemoveCommand.self],
        defaultSubcommand: RootsListCommand.self)
}
