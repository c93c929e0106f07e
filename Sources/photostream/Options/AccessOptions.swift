import ArgumentParser
import Logging
import PhotoStreamHTTP
import PhotoStreamModel
import PhotoStreamService

/// The options of `photostream serve` that control access.
struct AccessOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The IP address to listen on; 0.0.0.0 for all of this machine. (default: 127.0.0.1)",
            valueName: "address"),
        transform: { try ServerAddress($0) })
    var address = ServerAddress.loopback

    @Option(
        help: ArgumentHelp(
            "A name by which clients call the server, such as photos.example.org, besides its addresses. May be repeated.",
            valueName: "name"),
        transform: Self.hostName)
    var hostName: [String] = []

    @Flag(
        help:
            "Answer every request without a token, for trying out: on an address of this machine alone, such as 127.0.0.1."
    )
    var open = false

    /// The name in 0.2 of the rule that now applies to every server but an open one.
    @Flag(help: .hidden)
    var requireToken = false

    @Option(
        help: ArgumentHelp("The certificate for TLS and those of its issuers, in PEM form.", valueName: "file"),
        completion: .file())
    var tlsCertificate: String?

    @Option(
        help: ArgumentHelp("The certificate's private key, in PEM form. SIGHUP reads both again.", valueName: "file"),
        completion: .file())
    var tlsKey: String?

    @Flag(help: "Let other machines connect without TLS. Tokens and photos can be read on the way.")
    var allowPlainHttp = false

    @Option(
        help: ArgumentHelp(
            "The address of a proxy server that signs users in. May be repeated.", valueName: "address"),
        transform: { try ServerAddress($0) })
    var trustedProxy: [ServerAddress] = []

    @Option(
        help: ArgumentHelp(
            "The field in which trusted proxy servers name the user, such as Remote-User.", valueName: "name"),
        transform: Self.fieldName)
    var userHeader: String?

    @Option(
        help: ArgumentHelp(
            "What a user of a trusted proxy server may do, such as anna=write; *=read is for all others. May be repeated.",
            valueName: "user=scope"),
        transform: Self.user)
    var user: [(name: String, scope: AccessScope)] = []

    func validate() throws {
        guard (tlsCertificate == nil) == (tlsKey == nil) else {
            throw ValidationError("--tls-certificate and --tls-key are needed together")
        }
        guard !open || address.isLoopback && hostName.isEmpty && trustedProxy.isEmpty else {
            throw ValidationError("\(ServerError.openToOthers)")
        }
        guard !open || !requireToken else { throw ValidationError("--open and --require-token contradict each other") }
        guard trustedProxy.isEmpty == (userHeader == nil), user.isEmpty == (userHeader == nil) else {
            throw ValidationError("--trusted-proxy, --user-header and --user are needed together")
        }
    }

    var settings: AccessSettings {
        var settings = AccessSettings()
        settings.address = address
        settings.hostNames = Set(hostName)
        settings.isOpen = open
        settings.proxies = Set(trustedProxy)
        settings.userField = userHeader
        settings.userScopes = Dictionary(user.map { ($0.name, $0.scope) }) { $1 }
        return settings
    }

    /// The address by which the person who starts the server reaches it.
    func ownAddress(port: Int) -> String {
        let local = address.isWildcard ? ServerAddress.loopback : address
        // A server on this machine alone gets its other names from a proxy server.
        let host = address.isLoopback ? local.inURL : hostName.first ?? local.inURL
        return "\(tlsFiles == nil ? "http" : "https")://\(host):\(port)"
    }

    /// The files of the certificate; `nil` without TLS.
    var tlsFiles: TLSFiles? {
        tlsCertificate.flatMap { certificate in tlsKey.map { TLSFiles(certificate: certificate, key: $0) } }
    }

    /// Checks that the requested access is safe, and that a client could use it.
    ///
    /// - Throws: ``ServerError``.
    func check(_ service: PhotoStreamService, logger: Logger) throws {
        if open { logger.warning("every program and page of this machine may do everything without a token (--open)") }
        if requireToken { logger.warning("--require-token is the rule now; 0.4 will not know the option") }
        guard !address.isLoopback else { return }
        if tlsFiles == nil, !allowPlainHttp { throw ServerError.plainHTTP(address) }
        guard try !trustedProxy.isEmpty || service.hasValidToken() else { throw ServerError.noToken }
    }

    private static func hostName(_ text: String) throws -> String {
        guard text.wholeMatch(of: /[A-Za-z0-9_.\-]{1,253}/) != nil else {
            throw ValidationError("\"\(text)\" is not the name of a host; give it without scheme and port")
        }
        return text
    }

    private static func fieldName(_ text: String) throws -> String {
        guard text.wholeMatch(of: /[A-Za-z0-9\-]{1,64}/) != nil else {
            throw ValidationError("\"\(text)\" is not the name of a header field")
        }
        return text
    }

    private static func user(_ text: String) throws -> (name: String, scope: AccessScope) {
        let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
        guard parts.count == 2, let scope = AccessScope(word: parts[1]) else {
            throw ValidationError("\"\(text)\" is not a user and a scope, such as anna=write")
        }
        return (parts[0], scope)
    }
}
