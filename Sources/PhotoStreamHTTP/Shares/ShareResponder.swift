import HTTPTypes
import Hummingbird
import PhotoStreamService

/// The beginning of the path of a request that was sent with the link of a share: `/s/SECRET/`.
struct ShareAddress {
    private static let prefix = "/s/"

    /// The secret of the link.
    let secret: String
    /// Whether the path ends with the secret, without the slash beneath which everything else is.
    let isIncomplete: Bool

    /// Takes a path apart.
    ///
    /// - Parameter path: The path of a request, with its query.
    /// - Returns: The beginning, and the path as it would be without it; `nil` for any other path.
    static func split(_ path: String) -> (address: ShareAddress, rest: String)? {
        guard path.hasPrefix(prefix) else { return nil }
        let tail = path.dropFirst(prefix.count)
        let secret = tail.prefix { $0 != "/" && $0 != "?" }
        let rest = String(tail[secret.endIndex...])
        guard !secret.isEmpty else { return nil }
        let isIncomplete = !rest.hasPrefix("/")
        return (
            ShareAddress(secret: String(secret), isIncomplete: isIncomplete), isIncomplete ? "/" + rest : rest
        )
    }

    /// The address of the share's page on the server.
    var page: String { "\(Self.prefix)\(secret)/" }
}

/// Takes the link of a share out of a request's path before anything else sees it: the router finds the route, and no log
/// contains the secret.
struct ShareResponder<Next: HTTPResponder>: HTTPResponder where Next.Context == ServerContext {
    let next: Next

    func respond(to request: Request, context: ServerContext) async throws -> Response {
        guard let (address, rest) = ShareAddress.split(request.head.path ?? "") else {
            return try await next.respond(to: request, context: context)
        }
        var (head, context) = (request.head, context)
        head.path = rest
        context.share = address
        return try await next.respond(to: Request(head: head, body: request.body), context: context)
    }
}
