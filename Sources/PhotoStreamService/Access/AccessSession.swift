import Crypto
import PhotoStreamModel
import PhotoStreamStorage

// A page cannot send a token with requests for pictures and events, so it exchanges the token, or a link that works
// once, for a session, which the browser keeps in a cookie that scripts cannot read. A session is a row with the hash
// of its secret; it has the rights of a token, and ends with it.

/// A session that has just begun.
package struct BegunSession: Sendable {
    /// The secret, for the browser's cookie.
    package let text: String
    /// The time after which it expires, in seconds.
    package let seconds: Int64
    /// Its rights.
    package let grant: AccessGrant
}

/// A link with which a browser signs in, once.
public struct SignInLink: Sendable {
    /// The path on the server.
    public let path: String

    /// The beginning of every such path.
    package static let prefix = "/sign-in/"

    init(_ secret: AccessToken) {
        path = Self.prefix + secret.text
    }
}

extension PhotoStreamService {
    /// The maximum duration of a session, in milliseconds: 30 days.
    package static let sessionMilliseconds: Int64 = 30 * 86_400_000

    /// The time for which a sign-in link is valid, in milliseconds: ten minutes.
    public static let signInLinkMilliseconds: Int64 = 600_000

    /// The name of the token whose rights the links of a server's start have.
    ///
    /// Its secret is not kept, so only these links use it; revoking it ends their sessions.
    public static let operatorTokenName = "serve"

    /// Begins a session with a token.
    ///
    /// - Returns: The session, or `nil` if the token is not valid.
    /// - Throws: `StorageError`.
    package func beginSession(with token: AccessToken) throws -> BegunSession? {
        guard try grant(for: token) != nil else { return nil }
        let now = now()
        return try write { writer in
            try writer.reader.token(matching: token.hash).flatMap { try writer.beginSession(of: $0, now: now) }
        }
    }

    /// Begins a session with a sign-in link, which works only once.
    ///
    /// - Returns: The session, or `nil` if the link is unknown, was used, or has expired.
    /// - Throws: `StorageError`.
    package func beginSession(withLink text: String) throws -> BegunSession? {
        guard try isSignInLink(text), let secret = AccessToken(session: text) else { return nil }
        let now = now()
        return try write { writer in
            guard let link = try writer.reader.session(.link, matching: secret.hash), link.isValid(at: now) else {
                return nil
            }
            try writer.removeSession(id: link.id)
            return try writer.beginSession(of: link.token, now: now)
        }
    }

    /// Whether a text is the secret of a sign-in link that was not used and has not expired.
    package func isSignInLink(_ text: String) throws -> Bool {
        guard let secret = AccessToken(session: text) else { return false }
        let now = now()
        return try transaction { try $0.session(.link, matching: secret.hash)?.isValid(at: now) == true }
    }

    /// Creates a sign-in link with the rights of a token.
    ///
    /// - Parameter name: The token's name.
    /// - Returns: The link, whose secret is stored nowhere.
    /// - Throws: ``AccessError/unknown(_:_:)``, ``AccessError/expired(_:atMilliseconds:)``.
    public func createSignInLink(forTokenNamed name: String) throws -> SignInLink {
        let now = now()
        return try write { try $0.addSignInLink(forTokenNamed: name, now: now) }
    }

    /// Creates the sign-in link of a server's start, with the rights of the token ``operatorTokenName``.
    ///
    /// If no token has that name, one is created with every right.
    ///
    /// - Returns: The link, whose secret is stored nowhere.
    /// - Throws: ``AccessError/expired(_:atMilliseconds:)``.
    public func createOperatorsLink() throws -> SignInLink {
        let (name, hash, now) = (Self.operatorTokenName, AccessToken().hash, now())
        return try write { writer in
            _ = try writer.addToken(
                named: name, hash: Array(hash), hashStart: hash.start, scope: .admin, streamID: nil, expiresAt: nil,
                now: now)
            return try writer.addSignInLink(forTokenNamed: name, now: now)
        }
    }

    /// Returns the rights of a session; `nil` if it is unknown or has expired, or its token is no longer valid.
    package func grant(forSession text: String) throws -> AccessGrant? {
        guard let secret = AccessToken(session: text) else { return nil }
        let now = now()
        return try transaction { reader in
            try reader.session(.session, matching: secret.hash).flatMap { $0.isValid(at: now) ? AccessGrant($0) : nil }
        }
    }

    /// Ends a session; does nothing if it does not exist.
    ///
    /// - Throws: `StorageError`.
    package func endSession(_ text: String) throws {
        guard let secret = AccessToken(session: text),
            let row = try transaction({ try $0.session(.session, matching: secret.hash) })
        else { return }
        try write { try $0.removeSession(id: row.id) }
    }
}

extension SessionRow {
    /// Whether neither the session nor its token has expired.
    func isValid(at now: Int64) -> Bool { expiresAtMilliseconds > now && token.isValid(at: now) }
}

extension PhotoReader {
    /// Returns the session or link with a hash, in a time that reveals nothing about stored hashes; see
    /// `token(matching:)`.
    fileprivate func session(_ kind: SessionRow.Kind, matching hash: SHA256Digest) throws -> SessionRow? {
        try sessions(kind, hashStart: hash.start).first { hash == $0.hash }
    }
}

extension PhotoWriter {
    /// Begins a session with the rights of a token; `nil` if the token is not valid.
    fileprivate func beginSession(of token: TokenRow, now: Int64) throws -> BegunSession? {
        guard token.isValid(at: now) else { return nil }
        let secret = AccessToken(.session)
        let end = min(now + PhotoStreamService.sessionMilliseconds, token.expiresAtMilliseconds ?? .max)
        let id = try addSession(
            .session, hash: Array(secret.hash), hashStart: secret.hash.start, tokenID: token.id, expiresAt: end,
            now: now)
        guard let row = try reader.session(id: id) else { return nil }
        return BegunSession(text: secret.text, seconds: (end - now) / 1_000, grant: AccessGrant(row))
    }

    fileprivate func addSignInLink(forTokenNamed name: String, now: Int64) throws -> SignInLink {
        guard let token = try reader.tokens().first(where: { $0.name == name }) else {
            throw AccessError.unknown(.token, name)
        }
        if let expiry = token.expiresAtMilliseconds, expiry <= now {
            throw AccessError.expired(.token, atMilliseconds: expiry)
        }
        let secret = AccessToken(.session)
        _ = try addSession(
            .link, hash: Array(secret.hash), hashStart: secret.hash.start, tokenID: token.id,
            expiresAt: now + PhotoStreamService.signInLinkMilliseconds, now: now)
        return SignInLink(secret)
    }
}
