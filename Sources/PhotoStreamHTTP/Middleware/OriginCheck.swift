import HTTPTypes
import Hummingbird

/// The allowed origins: their pages may read answers and write, like pages of the server's own origin.
struct AllowedOrigins {
    private let texts: Set<String>

    init(_ origins: Set<WebOrigin>) {
        texts = Set(origins.map(\.description))
    }

    /// Whether only the server's own pages are allowed.
    var isEmpty: Bool { texts.isEmpty }

    /// Returns the origin of a request's page, if it is allowed.
    func origin(of request: Request) -> String? {
        request.headers[.origin].flatMap { texts.contains($0) ? $0 : nil }
    }
}

/// Lets pages of allowed origins read every answer, problems included; browsers keep answers from all others.
///
/// Hummingbird's `CORSMiddleware` lists the fields that a page may read only in answers to `OPTIONS`, in which no
/// browser looks for them, and omits `Vary` if a request has no `Origin` (decision 0032).
///
/// Source: the Fetch standard, section "CORS protocol".
struct CrossOriginAnswers: RouterMiddleware {
    typealias Context = ServerContext

    /// The fields that a page may read in addition to those that need no permission.
    private static let fields = HeaderDescription.allCases
        .filter { ![.cacheControl, .lastModified, .setCookie].contains($0) }.map(\.rawValue).joined(separator: ", ")

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

/// Refuses writes of pages of other origins, and answers the preflight requests of allowed ones.
///
/// A browser sends some writes without a preflight request, so these are refused here. A request with neither `Origin`
/// nor `Sec-Fetch-Site` does not come from a page.
///
/// Sources: the Fetch standard, section "CORS protocol"; Fetch Metadata Request Headers.
struct OriginCheck: RouterMiddleware {
    typealias Context = ServerContext

    /// The fields that a request may have in addition to those that need no permission.
    private static let fields =
        "Authorization, Content-Type, If-Match, If-Modified-Since, If-None-Match, If-Range, If-Revision-At-Least, If-Unmodified-Since, Last-Event-ID, Range"

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
                    .foreignOrigin, detail: "\(page) may not write here; the server's option --allow-origin allows it")
            }
        }
        return try await next(request, context)
    }

    /// Returns the answer to a preflight request of an allowed origin; `nil` for any other request.
    private func permission(for request: Request) -> Response? {
        guard request.headers[.accessControlRequestMethod] != nil, allowed.origin(of: request) != nil,
            let methods = table.methods(at: request.uri.path, ofShare: false)
        else { return nil }
        var response = APIResponse(.noContent)
        response.fields[.accessControlAllowMethods] = methods.joined(separator: ", ")
        response.fields[.accessControlAllowHeaders] = Self.fields
        response.fields[.accessControlMaxAge] = "600"
        return Response(response)
    }

    /// Returns whether a request comes from no page, or from a page of the server's own origin.
    private func isOwn(_ request: Request) -> Bool {
        // No page can set this field, and it is right even if a proxy calls the server by another name.
        if let site = request.headers[.secFetchSite] { return site == "same-origin" || site == "none" }
        guard let origin = request.headers[.origin] else { return true }
        let parts = origin.lowercased().split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, ["http", "https"].contains(parts[0]) else { return false }
        return String(parts[1]) == request.head.authority?.lowercased()
    }
}

extension HTTPField.Name {
    fileprivate static let secFetchSite = known("Sec-Fetch-Site")
}

/// The origin of a web page: a scheme, a host and a port, in the format of the field `Origin`.
///
/// Source: RFC 6454, section 6.2.
public struct WebOrigin: Hashable, Sendable, CustomStringConvertible {
    /// The text: lower case, without the default port of the scheme.
    public let description: String

    /// Reads an origin.
    ///
    /// - Parameter text: A text such as `http://localhost:5173`: no path, no wildcard, a host in ASCII letters.
    /// - Throws: ``ServerError/invalidOrigin(_:)``.
    public init(_ text: String) throws(ServerError) {
        let parts = text.lowercased().wholeMatch(
            of: /([a-z][a-z0-9+.\-]*):\/\/([a-z0-9._\-]+|\[[0-9a-f:.]+\])(?::([0-9]{1,5}))?/)
        guard let (_, scheme, host, port) = parts?.output, port.map({ (1...65_535).contains(Int($0) ?? 0) }) ?? true
        else { throw .invalidOrigin(text) }
        let number = port.flatMap { Int($0) }
        let isImplied = scheme == "http" && number == 80 || scheme == "https" && number == 443
        description = "\(scheme)://\(host)" + (number.flatMap { isImplied ? nil : ":\($0)" } ?? "")
    }
}
