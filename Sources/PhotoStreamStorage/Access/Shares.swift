import GRDB
package import PhotoStreamModel

/// A stored share link, without its secret.
package struct ShareRow: Hashable, Sendable {
    /// The row id, which is never reused.
    package let id: Int64
    /// The name, unique in the file.
    package let name: String
    /// SHA-256 of the secret: 32 bytes.
    package let hash: [UInt8]
    /// The name of the stream that it shows.
    package let stream: StreamName
    /// Whether it shows the positions of photos.
    package let showsPositions: Bool
    /// Whether it shows the ids of photos.
    package let showsNames: Bool
    /// Whether it sends the files of pictures as they are.
    package let sendsOriginals: Bool
    /// The time of its creation, in milliseconds since 1970.
    package let createdAtMilliseconds: Int64
    /// The time after which it is no longer valid, in milliseconds since 1970; `nil` for never.
    package let expiresAtMilliseconds: Int64?
}

extension PhotoReader {
    /// Returns every share, by name.
    package func shares() throws -> [ShareRow] {
        try shares(try RawStatement(database, sql: "\(Self.shareSQL) ORDER BY share.name"))
    }

    /// Returns the share with a row id; `nil` if it was revoked.
    package func share(id: Int64) throws -> ShareRow? {
        try shares(RawStatement(database, sql: "\(Self.shareSQL) WHERE share.id = ?1", with: id)).first
    }

    /// Returns the shares whose hash begins with eight bytes: usually none or one.
    ///
    /// - Parameter start: The bytes as a whole number, the first byte highest.
    /// - Returns: The shares.
    /// - Throws: `DatabaseError` if SQLite fails.
    /// - Complexity: O(log shares).
    package func shares(hashStart start: Int64) throws -> [ShareRow] {
        try shares(RawStatement(database, sql: "\(Self.shareSQL) WHERE share.hashStart = ?1", with: start))
    }

    // A share whose stream was removed, even by another program, shows nothing.
    private static let shareSQL = """
        SELECT share.id, share.name, share.hash, stream.name, share.showsPositions, share.showsNames,
            share.sendsOriginals, share.createdAtMilliseconds, share.expiresAtMilliseconds
        FROM share JOIN stream ON stream.id = share.streamId
        """

    private func shares(_ statement: RawStatement) throws -> [ShareRow] {
        try statement.rows { row in
            ShareRow(
                id: row.integer(0), name: row.text(1), hash: row.bytes(2),
                stream: StreamName(stored: row.text(3)), showsPositions: row.integer(4) == 1,
                showsNames: row.integer(5) == 1, sendsOriginals: row.integer(6) == 1,
                createdAtMilliseconds: row.integer(7), expiresAtMilliseconds: row.optionalInteger(8))
        }
    }
}

extension PhotoWriter {
    /// Adds a share.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - hash: SHA-256 of its secret.
    ///   - start: The first eight bytes of the hash.
    ///   - streamID: The row id of the stream that it shows.
    ///   - showsPositions: Whether it shows the positions of photos.
    ///   - showsNames: Whether it shows the ids of photos.
    ///   - sendsOriginals: Whether it sends the files of pictures as they are.
    ///   - expiry: The time after which it is no longer valid, in milliseconds since 1970; `nil` for never.
    ///   - now: Milliseconds since 1970.
    /// - Returns: Whether it was added; `false` if the name is taken.
    /// - Throws: `DatabaseError` if SQLite fails.
    package func addShare(
        named name: String, hash: [UInt8], hashStart start: Int64, streamID: Int64, showsPositions: Bool,
        showsNames: Bool, sendsOriginals: Bool, expiresAt expiry: Int64?, now: Int64
    ) throws -> Bool {
        let sql = """
            INSERT INTO share
                (name, hashStart, hash, streamId, showsPositions, showsNames, sendsOriginals,
                createdAtMilliseconds, expiresAtMilliseconds)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) ON CONFLICT (name) DO NOTHING
            """
        try database.run(
            sql, with: name, start, hash, streamID, showsPositions ? 1 : 0, showsNames ? 1 : 0, sendsOriginals ? 1 : 0,
            now, expiry)
        return database.changesCount > 0
    }

    /// Removes a share.
    ///
    /// - Returns: Whether a share with that name existed.
    /// - Throws: `DatabaseError` if SQLite fails.
    package func removeShare(named name: String) throws -> Bool {
        try database.run("DELETE FROM share WHERE name = ?1", with: name)
        return database.changesCount > 0
    }
}
