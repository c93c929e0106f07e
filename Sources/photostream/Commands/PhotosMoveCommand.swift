import ArgumentParser
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamWire

/// `photostream photos move`.
struct PhotosMoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "move",
        abstract: "Move photos next to another, whose date in the order they take.",
        discussion: """
            Several photos stand in the order in which they are named. A move ends when the photo's capture time changes, but \
            in a stream in manual order, where only moves change a place.

            EXAMPLES:
              photostream photos move --stream holiday IMG_0042 --before IMG_0007
              photostream photos move --stream holiday IMG_0042 IMG_0043 --after IMG_0007
            """)

    @OptionGroup var stream: StreamOption

    @Argument(help: "The photos' ids.", transform: PhotoID.init(_:))
    var ids: [PhotoID]

    @Option(
        parsing: .unconditional, help: ArgumentHelp("Put them right before this photo.", valueName: "id"),
        transform: PhotoID.init(_:))
    var before: PhotoID?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("Put them right behind this photo.", valueName: "id"),
        transform: PhotoID.init(_:))
    var after: PhotoID?

    @OptionGroup var common: CommonOptions

    func validate() throws {
        _ = try destination
        if let id = ids.first(where: { $0 == before || $0 == after }) {
            throw ValidationError("photo \"\(id)\" cannot be moved next to itself")
        }
        var seen: Set<PhotoID> = []
        if let id = ids.first(where: { !seen.insert($0).inserted }) {
            throw ValidationError("photo \"\(id)\" is named twice")
        }
    }

    func run() async throws {
        let service = try common.open()
        let moved = try service.movePhotos(ids, try destination, in: stream.name)
        try service.close()
        guard !common.json else {
            return try StandardOutput.write(json: { writer in
                writer.object { writer in
                    writer.member("stream", value: stream.name.rawValue)
                    writer.member("moved", value: moved)
                }
            })
        }
        let there = ids.count == 1 ? "photo \"\(ids[0])\" is there already" : "the photos are there already"
        try StandardOutput.write(line: moved == 0 ? there : "moved \(moved.counting("photo"))")
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
