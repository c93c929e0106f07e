import HTTPTypes
import Hummingbird
import PhotoStreamModel
import PhotoStreamService

/// Decides who may ask what, before anything of a request but its head is read.
///
/// Every client of this machine may do everything, unless the settings say otherwise or the request has come through a proxy
/// server. From elsewhere a request needs a token, or a session that was begun with one, of the route's scope.
struct AccessCheck: Sendable {
    let service: PhotoStreamService
    let settings: AccessSettings
    /// The threads on which tokens are looked up.
    let pool: WorkerPool
    private let attempts = AttemptLimit()
    private let requests: RateLimit

    init(service: PhotoStreamService, settings: ServerSettings, pool: WorkerPool) {
        (self.service, self.settings, self.pool) = (service, settings.access, pool)
        requests = RateLimit(perMinute: settings.requestsPerMinute)
    }

    /// Returns what the sender of a request may do.
    ///
    /// - Throws: ``Problem`` if that is not enough for the route.
    func grant(for request: Request, route: Route, context: ServerContext) async throws -> AccessGrant {
        guard case .scope(let needed) = route.access else { return AccessGrant(.read) }
        let sender = ServerAddress(context.channel.remoteAddress)
        let grant = try await grant(for: request, from: sender)
        try requests.count(grant, from: sender, what: "requests")
        guard grant.scope >= needed else {
            let holder = grant.name.map { "\"\($0)\" has" } ?? "this machine has"
            throw Problem(
                .insufficientScope, detail: "this needs the scope \(needed.word), but \(holder) \(grant.scope.word)")
        }
        if let stream = grant.stream, let asked = context.parameters.get("stream") {
            guard asked.unescaped.map({ StreamName(stored: $0) }) == stream else {
                throw Problem(.insufficientScope, detail: "\"\(grant.name ?? "")\" is for stream \"\(stream)\" alone")
            }
        }
        return grant
    }

    /// Returns what everyone may do who has a link, whatever else the request says of its sender.
    ///
    /// - Throws: ``Problem`` if the link shows nothing.
    func grant(forShare secret: String, context: ServerContext) async throws -> AccessGrant {
        let sender = ServerAddress(context.channel.remoteAddress)
        guard let token = AccessToken(share: secret),
            let grant = try await pool.run(watch: nil, { try service.grant(forShare: token) })
        else {
            throw refusal(
                as: .shareEnded, of: "this link shows nothing: it has expired or was revoked, or is incomplete",
                from: sender)
        }
        try requests.count(grant, from: sender, what: "requests")
        return grant
    }

    private func grant(for request: Request, from sender: ServerAddress?) async throws -> AccessGrant {
        if let grant = try proxyGrant(for: request, from: sender) { return grant }
        let isOpen = !settings.needsToken && !isForwarded(request, from: sender)
        switch try Credential(request.headers, cookie: settings.cookieName) {
        case .bearer(let text):
            if let token = AccessToken(text),
                let grant = try await pool.run(watch: nil, { try service.grant(for: token) })
            {
                return grant
            }
            throw refusal(of: "the token is unknown, was revoked or has expired", from: sender)
        case .session(let text):
            if let grant = try await pool.run(watch: nil, { try service.grant(forSession: text) }) { return grant }
            // A cookie that is left from earlier takes nothing away.
            if isOpen { return AccessGrant(.admin) }
            throw refusal(of: "the session is over; begin another one", from: sender)
        case .none:
            guard isOpen else {
                throw Problem(
                    .tokenRequired,
                    detail:
                        "this needs a token in the field Authorization, or a session; `photostream tokens` creates tokens"
                )
            }
            return AccessGrant(.admin)
        }
    }

    /// Returns what the user may do whom a trusted proxy server names; `nil` if it names no user.
    private func proxyGrant(for request: Request, from sender: ServerAddress?) throws(Problem) -> AccessGrant? {
        guard let sender, settings.proxies.contains(sender),
            let name = settings.userField.flatMap({ HTTPField.Name($0) }),
            let user = request.headers[name], !user.isEmpty
        else { return nil }
        guard let scope = settings.userScopes[user] ?? settings.userScopes["*"] else {
            throw Problem(.insufficientScope, detail: "the user \"\(user)\" has no scope here")
        }
        return AccessGrant(scope, name: user)
    }

    /// Whether a request has come through a server that the settings do not trust, so that its sender may be anywhere.
    private func isForwarded(_ request: Request, from sender: ServerAddress?) -> Bool {
        if let sender, settings.proxies.contains(sender) { return false }
        return HTTPField.Name.forwarding.contains { request.headers[$0] != nil }
    }

    private func refusal(
        as kind: ProblemKind = .invalidToken, of detail: String, from sender: ServerAddress?
    ) -> Problem {
        guard attempts.allowsFailure(from: sender) else {
            return Problem(
                .tooManyAttempts, detail: "too many wrong tokens have come from this address; wait a minute")
        }
        return Problem(kind, detail: detail)
    }
}

extension AccessSettings {
    /// The name of the cookie of sessions.
    ///
    /// Browsers keep one with this prefix from other hosts and from plain HTTP.
    var cookieName: String { isSecure ? "__Host-photostream" : "photostream" }

    /// Returns the cookie of a session.
    ///
    /// - Parameters:
    ///   - text: The session; empty to end it.
    ///   - seconds: The time for which the browser keeps it.
    /// - Returns: The value of the field `Set-Cookie`.
    func cookie(_ text: String, seconds: Int64) -> String {
        "\(cookieName)=\(text); Path=/; Max-Age=\(seconds); HttpOnly; SameSite=Strict" + (isSecure ? "; Secure" : "")
    }
}

extension HTTPField.Name {
    /// The fields that proxy servers add.
    ///
    /// Sources: RFC 7239, RFC 9110 section 7.6.3; the others by convention.
    fileprivate static let forwarding = [
        "Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-IP", "Via",
    ].map(known)
}
