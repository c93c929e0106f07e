import ArgumentParser
import PhotoStreamImport
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamWire

/// `photostream streams copy`.
struct StreamsCopyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy",
        abstract: "Make another stream of a stream's photos, in an order of its own.",
        discussion: """
            The photos are exported in stream order and imported into the new stream, so a copy in manual order begins \
            as the stream stands. In the other orders a photo that was moved goes back to its own time. What a person \
            edited counts as imported in the copy. The photos are those of one moment; they go through a temporary file.

            EXAMPLES:
              photostream streams copy holiday "holiday from the start" --order oldest
              photostream streams copy holiday album --order manual
            """)

    @Argument(help: "The stream.", transform: StreamName.init(_:))
    var name: StreamName

    @Argument(help: "The new stream, a name that is not taken.", transform: StreamName.init(_:))
    var newName: StreamName

    @Option(help: "The order of the new stream, for good.")
    var order: StreamOrder

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let service = try common.open()
        let totals = try await copy(service)
        try service.close()
        guard !common.json else {
            return try StandardOutput.write(json: { writer in
                writer.object { writer in
                    writer.member("stream", value: newName.rawValue)
                    writer.member("order", value: order.rawValue)
                    writer.member("count", value: totals.inserted)
                }
            })
        }
        try StandardOutput.write(
            line: "copied \(totals.inserted.counting("photo")) to stream \"\(newName)\", \(order.words)")
    }

    private func copy(_ service: PhotoStreamService) async throws -> ImportTotals {
        let file = try OutputFile.temporary()
        defer { file.discard() }
        try service.read { session in
            // An export reads nothing that would make the session begin again.
            try session.forEachPhoto(of: name) { photo in
                var writer = JSONWriter()
                writer.value(photo)
                try file.write(writer.bytes)
                try file.write([UInt8(ascii: "\n")])
            }
        }
        try file.flush()
        // Made first: another stream of that name must never be written to.
        try service.createStream(newName, order: order)
        let count = try service.read { session in try session.stream(name).count }
        guard count > 0 else { return ImportTotals() }
        do {
            return try await load(file.temporaryPath, service)
        } catch {
            // What is not whole is no copy.
            _ = try? service.deleteStream(newName, evenWithPhotos: true)
            throw error
        }
    }

    private func load(_ path: String, _ service: PhotoStreamService) async throws -> ImportTotals {
        let reader = try RecordReader(paths: [path], options: ImportOptions(format: .jsonl))
        var observer = ImportObserver(totalBytes: reader.totalBytes, report: nil)
        defer { observer.clear() }
        return try await PhotoImport(
            reader, into: newName, order: order, sources: ["stream \(name)"], of: service
        ).run { try observer.observe($0) }
    }
}
