import ArgumentParser

/// `photostream cache`: what is derived from the photos and stored beside them.
struct CacheCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cache",
        abstract: "Show, verify, warm, limit or clear what is stored of layouts.",
        discussion: """
            EXAMPLES:
              photostream cache
              photostream cache verify
              photostream cache warm --stream holiday --width 1200
              photostream cache budget 1GB
              photostream cache clear
            """,
        subcommands: [
            CacheStatusCommand.self, CacheVerifyCommand.self, CacheClearCommand.self, CacheWarmCommand.self,
            CacheBudgetCommand.self,
        ],
        defaultSubcommand: CacheStatusCommand.self)
}
