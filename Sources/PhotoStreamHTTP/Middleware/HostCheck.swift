import Hummingbird

/// Refuses requests to other hosts than this machine.
///
/// Otherwise another site could make its own host name point here and let its page read the answers (DNS rebinding).
struct HostCheck: RouterMiddleware {
    typealias Context = ServerContext

    private static let names: Set<String> = ["localhost", "localhost.", "127.0.0.1", "[::1]"]

    func handle(
        _ request: Request, context: ServerContext, next: @concurrent (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        try Self.check(request.head.authority)
        return try await next(request, context)
    }

    /// Checks the host of a request.
    ///
    /// - Parameter authority: The field `Host`: a name and optionally a port.
    /// - Throws: ``Problem`` for a missing or foreign host.
    private static func check(_ authority: String?) throws(Problem) {
        guard let authority, !authority.isEmpty else {
            throw Problem(.badHost, detail: "the Host field is missing")
        }
        guard let host = host(of: authority) else {
            throw Problem(.badHost, detail: "the Host field is \"\(authority)\", which is not a host")
        }
        guard names.contains(host.lowercased()) else {
            throw Problem(.misdirected, detail: "this server answers for localhost only, not for \"\(authority)\"")
        }
    }

    /// Returns the host of an authority, without its port; `nil` if the text is not one host.
    ///
    /// Every request passes here, and a regular expression would be compiled for each.
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
