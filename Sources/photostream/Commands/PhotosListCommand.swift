import ArgumentParser
import PhotoStreamModel
import PhotoStreamService

/// `photostream photos list`.
struct PhotosListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List photos in stream order, or export them all.",
        discussion: """
            With --export the whole stream is printed as JSON Lines, in stream order, and importing them into the same \
            stream changes nothing. In another stream photos of the very same time come in reverse, since of equals \
            the one imported last stands first.
            """)

    @OptionGroup var stream: StreamOption
    @OptionGroup var limit: LimitOption

    @Option(
        parsing: .unconditional, help: ArgumentHelp("Begin behind this photo.", valueName: "id"),
        transform: PhotoID.init(_:))
    var after: PhotoID?

    @Flag(help: "Print the whole stream as JSON Lines.")
    var export = false

    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard !export || after == nil else { throw ValidationError("--export prints every photo; leave out --after") }
    }

    func run() async throws {
        try common.query { service in
            guard !export else { return try exportPhotos(of: service) }
            let answer = try service.photos(of: stream.name, after: after, limit: limit.count)
            try common.json ? printJSON(answer) : printTable(answer)
        }
    }

    private func exportPhotos(of service: PhotoStreamService) throws {
        var place: PhotoID?
        while true {
            let answer = try service.photos(
                of: stream.name, after: place, limit: PhotoStreamService.maximumLimit)
            for photo in answer.photos { try StandardOutput.write(json: { $0.value(photo) }) }
            guard answer.isTruncated, let last = answer.photos.last else { return }
            place = last.id
        }
    }

    private func printJSON(_ answer: PhotoListAnswer) throws {
        try StandardOutput.write(json: { writer in
            writer.object { writer in
                writer.member("stream", stream.name.rawValue)
                writer.key("photos")
                writer.array(answer.photos) { $0.value($1) }
                writer.member("truncated", answer.isTruncated)
            }
        })
    }

    private func printTable(_ answer: PhotoListAnswer) throws {
        var table = TextTable([
            TextTable.Column(title: "photo"), .number("width"), .number("height"), TextTable.Column(title: "taken"),
            TextTable.Column(title: "caption", maximumWidth: 400),
        ])
        let rows = answer.photos.map { photo in
            [
                photo.id.rawValue, String(photo.pixelSize.width), String(photo.pixelSize.height),
                photo.takenAt?.description ?? "", photo.caption ?? "",
            ]
        }
        try StandardOutput.write(table.text(rows).utf8)
        guard answer.isTruncated, let last = answer.photos.last else { return }
        try StandardOutput.write(line: "\nmore: --after \(last.id)")
    }
}
