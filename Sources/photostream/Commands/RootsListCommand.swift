import ArgumentParser
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamWire

/// `photostream roots list`.
struct RootsListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the folders beneath which pictures are served.",
        discussion: """
            They are listed in the order in which they are tried, apart from a stream's own, which come first. "open" \
            says that pictures are served from the folder, or why not.
            """)

    @OptionGroup var common: CommonOptions

    func run() async throws {
        try common.query { service in
            let roots = try service.roots()
            guard !common.json else {
                return try StandardOutput.write(json: { writer in
                    writer.object { writer in
                        writer.key("roots")
                        writer.array(roots) { $0.value($1) }
                    }
                })
            }
            var table = TextTable([
                TextTable.Column(title: "stream"), TextTable.Column(title: "added"),
                TextTable.Column(title: "open", maximumWidth: 60), TextTable.Column(title: "root", maximumWidth: 400),
            ])
            let rows = roots.map { root in
                [
                    root.stream?.rawValue ?? "all", Moment.text(root.addedAtMilliseconds), root.state.words,
                    root.path == root.resolvedPath ? root.path : "\(root.path) → \(root.resolvedPath)",
                ]
            }
            // A path that is cut is of no use, so lines may be longer than the window.
            try StandardOutput.write(table.text(rows, cutsLastColumn: false).utf8)
        }
    }
}

extension RootSummary.State {
    /// "yes", or why not.
    fileprivate var words: String {
        switch self {
        case .open: "yes"
        case .unreachable(let reason): "no: \(reason)"
        case .otherMachine: "no: added on another machine"
        }
    }
}
