package import PhotoStreamModel

extension PhotoReader {
    /// Returns the stored attributes of a chunk.
    ///
    /// - Parameter chunk: A chunk as of the transaction.
    /// - Returns: `nil` if the file has none of this state of its photos, or damaged ones.
    /// - Throws: `DatabaseError` if SQLite fails.
    package func attributes(of chunk: PhotoChunk) throws -> ChunkAttributes? {
        guard let id = chunk.attributesID else { return nil }
        let sql = "SELECT checksum, attributes FROM chunkAttributes WHERE chunkId = ?"
        return try database.first(sql, with: id) { row -> ChunkAttributes? in
            let bytes = row.bytes(1)
            guard ChunkContent.checksum(of: bytes, kind: .chunkAttributes, ofChunk: id) == row.integer(0) else {
                return nil
            }
            return ChunkAttributes(decoding: bytes, count: chunk.count)
        }
    }
}

extension PhotoReader {
    /// Returns the ids of a stream's stored chunks whose attributes the file lacks, or has in another version.
    ///
    /// - Complexity: O(chunks of the stream).
    package func chunkIDsWithoutAttributes(streamID: Int64) throws -> Set<Int64> {
        let sql = """
            SELECT id FROM chunk WHERE streamId = ? AND state = 0
                AND NOT EXISTS (
                    SELECT 1 FROM chunkAttributes WHERE chunkId = chunk.id AND substr(attributes, 1, 1) = ?)
            """
        var ids: Set<Int64> = []
        try database.forEach(sql, with: streamID, [ChunkAttributes.version]) { ids.insert($0.integer(0)) }
        return ids
    }
}

extension PhotoWriter {
    /// Stores attributes of chunks.
    ///
    /// - Parameters:
    ///   - attributes: The attributes by the id of the chunk, of the state that the chunk has in `chunks`.
    ///   - chunks: The chunks of the stream, in the file.
    /// - Returns: Whether they were stored: not if another connection has stored the stream's chunks since.
    /// - Throws: `DatabaseError` if SQLite fails.
    package func store(_ attributes: [Int64: ChunkAttributes], of chunks: StreamChunks) throws -> Bool {
        // The generation is that of the consumed revision too. Chunks that the log has named since stay marked until they are
        // stored, which deletes these rows.
        guard let generation = chunks.generation,
            try reader.streamIndex(chunks.streamID, logEnd: try reader.lastRevision() ?? 0)?.generation == generation
        else { return false }
        for chunk in chunks.chunks {
            guard let id = chunk.attributesID, let bytes = attributes[id]?.encoded else { continue }
            let row: KeyValuePairs<StaticString, any SQLValue> = [
                "chunkId": id,
                "checksum": ChunkContent.checksum(of: bytes, kind: .chunkAttributes, ofChunk: id),
                "attributes": bytes,
            ]
            try RawStatement(database, into: "chunkAttributes", replacing: true, row: row).run()
        }
        return true
    }

    /// Deletes the attributes of stored chunks with a photo that the log has named, and records that they are gone.
    func deleteAttributesOfTouched(_ chunks: inout StreamChunks) throws {
        for (position, chunk) in chunks.chunks.enumerated() where chunk.isTouched {
            guard let id = chunk.id else { continue }
            try deleteAttributes(ofChunk: id)
            chunks.chunks[position].didStore(as: id)
        }
    }

    /// Deletes the attributes of a chunk, if the file has any.
    func deleteAttributes(ofChunk id: Int64) throws {
        try database.run("DELETE FROM chunkAttributes WHERE chunkId = ?", with: id)
    }
}
