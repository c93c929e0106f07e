import ArgumentParser
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamWire

/// `photostream shares`: manages links that show a stream to everyone who has them.
struct SharesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shares",
        abstract: "Create, list or revoke links that show one stream to everyone who has them.",
        discussion: """
            A share is an address of the server, /s/SECRET/, beneath which its stream can be looked at and nothing else can \
            be asked. It is shown once, when it is created; the file has its hash only. A share is never changed, and a \
            revoked one shows nothing from the next request on.

            EXAMPLES:
              photostream shares create --stream holiday --expires 30d
              photostream shares create grandma --stream holiday --show-positions --originals
              photostream shares
              photostream shares revoke grandma
            """,
        subcommands: [SharesListCommand.self, SharesCreateCommand.self, SharesRevokeCommand.self],
        defaultSubcommand: SharesListCommand.self)
}

struct SharesListCommand: StreamCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the shares, without secrets.")

    @OptionGroup var common: CommonOptions

    func report(of service: PhotoStreamService) throws -> Report {
        Report(
            list: "shares", of: try service.shares(),
            columns: [.wide("share", cells: 60), "stream", "shows", "created", "expires"]
        ) { share in
            [
                share.name, share.stream.rawValue, share.options.words, Moment.text(share.createdAtMilliseconds),
                Expiry.text(share.expiresAtMilliseconds, isOver: share.isExpired),
            ]
        }
    }
}

struct SharesCreateCommand: StreamCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Create a share and print its path on the server, once.",
        discussion: """
            The path alone goes to standard output, so that a script can take it; everything else goes to standard error. \
            Everyone who has the link sees the photos with dates, titles, captions and tags. Without further options, \
            photos have ids of the share's own, pictures carry no metadata, and no answer has a position.
            """)

    @Argument(help: "A name for the share, which only you see. (default: the stream's name)")
    var name: String?

    @Option(help: ArgumentHelp("The stream to show.", valueName: "name"), transform: StreamName.init(_:))
    var stream: StreamName

    @Option(
        help: ArgumentHelp(
            "The time after which the link shows nothing, such as 12h, 90d or 2027-01-31.", valueName: "time"),
        transform: Expiry.init(_:))
    var expires: Expiry?

    @Flag(help: "Show the positions of photos, and maps.")
    var showPositions = false

    @Flag(help: "Show the ids of photos, which are often the names of files.")
    var showNames = false

    @Flag(
        help:
            "Send original files, too. They carry everything that they contain: positions, serial numbers and names.")
    var originals = false

    @OptionGroup var common: CommonOptions

    var use: FileUse { .change }

    func report(of service: PhotoStreamService) throws -> Report {
        let (token, share) = try service.createShare(
            of: stream, named: name, showing: options, expiresAtMilliseconds: expires?.milliseconds(now: Moment.now))
        var report = Report(
            secret: "/s/\(token.text)/", named: "path", of: share,
            note: "created the share \"\(share.name)\" (stream \"\(share.stream)\", shows \(share.options.words)); "
                + "the address of the server and this path are the link, which is not shown again")
        if share.options.contains(.originals) {
            report.notes.append(
                "original files carry everything that they contain: positions, serial numbers and names")
        }
        return report
    }

    private var options: ShareOptions {
        var options: ShareOptions = []
        if showPositions { options.insert(.positions) }
        if showNames { options.insert(.names) }
        if originals { options.insert(.originals) }
        return options
    }
}

struct SharesRevokeCommand: StreamCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Revoke a share: its link shows nothing any more.")

    @Argument(help: "The share's name.")
    var name: String

    @OptionGroup var common: CommonOptions

    var use: FileUse { .change }

    func report(of service: PhotoStreamService) throws -> Report {
        try service.revoke(.share, named: name)
        return Report(["revoked": name], line: "revoked the share \"\(name)\"")
    }
}

extension ShareOptions {
    /// The options in words.
    fileprivate var words: String {
        let names: [(option: ShareOptions, word: String)] = [
            (.positions, "positions"), (.names, "names"), (.originals, "originals"),
        ]
        let words = names.filter { contains($0.option) }.map(\.word)
        return words.isEmpty ? "pictures" : "pictures, " + words.joined(separator: ", ")
    }
}
