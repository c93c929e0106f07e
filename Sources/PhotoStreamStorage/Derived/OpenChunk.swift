import PhotoStreamModel

extension PhotoChunk {
    /// A chunk that holds what is not in the file.
    init(id: Int64?, firstKey: OrderKey, version: Int64, _ content: ChunkContent) {
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
struct ChunkRow {
    let id: Int64
    let key: OrderKey
    let metrics: ItemMetrics

    /// Reads a row with ``columns``.
    ///
    /// - Throws: ``DamagedValue`` for one that no program of ours writes.
    init(_ row: RawStatement) throws {
        id = try row.rowID(0)
        key = try row.orderKey(1)
        metrics = ItemMetrics(
            pixelSize: try row.pixelSize(3), hasCaption: row.integer(5) != 0,
            orderDate: PhotoRow.order(row, 8).date(ofOrderTime: key.time), position: row.position(6))
    }

    // The scalars of Unicode's White_Space property: a caption of nothing else is none, as `StoredPhoto.itemMetrics` has it.
    private static let whiteSpace = """
        char(9, 10, 11, 12, 13, 32, 133, 160, 5760, 8192, 8193, 8194, 8195, 8196, 8197, 8198, 8199, 8200, 8201, 8202, \
        8232, 8233, 8239, 8287, 12288)
        """

    /// What is read of a row.
    static let columns = """
        id, orderTime, orderRank, width, height, caption IS NOT NULL AND trim(caption, \(whiteSpace)) <> '',
            latitude, longitude, streamOrder
        """
}

/// A chunk while rows are added to it.
struct OpenChunk {
    private(set) var firstKey = OrderKey(time: .min, rank: .min)
    private(set) var content = ChunkContent(metrics: PackedMetrics(words: EmptyCollection()), rowIDs: PackedRowIDs())

    mutating func append(_ row: ChunkRow) {
        if content.count == 0 { firstKey = row.key }
        content.metrics.append(row.metrics)
        content.rowIDs.append(row.id)
    }

    func closed(version: Int64) -> PhotoChunk {
        PhotoChunk(id: nil, firstKey: firstKey, version: version, content)
    }

    /// This content in the place of a stored chunk's: the version stays where no layout of which anything is stored can
    /// tell the difference, so also where only positions differ.
    ///
    /// One that begins elsewhere is another chunk. Two processes that have followed the log in other steps may begin it
    /// at different photos, and what one computed for it must never be taken for the other's. So what is stored of a
    /// chunk keeps its place for good, too, and whatever is stored beside it has another.
    func replacing(_ chunk: PhotoChunk, version: Int64, _ reader: PhotoReader) throws -> PhotoChunk {
        let old = try reader.content(of: chunk)
        guard old != content || firstKey != chunk.firstKey else { return chunk }
        return PhotoChunk(
            id: firstKey == chunk.firstKey ? chunk.id : nil, firstKey: firstKey,
            version: old.metrics.isEqualButForPositions(content.metrics) ? chunk.version : version, content)
    }
}
