import PhotoStreamModel

/// A row of the table `chunk`.
struct ChunkRecord {
    /// The state of a stored chunk.
    enum State: Int64 {
        /// In use: the chunk belongs to its stream's directory.
        case counted = 0
        /// Written by a rebuild, which will swap it in.
        case staged = 1
        /// Replaced, and waiting to be deleted.
        case discarded = 2
    }

    let streamID: Int64
    let state: State
    /// The chunk, with its id.
    let chunk: PhotoChunk

    /// The checksum of the row.
    var checksum: Int64 {
        var sum = RowChecksum(.chunk)
        sum.add(chunk.id ?? 0)
        sum.add(streamID)
        sum.add(state.rawValue)
        sum.add(chunk.firstKey.time)
        sum.add(chunk.firstKey.rank)
        sum.add(Int64(chunk.count))
        sum.add(chunk.version)
        sum.add(Int64(chunk.positions.count))
        for side in sides { sum.add(optional: side) }
        return sum.value
    }

    /// The sides of the bounding box of the positions, as stored.
    var sides: [Int64?] {
        let box = chunk.positions.box
        return [box?.minX, box?.maxX, box?.minY, box?.maxY].map { $0.map(Int64.init) }
    }
}

extension ChunkRecord {
    /// The columns that ``init(_:)`` reads, in order.
    static let columns = """
        id, streamId, state, firstTime, firstRank, photoCount, version, locatedCount, minX, maxX, minY, maxY, checksum
        """

    /// Reads a row with ``columns``; fails if its checksum is wrong.
    init?(_ row: RawStatement) {
        guard let state = State(rawValue: row.integer(2)), ChunkSize.range.contains(Int(row.integer(5))) else {
            return nil
        }
        let sides = (Int32(8)...11).compactMap { row.optionalInteger($0).flatMap(UInt32.init(exactly:)) }
        let box =
            sides.count == 4 && sides[0] <= sides[1] && sides[2] <= sides[3]
            ? WorldBox(minX: sides[0], maxX: sides[1], minY: sides[2], maxY: sides[3]) : nil
        guard let positions = PositionSummary(count: Int(row.integer(7)), box: box), positions.count <= row.integer(5)
        else { return nil }
        self.init(
            streamID: row.integer(1), state: state,
            chunk: PhotoChunk(
                id: row.integer(0), firstKey: OrderKey(time: row.integer(3), rank: row.integer(4)),
                count: Int(row.integer(5)), version: row.integer(6), positions: positions))
        guard checksum == row.integer(12) else { return nil }
    }
}

extension ChunkContent {
    /// Returns the checksum of one blob of a chunk's content.
    static func checksum(of bytes: [UInt8], kind: RowChecksum.Kind, ofChunk chunkID: Int64) -> Int64 {
        var sum = RowChecksum(kind)
        sum.add(chunkID)
        sum.add(bytes)
        return sum.value
    }
}

extension PhotoReader {
    /// Calls a closure with each of a stream's chunks in a state, in stream order.
    ///
    /// - Parameters:
    ///   - streamID: The stream.
    ///   - state: The state.
    ///   - body: Receives each row's id and its content; `nil` if its checksum is wrong.
    /// - Throws: ``StorageError``.
    func forEachChunk(
        of streamID: Int64, in state: ChunkRecord.State, body: (Int64, ChunkRecord?) -> Void
    ) throws {
        let sql = """
            SELECT \(ChunkRecord.columns) FROM chunk WHERE streamId = ? AND state = ?
            ORDER BY firstTime DESC, firstRank DESC
            """
        try database.forEach(sql, with: streamID, state.rawValue) { body($0.integer(0), ChunkRecord($0)) }
    }
}

// Stored as eight bytes per photo, little-endian. Positions are a separate blob of eight bytes per photo; empty if
// there are none.
extension PackedMetrics {
    var encodedPositions: [UInt8] {
        guard positions.contains(where: { $0 != WorldPosition.nowhere }) else { return [] }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(8 * count)
        for position in positions { bytes.append(littleEndian: position) }
        return bytes
    }

    var encoded: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(8 * count)
        for word in words { bytes.append(littleEndian: word) }
        return bytes
    }

    /// Decodes metrics; fails if the number of bytes is wrong, or if a side is zero, by which a layout would divide.
    ///
    /// - Parameters:
    ///   - bytes: The metrics without positions.
    ///   - positions: The positions; empty if they are not needed.
    ///   - count: The number of photos.
    init?(decoding bytes: [UInt8], positions: [UInt8] = [], count: Int) {
        guard bytes.count == 8 * count, positions.isEmpty || positions.count == 8 * count else { return nil }
        self.init(
            words: [UInt64](littleEndian: bytes, count: count),
            positions: [UInt64](littleEndian: positions, count: positions.count / 8))
        let (mask, bits) = (Self.sideMask, UInt64(Self.sideBitCount))
        guard words.allSatisfy({ $0 & mask != 0 && $0 >> bits & mask != 0 }) else { return nil }
    }
}

/// The row ids of a chunk's photos, in stream order.
///
/// They are valid only in the read transaction whose revision the chunk has: SQLite may reuse the row id of a deleted
/// photo.
package struct PackedRowIDs: Hashable, Sendable {
    /// The ids, one per photo.
    package private(set) var ids: [Int64]

    /// Wraps ids.
    package init(_ ids: [Int64] = []) {
        self.ids = ids
    }

    /// The number of photos.
    package var count: Int { ids.count }

    /// Returns the row id of the photo at a position.
    package subscript(position: Int) -> Int64 { ids[position] }

    /// Returns the position of a photo.
    ///
    /// - Complexity: O(n).
    package func position(of id: Int64) -> Int? { ids.firstIndex(of: id) }

    mutating func append(_ id: Int64) { ids.append(id) }
}

// Stored as the least id in eight bytes, followed by each id's distance from it, in four bytes each if all fit, or else
// eight.
extension PackedRowIDs {
    var encoded: [UInt8] {
        let (least, greatest) = (ids.min() ?? 0, ids.max() ?? 0)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(8 + 4 * ids.count)
        bytes.append(littleEndian: UInt64(bitPattern: least))
        let fits = greatest &- least <= Int64(UInt32.max)
        for id in ids {
            if fits {
                bytes.append(littleEndian: UInt32(truncatingIfNeeded: id - least))
            } else {
                bytes.append(littleEndian: UInt64(bitPattern: id - least))
            }
        }
        return bytes
    }

    /// - Returns: `nil` if the number of bytes is wrong.
    init?(decoding bytes: [UInt8], count: Int) {
        guard count > 0, bytes.count >= 8 else { return nil }
        let least = Int64(bitPattern: bytes.littleEndian(UInt64.self, at: 0))
        switch bytes.count - 8 {
        case 4 * count:
            ids = [UInt32](littleEndian: bytes, from: 8, count: count).map { least &+ Int64($0) }
        case 8 * count:
            ids = [UInt64](littleEndian: bytes, from: 8, count: count).map { least &+ Int64(bitPattern: $0) }
        default: return nil
        }
    }
}
