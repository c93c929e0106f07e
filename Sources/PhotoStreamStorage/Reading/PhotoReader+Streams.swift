import GRDB
package import PhotoStreamModel

extension PhotoReader {
    /// The stream of that name, or `nil`.
    ///
    /// A name that no stream has to the byte is looked for in other normal forms: an accent may be a part of its letter
    /// (NFC) or a scalar of its own (NFD), and keyboards and file systems give either.
    package func stream(named name: StreamName) throws -> StreamRow? {
        if let row = try stream(namedExactly: name) { return row }
        guard !name.rawValue.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        // Strings are equal where Unicode calls them canonically equivalent.
        return try streams().first { $0.name.rawValue == name.rawValue }
    }

    private func stream(namedExactly name: StreamName) throws -> StreamRow? {
        let statement = try RawStatement(
            database,
            "\(Self.streamSQL) WHERE name = ?1"
        )
        try statement.bind(1, copying: name.rawValue)
        return try statement.first(Self.streamRow)
    }

    /// The stream of that row id, or `nil`.
    package func stream(id: Int64) throws -> StreamRow? {
        let statement = try RawStatement(database, "\(Self.streamSQL) WHERE id = ?1")
        statement.bind(1, id)
        return try statement.first(Self.streamRow)
    }

    /// Every stream, by name.
    package func streams() throws -> [StreamRow] {
        var rows: [StreamRow] = []
        try RawStatement(database, "\(Self.streamSQL) ORDER BY name")
            .forEach { rows.append(try Self.streamRow($0)) }
        return rows
    }

    /// Streams by name: the first ones after a name, which need not be that of a stream.
    package func streams(after name: String, limit: Int) throws -> [StreamRow] {
        let statement = try RawStatement(
            database, "\(Self.streamSQL) WHERE name > ?1 ORDER BY name LIMIT ?2")
        try statement.bind(1, copying: name)
        statement.bind(2, Int64(limit))
        var rows: [StreamRow] = []
        try statement.forEach { rows.append(try Self.streamRow($0)) }
        return rows
    }

    /// How many photos a stream has, exactly.
    ///
    /// The stored chunks know it while the log has nothing behind them, whoever wrote; else the photos are counted.
    ///
    /// - Complexity: O(rows of the log behind the stored chunks), of all streams; where one of them is the stream's, or
    ///   nothing is stored, O(photos of the stream), about 20 milliseconds per million.
    package func photoCount(in streamID: Int64) throws -> Int {
        if let count = try keptPhotoCount(streamID) { return count }
        let statement = try RawStatement(database, PhotoSQL.count)
        statement.bind(1, streamID)
        return Int(try statement.first { $0.integer(0) } ?? 0)
    }

    /// What the stored chunks hold together, or `nil` where they are not up to date.
    private func keptPhotoCount(_ streamID: Int64) throws -> Int? {
        guard let index = try streamIndex(streamID, logEnd: try lastRevision() ?? 0) else { return nil }
        let statement = try RawStatement(database, "SELECT 1 FROM change WHERE revision > ? AND streamId = ? LIMIT 1")
        statement.bind(1, index.consumedRevision)
        statement.bind(2, streamID)
        return try statement.first { _ in true } == nil ? index.photoCount : nil
    }

    /// The 32 random bytes with which every process signs this file's cursors.
    ///
    /// - Throws: ``StorageError`` with code `corrupt` when somebody has deleted them.
    package func cursorKey() throws -> [UInt8] {
        let statement = try RawStatement(database, "SELECT cursorKey FROM secret WHERE id = 1")
        guard let key = try statement.first({ $0.bytes(0) }), key.count == 32 else {
            throw DamagedValue(detail: "it has lost the key that signs its cursors")
        }
        return key
    }

    private static let streamSQL = "SELECT id, name, streamOrder, createdAtMilliseconds FROM stream"

    private static func streamRow(_ row: RawStatement) throws -> StreamRow {
        StreamRow(
            id: try row.streamID(0), name: StreamName(stored: row.text(1)), order: PhotoRow.order(row, 2),
            createdAtMilliseconds: row.integer(3))
    }
}
