import PhotoStreamModel

/// Builds chunks from photo rows: all chunks of a stream, or only those that changes touch.
struct ChunkBuilder {
    let reader: PhotoReader
    let streamID: Int64
    /// Called before each chunk is built, with the fraction of the stream's photos done so far.
    ///
    /// An error ends the work.
    var willMake: (Double) throws -> Void = { _ in }

    private var size: ChunkSize { reader.file.chunkSize }

    /// Builds every chunk of the stream in one pass in stream order.
    func rebuild(revision: Revision, consumed: Revision, generation: Int64?) throws -> StreamChunks {
        let photoCount = try reader.photoCount(in: streamID)
        var chunks: [PhotoChunk] = []
        var open = OpenChunk()
        try forEachPhoto(from: nil, to: nil) { row in
            if open.content.count == 0 {
                try willMake(min(1, Double(chunks.count * size.target) / Double(max(1, photoCount))))
            }
            open.append(row)
            guard open.content.count == size.target else { return }
            chunks.append(open.closed(version: revision.rawValue))
            open = OpenChunk()
        }
        if open.content.count > 0 { chunks.append(open.closed(version: revision.rawValue)) }
        return StreamChunks(
            streamID: streamID, revision: revision, chunks: chunks, consumedRevision: consumed,
            generation: generation, isUnsaved: true)
    }

    /// Consecutive chunks of a stream, and the first place of the next one; `nil` after the last photo.
    typealias Slice = (chunks: [PhotoChunk], next: OrderKey?)

    /// Builds some chunks of the stream, in stream order.
    ///
    /// - Parameters:
    ///   - place: The place to begin at; `nil` for the first photo.
    ///   - end: The place to end before; `nil` for the end of the stream.
    ///   - limit: The maximum number of chunks; `nil` for no limit.
    ///   - version: The version of the chunks.
    /// - Returns: The chunks. The next slice begins at `end`, unless the limit was reached before.
    /// - Throws: `DatabaseError` if SQLite fails, and errors of ``willMake``, whose fraction is always 0 here.
    func slice(from place: OrderKey?, to end: OrderKey?, limit: Int?, version: Int64) throws -> Slice {
        var chunks: [PhotoChunk] = []
        var open = OpenChunk()
        var next = end
        try forEachPhoto(from: place, to: end, limit: limit.map { $0 * size.target + 1 }) { row in
            guard chunks.count < limit ?? .max else { return next = row.key }
            if open.content.count == 0 { try willMake(0) }
            open.append(row)
            guard open.content.count == size.target else { return }
            chunks.append(open.closed(version: version))
            open = OpenChunk()
        }
        if open.content.count > 0 { chunks.append(open.closed(version: version)) }
        return (chunks, next)
    }

    /// Returns the place that is `count` full chunks after another; `nil` if the stream ends before.
    ///
    /// - Complexity: O(skipped photos), in the index only.
    func place(afterChunks count: Int, from place: OrderKey?) throws -> OrderKey? {
        try reader.database.first(
            Self.placeSQL, with: streamID, place?.time ?? .max, place?.rank ?? .max, Int64(count * size.target)
        ) { try $0.orderKey(0) }
    }

    /// Brings the chunks touched by rows of the log, oldest first, up to date; all chunks if the log is `nil`.
    ///
    /// A chunk covers the places from its first key down to the next chunk's; the first chunk also covers everything
    /// before it. So every place, old or new, belongs to exactly one chunk, and only those chunks are updated.
    func repair(_ chunks: [PhotoChunk], after log: [LoggedPlace]?, version: Int64) throws -> [PhotoChunk] {
        guard !chunks.isEmpty else {
            return try rebuild(revision: Revision(version), consumed: Revision(0), generation: nil).chunks
        }
        let touches = log.map { chunks.touches($0) }
        var result: [PhotoChunk] = []
        result.reserveCapacity(chunks.count)
        var madeCount = 0
        for (position, chunk) in chunks.enumerated() {
            let touch = touches?[position]
            guard touches == nil || touch != nil else {
                result.append(chunk)
                continue
            }
            try willMake(Double(madeCount) / Double(chunks.count))
            madeCount += 1
            let (first, end) = (
                position == 0 ? nil : chunk.firstKey, position + 1 == chunks.count ? nil : chunks[position + 1].firstKey
            )
            let fresh =
                try touch.flatMap { try merged(chunk, with: $0, from: first, to: end) } ?? read(from: first, to: end)
            guard fresh.content.count > 0 else { continue }
            var next = try fresh.replacing(chunk, version: version, reader: reader)
            next.follow(chunk, naming: touch?.rowIDs)
            result.append(next)
        }
        return try balance(result, version: version)
    }

