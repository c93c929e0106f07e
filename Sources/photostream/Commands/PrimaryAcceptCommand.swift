import ArgumentParser
import PhotoStreamModel
import PhotoStreamPrimary
import PhotoStreamService
import PhotoStreamStorage
import PhotoStreamWire

struct PrimaryAcceptCommand: PrimaryReportingCommand {
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

    func report() throws -> Report {
        try options.administration().accept(replicasOf: identity)
        return Report(
            ["identity": identity], line: "files of \(identity) may be built again from this database for a day")
    }
}

struct PrimaryAcceptReplicationCommand: PrimaryReportingCommand {
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

    func report() throws -> Report {
        let administration = try options.administration()
        if end { try administration.endReplication() } else { try administration.acceptReplication() }
        return Report(
            ["acceptsReplication": !end],
            line: end
                ? "rows of logical replication are refused, and every server copies everything once"
                : "rows of logical replication are accepted, and nothing is logged; run this with --end when it has ended"
        )
    }
}

struct PrimaryLostCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "lost", abstract: "List the photos that a server's file had and the primary does not have.",
        discussion: """
            When a file is built again because the primary has another history, as after a failover that lost commits, its former \
            state is kept next to it if the primary does not have all photos as the file had them; the five newest stay, others for 30 days. Each \
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

    func report() throws -> Report {
        var files: [(path: String, photos: [LostPhoto])] = []
        for former in FormerReplica.all(of: database) {
            let file = try PhotoDatabase(path: former.path, access: .readOnly)
            let photos = try file.read { try $0.lostPhotos() }
            try file.close()
            files.append((former.path, photos))
        }
        if let stream {
            try export(stream, of: files)
            return Report(json: nil)
        }
        let list = files.map { file in
            let photos = file.photos.map { photo in
                ["stream": photo.stream.rawValue, "id": photo.id.rawValue, "kind": "\(photo.kind)"] as JSONMembers
            }
            return ["file": file.path, "photos": photos] as JSONMembers
        }
        var report = Report { $0.array(list) { $0.value($1) } }
        if files.isEmpty { report.add(line: "nothing was lost") }
        for file in files {
            report.add(
                table: [.wide("stream", cells: 60), .wide("photo", cells: 200), "at the primary"],
                rows: file.photos.map { [$0.stream.rawValue, $0.id.rawValue, $0.kind.words] },
                title: "\(file.path): \(file.photos.count.grouped) photos")
        }
        return report
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
