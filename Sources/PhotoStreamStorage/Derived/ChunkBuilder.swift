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
        var chunks: [PhotoChunk] = []
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
    typealias Slice = (chunks: [PhotoChunk], next: OrderKey?)

    /// Some chunks of the stream, made in stream order.
    ///
    /// - Parameters:
    ///   - place: Where to begin; `nil` for the first photo.
    ///   - end: Where to end, that photo not included; `nil` for nowhere before the last photo.
    ///   - limit: The most chunks; `nil` for as many as there are.
    ///   - version: Their version.
    /// - Returns: The chunks. Behind the end they go on there.
    /// - Throws: `DatabaseError` when SQLite fails, and what ``willMake`` throws, which is told no part.
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

    /// Where the photos behind so many chunks begin; `nil` where there are none.
    ///
    /// - Complexity: O(photos that are passed), by the index alone.
    func place(behindChunks count: Int, from place: OrderKey?) throws -> OrderKey? {
        let statement = try RawStatement(reader.database, Self.placeSQL)
        statement.bind(1, streamID)
        statement.bind(2, place?.time ?? .max)
        statement.bind(3, place?.rank ?? .max)
        statement.bind(4, Int64(count * size.target))
        return try statement.first { try $0.orderKey(0) }
    }

    /// The chunks after what rows of the log say, from the oldest to the newest, or after anything where that is `nil`.
    ///
    /// A chunk covers the places from its first key down to the next chunk's; the first chunk covers what lies before
    /// it, too. So every place, old or new, lies in just one, and only those are brought up to date.
    func repair(_ chunks: [PhotoChunk], after log: [LoggedPlace]?, version: Int64) throws -> [PhotoChunk] {
        guard !chunks.isEmpty else {
            return try rebuild(revision: version, consumed: 0, generation: nil).chunks
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
                try touch.flatMap { try merged(chunk, $0, from: first, to: end) } ?? read(from: first, to: end)
            if fresh.content.count > 0 { result.append(try fresh.replacing(chunk, version: version, reader)) }
        }
        return try balance(result, version: version)
    }

    /// All photos of a part of the stream.
    private func read(from first: OrderKey?, to end: OrderKey?) throws -> OpenChunk {
        var chunk = OpenChunk()
        try forEachPhoto(from: first, to: end) { chunk.append($0) }
        return chunk
    }

    /// Splits chunks that have grown too large and merges those that have become too small.
    private func balance(_ chunks: [PhotoChunk], version: Int64) throws -> [PhotoChunk] {
        var result: [PhotoChunk] = []
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

    private func merged(_ first: PhotoChunk, _ second: PhotoChunk, version: Int64) throws -> PhotoChunk {
        let (head, tail) = (try reader.content(of: first), try reader.content(of: second))
        let content = ChunkContent(
            metrics: PackedMetrics(joining: [head.metrics, tail.metrics]),
            rowIDs: PackedRowIDs(head.rowIDs.ids + tail.rowIDs.ids))
        return PhotoChunk(id: nil, firstKey: first.firstKey, version: version, content)
    }

    private func split(_ chunk: PhotoChunk, version: Int64) throws -> [PhotoChunk] {
        let content = try reader.content(of: chunk)
        let parts = (chunk.count + size.target - 1) / size.target
        return try (0..<parts).map { part in
            let range = part * chunk.count / parts..<(part + 1) * chunk.count / parts
            let ids = Array(content.rowIDs.ids[range])
            return PhotoChunk(
                id: nil, firstKey: part == 0 ? chunk.firstKey : try key(ofRow: ids[0]), version: version,
                ChunkContent(metrics: content.metrics[range], rowIDs: PackedRowIDs(ids)))
        }
    }

    func key(ofRow id: Int64) throws -> OrderKey {
        let statement = try RawStatement(reader.database, PhotoSQL.keyByRowID)
        statement.bind(1, id)
        guard let key = try statement.first({ try $0.orderKey(0) }) else {
            throw DerivedDamage("photo row \(id) is missing; `photostream cache clear` repairs it")
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
        var last: OrderKey?
        try statement.forEach { statement in
            let row = try ChunkRow(statement)
            // A damaged index may lead round in a circle.
            if let last, row.key >= last { throw StorageError.unordered }
            last = row.key
            try body(row)
        }
    }

    /// A range of photo rows in stream order, both bounds as row values, so that the index serves it.
    static let rowsSQL = """
        SELECT \(ChunkRow.columns)
        FROM photo INDEXED BY photoPlace
        WHERE streamId = ? AND (orderTime, orderRank) <= (?, ?) AND (orderTime, orderRank) > (?, ?)
        ORDER BY orderTime DESC, orderRank DESC LIMIT ?
        """

    /// The key of the photo so many behind another.
    private static let placeSQL = """
        SELECT orderTime, orderRank FROM photo INDEXED BY photoPlace
        WHERE streamId = ? AND (orderTime, orderRank) <= (?, ?)
        ORDER BY orderTime DESC, orderRank DESC LIMIT 1 OFFSET ?
        """
}
