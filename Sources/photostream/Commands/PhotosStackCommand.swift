import ArgumentParser
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamWire

struct PhotosStackCommand: StreamCommand {
    static let configuration = CommandConfiguration(
        commandName: "stack",
        abstract: "List the photos of a stack.",
        discussion: """
            A stack is shown as one photo, its cover: a live photo with its film, a raw file with its JPEG. The cover is \
            listed first.

            EXAMPLES:
              photostream photos stack --stream holiday IMG_0042.HEIC
            """)

    @OptionGroup var stream: StreamOption

    @Argument(help: "The id of any photo of the stack.", transform: PhotoID.init(_:))
    var id: PhotoID

    @OptionGroup var common: CommonOptions

    func report(of service: PhotoStreamService) throws -> Report {
        let answer = try service.read { try $0.stack(of: id, in: stream.name) }
        var report = Report { $0.value(StreamPhotosList(answer, of: stream.name)) }
        report.add(
            table: ["photo", "rank", "kind"],
            rows: answer.photos.map { photo in
                [photo.id.rawValue, photo.stack.map { String($0.rank) } ?? "", photo.stack?.kind.name ?? ""]
            })
        return report
    }
}

struct PhotosCoverCommand: StreamCommand {
    static let configuration = CommandConfiguration(
        commandName: "cover",
        abstract: "Show another photo of a stack.",
        discussion: """
            The photo becomes the cover of its stack, at the place of the former cover. No import chooses another one.

            EXAMPLES:
              photostream photos cover --stream holiday IMG_0042.DNG
            """)

    @OptionGroup var stream: StreamOption

    @Argument(help: "The id of the photo.", transform: PhotoID.init(_:))
    var id: PhotoID

    @OptionGroup var common: CommonOptions

    var use: FileUse { .change }

    func report(of service: PhotoStreamService) throws -> Report {
        let photo = try service.makeCover(id, in: stream.name)
        return photo.report
    }
}

struct PhotosUnstackCommand: StreamCommand {
    static let configuration = CommandConfiguration(
        commandName: "unstack",
        abstract: "Take a stack apart.",
        discussion: """
            Each photo of the stack is shown again. No import stacks them again.

            EXAMPLES:
              photostream photos unstack --stream holiday IMG_0042.HEIC
            """)

    @OptionGroup var stream: StreamOption

    @Argument(help: "The id of any photo of the stack.", transform: PhotoID.init(_:))
    var id: PhotoID

    @OptionGroup var common: CommonOptions

    var use: FileUse { .change }

    func report(of service: PhotoStreamService) throws -> Report {
        let count = try service.takeApartStack(of: id, in: stream.name).count
        return Report(
            ["stream": stream.name.rawValue, "unstacked": count], line: "took \(count.counting("photo")) apart")
    }
}
