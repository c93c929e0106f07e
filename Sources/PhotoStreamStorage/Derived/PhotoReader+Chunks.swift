package import PhotoStreamModel

extension PhotoReader {
    /// The chunks of a stream as of this transaction.
    ///
    /// What the file has stored, or what was known before, is brought up to date in memory with the tail of the change
    /// log: only chunks that a logged place lies in are read again from the photos. Where nothing is stored, or most of
    /// it is out of date, all of them are made anew in one pass.
    ///
    /// - Parameters:
    ///   - streamID: The stream.
    ///   - known: Chunks of the stream as an earlier call answered them, to spare the look at the file.
    ///   - willMake: Called before each chunk that is made of photo rows, with the part of the stream's photos that were
    ///     made before; what it throws ends the work.
    /// - Returns: The chunks.
    /// - Throws: ``StorageError`` with code corrupt when the derived tables contradict themselves, and what `willMake`
    ///   throws.
    /// - Complexity: O(chunks + touched photos); O(photos) where all are made anew.
    package func streamChunks(
        _ streamID: Int64, known: StreamChunks? = nil, willMake: (Double) throws -> Void = { _ in }
    ) throws -> StreamChunks {
        try withoutActuallyEscaping(willMake) { willMake in
            try streamChunks(
                streamID, known, ChunkBuilder(reader: self, streamID: streamID, willMake: willMake))
        }
    }

    private func streamChunks(
        _ streamID: Int64, _ known: StreamChunks?, _ builder: ChunkBuilder
    ) throws -> StreamChunks {
        let logEnd = try lastRevision() ?? 0
        let index = try streamIndex(streamID, logEnd: logEnd)
        guard let base = try base(streamID, index, known, logEnd: logEnd) else {
            let revision = try lastRevision(streamID: streamID) ?? 0
            var chunks = try builder.rebuild(revision: revision, consumed: logEnd, generation: index?.generation)
            chunks.storedRevision = index?.consumedRevision
            return chunks
        }
        let limit = Self.repairedChangeCount(base.photoCount)
        let tail = try loggedPlaces(streamID, after: base.consumedRevision, limit: limit)
        let revision = try mark(streamID, since: nil).revision.rawValue
        var result = StreamChunks(
            streamID: streamID, revision: revision, chunks: base.chunks, consumedRevision: logEnd,
            generation: base.generation, storedRevision: base.storedRevision,
            // A stream that nobody writes to still moves its mark on now and then, so that its tail stays short.
            isUnsaved: index.map { revision != $0.streamRevision || logEnd - $0.consumedRevision > 1_000 } ?? true)
        if revision != base.revision {
            result.chunks = try builder.repair(base.chunks, after: tail, version: revision)
        }
        return result
    }

    /// Whether ``streamChunks(_:known:willMake:)`` would make all chunks of a stream anew, or nearly all.
    ///
    /// - Parameter streamID: The stream.
    /// - Returns: Whether that is so.
    /// - Throws: `DatabaseError` when SQLite fails.
    package func needsRebuild(_ streamID: Int64) throws -> Bool {
        let logEnd = try lastRevision() ?? 0
        guard let index = try streamIndex(streamID, logEnd: logEnd),
            let base = try base(streamID, index, nil, logEnd: logEnd)
        else { return true }
        return try loggedPlaces(
            streamID, after: base.consumedRevision, limit: Self.repairedChangeCount(base.photoCount)) == nil
    }

    /// How many changes are repaired one by one; past this many, reading all photos in order is cheaper.
    private static func repairedChangeCount(_ photoCount: Int) -> Int {
        max(10_000, photoCount / ChunkBuilder.lookUpCost)
    }

    /// What is brought up to date: the chunks that are known, if they are of the stored generation and not of a later
    /// transaction than this, else those that are stored; `nil` where there are none.
    private func base(
        _ streamID: Int64, _ index: StreamIndexRow?, _ known: StreamChunks?, logEnd: Int64
    ) throws -> StreamChunks? {
        if let known, known.streamID == streamID, known.consumedRevision <= logEnd,
            let base = try following(known, index)
        {
            return base
        }
        guard let index else { return nil }
        return try storedChunks(streamID, photoCount: index.photoCount).map { chunks in
            StreamChunks(
                streamID: streamID, revision: index.streamRevision, chunks: chunks,
                consumedRevision: index.consumedRevision, generation: index.generation,
                storedRevision: index.consumedRevision, isUnsaved: false)
        }
    }

