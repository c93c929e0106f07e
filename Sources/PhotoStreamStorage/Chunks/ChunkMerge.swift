import PhotoStreamModel

/// A row of the change log, as chunk repair uses it.
struct LoggedPlace {
    /// The photo's row id when the row was written.
    let rowID: Int64
    let kind: ChangeRow.Kind
    let old: OrderKey?
    let new: OrderKey?
}

/// The rows of the log that touch one chunk.
struct ChunkTouch {
    /// The row ids of photos that may have been added, removed or changed; may contain duplicates.
    var rowIDs: [Int64] = []
    /// The row ids that the chunk must contain, since the log records them there.
    var expected: [Int64] = []
    /// Whether the log does not show which photos left the chunk.
    var isUnclear = false
}

extension [PhotoChunk] {
    /// Groups rows of the log, oldest first, by the chunk that they touch.
    ///
    /// A row names a photo by the row id that it has afterwards. If another program changed a row id, the log does not
    /// contain the old id: then a row records a photo at a place that it did not have according to the earlier rows or
    /// the chunk's content, and the chunk must be read again.
    func touches(_ log: [LoggedPlace]) -> [Int: ChunkTouch] {
        guard !isEmpty else { return [:] }
        var touches: [Int: ChunkTouch] = [:]
        var places: [Int64: OrderKey?] = [:]
        places.reserveCapacity(log.count)
        for row in log {
            let known = places[row.rowID]
            if let old = row.old, let position = position(covering: old) {
                touches[position, default: ChunkTouch()].rowIDs.append(row.rowID)
                switch (row.kind, known) {
                case (.possiblyReplaced, _): break
                case (_, .none): touches[position, default: ChunkTouch()].expected.append(row.rowID)
                case (_, .some(let place)) where place != old:
                    touches[position, default: ChunkTouch()].isUnclear = true
                default: break
                }
            }
            if let new = row.new, let position = position(covering: new) {
                touches[position, default: ChunkTouch()].rowIDs.append(row.rowID)
            }
            places[row.rowID] = .some(row.kind == .possiblyReplaced ? row.old : row.new)
        }
        return touches
    }
}

extension ChunkBuilder {
    /// The number of rows read in stream order in the time of one look-up, measured in decision 0023.
    static let lookUpCost = 4

    /// Returns a chunk's current photos, merged from its old content and a few look-ups for each touched photo.
    ///
    /// Used if that costs less than reading the whole chunk again.
    ///
    /// - Parameters:
    ///   - chunk: The chunk.
    ///   - touch: The rows of the log that touch it.
    ///   - first: The first place that it covers; `nil` for the start of the stream.
    ///   - end: The first place of the next chunk; `nil` for the end of the stream.
    /// - Returns: The photos, or `nil` if the whole chunk must be read.
    /// - Throws: `DatabaseError` if SQLite fails.
    /// - Complexity: O(photos of the chunk + touched photos · log photos of the stream).
    func merged(
        _ chunk: PhotoChunk, with touch: ChunkTouch, from first: OrderKey?, to end: OrderKey?
    ) throws -> OpenChunk? {
        let touched = Set(touch.rowIDs)
        guard !touch.isUnclear, touched.count * Self.lookUpCost < chunk.count else { return nil }
        let old = try reader.content(of: chunk)
        var gone: [Int] = []
        for id in touched {
            if let position = old.rowIDs.position(of: id) {
                gone.append(position)
            } else if touch.expected.contains(id) {
                return nil
            }
        }
        var merge = ChunkMerge(old: old, gone: gone.sorted())
        for row in try rows(touched, from: first, to: end) {
            var previous = try place(before: row.key)
            if let first, let place = previous, place.key > first { previous = nil }
            guard merge.insert(row, after: previous?.rowID) else { return nil }
        }
        let content = merge.finished()
        guard let id = content.rowIDs.ids.first else { return OpenChunk() }
        let firstKey = id == old.rowIDs[0] && !touched.contains(id) ? chunk.firstKey : try key(ofRow: id)
        return OpenChunk(firstKey: firstKey, content: content)
    }

    /// Returns those photos that are in a range of the stream, in stream order.
    private func rows(_ ids: Set<Int64>, from first: OrderKey?, to end: OrderKey?) throws -> [ChunkRow] {
        let statement = try RawStatement(reader.database, sql: Self.rowSQL)
        var rows: [ChunkRow] = []
        // In file order, so that neighbours share pages.
        for id in ids.sorted() {
            try statement.bind(streamID, id)
            guard let row = try statement.first({ try ChunkRow($0) }) else { continue }
            if first.map({ row.key <= $0 }) ?? true, end.map({ row.key > $0 }) ?? true { rows.append(row) }
        }
        return rows.sorted { $0.key > $1.key }
    }

    /// Returns the photo directly before a place in stream order.
    private func place(before key: OrderKey) throws -> PhotoPlace? {
        try reader.database.first(Self.previousSQL, with: streamID, key.time, key.rank) {
            PhotoPlace(rowID: try $0.rowID(0), key: try $0.orderKey(1))
        }
    }

    /// One photo row of a stream, unless it is hidden.
    static let rowSQL = "SELECT \(ChunkRow.columns) FROM photo WHERE streamId = ?1 AND id = ?2 AND stackRank = 0"

    /// The photo before a place.
    static let previousSQL = """
        SELECT id, orderTime, orderRank FROM photo INDEXED BY photoPlace
        WHERE stackRank = 0 AND streamId = ? AND (orderTime, orderRank) > (?, ?) ORDER BY orderTime, orderRank LIMIT 1
        """
}

/// Merges changed photos into the unchanged photos of a chunk.
private struct ChunkMerge {
    private let old: ChunkContent
    /// The positions of removed photos, ascending.
    private let gone: [Int]
    private var goneCount = 0
    /// The number of old photos consumed.
    private var passed = 0
    private var parts: [PackedMetrics] = []
    private var ids: [Int64] = []

    init(old: ChunkContent, gone: [Int]) {
        (self.old, self.gone) = (old, gone)
        ids.reserveCapacity(old.count + 16)
    }

    /// Inserts a photo.
    ///
    /// Photos must be inserted in stream order.
    ///
    /// - Returns: Whether its predecessor is in the chunk, or it is the first photo.
    mutating func insert(_ row: ChunkRow, after previous: Int64?) -> Bool {
        guard let previous else {
            guard ids.isEmpty else { return false }
            append(row)
            return true
        }
        if ids.last != previous {
            guard let position = old.rowIDs.ids[passed...].firstIndex(of: previous) else { return false }
            pass(to: position + 1)
            guard ids.last == previous else { return false }
        }
        append(row)
        return true
    }

    /// Returns the content, with the remaining old photos.
    mutating func finished() -> ChunkContent {
        pass(to: old.count)
        return ChunkContent(metrics: PackedMetrics(joining: parts), rowIDs: PackedRowIDs(ids))
    }

    private mutating func append(_ row: ChunkRow) {
        parts.append(PackedMetrics(CollectionOfOne(row.metrics)))
        ids.append(row.id)
    }

    /// Copies the old photos up to a position, except the removed ones.
    private mutating func pass(to end: Int) {
        while passed < end {
            let next = goneCount < gone.count ? min(gone[goneCount], end) : end
            if passed < next {
                parts.append(old.metrics[passed..<next])
                ids += old.rowIDs.ids[passed..<next]
            }
            passed = next
            guard next < end else { return }
            (passed, goneCount) = (next + 1, goneCount + 1)
        }
    }
}
