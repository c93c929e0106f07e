import ArgumentParser
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamWire

/// `photostream roots`: manages the folders from which pictures are served.
struct RootsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "roots",
        abstract: "List, add or remove the folders from which pictures are served.",
        discussion: """
            A photo's location is looked up in these folders; no picture outside of them is ever served, \
            wherever a location, ".." or a symbolic link points. A root is valid on the machine on which it was added, \
            or with --every-server on all servers of a PostgreSQL database.

            EXAMPLES:
              photostream roots add ~/Pictures
              photostream roots add /mnt/scans --stream 1894
              photostream roots add /srv/photos --every-server --primary postgres://photos@db.lan/photos
              photostream roots
              photostream roots remove ~/Pictures
            """,
        subcommands: [RootsListCommand.self, RootsAddCommand.self, RootsRemoveCommand.self],
        defaultSubcommand: RootsListCommand.self)
}

struct RootsListCommand: StreamCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the folders from which pictures are served.",
        discussion: """
            Folders are listed in the order in which they are tried, except that a stream's own come first. "open" \
            says whether pictures are served from the folder, or why not.
            """)

    @OptionGroup var common: CommonOptions

    func report(of service: PhotoStreamService) throws -> Report {
        // A truncated path is useless, so lines may be longer than the window.
        Report(
            list: "roots", of: try service.roots(),
            columns: ["stream", "added", .wide("open", cells: 60), .wide("root")],
            cutsLastColumn: false
        ) { root in
            [
                root.stream?.rawValue ?? "all", Moment.text(root.addedAtMilliseconds), root.words,
                root.path == root.resolvedPath ? root.path : "\(root.path) → \(root.resolvedPath)",
            ]
        }
    }
}

extension RootSummary {
    /// The streams that it serves.
    fileprivate var streamWords: String { stream.map { "stream \"\($0)\"" } ?? "all streams" }

    /// The state for display.
    fileprivate var words: String {
        switch state {
        case .open: reach == .everyServer ? "yes, on every server" : "yes"
        case .unreachable(let reason): "no: \(reason)"
        case .otherMachine: "no: added on another machine"
        }
    }
}

struct RootsAddCommand: StreamCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Serve the pictures in a folder and its subfolders.",
        discussion: """
            A relative location of a photo is looked up in the roots of its stream, then in those of all \
            streams, each in order of addition; an absolute location must begin with a root. \
            Assign a root to one stream if several streams use the same relative locations.

            Anyone who can write photos can read any picture in a root, by giving a photo its path: only add \
            folders in which every picture may be seen. Only regular files that begin like a picture are served.

            With --every-server, the root is one of all servers of the PostgreSQL database. The folder must be \
            beneath the same path on each of them, with the same pictures: where it is not, no picture is served \
            from it, and photostream roots says so there.
            """)

    @Argument(help: "The folder.", completion: .directory)
    var folder: String

    @Option(
        help: ArgumentHelp("Serve the photos of this stream only.", valueName: "name"), transform: StreamName.init(_:))
    var stream: StreamName?

    @Flag(help: "Serve the pictures on every server of the PostgreSQL database, not on this machine alone.")
    var everyServer = false

    @OptionGroup var common: CommonOptions

    var use: FileUse { .change }

    func report(of service: PhotoStreamService) throws -> Report {
        let root = try service.addRoot(folder, for: stream, on: everyServer ? .everyServer : .machine)
        var report = Report { $0.value(root) }
        let target = root.path == root.resolvedPath ? "" : ", which is \"\(root.resolvedPath)\""
        report.add(
            line: "serving the pictures of \(root.streamWords) in \"\(root.path)\"\(target)"
                + (everyServer ? " on every server" : ""))
        return report
    }
}

struct RootsRemoveCommand: StreamCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Stop serving pictures from a folder.",
        discussion:
            "The folder need not exist any more. Name it as it is listed, with the stream for which it was added.")

    @Argument(help: "The folder.", completion: .directory)
    var folder: String

    @Option(
        help: ArgumentHelp("The stream for which it was added.", valueName: "name"), transform: StreamName.init(_:))
    var stream: StreamName?

    @OptionGroup var common: CommonOptions

    var use: FileUse { .change }

    func report(of service: PhotoStreamService) throws -> Report {
        let roots = try service.removeRoot(folder, for: stream)
        var report = Report(["removed": roots])
        report.add(lines: roots.map { "removed the root \"\($0.path)\" of \($0.streamWords)" })
        return report
    }
}
