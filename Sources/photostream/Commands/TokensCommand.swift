import ArgumentParser
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamWire

/// `photostream tokens`: manages the tokens with which programs and people use the server.
struct TokensCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tokens",
        abstract: "Create, list or revoke the tokens with which the server is asked.",
        discussion: """
            A server answers no request without a proof. A program sends a token in the field \
            Authorization: Bearer. It is shown once, when it is created; the file has its hash only. A token is never \
            changed, and a revoked one is refused from the next request on, with the sessions that were begun with it.

            A browser is signed in by a link, which is good once, within ten minutes: --link makes it in place of the token. \
            If qrencode is installed, its QR code is shown, too.

            EXAMPLES:
              photostream tokens create script --scope read
              photostream tokens create phone --scope write --link --server https://photos.example.org
              photostream tokens create frame --scope read --stream holiday --expires 90d
              photostream tokens
              photostream tokens revoke phone
              photostream tokens rotate-images
            """,
        subcommands: [
            TokensListCommand.self, TokensCreateCommand.self, TokensRevokeCommand.self, TokensRotateImagesCommand.self,
        ],
        defaultSubcommand: TokensListCommand.self)
}

struct TokensListCommand: StreamCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the tokens, without secrets.")

    @OptionGroup var common: CommonOptions

    func report(of service: PhotoStreamService) throws -> Report {
        Report(
            list: "tokens", of: try service.tokens(),
            columns: [.wide("token", cells: 60), "scope", "stream", "created", "expires"]
        ) { token in
            [
                token.name, token.scope.word, token.stream?.rawValue ?? "all",
                Moment.text(token.createdAtMilliseconds),
                Expiry.text(token.expiresAtMilliseconds, isOver: token.isExpired),
            ]
        }
    }
}

struct TokensCreateCommand: StreamCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Create a token and print it, once.",
        discussion: """
            The token, or with --link the link, alone goes to standard output, so that a script can take it; everything else goes to \
            standard error.
            """)

    @Argument(help: "A name for the token, such as that of the device or program that uses it.")
    var name: String

    @Option(
        help: ArgumentHelp(
            "What it allows: read; write, which includes read; or admin, which also manages streams.",
            valueName: "scope"),
        transform: Self.scope)
    var scope: AccessScope

    @Option(help: ArgumentHelp("Only for this stream.", valueName: "name"), transform: StreamName.init(_:))
    var stream: StreamName?

    @Option(
        help: ArgumentHelp(
            "The time after which it is no longer valid, such as 12h, 90d or 2027-01-31.", valueName: "time"),
        transform: Expiry.init(_:))
    var expires: Expiry?

    @Flag(help: "Print a link that signs a browser in, once and within ten minutes, in place of the token.")
    var link = false

    @Option(
        help: ArgumentHelp(
            "The address at which the link's browser reaches the server. (default: http://127.0.0.1:8080)",
            valueName: "address"),
        transform: Self.server)
    var server: String?

    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard server == nil || link else { throw ValidationError("--server is the address of a link; add --link") }
    }

    var use: FileUse { .change }

    func report(of service: PhotoStreamService) throws -> Report {
        let (token, summary) = try service.createToken(
            named: name, scope: scope, stream: stream, expiresAtMilliseconds: expires?.milliseconds(now: Moment.now))
        let address = link ? try address(of: service.createSignInLink(forTokenNamed: name)) : nil
        if let address, !json { QRCode.write(address) }
        return Report(
            secret: address ?? token.text, named: address == nil ? "secret" : "link", of: summary,
            note: "created the token \"\(summary.name)\" (\(summary.scope.word), "
                + "\(summary.stream.map { "stream \"\($0)\"" } ?? "all streams")); "
                + (link ? "its link is good once, within ten minutes" : "it is not shown again"))
    }

    private func address(of link: SignInLink) -> String { (server ?? "http://127.0.0.1:8080") + link.path }

    private static func server(_ text: String) throws -> String {
        guard let (_, origin) = text.wholeMatch(of: /(https?:\/\/[^\/?#\s]+)\/?/)?.output else {
            throw ValidationError("\"\(text)\" is not the address of a server, such as https://photos.example.org")
        }
        return String(origin)
    }

    private static func scope(_ text: String) throws -> AccessScope {
        guard let scope = AccessScope(word: text) else {
            throw ValidationError("scope is \"\(text)\", but must be read, write or admin")
        }
        return scope
    }
}

struct TokensRevokeCommand: StreamCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Revoke a token, and the sessions that were begun with it.")

    @Argument(help: "The token's name.")
    var name: String

    @OptionGroup var common: CommonOptions

    var use: FileUse { .change }

    func report(of service: PhotoStreamService) throws -> Report {
        try service.revoke(.token, named: name)
        return Report(["revoked": name], line: "revoked the token \"\(name)\"")
    }
}

struct TokensRotateImagesCommand: StreamCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate-images",
        abstract: "Give the signed addresses of thumbnails another key.",
        discussion: """
            Answers of photostream serve --images-base show addresses that are signed with it. Those of the key before stay \
            valid until they end, within a day, or until the key is given again: twice ends all addresses at once.
            """)

    @OptionGroup var common: CommonOptions

    var use: FileUse { .change }

    func report(of service: PhotoStreamService) throws -> Report {
        try service.rotateImageKey()
        return Report(
            ["imageKey": "rotated"],
            line: "signed addresses have another key; those of the one before are valid for a day")
    }
}
