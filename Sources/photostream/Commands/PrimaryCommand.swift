import ArgumentParser
import Foundation
import PhotoStreamModel
import PhotoStreamPrimary
import PhotoStreamService
import PhotoStreamStorage
import PhotoStreamWire

/// `photostream primary`: looks after a PostgreSQL database that several servers share.
struct PrimaryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "primary",
        abstract: "Create, fill, copy or check a PostgreSQL database that several servers share.",
        discussion: """
            Photos, streams, tokens and shares are in the PostgreSQL database then, and the file of each server is a replica \
            that follows it: serve --primary. Documentation/Scaling.md says when that is worth it.

            EXAMPLES:
              photostream primary init --primary postgres://photos@db.lan/photos
              photostream primary load --primary postgres://photos@db.lan/photos --database photostream.sqlite
              photostream serve --primary postgres://photos@db.lan/photos --database replica.sqlite
              photostream primary status --primary postgres://photos@db.lan/photos
              photostream primary dump photostream.sqlite --primary postgres://photos@db.lan/photos
            """,
        subcommands: [
            PrimaryStatusCommand.self, PrimaryInitCommand.self, PrimaryLoadCommand.self, PrimaryDumpCommand.self,
            PrimaryRetentionCommand.self, PrimaryForgetCommand.self, PrimaryAcceptCommand.self,
            PrimaryAcceptReplicationCommand.self, PrimaryLostCommand.self,
        ],
        defaultSubcommand: PrimaryStatusCommand.self)
}

/// The options of the commands about a primary.
struct PrimaryCommandOptions: ParsableArguments {
    @OptionGroup var primary: PrimaryOption

    @Flag(help: "Print JSON instead of tables.")
    var json = false

    /// Connects to the primary.
    func administration() throws -> PrimaryAdministration { try PrimaryAdministration(primary.requiredAddress()) }
}

/// `photostream primary init`.
struct PrimaryInitCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init", abstract: "Create the tables, or bring them up to date.",
        discussion: """
            The user needs the right to create a schema in the database, and the tables belong to it. PostgreSQL 15 or later; \
            max_prepared_transactions must be 0. Rules that rows of older versions may break are then applied to all rows; a row \
            that breaks one is named with the statement that repairs it.
            """)

    @OptionGroup var options: PrimaryCommandOptions

    func run() async throws {
        let administration = try options.administration()
        let applied = try administration.initialize()
        let problems = try administration.validate().map(\.sentence)
        guard !options.json else {
            return try StandardOutput.write(json: { writer in
                writer.object { writer in
                    writer.key("migrations")
                    writer.array(applied) { $0.value($1) }
                    writer.key("problems")
                    writer.array(problems) { $0.value($1) }
                }
            })
        }
        try StandardOutput.write(
            line: applied.isEmpty
                ? "nothing to do: the tables are up to date" : "ran \(applied.joined(separator: ", "))")
        for problem in problems { try StandardOutput.write(line: "problem: \(problem)") }
    }
}

/// `photostream primary load`.
struct PrimaryLoadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "load", abstract: "Copy a file into a primary that has had no photos yet.",
        discussion: """
            Ids, revisions and the key of the cursors are copied with the photos, so everything that clients hold stays \
            valid. Stop the programs that write to the file before: what is written after the copy has begun is not in it. The \
            file stays as it is and does not become a replica.
            """)

    @Option(
        help: ArgumentHelp("The database file.", valueName: "file"),
        completion: .file(extensions: ["sqlite", "db"]))
    var database = "photostream.sqlite"

    @OptionGroup var options: PrimaryCommandOptions

    func run() async throws {
        let administration = try options.administration()
        let database = try PhotoDatabase(path: database, access: .existing)
        let count = try administration.load(database)
        try database.close()
        guard !options.json else {
            return try StandardOutput.write(json: { $0.object { $0.member("photos", value: count) } })
        }
        try StandardOutput.write(line: "copied \(count.grouped) photos")
    }
}

