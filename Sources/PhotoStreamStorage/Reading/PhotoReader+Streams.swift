import GRDB
package import PhotoStreamModel

extension PhotoReader {
    /// The stream of that name, or `nil`.
    package func stream(named name: StreamName) throws -> StreamRow? {
        if let known = memo?.known({ $0.streams[name] }) { return known }
        let statement = try RawStatement(
            database,
            "SELECT id, name, createdAtMilliseconds FROM stream WHERE name = ?1"
        )
        try statement.bind(1, copying: name.rawValue)
        guard let row = try statement.first(Self.streamRow) else { return nil }
        memo?.remember { $0.streams[name] = row }
        return row
    }

    /// The stream of that row id, or `nil`.
    package func stream(id: Int64) throws -> StreamRow? {
        let statement = try RawStatement(database, "SELECT id, name, createdAtMilliseconds FROM stream WHERE id = ?1")
        statement.bind(1, id)
        return try statement.first(Self.streamRow)
    }

    /// Every stream, by name.
    package func streams() throws -> [StreamRow] {
        var rows: [StreamRow] = []
        try RawStatement(database, "SELECT id, name, createdAtMilliseconds FROM stream ORDER BY name")
            .forEach { rows.append(Self.streamRow($0)) }
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
        if let known = memo?.known({ $0.cursorKey }) { return known }
        let statement = try RawStatement(database, "SELECT cursorKey FROM secret WHERE id = 1")
        guard let key = try statement.first({ $0.bytes(0) }) else {
            throw StorageError(.corrupt, "the file has lost the key that signs its cursors")
        }
        memo?.remember { $0.cursorKey = key }
        return key
    }

    private static func streamRow(_ row: RawStatement) -> StreamRow {
        StreamRow(id: row.integer(0), name: StreamName(stored: row.text(1)), createdAtMilliseconds: row.integer(2))
    }
}
