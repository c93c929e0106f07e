import ArgumentParser
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamWire

/// `photostream photos list`.
struct PhotosListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List photos in stream order, or export them all.",
        discussion: """
            With --export the whole stream is printed as JSON Lines in stream order: importing them into another stream \
            of the same order gives the same order, and into the same one changes nothing. Into another stream, moves go \
            along where the order is manual; elsewhere a photo that was moved goes back to its own time.
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
        guard export else { return }
        guard after == nil else { throw ValidationError("--export prints every photo; leave out --after") }
        guard limit.given == nil else { throw ValidationError("--export prints every photo; leave out --limit") }
    }

    func run() async throws {
        guard !export else {
            return try common.query { session in
                // Printed photo by photo: an export reads nothing that would make the session begin again.
                try session.forEachPhoto(of: stream.name) { photo in
                    try StandardOutput.write(json: { $0.value(photo) })
                }
            } show: {
            }
        }
        try common.query { session in
            try session.photos(of: stream.name, after: after, limit: limit.count)
        } show: { answer in
            try common.json ? printJSON(answer) : printTable(answer)
        }
    }

    private func printJSON(_ answer: PhotoListAnswer) throws {
        try StandardOutput.write(json: { $0.value(PhotoList(answer, of: stream.name)) })
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
