import ArgumentParser
import PhotoStreamModel
import PhotoStreamService

/// `photostream photos edit`.
struct PhotosEditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Change a photo; what a person edited outranks every later import.",
        discussion: """
            Values are read as an import reads them. Width and height are the file's own, before orientation is \
            applied. Of a size or a position one value may be given: the other stays. An empty value clears a \
            field, as --clear does, and of these two the other value with it.

            EXAMPLES:
              photostream photos edit --stream holiday IMG_0042 --caption "The old harbour" --tags sea,evening
              photostream photos edit --stream holiday IMG_0042 --taken-at 2026-11-21T08:38:53+01:00 --clear alt
            """)

    @OptionGroup var stream: StreamOption

    @Argument(help: "The photo's id.", transform: PhotoID.init(_:))
    var id: PhotoID

    @OptionGroup(title: "Fields") var fields: EditOptions
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let record = try fields.record(for: id)
        let service = try common.open()
        let photo = try service.edit(id, in: stream.name) { try EditOptions.changes(record, to: $0) }
        try service.close()
        try photo.print(json: common.json)
    }
}
