import ArgumentParser
import PhotoStreamModel
import PhotoStreamService

/// `photostream photos delete`.
struct PhotosDeleteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete photos: all that are named, or none where one is unknown.")

    @OptionGroup var stream: StreamOption

    @Argument(help: "The photos' ids.", transform: PhotoID.init(_:))
    var ids: [PhotoID]

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let ids = Array(Set(ids))
        let service = try common.open()
        try service.deletePhotos(ids, from: stream.name)
        try service.close()
        guard !common.json else {
            return try StandardOutput.write(json: { writer in
                writer.object { writer in
                    writer.member("stream", stream.name.rawValue)
                    writer.member("deleted", ids.count)
                }
            })
        }
        try StandardOutput.write(line: "deleted \(ids.count.counting("photo"))")
    }
}
