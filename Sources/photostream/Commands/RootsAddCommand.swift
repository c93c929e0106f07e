import ArgumentParser
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamWire

/// `photostream roots add`.
struct RootsAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Serve the pictures beneath a folder.",
        discussion: """
            A relative location of a photo is looked up beneath the roots of its stream, then beneath those of all \
            streams, each in the order in which they were added; an absolute one beneath the roots that it begins with. \
            Give a root to one stream where several were imported from folders with the same names in them.

            Whoever may write photos may have any picture beneath a root, by giving a photo its path: add folders in \
            which every picture may be seen. Only regular files that begin like a picture are served.
            """)

    @Argument(help: "The folder.", completion: .directory)
    var folder: String

    @Option(
        help: ArgumentHelp("Serve the photos of this stream only.", valueName: "name"), transform: StreamName.init(_:))
    var stream: StreamName?

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let service = try common.open()
        let root = try service.addRoot(folder, for: stream)
        try service.close()
        guard !common.json else { return try StandardOutput.write(json: { $0.value(root) }) }
        let target = root.path == root.resolvedPath ? "" : ", which is \"\(root.resolvedPath)\""
        try StandardOutput.write(
            line: "serving the pictures of \(root.streamWords) beneath \"\(root.path)\"\(target)")
    }
}

extension RootSummary {
    /// Whose pictures it serves.
    var streamWords: String { stream.map { "stream \"\($0)\"" } ?? "all streams" }
}
