import GRDB
package import PhotoStreamModel

/// A stored stream.
package struct StreamRow: Hashable, Sendable {
    /// The row id, which is never reused.
    package let id: Int64
    /// The name, unique in the file.
    package let name: StreamName
    /// The order of its photos.
    package let order: StreamOrder
    /// The time of its creation, in milliseconds since 1970.
    package let createdAtMilliseconds: Int64
    /// The definition of a kept view; `nil` for a stream, which has photos of its own.
    package let kept: KeptView?

    init(
        id: Int64, name: StreamName, order: StreamOrder, createdAtMilliseconds: Int64, kept: KeptView? = nil
    ) {
        (self.id, self.name, self.order, self.kept) = (id, name, order, kept)
        self.createdAtMilliseconds = createdAtMilliseconds
    }

    /// Returns the stream under the name of a kept view that shows its photos.
    package func shown(as view: StreamRow) -> StreamRow {
        StreamRow(id: id, name: view.name, order: order, createdAtMilliseconds: createdAtMilliseconds)
    }
}

extension PhotoReader {
    /// Returns the stream with a name, or `nil`.
    ///
    /// If no stream has exactly this name, other normal forms of it are tried: keyboards and file systems produce both
    /// composed (NFC) and decomposed (NFD) accents.
    package func stream(named name: StreamName) throws -> StreamRow? {
        if let row = try stream(namedExactly: name) { return row }
        guard !name.rawValue.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        // Strings compare equal if they are canonically equivalent.
        return try streamsAndViews().first { $0.name.rawValue == name.rawValue }
    }

    private func stream(namedExactly name: StreamName) throws -> StreamRow? {
        try database.first("\(Self.streamSQL) AND name = ?1", with: name.rawValue, read: Self.streamRow)
    }

    /// Returns the stream with a row id, or `nil`.
    package func stream(id: Int64) throws -> StreamRow? {
        try database.first("\(Self.streamSQL) AND id = ?1", with: id, read: Self.streamRow)
    }

    /// Returns every stream, by name, without kept views.
    package func streams() throws -> [StreamRow] {
        try database.rows("\(Self.streamSQL) AND sourceId IS NULL ORDER BY name", read: Self.streamRow)
    }

    /// Returns every stream and kept view, by name.
    package func streamsAndViews() throws -> [StreamRow] {
        try database.rows("\(Self.streamSQL) ORDER BY name", read: Self.streamRow)
    }

    /// Returns the first streams and kept views after a name, which need not exist, by name.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - streamID: The row id of the only stream, or kept view, to return, with the kept views of it; `nil` for all.
    ///   - limit: The maximum number.
    /// - Returns: The rows.
    /// - Throws: `DatabaseError` if SQLite fails.
    package func streamsAndViews(after name: String, of streamID: Int64?, limit: Int) throws -> [StreamRow] {
        let sql = "\(Self.streamSQL) AND name > ?1 AND (?2 IS NULL OR ?2 IN (id, sourceId)) ORDER BY name LIMIT ?3"
        return try database.rows(sql, with: name, streamID, limit, read: Self.streamRow)
    }

    /// Returns the exact number of photos in a stream.
    ///
    /// If the log has no later changes of the stream, the stored chunks know the number; otherwise the photos are
    /// counted.
    ///
    /// - Complexity: O(rows of the log after the stored chunks), of all streams. If one of them belongs to the stream,
    ///   or nothing is stored: O(photos of the stream), about 20 milliseconds per million.
    package func photoCount(in streamID: Int64) throws -> Int {
        if let count = try keptPhotoCount(streamID) { return count }
        return Int(try database.number(PhotoSQL.count, with: streamID))
    }

    /// Returns the number of archived photos in a stream, without those that are hidden in their stacks.
    ///
    /// - Complexity: O(archived photos of the stream), in an index.
    package func archivedPhotoCount(in streamID: Int64) throws -> Int {
        let sql = """
            SELECT count(*) FROM photo INDEXED BY photoArchived WHERE archived = 1 AND stackRank = 0 AND streamId = ?1
            """
        return Int(try database.number(sql, with: streamID))
    }

    /// Whether a stream has archived photos that are not hidden in their stacks.
    package func hasArchived(in streamID: Int64) throws -> Bool {
        let sql = """
            SELECT 1 FROM photo INDEXED BY photoArchived WHERE archived = 1 AND stackRank = 0 AND streamId = ?1 LIMIT 1
            """
        return try database.exists(sql, with: streamID)
    }

    /// Whether a stream had archived photos at an earlier revision that the log knows.
    package func hadArchived(in streamID: Int64) throws -> Bool {
        let sql = "SELECT 1 FROM change INDEXED BY changeArchived WHERE oldArchived = 1 AND streamId = ?1 LIMIT 1"
        return try database.exists(sql, with: streamID)
    }

    /// Whether a stream has at most a new chunk's number of photos.
    ///
    /// - Complexity: O(photos of a chunk).
    package func fitsChunk(_ streamID: Int64) throws -> Bool {
        let sql = "SELECT 1 FROM photo INDEXED BY photoPlace WHERE stackRank = 0 AND streamId = ?1 LIMIT 1 OFFSET ?2"
        return try !database.exists(sql, with: streamID, file.chunkSize.target)
    }

