import ArgumentParser
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamWire

/// `photostream tokens`: manages who may ask the server from another machine.
struct TokensCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tokens",
        abstract: "Create, list or revoke the tokens with which the server is asked from other machines.",
        discussion: """
            A server that other machines can reach answers no request without a token, which a program sends in the field \
            Authorization: Bearer. It is shown once, when it is created; the file has its hash only. A token is never \
            changed, and a revoked one is refused from the next request on.

            EXAMPLES:
              photostream tokens create phone --scope read
              photostream tokens create frame --scope read --stream holiday --expires 90d
              photostream tokens
              photostream tokens revoke phone
            """,
        subcommands: [TokensListCommand.self, TokensCreateCommand.self, TokensRevokeCommand.self],
        defaultSubcommand: TokensListCommand.self)
}

/// `photostream tokens list`.
struct TokensListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the tokens, without secrets.")

    @OptionGroup var common: CommonOptions

    func run() async throws {
        try common.query { service in
            let tokens = try service.tokens()
            guard !common.json else {
                return try StandardOutput.write(json: { writer in
                    writer.object { writer in
                        writer.key("tokens")
                        writer.array(tokens) { $0.value($1) }
                    }
                })
            }
            var table = TextTable([
                TextTable.Column(title: "token", maximumWidth: 60), TextTable.Column(title: "scope"),
                TextTable.Column(title: "stream"), TextTable.Column(title: "created"),
                TextTable.Column(title: "expires"),
            ])
            let rows = tokens.map { token in
                let expiry = token.expiresAtMilliseconds.map(Moment.text) ?? "never"
                return [
                    token.name, token.scope.word, token.stream?.rawValue ?? "all",
                    Moment.text(token.createdAtMilliseconds), token.isExpired ? expiry + " (over)" : expiry,
                ]
            }
            try StandardOutput.write(table.text(rows).utf8)
        }
    }
}

/// `photostream tokens create`.
struct TokensCreateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Create a token and print it, once.",
        discussion: """
            The token alone goes to standard output, so that a script can take it; everything else goes to standard error.
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

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let service = try common.open()
        let (token, summary) = try service.createToken(
            named: name, scope: scope, stream: stream, expiresAtMilliseconds: expires?.milliseconds(now: Moment.now))
        try service.close()
        guard !common.json else {
            return try StandardOutput.write(json: { writer in
                writer.object { writer in
                    writer.key("secret")
                    writer.value(token.text)
                    writer.members(of: summary)
                }
            })
        }
        try StandardOutput.write(line: token.text)
        StandardError.write(
            sentence: "created the token \"\(summary.name)\" (\(summary.scope.word), "
                + "\(summary.stream.map { "stream \"\($0)\"" } ?? "all streams")); it is not shown again")
    }

    private static func scope(_ text: String) throws -> AccessScope {
        guard let scope = AccessScope(word: text) else {
            throw ValidationError("scope is \"\(text)\", but must be read, write or admin")
        }
        return scope
    }
}

/// `photostream tokens revoke`.
struct TokensRevokeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Revoke a token, and the sessions that were begun with it.")

    @Argument(help: "The token's name.")
    var name: String

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let service = try common.open()
        try service.revokeToken(named: name)
        try service.close()
        guard !common.json else {
            return try StandardOutput.write(json: { writer in
                writer.object { writer in
                    writer.key("revoked")
                    writer.value(name)
                }
            })
        }
        try StandardOutput.write(line: "revoked the token \"\(name)\"")
    }
}
