package import PhotoStreamModel
import Synchronization

extension PhotoReader {
    /// Returns the chunks of a stream in this transaction.
    ///
    /// Starts from the stored chunks, or from known ones, and brings them up to date in memory with the tail of the
    /// change log: only chunks that contain a logged place are read again from the photos. If nothing is stored, or
    /// most of it is out of date, all chunks are rebuilt in one pass.
    ///
    /// - Parameters:
    ///   - streamID: The stream.
    ///   - known: The result of an earlier call, which saves reading the stored chunks.
    ///   - willMake: Called before each chunk is built, with the fraction of the stream's photos done so far. An error
    ///     ends the work.
    /// - Returns: The chunks, up to date.
    /// - Throws: ``StorageError`` with code corrupt if the derived tables are inconsistent, and errors of `willMake`.
    /// - Complexity: O(chunks + touched photos); O(photos) for a rebuild.
    package func streamChunks(
        _ streamID: Int64, known: StreamChunks? = nil, willMake: (Double) throws -> Void = { _ in }
    ) throws -> StreamChunks {
        try withoutActuallyEscaping(willMake) { willMake in
            try streamChunks(
                streamID, known: known, builder: ChunkBuilder(reader: self, streamID: streamID, willMake: willMake))
        }
    }

    private func streamChunks(
        _ streamID: Int64, known: StreamChunks?, builder: ChunkBuilder
    ) throws -> StreamChunks {
        let logEnd = try logEnd() ?? Revision(0)
        let index = try streamIndex(streamID, logEnd: logEnd.rawValue)
        guard let base = try base(streamID, index: index, known: known, logEnd: logEnd.rawValue) else {
            let revision = try lastRevision(streamID: streamID) ?? Revision(0)
            var chunks = try builder.rebuild(revision: revision, consumed: logEnd, generation: index?.generation)
            chunks.storedRevision = index?.consumedRevision
            return chunks
        }
        let limit = Self.repairedChangeCount(base.photoCount)
        let tail = try loggedPlaces(streamID, after: base.consumedRevision.rawValue, limit: limit)
        let revision = try version(of: streamID, since: nil).revision
        var result = StreamChunks(
            streamID: streamID, revision: revision, chunks: base.chunks, consumedRevision: logEnd,
            generation: base.generation, storedRevision: base.storedRevision,
            // A stream without writes still advances its consumed revision now and then, so that its tail stays short.
            isUnsaved: index.map {
                revision.rawValue != $0.streamRevision || logEnd.rawValue - $0.consumedRevision > 1_000
            } ?? true)
        if revision != base.revision {
            result.chunks = try builder.repair(base.chunks, after: tail, version: revision.rawValue)
        }
        return result
    }

    /// Whether ``streamChunks(_:known:willMake:)`` would rebuild all or nearly all chunks of a stream.
    ///
    /// - Throws: `DatabaseError` if SQLite fails.
    package func needsRebuild(_ streamID: Int64) throws -> Bool {
        let logEnd = try lastRevision() ?? 0
        guard let index = try streamIndex(streamID, logEnd: logEnd),
            let base = try base(streamID, index: index, known: nil, logEnd: logEnd)
        else { return true }
        return try loggedPlaces(
            streamID, after: base.consumedRevision.rawValue, limit: Self.repairedChangeCount(base.photoCount)) == nil
    }

    /// The number of changes up to which chunks are repaired; beyond it, reading all photos in order is faster.
    private static func repairedChangeCount(_ photoCount: Int) -> Int {
        max(10_000, photoCount / ChunkBuilder.lookUpCost)
    }

    /// Returns the chunks to bring up to date: the known ones if they have the stored generation and are not from a
    /// later transaction, or else the stored ones; `nil` if there are none.
    private func base(
        _ streamID: Int64, index: StreamIndexRow?, known: StreamChunks?, logEnd: Int64
    ) throws -> StreamChunks? {
        if let known, known.streamID == streamID, known.consumedRevision.rawValue <= logEnd,
            let base = try following(known, index: index)
        {
            return base
        }
        guard let index else { return nil }
        return try storedChunks(streamID, photoCount: index.photoCount).map { chunks in
            StreamChunks(
                streamID: streamID, revision: try tagged(index.streamRevision), chunks: chunks,
                consumedRevision: try tagged(index.consumedRevision), generation: index.generation,
                storedRevision: index.consumedRevision, isUnsaved: false)
        }
    }