    /// Returns the number of photos in the stored chunks; `nil` if these are not up to date.
    private func keptPhotoCount(_ streamID: Int64) throws -> Int? {
        guard let index = try streamIndex(streamID, logEnd: try lastRevision() ?? 0) else { return nil }
        let sql = "SELECT 1 FROM change WHERE revision > ? AND streamId = ? LIMIT 1"
        return try database.exists(sql, with: index.consumedRevision, streamID) ? nil : index.photoCount
    }

    /// Returns the 32 random bytes with which every process signs this file's cursors.
    ///
    /// - Throws: ``StorageError`` with code `corrupt` if they were deleted.
    package func cursorKey() throws -> [UInt8] {
        let sql = "SELECT cursorKey FROM secret WHERE id = 1"
        guard let key = try database.first(sql, read: { $0.bytes(0) }), key.count == 32 else {
            throw DamagedValue(detail: "it has lost the key that signs its cursors")
        }
        return key
    }

    /// Returns the keys that sign addresses of thumbnails: the current one and the former one, if the file has them.
    package func storedImageKeys() throws -> (current: [UInt8]?, former: [UInt8]?) {
        func key(at column: Int32, of row: RawStatement) -> [UInt8]? {
            row.isNull(column) || row.bytes(column).count != 32 ? nil : row.bytes(column)
        }
        let sql = "SELECT imageKey, formerImageKey FROM secret WHERE id = 1"
        return try database.first(sql) { (key(at: 0, of: $0), key(at: 1, of: $0)) } ?? (nil, nil)
    }

    /// Another program may have written an id that no stream gets; it does not keep the others from being read.
    private static let streamSQL = """
        SELECT id, name, streamOrder, createdAtMilliseconds, sourceId, rule, ruleRevision, description, cover FROM stream WHERE +id > 0
        """

    private static func streamRow(_ row: RawStatement) throws -> StreamRow {
        StreamRow(
            id: try row.streamID(0), name: StreamName(stored: row.text(1)), order: PhotoRow.order(row, at: 2),
            createdAtMilliseconds: row.integer(3), kept: KeptView(row, from: 4))
    }
}

extension PhotoWriter {
    /// Sets the keys that sign addresses of thumbnails, of 32 bytes each.
    package func setImageKeys(_ current: [UInt8], former: [UInt8]?) throws {
        try database.run(
            "UPDATE secret SET imageKey = ?1, formerImageKey = ?2 WHERE id = 1", with: current, former)
    }

    /// Removes the keys that sign addresses of thumbnails from a copy of a file, down to their bytes.
    static func removeImageKeys(from database: Database) throws {
        guard try database.columns(in: "secret").contains(where: { $0.name == "imageKey" }) else { return }
        try database.execute(
            sql: "PRAGMA secure_delete = ON; UPDATE secret SET imageKey = NULL, formerImageKey = NULL")
    }

    /// Creates a stream without photos.
    ///
    /// - Parameters:
    ///   - name: The name, which must not be taken.
    ///   - order: The order of its photos, which never changes.
    ///   - now: Milliseconds since 1970.
    /// - Returns: The new stream.
    /// - Throws: ``StorageError`` with code `constraint` if the name is taken.
    @discardableResult
    package func createStream(
        named name: StreamName, order: StreamOrder = .newest, now: Int64
    ) throws -> StreamRow {
        try requireFree(name)
        try database.run(
            "INSERT INTO stream (name, createdAtMilliseconds, streamOrder) VALUES (?1, ?2, ?3)",
            with: name.rawValue, now, order.stored)
        return StreamRow(id: database.lastInsertedRowID, name: name, order: order, createdAtMilliseconds: now)
    }

    /// Renames a stream.
    ///
    /// - Throws: ``StorageError`` with code `notFound`, or with `constraint` if the new name is taken.
    package func renameStream(named name: StreamName, to newName: StreamName) throws {
        let stream = try requireStream(name)
        guard name.rawValue.utf8.elementsEqual(newName.rawValue.utf8) == false else { return }
        try requireFree(newName, except: stream.id)
        try database.run("UPDATE stream SET name = ?2 WHERE id = ?1", with: stream.id, newName.rawValue)
    }

    /// Deletes a stream with its photos, its import runs and all derived data.
    ///
    /// - Throws: ``StorageError`` with code `notFound`.
    /// - Complexity: O(n log n) for n photos, because each is logged.
    package func deleteStream(named name: StreamName) throws {
        let stream = try requireStream(name)
        try database.run("DELETE FROM stream WHERE id = ?1", with: stream.id)
    }

    /// Checks that no other stream has the name, in any normal form.
    func requireFree(_ name: StreamName, except streamID: Int64? = nil) throws {
        guard let stream = try reader.streamsAndViews().first(where: { $0.name.rawValue == name.rawValue }) else {
            return
        }
        guard stream.id == streamID else {
            throw StorageError(.constraint, message: "stream \"\(name)\" already exists")
        }
    }

    func requireStream(_ name: StreamName) throws -> StreamRow {
        guard let stream = try reader.stream(named: name) else {
            throw StorageError(.notFound, message: "there is no stream \"\(name)\"")
        }
        return stream
    }
}