/// `photostream primary dump`.
struct PrimaryDumpCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dump", abstract: "Copy a primary into a new file that needs no primary.",
        discussion: """
            The file has one state of the primary, with the ids, the revisions and the key of the cursors: a server that \
            serves it goes on where the others were. An existing file is never overwritten.
            """)

    @Argument(help: "The path of the file, which must not exist.", completion: .file())
    var file: String

    @OptionGroup var options: PrimaryCommandOptions

    func run() async throws {
        let primary = PostgresPrimary(try options.primary.requiredAddress())
        guard !FileManager.default.fileExists(atPath: file) else {
            throw CommandError("\"\(file)\" already exists; a dump overwrites nothing")
        }
        try ReplicaFile.dump(primary, to: file)
        guard !options.json else {
            return try StandardOutput.write(json: { $0.object { $0.member("file", value: file) } })
        }
        try StandardOutput.write(line: "wrote \(file)")
    }
}

/// `photostream primary retention`.
struct PrimaryRetentionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retention", abstract: "Show or set how much of the log of changes the primary keeps.",
        discussion: """
            A server that was away for longer than the log reaches copies everything when it comes back. The last 100,000 \
            changes are always kept, as in a file. What is no longer kept is removed within ten minutes while a server follows.
            """)

    @Option(help: ArgumentHelp("Keep the log for this many days; 7 at first.", valueName: "n"))
    var days: Int64?

    @Option(help: ArgumentHelp("Keep at most this many changes; 10000000 at first.", valueName: "n"))
    var changes: Int64?

    @Option(
        help: ArgumentHelp(
            """
            Keep up to this many changes for servers that have not read them and were seen within a day; 50000000 at first.
            """, valueName: "n"))
    var changesForFollowers: Int64?

    @OptionGroup var options: PrimaryCommandOptions

    func validate() throws {
        if let days, !(0...36_500).contains(days) { throw ValidationError("--days is between 0 and 36500") }
        if let changes, changes < 0 { throw ValidationError("--changes is 0 or more") }
    }

    func run() async throws {
        let administration = try options.administration()
        var retention = try administration.retention()
        if days != nil || changes != nil || changesForFollowers != nil {
            if let days { retention.days = days }
            if let changes { retention.changes = changes }
            if let changesForFollowers { retention.changesForFollowers = changesForFollowers }
            guard retention.changes <= retention.changesForFollowers else {
                throw CommandError(
                    """
                    \(Int(retention.changesForFollowers).grouped) changes for followers are fewer than the \
                    \(Int(retention.changes).grouped) that are kept anyway
                    """)
            }
            try administration.set(retention)
        }
        let kept = retention
        guard !options.json else {
            return try StandardOutput.write(json: { writer in
                writer.object { writer in
                    writer.member("days", value: Int(kept.days))
                    writer.member("changes", value: Int(kept.changes))
                    writer.member("changesForFollowers", value: Int(kept.changesForFollowers))
                }
            })
        }
        try StandardOutput.write(
            line: """
                the log is kept for \(Int(kept.days).grouped) days and up to \(Int(kept.changes).grouped) changes, and for \
                followers up to \(Int(kept.changesForFollowers).grouped)
                """)
    }
}

/// `photostream primary forget`.
struct PrimaryForgetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget", abstract: "Remove a follower that is gone from the status.",
        discussion: """
            The log is kept for each follower that was seen within a day. A server that comes back is a follower again, and \
            copies everything if the log no longer reaches back to it.

            EXAMPLES:
              photostream primary forget web-3:/srv/replica.sqlite --primary postgres://photos@db.lan/photos
            """)

    @Argument(help: "The follower's name, as the status shows it.")
    var follower: String

    @OptionGroup var options: PrimaryCommandOptions

    func run() async throws {
        try options.administration().forget(follower: follower)
        guard !options.json else {
            return try StandardOutput.write(json: { $0.object { $0.member("forgotten", value: follower) } })
        }
        try StandardOutput.write(line: "forgot \(follower)")
    }
}

