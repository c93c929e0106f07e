import GRDB
package import PhotoStreamModel

/// A stored token of the server, without its secret.
package struct TokenRow: Hashable, Sendable {
    /// The row id, which is never reused.
    package let id: Int64
    /// The name, unique in the file.
    package let name: String
    /// SHA-256 of the secret: 32 bytes.
    package let hash: [UInt8]
    /// The right that it grants.
    package let scope: AccessScope
    /// The row id of the only stream that it applies to; `nil` for all.
    package let streamID: Int64?
    /// The name of that stream.
    package let stream: StreamName?
    /// The time of its creation, in milliseconds since 1970.
    package let createdAtMilliseconds: Int64
    /// The time after which it is no longer valid, in milliseconds since 1970; `nil` for never.
    package let expiresAtMilliseconds: Int64?
}

extension PhotoReader {
    /// Returns every token, by name.
    package func tokens() throws -> [TokenRow] {
        try tokens(try RawStatement(database, sql: "\(Self.tokenSQL) ORDER BY token.name"))
    }

    /// Returns the token with a row id; `nil` if it was revoked.
    package func token(id: Int64) throws -> TokenRow? {
        try tokens(RawStatement(database, sql: "\(Self.tokenSQL) WHERE token.id = ?1", with: id)).first
    }

    /// Returns the tokens whose hash begins with eight bytes: usually none or one.
    ///
    /// - Parameter start: The bytes as a whole number, the first byte highest.
    /// - Returns: The tokens.
    /// - Throws: `DatabaseError` if SQLite fails.
    /// - Complexity: O(log tokens).
    package func tokens(hashStart start: Int64) throws -> [TokenRow] {
        try tokens(RawStatement(database, sql: "\(Self.tokenSQL) WHERE token.hashStart = ?1", with: start))
    }

    /// Whether the file has a token that is valid at a time, in milliseconds since 1970.
    package func hasValidToken(at now: Int64) throws -> Bool {
        let sql = """
            SELECT 1 FROM token
            WHERE expiresAtMilliseconds IS NULL OR expiresAtMilliseconds > ?1 LIMIT 1
            """
        return try database.exists(sql, with: now)
    }

    private static let tokenSQL = """
        SELECT token.id, token.name, token.hash, token.scope, token.streamId, stream.name,
            token.createdAtMilliseconds, token.expiresAtMilliseconds
        FROM token LEFT JOIN stream ON stream.id = token.streamId
        """

    private func tokens(_ statement: RawStatement) throws -> [TokenRow] {
        try statement.rows { row in
            // Another program may have written any value; an unreadable one grants nothing.
            guard let scope = AccessScope(rawValue: Int(clamping: row.integer(3))) else { return nil }
            let (streamID, stream) = (row.optionalInteger(4), row.optionalText(5))
            guard (streamID == nil) == (stream == nil) else { return nil }
            return TokenRow(
                id: row.integer(0), name: row.text(1), hash: row.bytes(2), scope: scope, streamID: streamID,
                stream: stream.map(StreamName.init(stored:)), createdAtMilliseconds: row.integer(6),
                expiresAtMilliseconds: row.optionalInteger(7))
        }
    }
}

extension PhotoWriter {
    /// Adds a token.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - hash: SHA-256 of its secret.
    ///   - start: The first eight bytes of the hash.
    ///   - scope: The right that it grants.
    ///   - streamID: The row id of the only stream that it applies to; `nil` for all.
    ///   - expiry: The time after which it is no longer valid, in milliseconds since 1970; `nil` for never.
    ///   - now: Milliseconds since 1970.
    /// - Returns: Whether it was added; `false` if the name is taken.
    /// - Throws: `DatabaseError` if SQLite fails.
    package func addToken(
        named name: String, hash: [UInt8], hashStart start: Int64, scope: AccessScope, streamID: Int64?,
        expiresAt expiry: Int64?, now: Int64
    ) throws -> Bool {
        let sql = """
            INSERT INTO token
                (name, hashStart, hash, scope, streamId, createdAtMilliseconds, expiresAtMilliseconds)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT (name) DO NOTHING
            """
        try database.run(sql, with: name, start, hash, Int64(scope.rawValue), streamID, now, expiry)
        return database.changesCount > 0
    }

    /// Removes a token.
    ///
    /// - Returns: Whether a token with that name existed.
    /// - Throws: `DatabaseError` if SQLite fails.
    package func removeToken(named name: String) throws -> Bool {
        try database.run("DELETE FROM token WHERE name = ?1", with: name)
        return database.changesCount > 0
    }
}