    /// Known chunks, if the log's tail brings them up to date.
    ///
    /// The file gives up its chunks when the log loses what they have not consumed, which an import does every few seconds.
    /// Who has followed the log needs none of that, as long as all that its chunks hold is in memory. Where the log has not lost
    /// that, somebody has cleared the file, and wants everything to be made anew.
    private func following(_ known: StreamChunks, _ index: StreamIndexRow?) throws -> StreamChunks? {
        if let index { return known.generation == index.generation ? known : nil }
        guard try hasAllChanges(streamID: known.streamID, after: known.consumedRevision) else { return nil }
        guard known.generation != nil else { return known }
        guard let storedRevision = known.storedRevision,
            try !hasAllChanges(streamID: known.streamID, after: storedRevision)
        else { return nil }
        return try independent(known)
    }

    /// Chunks that need nothing of what the file holds of them; `nil` where it does not hold that any more.
    private func independent(_ chunks: StreamChunks) throws -> StreamChunks? {
        var result = chunks
        for position in result.chunks.indices where result.chunks[position].unsavedContent == nil {
            do {
                result.chunks[position].unsavedContent = try content(of: result.chunks[position])
            } catch is DerivedDamage {
                return nil
            }
        }
        (result.generation, result.storedRevision, result.isUnsaved) = (nil, nil, true)
        return result
    }

    /// The stream's state in this transaction.
    ///
    /// - Parameters:
    ///   - streamID: The stream.
    ///   - known: What an earlier call answered; only the log behind it is looked at.
    /// - Returns: The revision and the generation of the stored chunks.
    /// - Throws: `DatabaseError` when SQLite fails.
    /// - Complexity: O(length of the log behind what is known), of all streams.
    package func mark(_ streamID: Int64, since known: StreamMark?) throws -> StreamMark {
        let logEnd = try lastRevision() ?? 0
        let index = try streamIndex(streamID, logEnd: logEnd)
        var (revision, start): (Int64, Int64)
        if let known, known.logEnd <= logEnd {
            (revision, start) = (known.revision.rawValue, known.logEnd)
        } else if let index {
            (revision, start) = (index.streamRevision, index.consumedRevision)
        } else {
            (revision, start) = (try lastRevision(streamID: streamID) ?? 0, logEnd)
        }
        if start < logEnd {
            let sql = "SELECT max(revision) FROM change WHERE revision > ? AND streamId = ?"
            let statement = try RawStatement(database, sql)
            statement.bind(1, start)
            statement.bind(2, streamID)
            revision = try statement.first { try $0.optionalInteger(0, in: 0...1 << 62) } ?? revision
        }
        return StreamMark(revision: Revision(revision), generation: index?.generation, logEnd: logEnd)
    }

    /// What a stored chunk holds.
    ///
    /// - Parameters:
    ///   - chunk: The chunk.
    ///   - withPositions: Whether positions are asked for; without them there are none.
    /// - Returns: The content.
    /// - Throws: ``DerivedDamage`` when the chunk is not in the file or damaged.
    package func content(of chunk: PhotoChunk, withPositions: Bool = true) throws -> ChunkContent {
        if let content = chunk.unsavedContent { return content }
        let columns = "metricsChecksum, metrics, rowIdsChecksum, rowIds"
        let statement = try contentStatement(chunk, columns, withPositions: withPositions)
        let content = try statement.first { row -> ChunkContent? in
            guard let metrics = Self.metrics(row, chunk, positionsAt: withPositions ? 4 : nil),
                let bytes = row.bytes(3, .chunkRowIDs, checksumAt: 2, of: chunk),
                let rowIDs = PackedRowIDs(decoding: bytes, count: chunk.count)
            else { return nil }
            return ChunkContent(metrics: metrics, rowIDs: rowIDs)
        }
        guard let content else { throw DerivedDamage(chunkID: chunk.id) }
        return content
    }

    /// What a stored chunk's layouts read of it, without its row ids.
    ///
    /// - Parameters:
    ///   - chunk: The chunk.
    ///   - withPositions: Whether positions are asked for, as a map does.
    /// - Returns: The metrics.
    /// - Throws: ``DerivedDamage`` when the chunk is not in the file or damaged.
    package func metrics(of chunk: PhotoChunk, withPositions: Bool = false) throws -> PackedMetrics {
        if let content = chunk.unsavedContent { return content.metrics }
        let statement = try contentStatement(chunk, "metricsChecksum, metrics", withPositions: withPositions)
        guard let metrics = try statement.first({ Self.metrics($0, chunk, positionsAt: withPositions ? 2 : nil) })
        else { throw DerivedDamage(chunkID: chunk.id) }
        return metrics
    }

    private func contentStatement(
        _ chunk: PhotoChunk, _ columns: String, withPositions: Bool
    ) throws -> RawStatement {
        let positions = withPositions ? ", positionsChecksum, positions" : ""
        let statement = try RawStatement(
            database, "SELECT \(columns)\(positions) FROM chunkContent WHERE chunkId = ?")
        statement.bind(1, chunk.id)
        return statement
    }

