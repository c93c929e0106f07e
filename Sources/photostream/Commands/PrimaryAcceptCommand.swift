import ArgumentParser
import PhotoStreamModel
import PhotoStreamPrimary
import PhotoStreamService
import PhotoStreamStorage
import PhotoStreamWire

/// `photostream primary accept`.
struct PrimaryAcceptCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accept", abstract: "Let the files of servers be built again from this database.",
        discussion: """
            A server whose file follows one database does not follow another one at the same address, nor one that has lost all \
            streams or more than half of the photos: it answers from its file, refuses writes, and names the identity in its \
            log, which is the argument. This command lets all such files be built again from this database, within a day, and \
            writes are accepted then. Photos that the database does not have are kept next to each file: photostream primary lost.
            """)

    @Argument(help: "The identity of the primary that the files follow, as the log of their servers names it.")
    var identity: String

    @OptionGroup var options: PrimaryCommandOptions

    func run() async throws {
        try options.administration().accept(replicasOf: identity)
        guard !options.json else {
            return try StandardOutput.write(json: { $0.object { $0.member("identity", value: identity) } })
        }
        try StandardOutput.write(line: "files of \(identity) may be built again from this database for a day")
    }
}

/// `photostream primary accept-replication`.
struct PrimaryAcceptReplicationCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accept-replication",
        abstract: "Accept rows of PostgreSQL's logical replication, as for the move to another version of it.",
        discussion: """
            Changes that a subscription applies are not logged, so servers would not see them; they are refused until this command \
            has run. Run it at the database that subscribes, before the subscription, and with --end after it and before any \
            server uses this database, of which nothing is logged in between: rows are refused again, ids go on after those that \
            came, and every server copies everything once.
            """)

    @Flag(help: "Refuse such rows again, and let servers copy what has come.")
    var end = false

    @OptionGroup var options: PrimaryCommandOptions

    func run() async throws {
        let administration = try options.administration()
        if end { try administration.endReplication() } else { try administration.acceptReplication() }
        guard !options.json else {
            return try StandardOutput.write(json: { $0.object { $0.member("acceptsReplication", value: !end) } })
        }
        try StandardOutput.write(
            line: end
                ? "rows of logical replication are refused, and every server copies everything once"
                : "rows of logical replication are accepted, and nothing is logged; run this with --end when it has ended"
        )
    }
}

/// `photostream primary lost`.
struct PrimaryLostCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lost", abstract: "List the photos that a server's file had and the primary does not have.",
        discussion: """
            When a file is built again because the primary has another history, as after a failover that lost commits, its former \
            state is kept next to it if the primary does not have all photos as the file had them; the five newest stay. Each \
            such file is a file of its own: photos list and export read it. With --export, the photos that are missing or \
            different are printed as JSON Lines, which photostream import takes.

            EXAMPLES:
              photostream primary lost --database replica.sqlite
              photostream primary lost --database replica.sqlite --export --stream holiday > holiday.jsonl
            """)

    @Option(
        help: ArgumentHelp("The file of the server.", valueName: "file"),
        completion: .file(extensions: ["sqlite", "db"]))
    var database = "photostream.sqlite"

    @Flag(help: "Print the photos of one stream as JSON Lines.")
    var export = false

    @Option(
        name: .customLong("stream"), help: ArgumentHelp("The stream of --export.", valueName: "name"),
        transform: StreamName.init(_:))
    var stream: StreamName?

    @Flag(help: "Print JSON instead of tables.")
    var json = false

    func validate() throws {
        guard export == (stream != nil) else { throw ValidationError("--export and --stream belong together") }
        guard !export || !json else { throw ValidationError("--export prints JSON Lines; omit --json") }
    }

    func run() async throws {
        var files: [(path: String, photos: [LostPhoto])] = []
        for former in FormerReplica.all(of: database) {
            let file = try PhotoDatabase(path: former.path, access: .readOnly)
            let photos = try file.read { try $0.lostPhotos() }
            try file.close()
            files.append((former.path, photos))
        }
        if let stream { return try export(stream, of: files) }
        guard !json else { return try printJSON(files) }
        guard !files.isEmpty else { return try StandardOutput.write(line: "nothing was lost") }
        for file in files {
            try StandardOutput.write(line: "\(file.path): \(file.photos.count.grouped) photos")
            var table = TextTable([
                TextTable.Column(title: "stream", maximumWidth: 60),
                TextTable.Column(title: "photo", maximumWidth: 200),
                TextTable.Column(title: "at the primary"),
            ])
            try StandardOutput.write(
                table.text(file.photos.map { [$0.stream.rawValue, $0.id.rawValue, $0.kind.words] }).utf8)
        }
    }

    /// Prints the lost photos of a stream as an export, with people's edits and moves.
    private func export(_ stream: StreamName, of files: [(path: String, photos: [LostPhoto])]) throws {
        var hasHeader = false
        for file in files {
            let ids = Set(file.photos.filter { $0.stream == stream && $0.kind != .returned }.map(\.id))
            guard !ids.isEmpty else { continue }
            let service = try PhotoStreamService(path: file.path, access: .readOnly) { Moment.now }
            try service.read { session in
                try session.export(of: stream) { line in
                    switch line {
                    case .header:
                        guard !hasHeader else { return }
                        hasHeader = true
                    case .photo(let photo), .moved(let photo, _):
                        guard ids.contains(photo.id) else { return }
                    }
                    try StandardOutput.write(json: { $0.value(line) })
                }
            }
            try service.close()
        }
    }

    private func printJSON(_ files: [(path: String, photos: [LostPhoto])]) throws {
        try StandardOutput.write(json: { writer in
            writer.array(files) { writer, file in
                writer.object { writer in
                    writer.member("file", value: file.path)
                    writer.key("photos")
                    writer.array(file.photos) { writer, photo in
                        writer.object { writer in
                            writer.member("stream", value: photo.stream.rawValue)
                            writer.member("id", value: photo.id.rawValue)
                            writer.member("kind", value: "\(photo.kind)")
                        }
                    }
                }
            }
        })
    }
}

extension LostPhoto.Kind {
    fileprivate var words: String {
        switch self {
        case .missing: "missing"
        case .different: "different"
        case .returned: "there, though it was deleted"
        }
    }
}
