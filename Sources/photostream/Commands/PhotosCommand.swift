import ArgumentParser

/// `photostream photos`: the photos of a stream.
struct PhotosCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "photos",
        abstract: "List, show, edit, delete or move photos.",
        discussion: """
            EXAMPLES:
              photostream photos --stream holiday --limit 20
              photostream photos list --stream holiday --export > holiday.jsonl
              photostream photos show --stream holiday IMG_0042
              photostream photos edit --stream holiday IMG_0042 --caption "The old harbour" --clear tags
              photostream photos delete --stream holiday IMG_0042 IMG_0043
              photostream photos move --stream holiday IMG_0042 --before IMG_0001
            """,
        subcommands: [
            PhotosListCommand.self, PhotosShowCommand.self, PhotosEditCommand.self, PhotosDeleteCommand.self,
            PhotosMoveCommand.self,
        ],
        defaultSubcommand: PhotosListCommand.self)
}