    /// Returns known chunks if the tail of the log can bring them up to date.
    ///
    /// The file discards its chunks when the log loses changes that they have not consumed, which happens every few
    /// seconds during an import. A reader that has followed the log can continue if it has all contents in memory. But
    /// if the log has lost nothing, the file was cleared on purpose, and everything must be rebuilt.
    private func following(_ known: StreamChunks, index: StreamIndexRow?) throws -> StreamChunks? {
        if let index { return known.generation == index.generation ? known : nil }
        guard try hasAllChanges(streamID: known.streamID, after: known.consumedRevision) else { return nil }
        guard known.generation != nil else { return known }
        guard let storedRevision = known.storedRevision,
            try !hasAllRows(streamID: known.streamID, after: storedRevision)
        else { return nil }
        return try independent(known)
    }

    /// Returns chunks with all contents in memory; `nil` if the file no longer has them.
    private func independent(_ chunks: StreamChunks) throws -> StreamChunks? {
        var result = chunks
        for position in result.chunks.indices where result.chunks[position].unsavedContent == nil {
            do {
                result.chunks[position].unsavedContent = try content(of: result.chunks[position])
            } catch ReadInterruption.damage {
                return nil
            }
        }
        (result.generation, result.storedRevision, result.isUnsaved) = (nil, nil, true)
        return result
    }

    /// Returns the stream's state in this transaction.
    ///
    /// - Parameters:
    ///   - streamID: The stream.
    ///   - known: The result of an earlier call, so that only later rows of the log are read.
    /// - Returns: The revision and the generation of the stored chunks.
    /// - Throws: `DatabaseError` if SQLite fails.
    /// - Complexity: O(later rows of the log), of all streams.
    package func version(of streamID: Int64, since known: StreamVersion?) throws -> StreamVersion {
        let logEnd = try logEnd() ?? Revision(0)
        let index = try streamIndex(streamID, logEnd: logEnd.rawValue)
        var (revision, start): (Revision, Int64)
        // A version of another history is meaningless here.
        if let known, try known.logEnd == logEnd || known.logEnd < logEnd && isKnown(known.logEnd) {
            (revision, start) = (known.revision, known.logEnd.rawValue)
        } else if let index {
            (revision, start) = (try tagged(index.streamRevision), index.consumedRevision)
        } else {
            (revision, start) = (try lastRevision(streamID: streamID) ?? Revision(0), logEnd.rawValue)
        }
        if start < logEnd.rawValue {
            let sql = """
                SELECT revision, tag FROM change WHERE revision > ? AND streamId = ? ORDER BY revision DESC LIMIT 1
                """
            revision =
                try database.first(sql, with: start, streamID) { Revision(try $0.revision(0), tag: $0.integer(1)) }
                ?? revision
        }
        return StreamVersion(revision: revision, generation: index?.generation, logEnd: logEnd)
    }

    /// Returns the content of a chunk.
    ///
    /// - Parameters:
    ///   - chunk: The chunk.
    ///   - withPositions: Whether to read positions; without them there are none.
    /// - Returns: The content.
    /// - Throws: ``ReadInterruption/damage(chunkID:message:)`` if the chunk is missing or damaged.
    package func content(of chunk: PhotoChunk, withPositions: Bool = true) throws -> ChunkContent {
        if let content = chunk.unsavedContent { return content }
        let columns = "metricsChecksum, metrics, rowIdsChecksum, rowIds"
        let statement = try contentStatement(chunk, columns: columns, withPositions: withPositions)
        let content = try statement.first { row -> ChunkContent? in
            guard let metrics = Self.metrics(row, of: chunk, positionsAt: withPositions ? 4 : nil),
                let bytes = row.bytes(3, kind: .chunkRowIDs, checksumAt: 2, of: chunk),
                let rowIDs = PackedRowIDs(decoding: bytes, count: chunk.count)
            else { return nil }
            return ChunkContent(metrics: metrics, rowIDs: rowIDs)
        }
        guard let content else { throw ReadInterruption.damage(ofChunk: chunk.id) }
        return content
    }

