import ArgumentParser
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamWire

/// `photostream photos`: manages the photos of a stream.
struct PhotosCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "photos",
        abstract: "List, show, edit, reset, delete, restore or move photos.",
        discussion: """
            EXAMPLES:
              photostream photos --stream holiday --limit 20
              photostream photos list --stream holiday --export > holiday.jsonl
              photostream photos show --stream holiday IMG_0042
              photostream photos edit --stream holiday IMG_0042 --caption "The old harbour" --clear tags
              photostream photos reset --stream holiday IMG_0042 --fields caption
              photostream photos delete --stream holiday IMG_0042 IMG_0043
              photostream photos restore --stream holiday IMG_0042
              photostream photos move --stream holiday IMG_0042 --before IMG_0001
            """,
        subcommands: [
            PhotosListCommand.self, PhotosShowCommand.self, PhotosEditCommand.self, PhotosResetCommand.self,
            PhotosDeleteCommand.self, PhotosDeletedCommand.self, PhotosRestoreCommand.self, PhotosMoveCommand.self,
            PhotosStackCommand.self, PhotosCoverCommand.self, PhotosUnstackCommand.self,
        ],
        defaultSubcommand: PhotosListCommand.self)
}

struct PhotosListCommand: StreamCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List photos in stream order, or export them all.",
        discussion: """
            With --export the whole stream is printed as JSON Lines in stream order, for other programs. Importing them \
            into another stream of the same order reproduces the order; importing them into the same stream changes \
            nothing. Edits count as imported, and moves are kept only in manual order; "photostream export" keeps both.
            """)

    @OptionGroup var stream: StreamOption
    @OptionGroup var limit: LimitOption

    @Option(
        parsing: .unconditional, help: ArgumentHelp("Begin after this photo.", valueName: "id"),
        transform: PhotoID.init(_:))
    var after: PhotoID?

    @Option(
        name: .customLong("id"), parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "List only the photo with this id, and those of further --id options, in this order.", valueName: "id"),
        transform: PhotoID.init(_:))
    var ids: [PhotoID] = []

    @Flag(help: "Print the whole stream as JSON Lines.")
    var export = false

    @OptionGroup var common: CommonOptions

    func validate() throws {
        if !ids.isEmpty {
            guard !export, after == nil, limit.given == nil else {
                throw ValidationError("--id lists the photos that it names; omit --export, --after and --limit")
            }
            let maximum = PhotoStreamService.maximumLimit
            guard ids.count <= maximum else {
                throw ValidationError(StreamServiceError.invalidIDCount(ids.count, maximum: maximum).description)
            }
        }
        guard export else { return }
        guard after == nil else { throw ValidationError("--export prints every photo; omit --after") }
        guard limit.given == nil else { throw ValidationError("--export prints every photo; omit --limit") }
    }

    func report(of service: PhotoStreamService) throws -> Report {
        guard !export else {
            try service.read { session in
                // Printed photo by photo: an export reads nothing that could make the session restart.
                try session.forEachPhoto(of: stream.name) { photo in
                    try StandardOutput.write(json: { $0.value(photo) })
                }
            }
            return Report(json: nil)
        }
        let answer = try service.read { session in
            guard ids.isEmpty else { return try session.photos(withIDs: ids, of: stream.name) }
            return try session.photos(of: stream.name, after: after, limit: limit.count)
        }
        var report = Report { $0.value(StreamPhotosList(answer, of: stream.name)) }
        report.add(
            table: ["photo", .number("width"), .number("height"), "taken", .wide("caption")],
            rows: answer.photos.map { photo in
                [
                    photo.id.rawValue, String(photo.pixelSize.width), String(photo.pixelSize.height),
                    photo.takenAt?.description ?? "", photo.caption ?? "",
                ]
            })
        if let missing = answer.missing, !missing.isEmpty {
            report.add(line: "missing: \(missing.map(\.rawValue).joined(separator: ", "))")
        }
        if answer.missing == nil, answer.isTruncated, let last = answer.photos.last {
            report.add(line: "more: --after \(last.id)")
        }
        return report
    }
}

struct PhotosShowCommand: StreamCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show the metadata of a photo.")

    @OptionGroup var stream: StreamOption

    @Argument(help: "The photo's id.", transform: PhotoID.init(_:))
    var id: PhotoID

    @OptionGroup var common: CommonOptions

    func report(of service: PhotoStreamService) throws -> Report {
        try service.read { session in try session.photo(id, of: stream.name) }.report
    }
}
