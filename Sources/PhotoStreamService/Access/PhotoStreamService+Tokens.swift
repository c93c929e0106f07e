import Crypto
public import PhotoStreamModel
import PhotoStreamStorage

extension PhotoStreamService {
    /// The maximum length of a token's name in bytes of UTF-8.
    public static let maximumTokenNameByteCount = 128

    /// Creates a token.
    ///
    /// - Parameters:
    ///   - name: Its name, unique in the file.
    ///   - scope: The right that it grants.
    ///   - stream: The only stream that it applies to; `nil` for all.
    ///   - expiry: The time after which it is no longer valid, in milliseconds since 1970; `nil` for never.
    /// - Returns: The token, which is not stored, and the file's record of it.
    /// - Throws: ``AccessError``, ``StreamServiceError/unknownStream(_:)``.
    public func createToken(
        named name: String, scope: AccessScope, stream: StreamName? = nil, expiresAtMilliseconds expiry: Int64? = nil
    ) throws -> (token: AccessToken, summary: TokenSummary) {
        guard Self.isTokenName(name) else { throw AccessError.invalidName(.token, name) }
        let now = now()
        if let expiry, expiry <= now { throw AccessError.expired(.token, atMilliseconds: expiry) }
        if let stream, scope == .admin { throw AccessError.adminOfStream(stream.rawValue) }
        let token = AccessToken()
        let summary = try write { writer in
            let row = try stream.map { try writer.reader.rowOfAny($0) }
            let hash = token.hash
            let isAdded = try writer.addToken(
                named: name, hash: Array(hash), hashStart: hash.start, scope: scope, streamID: row?.id,
                expiresAt: expiry, now: now)
            guard isAdded, let added = try writer.reader.token(matching: hash) else {
                throw AccessError.exists(.token, name)
            }
            return TokenSummary(added, now: now)
        }
        return (token, summary)
    }

    /// Returns every token of the file, by name.
    ///
    /// - Throws: `StorageError`.
    public func tokens() throws -> [TokenSummary] {
        let now = now()
        return try transaction { try $0.tokens() }.map { TokenSummary($0, now: now) }
    }

    /// Revokes a token or a share.
    ///
    /// From the next request on, the token is refused, as are sessions that were begun with it; the link of the share
    /// shows nothing.
    ///
    /// - Throws: ``AccessError/unknown(_:_:)``.
    public func revoke(_ kind: AccessKind, named name: String) throws {
        try write { writer in
            let isRemoved = try kind == .token ? writer.removeToken(named: name) : writer.removeShare(named: name)
            guard isRemoved else { throw AccessError.unknown(kind, name) }
        }
    }

    /// Whether the file has a token that is valid now.
    public func hasValidToken() throws -> Bool {
        let now = now()
        return try transaction { try $0.hasValidToken(at: now) }
    }

    /// Returns the rights of a token; `nil` if it is unknown, was revoked or has expired.
    public func grant(for token: AccessToken) throws -> AccessGrant? {
        let (hash, now) = (token.hash, now())
        return try transaction { reader in
            try reader.token(matching: hash).flatMap { $0.isValid(at: now) ? AccessGrant($0) : nil }
        }
    }

    /// Returns the grants that are no longer valid, because their tokens or shares were revoked or have expired.
    package func endedGrants(among grants: Set<AccessGrant>) throws -> Set<AccessGrant> {
        let (now, grants) = (now(), grants.filter { $0.tokenID != nil || $0.share != nil })
        guard !grants.isEmpty else { return [] }
        return try transaction { reader in
            try grants.filter { grant in
                if let share = grant.share {
                    return try reader.share(id: share.id).map { !$0.isValid(at: now) } ?? true
                }
                if let id = grant.sessionID { return try reader.session(id: id).map { !$0.isValid(at: now) } ?? true }
                guard let id = grant.tokenID else { return false }
                return try reader.token(id: id).map { !$0.isValid(at: now) } ?? true
            }
        }
    }

    /// Whether a text may be the name of a token or a share.
    static func isTokenName(_ name: String) -> Bool {
        (1...maximumTokenNameByteCount).contains(name.utf8.count)
            && name.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }
}

extension PhotoReader {
    /// Returns the token with a hash.
    ///
    /// The time that it takes reveals nothing about a stored hash: the index is searched by eight bytes, which an
    /// attacker can choose only through the hash of the text sent, and digests are compared in constant time.
    func token(matching hash: SHA256Digest) throws -> TokenRow? {
        try tokens(hashStart: hash.start).first { hash == $0.hash }
    }
}
