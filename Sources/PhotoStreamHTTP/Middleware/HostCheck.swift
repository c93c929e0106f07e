import Hummingbird

/// Answers for names of this machine only, so that no other site's page can have its own name point here and read what
/// it gets (DNS rebinding).
struct HostCheck: RouterMiddleware {
    typealias Context = ServerContext

    private static let names: Set<String> = ["localhost", "localhost.", "127.0.0.1", "[::1]"]

    func handle(
        _ request: Request, context: ServerContext, next: @concurrent (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        try Self.check(request.head.authority)
        return try await next(request, context)
    }

    /// Refuses other hosts.
    ///
    /// - Parameter authority: The field `Host`: a name and maybe a port.
    /// - Throws: ``Problem`` for a missing or foreign host.
    private static func check(_ authority: String?) throws(Problem) {
        guard let authority, !authority.isEmpty else {
            throw Problem(.badHost, "the field Host is missing")
        }
        guard let host = authority.wholeMatch(of: /(\[[^\]]*\]|[^:,]*)(?::[0-9]*)?/)?.1 else {
            throw Problem(.badHost, "the field Host is \"\(authority)\", which is no host")
        }
        guard names.contains(host.lowercased()) else {
            throw Problem(.misdirected, "this server answers for localhost only, not for \"\(authority)\"")
        }
    }
}
