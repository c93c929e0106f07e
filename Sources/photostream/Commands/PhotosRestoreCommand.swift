import ArgumentParser
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamWire

struct PhotosDeletedCommand: StreamCommand {
    static let configuration = CommandConfiguration(
        commandName: "deleted", abstract: "List the photos that were deleted in the last 30 days.")

    @OptionGroup var stream: StreamOption
    @OptionGroup var limit: LimitOption

    @Option(
        parsing: .unconditional, help: ArgumentHelp("Begin after this deleted photo.", valueName: "id"),
        transform: PhotoID.init(_:))
    var after: PhotoID?

    @OptionGroup var common: CommonOptions

    func report(of service: PhotoStreamService) throws -> Report {
        let answer = try service.read { session in
            try session.deletedPhotos(of: stream.name, after: after, limit: limit.count)
        }
        var report = Report { $0.value(DeletedPhotosList(answer, of: stream.name)) }
        report.add(
            table: ["photo", "deleted", "taken", .wide("caption")],
            rows: answer.photos.map { entry in
                [
                    entry.photo.id.rawValue, Moment.text(entry.deletedAtMilliseconds),
                    entry.photo.takenAt?.description ?? "", entry.photo.caption ?? "",
                ]
            })
        if answer.isTruncated, let last = answer.photos.last { report.add(line: "more: --after \(last.photo.id)") }
        return report
    }
}

struct PhotosRestoreCommand: StreamCommand {
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

    var use: FileUse { .change }

    func report(of service: PhotoStreamService) throws -> Report {
        let count = try service.restorePhotos(Array(Set(ids)), in: stream.name).count
        return Report(
            ["stream": stream.name.rawValue, "restored": count], line: "restored \(count.counting("photo"))")
    }
}
