import PhotoStreamModel

/// A row of the change log as chunks take it in.
struct LoggedPlace {
    /// The row id that the photo had when the row was written.
    let rowID: Int64
    let kind: ChangeRow.Kind
    let old: OrderKey?
    let new: OrderKey?
}

/// What rows of the log say of one chunk.
struct ChunkTouch {
    /// The row ids of the photos that may have come, gone or changed; some more than once.
    var rowIDs: [Int64] = []
    /// Those that the chunk must hold, as the log says that they stood there.
    var expected: [Int64] = []
    /// Whether the log does not tell which photos left it.
    var isUnclear = false
}

extension [PhotoChunk] {
    /// What rows of the log, from the oldest to the newest, say of each chunk; of none that no row touches.
    ///
    /// A row names a photo by the row id that it had afterwards. Where somebody has changed a photo's row id, its old one
    /// is named nowhere: then the row says of a photo that it stood where, by the rows before or by what the chunk holds,
    /// it did not stand, and the chunk has to be read again.
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
                case (.perhapsReplaced, _): break
                case (_, .none): touches[position, default: ChunkTouch()].expected.append(row.rowID)
                case (_, .some(let place)) where place != old:
                    touches[position, default: ChunkTouch()].isUnclear = true
                default: break
                }
            }
            if let new = row.new, let position = position(covering: new) {
                touches[position, default: ChunkTouch()].rowIDs.append(row.rowID)
            }
            places[row.rowID] = .some(row.kind == .perhapsReplaced ? row.old : row.new)
        }
        return touches
    }
}

extension ChunkBuilder {
    /// How many rows can be read in stream order while one that has changed is looked up: measured, see decision 0023.
    static let lookUpCost = 4

    /// A chunk's photos as they are in this transaction, from those that it held and those that may have changed: a few
    /// look-ups for each of the latter, where that costs less than reading all of the chunk again.
    ///
    /// - Parameters:
    ///   - chunk: The chunk.
    ///   - touch: What happened to it.
    ///   - first: The place that it covers first; `nil` for the head of the stream.
    ///   - end: The place behind the last that it covers; `nil` for the end of the stream.
    /// - Returns: The photos, or `nil` where all of them have to be read.
    /// - Throws: What SQLite reports.
    /// - Complexity: O(photos of the chunk + touched photos · log photos of the stream).
    func merged(
        _ chunk: PhotoChunk, _ touch: ChunkTouch, from first: OrderKey?, to end: OrderKey?
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
            guard merge.insert(row, behind: previous?.rowID) else { return nil }
        }
        let content = merge.finished()
        guard let id = content.rowIDs.ids.first else { return OpenChunk() }
        let firstKey = id == old.rowIDs[0] && !touched.contains(id) ? chunk.firstKey : try key(ofRow: id)
        return OpenChunk(firstKey: firstKey, content: content)
    }

    /// Those of some photos that stand in a part of the stream, in stream order.
    private func rows(_ ids: Set<Int64>, from first: OrderKey?, to end: OrderKey?) throws -> [ChunkRow] {
        let statement = try RawStatement(reader.database, Self.rowSQL)
        statement.bind(1, streamID)
        var rows: [ChunkRow] = []
        // Neighbours in the file one after the other.
        for id in ids.sorted() {
            statement.bind(2, id)
            guard let row = try statement.first({ try ChunkRow($0) }) else { continue }
            if first.map({ row.key <= $0 }) ?? true, end.map({ row.key > $0 }) ?? true { rows.append(row) }
        }
        return rows.sorted { $0.key > $1.key }
    }

    /// The photo directly before a place in stream order.
    private func place(before key: OrderKey) throws -> PhotoPlace? {
        let statement = try RawStatement(reader.database, Self.previousSQL)
        statement.bind(1, streamID)
        statement.bind(2, key.time)
        statement.bind(3, key.rank)
        return try statement.first {
            PhotoPlace(rowID: try $0.rowID(0), key: try $0.orderKey(1))
        }
    }

    /// One photo row of a stream.
    static let rowSQL = "SELECT \(ChunkRow.columns) FROM photo WHERE streamId = ?1 AND id = ?2"

    /// The photo before a place.
    static let previousSQL = """
        SELECT id, orderTime, orderRank FROM photo INDEXED BY photoPlace
        WHERE streamId = ? AND (orderTime, orderRank) > (?, ?) ORDER BY orderTime, orderRank LIMIT 1
        """
}

/// A chunk's content while photos that have changed are put among those that have not.
private struct ChunkMerge {
    private let old: ChunkContent
    /// The positions of the old photos that are left out, ascending.
    private let gone: [Int]
    private var goneCount = 0
    /// How many of the old photos were passed.
    private var passed = 0
    private var parts: [PackedMetrics] = []
    private var ids: [Int64] = []

    init(old: ChunkContent, gone: [Int]) {
        (self.old, self.gone) = (old, gone)
        ids.reserveCapacity(old.count + 16)
    }

    /// Puts a photo in; they come in stream order.
    ///
    /// - Returns: Whether the photo that it stands behind is here, or it is the first.
    mutating func insert(_ row: ChunkRow, behind previous: Int64?) -> Bool {
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

    /// The content, with what is left of the old photos.
    mutating func finished() -> ChunkContent {
        pass(to: old.count)
        return ChunkContent(metrics: PackedMetrics(joining: parts), rowIDs: PackedRowIDs(ids))
    }

    private mutating func append(_ row: ChunkRow) {
        parts.append(PackedMetrics(CollectionOfOne(row.metrics)))
        ids.append(row.id)
    }

    /// Takes over the old photos up to a position, without those that are left out.
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