    /// Reads all photos of a range of the stream.
    private func read(from first: OrderKey?, to end: OrderKey?) throws -> OpenChunk {
        var chunk = OpenChunk()
        try forEachPhoto(from: first, to: end) { chunk.append($0) }
        return chunk
    }

    /// Splits chunks that have become too large and merges those that have become too small.
    private func balance(_ chunks: [PhotoChunk], version: Int64) throws -> [PhotoChunk] {
        var result: [PhotoChunk] = []
        result.reserveCapacity(chunks.count)
        for chunk in chunks {
            if let last = result.last, min(last.count, chunk.count) < size.minimum,
                last.unsavedContent != nil || chunk.unsavedContent != nil
            {
                result[result.count - 1] = try joined(last, with: chunk, version: version)
            } else {
                result.append(chunk)
            }
        }
        return try result.flatMap { $0.count > size.maximum ? try split($0, version: version) : [$0] }
    }

    private func joined(_ first: PhotoChunk, with second: PhotoChunk, version: Int64) throws -> PhotoChunk {
        let (head, tail) = (try reader.content(of: first), try reader.content(of: second))
        let content = ChunkContent(
            metrics: PackedMetrics(joining: [head.metrics, tail.metrics]),
            rowIDs: PackedRowIDs(head.rowIDs.ids + tail.rowIDs.ids))
        return PhotoChunk(id: nil, firstKey: first.firstKey, version: version, content: content)
    }

    private func split(_ chunk: PhotoChunk, version: Int64) throws -> [PhotoChunk] {
        let content = try reader.content(of: chunk)
        let parts = (chunk.count + size.target - 1) / size.target
        return try (0..<parts).map { part in
            let range = part * chunk.count / parts..<(part + 1) * chunk.count / parts
            let ids = Array(content.rowIDs.ids[range])
            return PhotoChunk(
                id: nil, firstKey: part == 0 ? chunk.firstKey : try key(ofRow: ids[0]), version: version,
                content: ChunkContent(metrics: content.metrics[range], rowIDs: PackedRowIDs(ids)))
        }
    }

    func key(ofRow id: Int64) throws -> OrderKey {
        guard let key = try reader.database.first(PhotoSQL.keyByRowID, with: id, read: { try $0.orderKey(0) }) else {
            throw ReadInterruption.contradiction("photo row \(id) is missing; `photostream cache clear` repairs it")
        }
        return key
    }

    /// Reads photo rows in stream order, from `first` (inclusive) to `end` (exclusive).
    ///
    /// `nil` means no bound and no limit.
    private func forEachPhoto(
        from first: OrderKey?, to end: OrderKey?, limit: Int? = nil, body: (ChunkRow) throws -> Void
    ) throws {
        let statement = try RawStatement(
            reader.database, sql: Self.rowsSQL, with: streamID, first?.time ?? .max, first?.rank ?? .max,
            end?.time ?? .min,
            end?.rank ?? .min, limit ?? -1)
        var last: OrderKey?
        try statement.forEach { statement in
            let row = try ChunkRow(statement)
            // A damaged index may loop.
            if let last, row.key >= last { throw StorageError.unordered }
            last = row.key
            try body(row)
        }
    }

