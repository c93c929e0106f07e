import Crypto
import PhotoStreamStorage

// A page cannot send a token with pictures and events, so it exchanges the token for a session, which the browser keeps
// in a cookie that scripts cannot read. Nothing is stored: the session names its token and is signed with a key of the
// file, so that it ends with the token.
extension PhotoStreamService {
    /// The longest time of a session, in milliseconds: 30 days.
    package static let sessionMilliseconds: Int64 = 30 * 86_400_000

    /// Begins a session with a token.
    ///
    /// - Returns: The session as text and its time in seconds, or `nil` if the token is not valid.
    /// - Throws: ``StreamServiceError/storage(_:message:)``.
    package func beginSession(with token: AccessToken) throws -> (text: String, seconds: Int64, grant: AccessGrant)? {
        guard let grant = try grant(for: token), let id = grant.tokenID else { return nil }
        let now = now()
        let end = min(now + Self.sessionMilliseconds, grant.expiresAtMilliseconds ?? .max)
        let content = [id, end].flatMap(\.bytes)
        let code = try transaction { Array(try $0.sessionCode(of: content)) }
        return (Base64URL.encoded(content + code), (end - now) / 1_000, grant)
    }

    /// Returns what a session allows; `nil` if it was not begun here, is over, or its token is no longer valid.
    package func grant(forSession text: String) throws -> AccessGrant? {
        let (numberCount, codeCount) = (2 * MemoryLayout<Int64>.size, SHA256.byteCount)
        guard let bytes = Base64URL.decoded(text), bytes.count == numberCount + codeCount else { return nil }
        let content = Array(bytes.prefix(numberCount))
        let now = now()
        return try transaction { reader in
            // Codes are compared in constant time.
            guard try reader.sessionCode(of: content) == bytes.suffix(codeCount), content.number(at: 8) > now,
                let row = try reader.token(id: content.number(at: 0)), row.isValid(at: now)
            else { return nil }
            return AccessGrant(row)
        }
    }
}

extension Int64 {
    /// The eight bytes, the highest first.
    fileprivate var bytes: [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: self >> (56 - 8 * $0)) } }
}

extension [UInt8] {
    /// The whole number that eight bytes spell, the first byte highest.
    fileprivate func number(at start: Int) -> Int64 {
        Int64(bitPattern: self[start..<start + 8].reduce(0) { $0 << 8 | UInt64($1) })
    }
}

extension PhotoReader {
    /// Returns the code that signs a session, by a key that is derived from the file's.
    ///
    /// Source: RFC 5869.
    fileprivate func sessionCode(of content: [UInt8]) throws -> HMAC<SHA256>.MAC {
        let key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: try cursorKey()), info: Array("PhotoStream session".utf8),
            outputByteCount: SHA256.byteCount)
        return HMAC<SHA256>.authenticationCode(for: content, using: key)
    }
}
