import Hummingbird

/// Refuses requests to hosts other than this machine, the host names in the settings, and the address that the client
/// connected to.
///
/// Otherwise another site could point its own host name here and let its page read the answers (DNS rebinding).
struct HostCheck: RouterMiddleware {
    typealias Context = ServerContext

    private static let ownNames: Set<String> = ["localhost", "localhost.", "127.0.0.1", "[::1]"]

    private let names: Set<String>

    /// Creates the check of a server.
    init(_ settings: AccessSettings) {
        names = Self.ownNames.union(settings.hostNames.map { $0.lowercased() })
    }

    func handle(
        _ request: Request, context: ServerContext, next: @concurrent (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        try check(request.head.authority, at: ServerAddress(context.channel.localAddress))
        return try await next(request, context)
    }

    /// Checks the host of a request.
    ///
    /// - Parameters:
    ///   - authority: The field `Host`: a name and optionally a port.
    ///   - address: The address that the client connected to.
    /// - Throws: ``Problem`` for a missing or foreign host.
    private func check(_ authority: String?, at address: ServerAddress?) throws(Problem) {
        guard let authority, !authority.isEmpty else {
            throw Problem(.badHost, detail: "the Host field is missing")
        }
        guard let host = Self.host(of: authority)?.lowercased() else {
            throw Problem(.badHost, detail: "the Host field is \"\(authority)\", which is not a host")
        }
        guard names.contains(host) || host == address?.inURL else {
            let known =
                names == Self.ownNames
                ? "localhost only" : names.subtracting(Self.ownNames).sorted().joined(separator: ", ")
            throw Problem(.misdirected, detail: "this server answers for \(known), not for \"\(authority)\"")
        }
    }

    /// Returns the host of an authority, without its port; `nil` if the text is not one host.
    ///
    /// Every request passes through here, and a regular expression would be compiled for each.
    ///
    /// Source: RFC 9110, section 7.2; RFC 3986, section 3.2.
    private static func host(of authority: String) -> Substring? {
        let end: String.Index?
        if authority.hasPrefix("[") {
            end = authority.firstIndex(of: "]").map { authority.index(after: $0) }
        } else {
            end = authority.firstIndex { $0 == ":" || $0 == "," } ?? authority.endIndex
        }
        guard let end else { return nil }
        let port = authority[end...]
        guard port.isEmpty || port.first == ":" && port.utf8.dropFirst().allSatisfy({ 0x30...0x39 ~= $0 }) else {
            return nil
        }
        return authority[..<end]
    }
}
