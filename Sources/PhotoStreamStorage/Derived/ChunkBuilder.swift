import PhotoStreamModel

/// Makes chunks of photo rows: all of a stream's, or those that changes have touched.
struct ChunkBuilder {
    let reader: PhotoReader
    let streamID: Int64
    /// Called before each chunk that is made of photo rows, with the part of the stream's photos that were made before;
    /// what it throws ends the work.
    var willMake: (Double) throws -> Void = { _ in }

    private var size: ChunkSize { reader.chunkSize }

    /// Every chunk of the stream, made in one pass in stream order.
    func rebuild(revision: Int64, consumed: Int64, generation: Int64?) throws -> StreamChunks {
        let photoCount = try reader.photoCount(in: streamID)
        var chunks: [StreamChunk] = []
        var open = OpenChunk()
        try forEachPhoto(from: nil, to: nil) { row in
            if open.content.count == 0 {
                try willMake(min(1, Double(chunks.count * size.target) / Double(max(1, photoCount))))
            }
            open.append(row)
            guard open.content.count == size.target else { return }
            chunks.append(open.closed(version: revision))
            open = OpenChunk()
        }
        if open.content.count > 0 { chunks.append(open.closed(version: revision)) }
        return StreamChunks(
            streamID: streamID, revision: revision, chunks: chunks, consumedRevision: consumed,
            generation: generation, isUnsaved: true)
    }

    /// Some chunks of a stream, and the place where the next begins; `nil` behind the last photo.
    typealias Slice = (chunks: [StreamChunk], next: OrderKey?)

    /// Some chunks of the stream, made in stream order.
    ///
    /// - Parameters:
    ///   - place: Where to begin; `nil` for the first photo.
    ///   - end: Where to end, that photo not included; `nil` for nowhere before the last photo.
    ///   - limit: The most chunks; `nil` for as many as there are.
    ///   - version: Their version.
    /// - Returns: The chunks. Behind the end they go on there.
    /// - Throws: `DatabaseError` when SQLite fails.
    func slice(from place: OrderKey?, to end: OrderKey?, limit: Int?, version: Int64) throws -> Slice {
        var chunks: [StreamChunk] = []
        var open = OpenChunk()
        var next = end
        try forEachPhoto(from: place, to: end, limit: limit.map { $0 * size.target + 1 }) { row in
            guard chunks.count < limit ?? .max else { return next = row.key }
            open.append(row)
            guard open.content.count == size.target else { return }
            chunks.append(open.closed(version: version))
            open = OpenChunk()
        }
        if open.content.count > 0 { chunks.append(open.closed(version: version)) }
        return (chunks, next)
    }

    /// Where the photos behind so many chunks begin; `nil` where there are none.
    ///
    /// - Complexity: O(photos that are passed), by the index alone.
    func place(behindChunks count: Int, from place: OrderKey?) throws -> OrderKey? {
        let statement = try RawStatement(reader.database, Self.placeSQL)
        statement.bind(1, streamID)
        statement.bind(2, place?.time ?? .max)
        statement.bind(3, place?.rank ?? .max)
        statement.bind(4, Int64(count * size.target))
        return try statement.first { OrderKey(time: $0.integer(0), rank: $0.integer(1)) }
    }

    /// The chunks after photos have come, gone or changed at `keys`, or anywhere where that is `nil`.
    ///
    /// A chunk covers the places from its first key down to the next chunk's; the first chunk covers what lies before
    /// it, too. So every place, old or new, lies in just one, and only those are read again.
    func repair(_ chunks: [StreamChunk], at keys: [OrderKey]?, version: Int64) throws -> [StreamChunk] {
        guard !chunks.isEmpty else {
            return try rebuild(revision: version, consumed: 0, generation: nil).chunks
        }
        let touched = keys.map { Set($0.compactMap { chunks.position(covering: $0) }) }
        var result: [StreamChunk] = []
        result.reserveCapacity(chunks.count)
        var madeCount = 0
        for (position, chunk) in chunks.enumerated() {
            guard touched?.contains(position) ?? true else {
                result.append(chunk)
                continue
            }
            try willMake(Double(madeCount) / Double(chunks.count))
            madeCount += 1
            var fresh = OpenChunk()
            try forEachPhoto(
                from: position == 0 ? nil : chunk.firstKey,
                to: position + 1 == chunks.count ? nil : chunks[position + 1].firstKey
            ) { fresh.append($0) }
            if fresh.content.count > 0 { result.append(try fresh.replacing(chunk, version: version, reader)) }
        }
        return try balance(result, version: version)
    }

    /// Splits chunks that have grown too large and merges those that have become too small.
    private func balance(_ chunks: [StreamChunk], version: Int64) throws -> [StreamChunk] {
        var result: [StreamChunk] = []
        result.reserveCapacity(chunks.count)
        for chunk in chunks {
            if let last = result.last, min(last.count, chunk.count) < size.minimum,
                last.unsavedContent != nil || chunk.unsavedContent != nil
            {
                result[result.count - 1] = try merged(last, chunk, version: version)
            } else {
                result.append(chunk)
            }
        }
        return try result.flatMap { $0.count > size.maximum ? try split($0, version: version) : [$0] }
    }

    private func merged(_ first: StreamChunk, _ second: StreamChunk, version: Int64) throws -> StreamChunk {
        let (head, tail) = (try reader.content(of: first), try reader.content(of: second))
        let content = ChunkContent(
            metrics: PackedMetrics(joining: [head.metrics, tail.metrics]),
            rowIDs: PackedRowIDs(head.rowIDs.ids + tail.rowIDs.ids))
        return StreamChunk(id: nil, firstKey: first.firstKey, version: version, content)
    }

