package import PhotoStreamModel

extension PhotoReader {
    /// The chunks of a stream as of this transaction.
    ///
    /// What the file has stored is brought up to date in memory with the tail of the change log: only chunks that a
    /// logged place lies in are read again from the photos. Where nothing is stored, or most of it is out of date, all
    /// of them are made anew in one pass.
    ///
    /// - Throws: ``StorageError`` with code corrupt when the derived tables contradict themselves.
    /// - Complexity: O(chunks + touched photos); O(photos) where all are made anew.
    package func streamChunks(_ streamID: Int64) throws -> StreamChunks {
        let logEnd = try lastRevision() ?? 0
        guard let index = try streamIndex(streamID) else {
            let revision = try lastRevision(streamID: streamID) ?? 0
            return try ChunkBuilder(reader: self, streamID: streamID).rebuild(
                revision: revision, consumed: logEnd, stored: nil)
        }
        let tail = index.consumedRevision == logEnd ? [] : try changedPlaces(streamID, after: index.consumedRevision)
        let builder = ChunkBuilder(reader: self, streamID: streamID)
        let revision = tail.last?.revision ?? index.streamRevision
        // Past this many changes nearly every chunk is touched, and one pass in order is cheaper than many seeks.
        guard tail.count <= max(10_000, index.photoCount / 8) else {
            return try builder.rebuild(revision: revision, consumed: logEnd, stored: index.consumedRevision)
        }
        var result = StreamChunks(
            streamID: streamID, revision: revision, chunks: try storedChunks(streamID), consumedRevision: logEnd,
            storedRevision: index.consumedRevision,
            // A stream that nobody writes to still moves its mark on now and then, so that its tail stays short.
            isUnsaved: !tail.isEmpty || logEnd - index.consumedRevision > 1_000)
        if !tail.isEmpty {
            result.chunks = try builder.repair(result.chunks, at: tail.flatMap(\.keys), version: revision)
        }
        return result
    }

    /// The stream's revision in this transaction: the key of its last change-log row, 0 before the first.
    ///
    /// - Complexity: O(length of the unconsumed tail).
    package func revision(streamID: Int64) throws -> Revision {
        guard let index = try streamIndex(streamID) else { return Revision(try lastRevision(streamID: streamID) ?? 0) }
        let sql = "SELECT max(revision) FROM change WHERE revision > ? AND streamId = ?"
        let statement = try RawStatement(database, sql)
        statement.bind(1, index.consumedRevision)
        statement.bind(2, streamID)
        return Revision(try statement.first { $0.optionalInteger(0) } ?? index.streamRevision)
    }

    /// What a stored chunk holds.
    ///
    /// - Throws: ``StorageError`` with code corrupt when the chunk is not in the file or damaged.
    package func content(of chunk: StreamChunk) throws -> ChunkContent {
        if let content = chunk.unsavedContent { return content }
        let statement = try RawStatement(database, "SELECT metrics, rowIds FROM chunkContent WHERE chunkId = ?")
        statement.bind(1, chunk.id)
        let content = try statement.first { row -> ChunkContent? in
            guard let metrics = PackedMetrics(decoding: row.bytes(0), count: chunk.count),
                let rowIDs = PackedRowIDs(decoding: row.bytes(1), count: chunk.count)
            else { return nil }
            return ChunkContent(metrics: metrics, rowIDs: rowIDs)
        }
        guard let content else {
            throw StorageError(.corrupt, "chunk \(chunk.id ?? 0) is damaged; `photostream cache clear` repairs it")
        }
        return content
    }

    /// What a stored chunk's layouts read of it, without its row ids.
    package func metrics(of chunk: StreamChunk) throws -> PackedMetrics {
        if let content = chunk.unsavedContent { return content.metrics }
        let statement = try RawStatement(database, "SELECT metrics FROM chunkContent WHERE chunkId = ?")
        statement.bind(1, chunk.id)
        guard let metrics = try statement.first({ PackedMetrics(decoding: $0.bytes(0), count: chunk.count) }) else {
            throw StorageError(.corrupt, "chunk \(chunk.id ?? 0) is damaged; `photostream cache clear` repairs it")
        }
        return metrics
    }

    func streamIndex(_ streamID: Int64) throws -> StreamIndexRow? {
        let sql = "SELECT consumedRevision, streamRevision, photoCount FROM streamIndex WHERE streamId = ?"
        let statement = try RawStatement(database, sql)
        statement.bind(1, streamID)
        return try statement.first {
            StreamIndexRow(
                consumedRevision: $0.integer(0), streamRevision: $0.integer(1), photoCount: Int($0.integer(2)))
        }
    }

    private func storedChunks(_ streamID: Int64) throws -> [StreamChunk] {
        let sql = """
            SELECT id, firstTime, firstRank, photoCount, version FROM chunk
            WHERE streamId = ? ORDER BY firstTime DESC, firstRank DESC
            """
        let statement = try RawStatement(database, sql)
        statement.bind(1, streamID)
        var chunks: [StreamChunk] = []
        try statement.forEach {
            chunks.append(
                StreamChunk(
                    id: $0.integer(0), firstKey: OrderKey(time: $0.integer(1), rank: $0.integer(2)),
                    count: Int($0.integer(3)), version: $0.integer(4)))
        }
        return chunks
    }

    private func changedPlaces(_ streamID: Int64, after revision: Int64) throws -> [ChangedPlaces] {
        let sql = """
            SELECT revision, oldTime, oldRank, newTime, newRank FROM change
            WHERE revision > ? AND streamId = ? ORDER BY revision
            """
        let statement = try RawStatement(database, sql)
        statement.bind(1, revision)
        statement.bind(2, streamID)
        var places: [ChangedPlaces] = []
        try statement.forEach { row in
            let old = row.isNull(1) ? nil : OrderKey(time: row.integer(1), rank: row.integer(2))
            let new = row.isNull(3) ? nil : OrderKey(time: row.integer(3), rank: row.integer(4))
            places.append(ChangedPlaces(revision: row.integer(0), keys: [old, new].compactMap { $0 }))
        }
        return places
    }
}

/// Up to where a stream's stored chunks are.
struct StreamIndexRow {
    let consumedRevision: Int64
    let streamRevision: Int64
    let photoCount: Int
}

/// The places in the order that one row of the log names.
private struct ChangedPlaces {
    let revision: Int64
    let keys: [OrderKey]
}
