import ArgumentParser
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamWire

/// `photostream photos deleted`.
struct PhotosDeletedCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "deleted", abstract: "List the photos that were deleted in the last 30 days.")

    @OptionGroup var stream: StreamOption
    @OptionGroup var limit: LimitOption

    @Option(
        parsing: .unconditional, help: ArgumentHelp("Begin after this deleted photo.", valueName: "id"),
        transform: PhotoID.init(_:))
    var after: PhotoID?

    @OptionGroup var common: CommonOptions

    func run() async throws {
        try common.query { session in
            try session.deletedPhotos(of: stream.name, after: after, limit: limit.count)
        } show: { answer in
            guard !common.json else {
                return try StandardOutput.write(json: { $0.value(DeletedPhotosList(answer, of: stream.name)) })
            }
            try printTable(answer)
        }
    }

    private func printTable(_ answer: DeletedPhotosAnswer) throws {
        var table = TextTable([
            TextTable.Column(title: "photo"), TextTable.Column(title: "deleted"), TextTable.Column(title: "taken"),
            TextTable.Column(title: "caption", maximumWidth: 400),
        ])
        let rows = answer.photos.map { entry in
            [
                entry.photo.id.rawValue, Moment.text(entry.deletedAtMilliseconds),
                entry.photo.takenAt?.description ?? "", entry.photo.caption ?? "",
            ]
        }
        try StandardOutput.write(table.text(rows).utf8)
        guard answer.isTruncated, let last = answer.photos.last else { return }
        try StandardOutput.write(line: "\nmore: --after \(last.photo.id)")
    }
}

/// `photostream photos restore`.
struct PhotosRestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Bring deleted photos back.",
        discussion: """
            Photos that were deleted in the last 30 days come back as they were, to the places where they stood. Either all \
            of them are restored, or none if one cannot be.

            EXAMPLES:
              photostream photos deleted --stream holiday
              photostream photos restore --stream holiday IMG_0042 IMG_0043
            """)

    @OptionGroup var stream: StreamOption

    @Argument(help: "The photos' ids.", transform: PhotoID.init(_:))
    var ids: [PhotoID]

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let service = try common.open()
        let count = try service.restorePhotos(Array(Set(ids)), in: stream.name).count
        try service.close()
        guard !common.json else {
            return try StandardOutput.write(json: { writer in
                writer.object { writer in
                    writer.member("stream", value: stream.name.rawValue)
                    writer.member("restored", value: count)
                }
            })
        }
        try StandardOutput.write(line: "restored \(count.counting("photo"))")
    }
}