    private func split(_ chunk: StreamChunk, version: Int64) throws -> [StreamChunk] {
        let content = try reader.content(of: chunk)
        let parts = (chunk.count + size.target - 1) / size.target
        return try (0..<parts).map { part in
            let range = part * chunk.count / parts..<(part + 1) * chunk.count / parts
            let ids = Array(content.rowIDs.ids[range])
            return StreamChunk(
                id: nil, firstKey: part == 0 ? chunk.firstKey : try key(ofRow: ids[0]), version: version,
                ChunkContent(metrics: content.metrics[range], rowIDs: PackedRowIDs(ids)))
        }
    }

    private func key(ofRow id: Int64) throws -> OrderKey {
        let statement = try RawStatement(reader.database, "SELECT orderTime, orderRank FROM photo WHERE id = ?")
        statement.bind(1, id)
        guard let key = try statement.first({ OrderKey(time: $0.integer(0), rank: $0.integer(1)) }) else {
            throw StorageError(.corrupt, "photo row \(id) is missing; `photostream cache clear` repairs it")
        }
        return key
    }

    /// The rows from a place, itself included, down to another, itself not, in stream order; `nil` is either end, and no
    /// limit.
    private func forEachPhoto(
        from first: OrderKey?, to end: OrderKey?, limit: Int? = nil, _ body: (ChunkRow) throws -> Void
    ) throws {
        let statement = try RawStatement(reader.database, Self.rowsSQL)
        statement.bind(1, streamID)
        statement.bind(2, first?.time ?? .max)
        statement.bind(3, first?.rank ?? .max)
        statement.bind(4, end?.time ?? .min)
        statement.bind(5, end?.rank ?? .min)
        statement.bind(6, limit.map(Int64.init) ?? -1)
        try statement.forEach { row in
            let key = OrderKey(time: row.integer(1), rank: row.integer(2))
            try body(
                ChunkRow(
                    id: row.integer(0),
                    key: key,
                    metrics: ItemMetrics(
                        pixelSize: PixelSize(
                            uncheckedWidth: Int32(clamping: row.integer(3)), height: Int32(clamping: row.integer(4))),
                        hasCaption: row.integer(5) != 0,
                        orderDay: key.day, position: row.position(6))))
        }
    }

    // The scalars of Unicode's White_Space property: a caption of nothing else is none, as `StoredPhoto.itemMetrics` has it.
    private static let whiteSpace = """
        char(9, 10, 11, 12, 13, 32, 133, 160, 5760, 8192, 8193, 8194, 8195, 8196, 8197, 8198, 8199, 8200, 8201, 8202, \
        8232, 8233, 8239, 8287, 12288)
        """

    /// A range of photo rows in stream order, both bounds as row values, so that the index serves it.
    static let rowsSQL = """
        SELECT id, orderTime, orderRank, width, height, caption IS NOT NULL AND trim(caption, \(whiteSpace)) <> '',
            latitude, longitude
        FROM photo INDEXED BY photoOrder
        WHERE streamId = ? AND (orderTime, orderRank) <= (?, ?) AND (orderTime, orderRank) > (?, ?)
        ORDER BY orderTime DESC, orderRank DESC LIMIT ?
        """

    /// The key of the photo so many behind another.
    private static let placeSQL = """
        SELECT orderTime, orderRank FROM photo INDEXED BY photoOrder
        WHERE streamId = ? AND (orderTime, orderRank) <= (?, ?)
        ORDER BY orderTime DESC, orderRank DESC LIMIT 1 OFFSET ?
        """
}

extension StreamChunk {
    /// A chunk that holds what is not in the file.
    fileprivate init(id: Int64?, firstKey: OrderKey, version: Int64, _ content: ChunkContent) {
        self.init(
            id: id, firstKey: firstKey, count: content.count, version: version,
            positions: content.metrics.positionSummary, unsavedContent: content)
    }
}

extension RawStatement {
    /// The position of a place whose latitude is a column and whose longitude is the next; `nil` where they are NULL.
    func position(_ column: Int32) -> WorldPosition? {
        guard !isNull(column) else { return nil }
        return (try? Coordinate(latitude: double(column), longitude: double(column + 1))).map(WorldPosition.init)
    }
}

/// A photo row as a chunk takes it in.
private struct ChunkRow {
    let id: Int64
    let key: OrderKey
    let metrics: ItemMetrics
}

/// A chunk while rows are added to it.
private struct OpenChunk {
    private var firstKey = OrderKey(time: .min, rank: .min)
    private(set) var content = ChunkContent(metrics: PackedMetrics(words: EmptyCollection()), rowIDs: PackedRowIDs())

    mutating func append(_ row: ChunkRow) {
        if content.count == 0 { firstKey = row.key }
        content.metrics.append(row.metrics)
        content.rowIDs.append(row.id)
    }

    func closed(version: Int64) -> StreamChunk {
        StreamChunk(id: nil, firstKey: firstKey, version: version, content)
    }

    /// This content in the place of a stored chunk's: the version stays where no layout of which anything is stored can
    /// tell the difference, so also where only positions differ.
    ///
    /// One that begins elsewhere is another chunk. Two processes that have followed the log in other steps may begin it
    /// at different photos, and what one computed for it must never be taken for the other's. So what is stored of a
    /// chunk keeps its place for good, too, and whatever is stored beside it has another.
    func replacing(_ chunk: StreamChunk, version: Int64, _ reader: PhotoReader) throws -> StreamChunk {
        let old = try reader.content(of: chunk)
        guard old != content || firstKey != chunk.firstKey else { return chunk }
        return StreamChunk(
            id: firstKey == chunk.firstKey ? chunk.id : nil, firstKey: firstKey,
            version: old.metrics.isEqualButForPositions(content.metrics) ? chunk.version : version, content)
    }
}