    /// Returns the metrics of a chunk, without its row ids.
    ///
    /// - Parameters:
    ///   - chunk: The chunk.
    ///   - withPositions: Whether to read positions, which a map needs.
    /// - Returns: The metrics.
    /// - Throws: ``ReadInterruption/damage(chunkID:message:)`` if the chunk is missing or damaged.
    package func metrics(of chunk: PhotoChunk, withPositions: Bool = false) throws -> PackedMetrics {
        if let content = chunk.unsavedContent { return content.metrics }
        let statement = try contentStatement(chunk, columns: "metricsChecksum, metrics", withPositions: withPositions)
        guard let metrics = try statement.first({ Self.metrics($0, of: chunk, positionsAt: withPositions ? 2 : nil) })
        else { throw ReadInterruption.damage(ofChunk: chunk.id) }
        return metrics
    }

    private func contentStatement(
        _ chunk: PhotoChunk, columns: String, withPositions: Bool
    ) throws -> RawStatement {
        let positions = withPositions ? ", positionsChecksum, positions" : ""
        let statement = try RawStatement(
            database, sql: "SELECT \(columns)\(positions) FROM chunkContent WHERE chunkId = ?", with: chunk.id)
        return statement
    }

    /// Reads metrics whose checksum is in the first column, with positions whose checksum is in another.
    private static func metrics(_ row: RawStatement, of chunk: PhotoChunk, positionsAt column: Int32?)
        -> PackedMetrics?
    {
        guard let bytes = row.bytes(1, kind: .chunkMetrics, checksumAt: 0, of: chunk) else { return nil }
        guard let column else { return PackedMetrics(decoding: bytes, count: chunk.count) }
        guard let positions = row.bytes(column + 1, kind: .chunkPositions, checksumAt: column, of: chunk) else {
            return nil
        }
        return PackedMetrics(decoding: bytes, positions: positions, count: chunk.count)
    }

    /// Returns the state of the stream's stored chunks; `nil` if there are none, they are damaged, or the log was
    /// emptied and its keys restart.
    func streamIndex(_ streamID: Int64, logEnd: Int64) throws -> StreamIndexRow? {
        let sql = """
            SELECT consumedRevision, streamRevision, photoCount, generation, checksum FROM streamIndex
            WHERE streamId = ?
            """
        let row = try database.first(sql, with: streamID) { row -> StreamIndexRow? in
            let index = StreamIndexRow(
                consumedRevision: row.integer(0), streamRevision: row.integer(1), photoCount: Int(row.integer(2)),
                generation: row.integer(3))
            return index.checksum(streamID: streamID) == row.integer(4) ? index : nil
        }
        guard let row, row.consumedRevision <= logEnd,
            !file.state.withLock({ $0.distrustedGenerations.contains(row.generation) })
        else { return nil }
        return row
    }

    /// Returns the stored chunks; `nil` if rows were deleted or changed.
    private func storedChunks(_ streamID: Int64, photoCount: Int) throws -> [PhotoChunk]? {
        var chunks: [PhotoChunk] = []
        var isWhole = true
        try forEachChunk(of: streamID, in: .counted) { _, record in
            guard let record else { return isWhole = false }
            isWhole = isWhole && chunks.last.map { $0.firstKey > record.chunk.firstKey } ?? true
            chunks.append(record.chunk)
        }
        return isWhole && chunks.reduce(0) { $0 + $1.count } == photoCount ? chunks : nil
    }

    /// Returns the rows of the log after a revision, oldest first; `nil` if there are more than `limit`.
    func loggedPlaces(_ streamID: Int64, after revision: Int64, limit: Int) throws -> [LoggedPlace]? {
        let sql = """
            SELECT photoId, kind, oldTime, oldRank, newTime, newRank FROM change
            WHERE revision > ? AND streamId = ? ORDER BY revision LIMIT ?
            """
        var rows: [LoggedPlace] = []
        try database.forEach(sql, with: revision, streamID, Int64(limit + 1)) { row in
            rows.append(
                LoggedPlace(
                    rowID: row.integer(0),
                    kind: ChangeRow.Kind(rawValue: UInt8(clamping: row.integer(1))) ?? .possiblyReplaced,
                    old: try row.optionalOrderKey(2), new: try row.optionalOrderKey(4)))
        }
        return rows.count > limit ? nil : rows
    }
}

extension RawStatement {
    /// Returns a blob of a chunk's content; `nil` if its checksum is wrong.
    fileprivate func bytes(
        _ column: Int32, kind: RowChecksum.Kind, checksumAt checksum: Int32, of chunk: PhotoChunk
    ) -> [UInt8]? {
        let bytes = bytes(column)
        guard ChunkContent.checksum(of: bytes, kind: kind, ofChunk: chunk.id ?? 0) == integer(checksum) else {
            return nil
        }
        return bytes
    }
}
