import ArgumentParser
import Foundation
import PhotoStreamModel
import PhotoStreamPrimary
import PhotoStreamService
import PhotoStreamStorage
import PhotoStreamWire

/// `photostream primary`: manages a PostgreSQL database that several servers share.
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

/// A subcommand about a primary.
protocol PrimaryReportingCommand: ReportingCommand {
    var options: PrimaryCommandOptions { get }
}

extension PrimaryReportingCommand {
    var json: Bool { options.json }
}

struct PrimaryInitCommand: PrimaryReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "init", abstract: "Create the tables, or bring them up to date.",
        discussion: """
            The user needs the right to create a schema in the database, and the tables belong to it. PostgreSQL 15 or later; \
            max_prepared_transactions must be 0. Rules that rows of older versions may break are then applied to all rows; a row \
            that breaks one is named with the statement that repairs it.
            """)

    @OptionGroup var options: PrimaryCommandOptions

    func report() throws -> Report {
        let administration = try options.administration()
        let applied = try administration.initialize()
        let problems = try administration.validate().map(\.sentence)
        var report = Report(["migrations": applied, "problems": problems])
        let done =
            applied.isEmpty ? "nothing to do: the tables are up to date" : "ran \(applied.joined(separator: ", "))"
        report.add(lines: [done] + problems.map { "problem: \($0)" })
        return report
    }
}

struct PrimaryLoadCommand: PrimaryReportingCommand {
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

    func report() throws -> Report {
        let administration = try options.administration()
        let database = try PhotoDatabase(path: database, access: .existing)
        let count = try administration.load(database)
        try database.close()
        return Report(["photos": count], line: "copied \(count.grouped) photos")
    }
}

struct PrimaryDumpCommand: PrimaryReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "dump", abstract: "Copy a primary into a new file that needs no primary.",
        discussion: """
            The file has one state of the primary, with the ids, the revisions and the key of the cursors: a server that \
            serves it goes on where the others were. An existing file is never overwritten.
            """)

    @Argument(help: "The path of the file, which must not exist.", completion: .file())
    var file: String

    @OptionGroup var options: PrimaryCommandOptions

    func report() throws -> Report {
        let primary = PostgresPrimary(try options.primary.requiredAddress())
        guard !FileManager.default.fileExists(atPath: file) else {
            throw CommandError("\"\(file)\" already exists; a dump overwrites nothing")
        }
        try ReplicaFile.dump(primary, to: file)
        return Report(["file": file], line: "wrote \(file)")
    }
}

struct PrimaryRetentionCommand: PrimaryReportingCommand {
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

    func report() throws -> Report {
        let administration = try options.administration()
        var kept = try administration.retention()
        if days != nil || changes != nil || changesForFollowers != nil {
            if let days { kept.days = days }
            if let changes { kept.changes = changes }
            if let changesForFollowers { kept.changesForFollowers = changesForFollowers }
            guard kept.changes <= kept.changesForFollowers else {
                throw CommandError(
                    """
                    \(kept.changesForFollowers.grouped) changes for followers are fewer than the \(kept.changes.grouped) \
                    that are kept anyway
                    """)
            }
            try administration.set(kept)
        }
        return Report(
            ["days": kept.days, "changes": kept.changes, "changesForFollowers": kept.changesForFollowers],
            line: """
                the log is kept for \(kept.days.grouped) days and up to \(kept.changes.grouped) changes, and for followers \
                up to \(kept.changesForFollowers.grouped)
                """)
    }
}

struct PrimaryForgetCommand: PrimaryReportingCommand {
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

    func report() throws -> Report {
        try options.administration().forget(follower: follower)
        return Report(["forgotten": follower], line: "forgot \(follower)")
    }
}

struct PrimaryStatusCommand: PrimaryReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show the revision, the history, the followers and what holds up writers, and check the triggers.",
        discussion: """
            A transaction of another program that holds up writers is shown with the statement that ends it. Exit code 1 if \
            something is wrong, with a line on standard error for each problem.
            """)

    @OptionGroup var options: PrimaryCommandOptions

    func report() throws -> Report {
        let status = try options.administration().status()
        let server = "\(UInt64(bitPattern: status.systemIdentifier))"
        var report = Report([
            "identity": status.identity, "revision": status.revision, "commit": status.commitID,
            "streams": status.streamCount, "photos": status.photoCount, "server": server,
            "timeline": Int(status.timeline), "followers": status.followers.map { object(of: $0) },
            "holders": status.holders.map { object(of: $0) },
            "problems": status.problems,
        ])
        let facts = """
            revision \(status.revision.grouped), commit \(status.commitID.grouped), \(status.streamCount.grouped) streams, \
            \(status.photoCount.grouped) photos
            primary \(status.identity); history: server \(server), timeline \(status.timeline)
            """
        if status.followers.isEmpty {
            report.add(lines: [facts, "no followers"])
        } else {
            report.add(
                table: [.wide("follower", cells: 60), .number("revision"), .number("behind"), "seen"],
                rows: status.followers.map { follower in
                    [
                        follower.name, follower.revision.grouped, follower.lag.grouped,
                        "\(follower.millisecondsSinceSeen / 1_000) s ago",
                    ]
                }, title: facts)
        }
        if !status.holders.isEmpty {
            let rows = status.holders.map { holder -> [String] in
                let process = holder.processID.map { "\($0)" } ?? "prepared"
                let since = holder.sinceMilliseconds.map(Moment.text) ?? "unknown"
                return [
                    holder.holdsUpAll ? "all writers" : "its rows", process, holder.role, holder.application, since,
                    holder.preparedName ?? holder.query,
                ]
            }
            report.add(
                table: [
                    .wide("holds up", cells: 60), .number("pid"), "role", "application", "since",
                    .wide("last statement", cells: 80),
                ], rows: rows)
        }
        report.fail(because: status.problems)
        return report
    }

    private func object(of follower: PrimaryAdministration.Status.Follower) -> JSONMembers {
        var object: JSONMembers = [
            "name": follower.name, "revision": follower.revision, "behind": follower.lag,
            "millisecondsSinceSeen": follower.millisecondsSinceSeen,
        ]
        object.add("problem", value: follower.problem)
        return object
    }

    private func object(of holder: LockHolder) -> JSONMembers {
        var object: JSONMembers = ["holdsUp": holder.holdsUpAll ? "all-writers" : "its-rows"]
        object.add("process", value: holder.processID.map { Int($0) })
        object.add("prepared", value: holder.preparedName)
        object.add("role", value: holder.role)
        object.add("application", value: holder.application)
        object.add("query", value: holder.query)
        object.add("since", value: holder.sinceMilliseconds.map(Moment.text))
        object.add("remedy", value: holder.remedy)
        return object
    }
}
