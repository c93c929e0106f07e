import GRDB

/// A stored session of a browser, or a link that begins one, without its secret.
package struct SessionRow: Hashable, Sendable {
    /// The uses of a secret; a secret for one use is refused for the other.
    package enum Kind: Int64, Sendable {
        /// A browser sends it in a cookie.
        case session
        /// It begins a session, once.
        case link
    }

    /// The row id, which is never reused.
    package let id: Int64
    /// SHA-256 of the secret: 32 bytes.
    package let hash: [UInt8]
    /// The token whose rights it has.
    package let token: TokenRow
    /// The time after which it is no longer valid, in milliseconds since 1970.
    package let expiresAtMilliseconds: Int64
}

extension PhotoReader {
    /// Returns the session with a row id; `nil` if it has ended.
    package func session(id: Int64) throws -> SessionRow? {
        try sessions(RawStatement(database, sql: "\(Self.sessionSQL) WHERE id = ?1 AND isLink = 0", with: id)).first
    }

    /// Returns the sessions or links whose hash begins with eight bytes: usually none or one.
    ///
    /// - Parameters:
    ///   - kind: The use of the secret.
    ///   - start: The bytes as a whole number, the first byte highest.
    /// - Returns: The rows whose tokens exist.
    /// - Throws: `DatabaseError` if SQLite fails.
    /// - Complexity: O(log sessions).
    package func sessions(_ kind: SessionRow.Kind, hashStart start: Int64) throws -> [SessionRow] {
        try sessions(
            RawStatement(
                database, sql: "\(Self.sessionSQL) WHERE hashStart = ?1 AND isLink = ?2", with: start, kind.rawValue)
        )
    }

    private static let sessionSQL = "SELECT id, hash, tokenId, expiresAtMilliseconds FROM session"

    private func sessions(_ statement: RawStatement) throws -> [SessionRow] {
        var found: [(id: Int64, hash: [UInt8], tokenID: Int64, expiry: Int64)] = []
        try statement.forEach { found.append(($0.integer(0), $0.bytes(1), $0.integer(2), $0.integer(3))) }
        return try found.compactMap { row in
            try token(id: row.tokenID).map { token in
                SessionRow(id: row.id, hash: row.hash, token: token, expiresAtMilliseconds: row.expiry)
            }
        }
    }
}

extension PhotoWriter {
    /// The sessions that one token may have; beginning another one ends the oldest.
    package static let sessionLimit: Int64 = 100

    /// Adds a session or a link, after removing expired ones of the file and the oldest ones of its token.
    ///
    /// - Parameters:
    ///   - kind: The use of the secret.
    ///   - hash: SHA-256 of the secret.
    ///   - start: The first eight bytes of the hash.
    ///   - tokenID: The row id of its token.
    ///   - expiry: The time after which it is no longer valid, in milliseconds since 1970.
    ///   - now: Milliseconds since 1970.
    /// - Returns: The row id.
    /// - Throws: `DatabaseError` if SQLite fails.
    package func addSession(
        _ kind: SessionRow.Kind, hash: [UInt8], hashStart start: Int64, tokenID: Int64, expiresAt expiry: Int64,
        now: Int64
    ) throws -> Int64 {
        try database.run("DELETE FROM session WHERE expiresAtMilliseconds <= ?1", with: now)
        try database.run(
            """
            DELETE FROM session WHERE id IN (
                SELECT id FROM session WHERE tokenId = ?1 ORDER BY id DESC LIMIT -1 OFFSET ?2)
            """, with: tokenID, Self.sessionLimit - 1)
        let sql = """
            INSERT INTO session (hashStart, hash, tokenId, isLink, createdAtMilliseconds, expiresAtMilliseconds)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            """
        try database.run(sql, with: start, hash, tokenID, kind.rawValue, now, expiry)
        return database.lastInsertedRowID
    }

    /// Removes a session or a link.
    ///
    /// - Throws: `DatabaseError` if SQLite fails.
    package func removeSession(id: Int64) throws {
        try database.run("DELETE FROM session WHERE id = ?1", with: id)
    }
}
