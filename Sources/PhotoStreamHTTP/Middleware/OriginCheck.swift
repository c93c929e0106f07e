import HTTPTypes
import Hummingbird

/// Allowed origins, whose pages may read answers and write, in addition to the server's own.
struct AllowedOrigins {
    private let texts: Set<String>

    init(_ origins: Set<WebOrigin>) {
        texts = Set(origins.map(\.description))
    }

    /// Whether only the server's own pages are allowed.
    var isEmpty: Bool { texts.isEmpty }

    /// The origin of a request's page, if it is allowed.
    func origin(of request: Request) -> String? {
        request.headers[.origin].flatMap { texts.contains($0) ? $0 : nil }
    }
}

/// Lets pages of allowed origins read every answer, problems included; a browser keeps answers from all others.
///
/// Hummingbird's `CORSMiddleware` names the fields that a page may read only in answers to `OPTIONS`, where no browser
/// looks for them, and leaves `Vary` out where a request has no `Origin` (decision 0032).
///
/// Source: the Fetch standard, section "CORS protocol".
struct CrossOriginAnswers: RouterMiddleware {
    typealias Context = ServerContext

    /// The fields that a page may read in addition to those that need no permission.
    private static let fields = HeaderDescription.allCases
        .filter { ![.cacheControl, .lastModified].contains($0) }.map(\.rawValue).joined(separator: ", ")

    let allowed: AllowedOrigins

    func handle(
        _ request: Request, context: ServerContext, next: @concurrent (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        guard !allowed.isEmpty else { return response }
        response.headers.append(HTTPField(name: .vary, value: "Origin"))
        guard let origin = allowed.origin(of: request) else { return response }
        response.headers[.accessControlAllowOrigin] = origin
        response.headers[.accessControlExposeHeaders] = Self.fields
        return response
    }
}

/// Refuses writes of pages of other origins, and tells pages of allowed ones what they may send.
///
/// A browser sends some writes without asking first, so these are refused here. A request with neither `Origin` nor
/// `Sec-Fetch-Site` is not a page's.
///
/// Sources: the Fetch standard, section "CORS protocol"; Fetch Metadata Request Headers.
struct OriginCheck: RouterMiddleware {
    typealias Context = ServerContext

    /// The fields that a request may have in addition to those that need no permission.
    private static let fields =
        "Content-Type, If-Match, If-Modified-Since, If-None-Match, If-Range, If-Unmodified-Since, Range"

    let allowed: AllowedOrigins
    let table: RouteTable

    func handle(
        _ request: Request, context: ServerContext, next: @concurrent (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        switch request.method {
        case .get, .head, .trace: break
        case .options: if let permission = permission(for: request) { return permission }
        default:
            guard isOwn(request) || allowed.origin(of: request) != nil else {
                let page =
                    request.headers[.origin].map { "a page of the origin \"\($0)\"" } ?? "a page of another origin"
                throw Problem(
                    .foreignOrigin, "\(page) may not write here; the server's option --allow-origin allows it")
            }
        }
        return try await next(request, context)
    }

    /// What a page of an allowed origin may send to an address; `nil` where that is not what is asked.
    private func permission(for request: Request) -> Response? {
        guard request.headers[.accessControlRequestMethod] != nil, allowed.origin(of: request) != nil,
            let methods = table.methods(at: request.uri.path)
        else { return nil }
        var response = APIResponse(.noContent)
        response.fields[.accessControlAllowMethods] = methods.joined(separator: ", ")
        response.fields[.accessControlAllowHeaders] = Self.fields
        response.fields[.accessControlMaxAge] = "600"
        return Response(response)
    }

    /// Whether a request is not a page's, or that of a page of the origin that it goes to.
    private func isOwn(_ request: Request) -> Bool {
        // No page can set this one; it is right behind a proxy, too, which gives the server another name.
        if let site = request.headers[.secFetchSite] { return site == "same-origin" || site == "none" }
        guard let origin = request.headers[.origin] else { return true }
        let host = origin.split(separator: "://", maxSplits: 1).last
        return host.map { $0.lowercased() } == request.head.authority?.lowercased()
    }
}

extension HTTPField.Name {
    fileprivate static let secFetchSite = known("Sec-Fetch-Site")
}