/// `photostream primary status`.
struct PrimaryStatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show the revision, the history, the followers and what holds up writers, and check the triggers.",
        discussion: """
            A transaction of another program that holds up writers is shown with the statement that ends it. Exit code 1 if \
            something is wrong, with a line on standard error for each problem.
            """)

    @OptionGroup var options: PrimaryCommandOptions

    func run() async throws {
        let status = try options.administration().status()
        if options.json {
            try StandardOutput.write(json: { Self.write(status, to: &$0) })
        } else {
            try StandardOutput.write(text(status).utf8)
        }
        guard !status.problems.isEmpty else { return }
        try StandardOutput.flush()
        for problem in status.problems { StandardError.write(sentence: problem) }
        throw ExitCode(1)
    }

    private func text(_ status: PrimaryAdministration.Status) -> String {
        var table = TextTable([
            TextTable.Column(title: "follower", maximumWidth: 60), .number("revision"), .number("behind"),
            TextTable.Column(title: "seen"),
        ])
        let rows = status.followers.map { follower in
            [
                follower.name, Int(follower.revision).grouped, Int(follower.lag).grouped,
                "\(follower.millisecondsSinceSeen / 1_000) s ago",
            ]
        }
        let facts = """
            revision \(Int(status.revision).grouped), commit \(Int(status.commitID).grouped), \
            \(Int(status.streamCount).grouped) streams, \(Int(status.photoCount).grouped) photos
            primary \(status.identity); history: server \(UInt64(bitPattern: status.systemIdentifier)), timeline \
            \(status.timeline)

            """
        return facts + (rows.isEmpty ? "no followers\n" : table.text(rows)) + text(of: status.holders)
    }

    private func text(of holders: [LockHolder]) -> String {
        guard !holders.isEmpty else { return "" }
        var table = TextTable([
            TextTable.Column(title: "holds up", maximumWidth: 60), .number("pid"), TextTable.Column(title: "role"),
            TextTable.Column(title: "application"), TextTable.Column(title: "since"),
            TextTable.Column(title: "last statement", maximumWidth: 80),
        ])
        return "\n"
            + table.text(
                holders.map { holder in
                    [
                        holder.holdsUpAll ? "all writers" : "its rows",
                        holder.processID.map(String.init) ?? "prepared", holder.role, holder.application,
                        holder.sinceMilliseconds.map(Moment.text) ?? "unknown", holder.preparedName ?? holder.query,
                    ]
                })
    }

    private static func write(_ status: PrimaryAdministration.Status, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("identity", value: status.identity)
            writer.member("revision", value: Int(status.revision))
            writer.member("commit", value: Int(status.commitID))
            writer.member("streams", value: Int(status.streamCount))
            writer.member("photos", value: Int(status.photoCount))
            writer.member("server", value: "\(UInt64(bitPattern: status.systemIdentifier))")
            writer.member("timeline", value: Int(status.timeline))
            writer.key("followers")
            writer.array(status.followers) { writer, follower in
                writer.object { writer in
                    writer.member("name", value: follower.name)
                    writer.member("revision", value: Int(follower.revision))
                    writer.member("behind", value: Int(follower.lag))
                    writer.member("millisecondsSinceSeen", value: Int(follower.millisecondsSinceSeen))
                    if let problem = follower.problem { writer.member("problem", value: problem) }
                }
            }
            writer.key("holders")
            writer.array(status.holders) { writer, holder in
                writer.object { writer in
                    writer.member("holdsUp", value: holder.holdsUpAll ? "all-writers" : "its-rows")
                    if let processID = holder.processID { writer.member("process", value: Int(processID)) }
                    if let name = holder.preparedName { writer.member("prepared", value: name) }
                    writer.member("role", value: holder.role)
                    writer.member("application", value: holder.application)
                    writer.member("query", value: holder.query)
                    if let since = holder.sinceMilliseconds { writer.member("since", value: Moment.text(since)) }
                    writer.member("remedy", value: holder.remedy)
                }
            }
            writer.key("problems")
            writer.array(status.problems) { $0.value($1) }
        }
    }
}
