import HTTPTypes
import Hummingbird
import PhotoStreamModel
import PhotoStreamService

/// Decides which requests are allowed, from their heads alone.
///
/// A right requires a positive proof, regardless of the origin of a request: a token with the route's scope, a session
/// that was begun with one, the link of a share, or a name from a trusted proxy server. The absence of a field proves
/// nothing. Only a server that the operator has opened needs no proof.
struct AccessCheck: Sendable {
    let service: PhotoStreamService
    let settings: AccessSettings
    /// The threads on which tokens are looked up.
    let pool: WorkerPool
    /// Whether the file follows a primary, so that a session that another server has begun may arrive late.
    let isReplica: Bool
    /// Wrong tokens by address.
    ///
    /// A correct token is always accepted: otherwise one client could lock out others with the same address. No token can
    /// be found by guessing, since there are 2^256.
    private let attempts = RateLimit(perMinute: 20)
    private let requests: RateLimit

    init(service: PhotoStreamService, settings: ServerSettings, pool: WorkerPool, isReplica: Bool) {
        (self.service, self.settings, self.pool, self.isReplica) = (service, settings.access, pool, isReplica)
        requests = RateLimit(perMinute: settings.requestsPerMinute)
    }

    /// Returns the rights of the sender of a request.
    ///
    /// - Throws: ``Problem`` if they do not suffice for the route.
    func grant(for request: Request, route: Route, context: ServerContext) async throws -> AccessGrant {
        guard let needed = route.access.scope else { return .visitor }
        if case .scopeOrSignature = route.access,
            let grant = try await grant(forSignatureOf: request, route: route, context: context)
        {
            return grant
        }
        let sender = ServerAddress(context.channel.remoteAddress)
        let grant = try await grant(for: request, from: sender)
        try requests.count(grant, at: settings.counted(sender), what: "requests")
        guard grant.scope >= needed else {
            throw Problem(
                .insufficientScope,
                detail: "this needs the scope \(needed.word), but \"\(grant.name ?? "")\" has \(grant.scope.word)")
        }
        if let stream = grant.stream, let asked = context.parameters.get("stream") {
            guard try await isAllowed(asked.unescaped.map { StreamName(stored: $0) }, by: stream) else {
                throw Problem(.insufficientScope, detail: "\"\(grant.name ?? "")\" is for stream \"\(stream)\" alone")
            }
        }
        return grant
    }

    /// Whether the name of a path is that of the only stream of a grant, or of a kept view of it.
    private func isAllowed(_ asked: StreamName?, by stream: StreamName) async throws -> Bool {
        guard let asked, asked != stream else { return asked == stream }
        return try await pool.runAdmitted { try service.isView(asked, of: stream) }
    }

    /// Returns the rights of every holder of a link, regardless of the rest of the request.
    ///
    /// - Throws: ``Problem`` if the link shows nothing.
    func grant(forShare secret: String, context: ServerContext) async throws -> AccessGrant {
        let sender = ServerAddress(context.channel.remoteAddress)
        guard let token = AccessToken(share: secret),
            let grant = try await pool.runAdmitted({ try service.grant(forShare: token) })
        else {
            throw refusal(
                as: .shareEnded, of: "this link shows nothing: it has expired or was revoked, or is incomplete",
                from: sender)
        }
        try requests.count(grant, at: settings.counted(sender), what: "requests")
        return grant
    }

    /// Returns the rights of a signed address, regardless of the rest of the request; `nil` for an address without a
    /// signature.
    ///
    /// Requests of a cache are not counted: it sends one for each address, and guessing a signature is hopeless.
    ///
    /// - Throws: ``Problem`` if the address was altered or has expired.
    private func grant(
        forSignatureOf request: Request, route: Route, context: ServerContext
    ) async throws -> AccessGrant? {
        let query = try QueryParameters(request.uri.query) { route.parameter(named: $0) }
        guard query["e"] != nil || query["s"] != nil else { return nil }
        guard let picture = context.parameters.get("key")?.unescaped,
            let kind = context.parameters.get("file")?.unescaped.flatMap(ThumbnailRoutes.kind(named:)),
            let expiry = query["e"], let code = query["s"]
        else { throw Self.unsigned }
        let claim = ImageSigner.Claim(picture: picture, kind: kind, expiry: expiry, code: code)
        guard let found = try await pool.runAdmitted({ try service.picture(at: claim) }) else {
            throw Self.unsigned
        }
        return AccessGrant(picture: found.picture, seconds: found.seconds)
    }

    private static let unsigned = Problem(
        .unsignedAddress, detail: "this address was not signed here or is over; ask for the photo again")

    private func grant(for request: Request, from sender: ServerAddress?) async throws -> AccessGrant {
        if let grant = try proxyGrant(for: request, from: sender) { return grant }
        switch try Credential(request.headers, cookie: settings.cookieName) {
        case .bearer(let text):
            if let token = AccessToken(text),
                let grant = try await pool.runAdmitted({ try service.grant(for: token) })
            {
                return grant
            }
            throw refusal(of: "the token is unknown, was revoked or has expired", from: sender)
        case .session(let text):
            if let grant = try await grant(forSession: text) { return grant }
            // A leftover cookie removes no rights.
            if settings.isOpen { return .open }
            throw refusal(of: "the session is over; begin another one", from: sender)
        case .none:
            guard settings.isOpen else {
                throw Problem(
                    .tokenRequired,
                    detail:
                        "this needs a token in the field Authorization, or a session; `photostream tokens` creates tokens"
                )
            }
            return .open
        }
    }

    /// Returns the rights of a session; `nil` if it is unknown or has expired.
    ///
    /// A replica may receive the row of a new session a little after its browser.
    private func grant(forSession text: String) async throws -> AccessGrant? {
        var commits = isReplica ? service.commits(within: .seconds(1)).makeAsyncIterator() : nil
        var isOver = !isReplica
        while true {
            if let grant = try await pool.runAdmitted({ try service.grant(forSession: text) }) { return grant }
            guard !isOver else { return nil }
            // Once more at the end, since another process may have brought the file up to date.
            isOver = await commits?.next() == nil
        }
    }

    /// Returns the rights of the user that a trusted proxy server names; `nil` if it names none.
    ///
    /// A repeated field names none, since one of them may be the client's. Servers in between may have joined repeated
    /// fields with commas.
    private func proxyGrant(for request: Request, from sender: ServerAddress?) throws(Problem) -> AccessGrant? {
        guard let sender, settings.proxies.contains(sender),
            let name = settings.userField.flatMap({ HTTPField.Name($0) }),
            let user = request.headers[values: name].first, request.headers[values: name].count == 1,
            !user.isEmpty, !user.contains(",")
        else { return nil }
        guard let scope = settings.userScopes[user] ?? settings.userScopes["*"] else {
            throw Problem(.insufficientScope, detail: "the user \"\(user)\" has no scope here")
        }
        return AccessGrant(user: user, scope: scope)
    }

    /// Returns the problem of a wrong secret, or another one if its address has sent many.
    func refusal(
        as kind: ProblemKind = .invalidToken, of detail: String, from sender: ServerAddress?
    ) -> Problem {
        guard attempts.wait(of: sender.map { [.machine($0.network)] } ?? []) == nil else {
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
