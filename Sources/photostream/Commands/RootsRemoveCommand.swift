import ArgumentParser
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamWire

/// `photostream roots remove`.
struct RootsRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Serve nothing beneath a folder any more.",
        discussion: "The folder need not be there any more; name it as it is listed, with the stream it was added for.")

    @Argument(help: "The folder.", completion: .directory)
    var folder: String

    @Option(
        help: ArgumentHelp("The stream that it was added for.", valueName: "name"), transform: StreamName.init(_:))
    var stream: StreamName?

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let service = try common.open()
        let roots = try service.removeRoot(folder, for: stream)
        try service.close()
        guard !common.json else {
            return try StandardOutput.write(json: { writer in
                writer.object { writer in
                    writer.key("removed")
                    writer.array(roots) { $0.value($1) }
                }
            })
        }
        for root in roots {
            try StandardOutput.write(line: "removed the root \"\(root.path)\" of \(root.streamWords)")
        }
    }
}
