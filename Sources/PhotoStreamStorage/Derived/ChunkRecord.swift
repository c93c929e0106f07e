import PhotoStreamModel

/// A row of the table `chunk`.
struct ChunkRecord {
    /// What a stored chunk is there for.
    enum State: Int64 {
        /// It belongs to the stream's directory.
        case counted = 0
        /// A rebuild has written it and will put it in the place of those that count.
        case staged = 1
        /// It was replaced and is to be deleted.
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

    /// The sides of the box around the positions, as the row holds them.
    var sides: [Int64?] {
        let box = chunk.positions.box
        return [box?.minX, box?.maxX, box?.minY, box?.maxY].map { $0.map(Int64.init) }
    }
}

extension ChunkRecord {
    /// The columns of ``init(_:)``, in its order.
    static let columns = """
        id, streamId, state, firstTime, firstRank, photoCount, version, locatedCount, minX, maxX, minY, maxY, checksum
        """

    /// Reads a row with ``columns``; fails where it does not say what its checksum says.
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
    /// The checksum of a blob of a chunk's content.
    static func checksum(_ kind: RowChecksum.Kind, _ bytes: [UInt8], ofChunk chunkID: Int64) -> Int64 {
        var sum = RowChecksum(kind)
        sum.add(chunkID)
        sum.add(bytes)
        return sum.value
    }
}

extension PhotoReader {
    /// The rows of a stream's chunks in a state, in stream order.
    ///
    /// - Parameters:
    ///   - streamID: The stream.
    ///   - state: The state.
    ///   - body: Takes each row's id and what it holds; `nil` where its checksum is wrong.
    /// - Throws: ``StorageError``.
    func forEachChunk(
        of streamID: Int64, _ state: ChunkRecord.State, _ body: (Int64, ChunkRecord?) -> Void
    ) throws {
        let sql = """
            SELECT \(ChunkRecord.columns) FROM chunk WHERE streamId = ? AND state = ?
            ORDER BY firstTime DESC, firstRank DESC
            """
        let statement = try RawStatement(database, sql)
        statement.bind(1, streamID)
        statement.bind(2, state.rawValue)
        try statement.forEach { body($0.integer(0), ChunkRecord($0)) }
    }
}
