import ArgumentParser
import PhotoStreamModel
import PhotoStreamService

/// `photostream photos move`.
struct PhotosMoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "move",
        abstract: "Move a photo next to another, whose place in time it takes.")

    @OptionGroup var stream: StreamOption

    @Argument(help: "The photo's id.", transform: PhotoID.init(_:))
    var id: PhotoID

    @Option(
        parsing: .unconditional, help: ArgumentHelp("Put it right before this photo.", valueName: "id"),
        transform: PhotoID.init(_:))
    var before: PhotoID?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("Put it right behind this photo.", valueName: "id"),
        transform: PhotoID.init(_:))
    var after: PhotoID?

    @OptionGroup var common: CommonOptions

    func validate() throws {
        _ = try destination
        guard before != id, after != id else { throw ValidationError("a photo cannot be moved next to itself") }
    }

    func run() async throws {
        let service = try common.open()
        let hasMoved = try service.movePhoto(id, try destination, in: stream.name)
        try service.close()
        guard !common.json else {
            return try StandardOutput.write(json: { writer in
                writer.object { writer in
                    writer.member("stream", stream.name.rawValue)
                    writer.member("photo", id.rawValue)
                    writer.member("moved", hasMoved)
                }
            })
        }
        try StandardOutput.write(line: hasMoved ? "moved photo \"\(id)\"" : "photo \"\(id)\" is there already")
    }

    private var destination: MoveDestination {
        get throws {
            switch (before, after) {
            case (let photo?, nil): .before(photo)
            case (nil, let photo?): .after(photo)
            default: throw ValidationError("give either --before or --after")
            }
        }
    }
}
