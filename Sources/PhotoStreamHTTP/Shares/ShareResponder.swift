import HTTPTypes
import Hummingbird
import PhotoStreamService

/// The beginning of the path of a request with a share's link: `/s/SECRET/`.
struct ShareAddress {
    private static let prefix = "/s/"

    /// The secret of the link.
    let secret: String
    /// Whether the path ends with the secret, without the slash that precedes every page of the share.
    let isIncomplete: Bool

    /// Splits a path.
    ///
    /// - Parameter path: The path of a request, with its query.
    /// - Returns: The beginning, and the path without it; `nil` for any other path.
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

/// Removes the link of a share from a request's path before anything else reads it, so that the router finds the route
/// and no log contains the secret.
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