    /// A range of photo rows in stream order.
    ///
    /// Both bounds are row values, so the index serves them.
    static let rowsSQL = """
        SELECT \(ChunkRow.columns)
        FROM photo INDEXED BY photoPlace
        WHERE stackRank = 0 AND streamId = ? AND (orderTime, orderRank) <= (?, ?) AND (orderTime, orderRank) > (?, ?)
        ORDER BY orderTime DESC, orderRank DESC LIMIT ?
        """

    /// The key of the photo at an offset after another.
    private static let placeSQL = """
        SELECT orderTime, orderRank FROM photo INDEXED BY photoPlace
        WHERE stackRank = 0 AND streamId = ? AND (orderTime, orderRank) <= (?, ?)
        ORDER BY orderTime DESC, orderRank DESC LIMIT 1 OFFSET ?
        """
}

extension PhotoChunk {
    /// Creates a chunk with content that is not in the file.
    init(id: Int64?, firstKey: OrderKey, version: Int64, content: ChunkContent) {
        self.init(
            id: id, firstKey: firstKey, count: content.count, version: version,
            positions: content.metrics.positionSummary, unsavedContent: content)
    }
}

extension RawStatement {
    /// Returns the position of the place in a latitude column and the longitude column after it; `nil` if they are
    /// NULL.
    func position(_ column: Int32) -> WorldPosition? {
        guard !isNull(column) else { return nil }
        return (try? Coordinate(latitude: double(column), longitude: double(column + 1))).map(WorldPosition.init)
    }
}

/// A photo row, as chunks use it.
struct ChunkRow {
    let id: Int64
    let key: OrderKey
    let metrics: ItemMetrics

    /// Reads a row with ``columns``.
    ///
    /// - Throws: ``DamagedValue`` for values that this program never writes.
    init(_ row: RawStatement) throws {
        id = try row.rowID(0)
        key = try row.orderKey(1)
        metrics = ItemMetrics(
            pixelSize: try row.pixelSize(3), hasCaption: row.integer(5) != 0,
            orderDate: PhotoRow.order(row, at: 8).date(ofOrderTime: key.time), position: row.position(6))
    }

    // The scalars of Unicode's White_Space property: a caption of only these counts as none, as in
    // `StoredPhoto.itemMetrics`.
    private static let whiteSpace = """
        char(9, 10, 11, 12, 13, 32, 133, 160, 5760, 8192, 8193, 8194, 8195, 8196, 8197, 8198, 8199, 8200, 8201, 8202, \
        8232, 8233, 8239, 8287, 12288)
        """

    /// The columns that ``init(_:)`` reads.
    static let columns = """
        id, orderTime, orderRank, width, height, caption IS NOT NULL AND trim(caption, \(whiteSpace)) <> '',
            latitude, longitude, streamOrder
        """
}

/// A chunk under construction.
struct OpenChunk {
    private(set) var firstKey = OrderKey(time: .min, rank: .min)
    private(set) var content = ChunkContent(metrics: PackedMetrics(words: EmptyCollection()), rowIDs: PackedRowIDs())

    mutating func append(_ row: ChunkRow) {
        if content.count == 0 { firstKey = row.key }
        content.metrics.append(row.metrics)
        content.rowIDs.append(row.id)
    }

    func closed(version: Int64) -> PhotoChunk {
        PhotoChunk(id: nil, firstKey: firstKey, version: version, content: content)
    }

    /// Returns a chunk with this content in place of a stored one.
    ///
    /// The version stays if no stored layout can tell the difference, which includes a change of positions only.
    ///
    /// A chunk that begins at another photo is another chunk. Two processes that follow the log in different steps may
    /// begin a chunk at different photos, and the results for one must never be mistaken for the other's. So a stored
    /// chunk never changes its first place, and two chunks in use never share one.
    func replacing(_ chunk: PhotoChunk, version: Int64, reader: PhotoReader) throws -> PhotoChunk {
        let old = try reader.content(of: chunk)
        guard old != content || firstKey != chunk.firstKey else { return chunk }
        return PhotoChunk(
            id: firstKey == chunk.firstKey ? chunk.id : nil, firstKey: firstKey,
            version: old.metrics.isEqualButForPositions(content.metrics) ? chunk.version : version, content: content)
    }
}