    /// The metrics whose checksum is the first column, and the positions whose checksum is another.
    private static func metrics(_ row: RawStatement, _ chunk: PhotoChunk, positionsAt column: Int32?) -> PackedMetrics?
    {
        guard let bytes = row.bytes(1, .chunkMetrics, checksumAt: 0, of: chunk) else { return nil }
        guard let column else { return PackedMetrics(decoding: bytes, count: chunk.count) }
        guard let positions = row.bytes(column + 1, .chunkPositions, checksumAt: column, of: chunk) else { return nil }
        return PackedMetrics(decoding: bytes, positions: positions, count: chunk.count)
    }

    /// Up to where the stream's stored chunks are, or `nil` where they do not count: there are none, they are damaged, or
    /// the log has been emptied since and its keys begin again.
    func streamIndex(_ streamID: Int64, logEnd: Int64) throws -> StreamIndexRow? {
        let sql = """
            SELECT consumedRevision, streamRevision, photoCount, generation, checksum FROM streamIndex
            WHERE streamId = ?
            """
        let statement = try RawStatement(database, sql)
        statement.bind(1, streamID)
        let row = try statement.first { row -> StreamIndexRow? in
            let index = StreamIndexRow(
                consumedRevision: row.integer(0), streamRevision: row.integer(1), photoCount: Int(row.integer(2)),
                generation: row.integer(3))
            return index.checksum(streamID: streamID) == row.integer(4) ? index : nil
        }
        guard let row, row.consumedRevision <= logEnd, !distrusted.contains(row.generation) else { return nil }
        return row
    }

    /// The stored directory, or `nil` where it is not whole: rows of it were deleted or changed.
    private func storedChunks(_ streamID: Int64, photoCount: Int) throws -> [PhotoChunk]? {
        var chunks: [PhotoChunk] = []
        var isWhole = true
        try forEachChunk(of: streamID, .counted) { _, record in
            guard let record else { return isWhole = false }
            isWhole = isWhole && chunks.last.map { $0.firstKey > record.chunk.firstKey } ?? true
            chunks.append(record.chunk)
        }
        return isWhole && chunks.reduce(0) { $0 + $1.count } == photoCount ? chunks : nil
    }

    /// What the log names behind a revision, the oldest first; `nil` for more rows than the limit.
    func loggedPlaces(_ streamID: Int64, after revision: Int64, limit: Int) throws -> [LoggedPlace]? {
        let sql = """
            SELECT photoId, kind, oldTime, oldRank, newTime, newRank FROM change
            WHERE revision > ? AND streamId = ? ORDER BY revision LIMIT ?
            """
        let statement = try RawStatement(database, sql)
        statement.bind(1, revision)
        statement.bind(2, streamID)
        statement.bind(3, Int64(limit + 1))
        var rows: [LoggedPlace] = []
        try statement.forEach { row in
            rows.append(
                LoggedPlace(
                    rowID: row.integer(0),
                    kind: ChangeRow.Kind(rawValue: UInt8(clamping: row.integer(1))) ?? .perhapsReplaced,
                    old: try row.optionalOrderKey(2), new: try row.optionalOrderKey(4)))
        }
        return rows.count > limit ? nil : rows
    }
}

extension RawStatement {
    /// A blob of a chunk's content, or `nil` where its checksum is wrong.
    fileprivate func bytes(
        _ column: Int32, _ kind: RowChecksum.Kind, checksumAt checksum: Int32, of chunk: PhotoChunk
    ) -> [UInt8]? {
        let bytes = bytes(column)
        guard ChunkContent.checksum(kind, bytes, ofChunk: chunk.id ?? 0) == integer(checksum) else { return nil }
        return bytes
    }
}

/// What tells whether something that was read earlier still holds.
package struct StreamMark: Hashable, Sendable {
    /// The key of the stream's last change-log row, 0 before the first.
    package let revision: Revision
    /// The generation of the stored chunks, `nil` where none count.
    package let generation: Int64?
    /// The log was read up to here.
    let logEnd: Int64

    /// Whether it was read in a later state of the file.
    package func isLater(than other: StreamMark) -> Bool { logEnd > other.logEnd }

    /// Whether the stream was in the same state, whatever happened to others.
    package func isSameState(as other: StreamMark) -> Bool {
        revision == other.revision && generation == other.generation
    }
}

/// Up to where a stream's stored chunks are.
struct StreamIndexRow {
    let consumedRevision: Int64
    let streamRevision: Int64
    let photoCount: Int
    let generation: Int64

    /// The checksum of the row.
    func checksum(streamID: Int64) -> Int64 {
        var sum = RowChecksum(.streamIndex)
        for number in [streamID, consumedRevision, streamRevision, Int64(photoCount), generation] { sum.add(number) }
        return sum.value
    }
}
