import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamStorage

/// Compares the stored data of a stream with a computation from its photo rows.
struct DerivedVerifier {
    let stream: StreamRow
    /// Runs a part of the work in a read transaction, or nothing if the stream is not in the state that the first one saw;
    /// the answer is then useless.
    let inTransaction: ((PhotoReader) throws -> Void) throws -> Void
    private(set) var answer = VerificationAnswer()
    /// The correct contents of chunks that are stored incorrectly.
    private var damaged: [Int: ChunkContent] = [:]

    init(_ stream: StreamRow, inTransaction: @escaping ((PhotoReader) throws -> Void) throws -> Void) {
        self.stream = stream
        self.inTransaction = inTransaction
    }

    /// The number of chunks that are compared with their photos in one transaction, and of those that are folded in
    /// one.
    private static let (comparedCount, placedCount) = (16, 256)

    mutating func verify() throws {
        var found: StreamChunks?
        var layouts: [StoredLayout] = []
        try inTransaction { reader in
            found = try reader.streamChunks(stream.id) { _ in try Task.checkCancellation() }
            layouts = try reader.layoutSizes().map(\.layout).filter { $0.streamID == stream.id }
        }
        guard let chunks = found?.chunks else { return }
        try verifyChunks(chunks)
        for layout in layouts { try verify(layout, of: chunks) }
    }

    /// Compares the chunks with the rows in stream order.
    private mutating func verifyChunks(_ chunks: [PhotoChunk]) throws {
        var place: OrderKey?
        try forEachPart(of: 0..<chunks.count, count: Self.comparedCount) { verifier, position, reader in
            place = try verifier.verify(chunks[position], at: position, after: place, reader: reader)
        }
        var isBehind = false
        try inTransaction { isBehind = try !$0.photos(streamID: stream.id, after: place, limit: 1).isEmpty }
        if isBehind { answer.differences.append("\(stream.name): photos lie after the last chunk") }
    }

    /// Compares a chunk with the photos after a place; returns the place of the last one.
    private mutating func verify(
        _ chunk: PhotoChunk, at position: Int, after place: OrderKey?, reader: PhotoReader
    ) throws -> OrderKey? {
        let photos = try reader.photos(streamID: stream.id, after: place, limit: chunk.count)
        let content = ChunkContent(
            metrics: PackedMetrics(photos.map(\.itemMetrics)), rowIDs: PackedRowIDs(photos.map(\.rowID)))
        answer.chunkCount += 1
        if chunk.positions != content.metrics.positionSummary {
            answer.differences.append("\(stream.name): chunk \(position) says other positions than its photos")
        }
        if photos.first?.key != chunk.firstKey {
            answer.differences.append("\(stream.name): chunk \(position) begins elsewhere than its first photo")
        }
        if let found = try reader.attributes(of: chunk), found != ChunkAttributes(photos.map(\.photo)) {
            answer.differences.append("\(stream.name): the attributes of chunk \(position) are not those of its photos")
        }
        do {
            if try reader.content(of: chunk) != content {
                answer.differences.append("\(stream.name): chunk \(position) does not hold what its photos say")
                damaged[position] = content
            }
        } catch ReadInterruption.damage(_, let message) {
            answer.differences.append("\(stream.name): \(message)")
            damaged[position] = content
        }
        return photos.last?.key ?? place
    }

    /// Folds the whole layout from scratch, and compares the valid stored data with it.
    private mutating func verify(_ layout: StoredLayout, of chunks: [PhotoChunk]) throws {
        var placements: [Int64: StoredPlacement] = [:]
        var (countedBytes, storedBytes): (Int64, Int64) = (0, 0)
        try inTransaction { reader in
            placements = try reader.placements(layoutID: layout.id)
            countedBytes = try reader.layout(streamID: stream.id, layoutKey: layout.layoutKey)?.byteCount ?? 0
            storedBytes = try reader.storedByteCount(layoutID: layout.id)
        }
        let name = "\(stream.name), \(layout.layoutKey)"
        if countedBytes != storedBytes {
            answer.differences.append("\(name): \(countedBytes) bytes are counted, \(storedBytes) are stored")
        }
        guard let engine = try? LayoutEngine(LayoutKey(parsing: layout.layoutKey)) else {
            // It belongs to another engine version and can no longer be requested.
            answer.outdatedCount += placements.count
            return
        }
        var state = engine.initialState
        let order = engine.foldOrder(ofChunks: chunks.count)
        try forEachPart(of: order, count: Self.placedCount) { verifier, position, reader in
            let chunk = chunks[position]
            let metrics = try verifier.damaged[position]?.metrics ?? reader.metrics(of: chunk, withPositions: true)
            let result = try engine.place(metrics, from: state, checking: { try Task.checkCancellation() })
            let expected = StoredPlacement(
                StreamFold.Piece(count: chunk.count, known: nil, chunkID: chunk.id ?? 0, version: chunk.version),
                entryState: state.encoded, placement: result)
            state = result.exitState
            guard let found = chunk.id.flatMap({ placements[$0] }) else { return }
            let chunkName = "chunk \(position)"
            try verifier.verify(
                found, against: expected, frames: result.frames, layoutName: name, chunkName: chunkName,
                layoutID: layout.id, reader: reader)
        }
    }

    private mutating func verify(
        _ found: StoredPlacement, against expected: StoredPlacement, frames: PackedFrames, layoutName: String,
        chunkName: String, layoutID: Int64, reader: PhotoReader
    ) throws {
        guard found.version == expected.version, found.entryState == expected.entryState else {
            answer.outdatedCount += 1
            return
        }
        answer.placementCount += 1
        if found != expected { answer.differences.append("\(layoutName): the place of \(chunkName) is wrong") }
        guard let stored = try reader.frames(layoutID: layoutID, found) else { return }
        answer.framesCount += 1
        if stored != frames.encoded { answer.differences.append("\(layoutName): the frames of \(chunkName) are wrong") }
    }

    /// Visits positions in order, a number of them in each transaction.
    private mutating func forEachPart(
        of positions: some Sequence<Int>, count: Int,
        _ body: (inout DerivedVerifier, Int, PhotoReader) throws -> Void
    ) throws {
        var rest = Array(positions)[...]
        while !rest.isEmpty {
            try inTransaction { reader in
                for position in rest.prefix(count) {
                    try Task.checkCancellation()
                    try body(&self, position, reader)
                }
            }
            rest = rest.dropFirst(count)
        }
    }
}
