import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamStorage

/// A layout at an earlier revision, computed from the current layout.
///
/// Only chunks that contain a change differ from the current ones, so all other placements are reused. Only the states
/// of folded chunks are kept; their frames are computed again on demand.
struct PastLayout: LayoutSource {
    /// Consecutive photos of the earlier revision.
    private struct Piece {
        /// The chunk that still has exactly these photos; `nil` if it has changed.
        var chunk: Int?
        /// The metrics of the photos; `nil` if the chunk has them.
        var metrics: PackedMetrics?
        var count: Int
    }

    // Placing needs memory for each photo, so the photos of a chunk that has shrunk much are placed in parts.
    private static let pieceLength = 2_048

    private let now: PlacedStream
    private let pieces: [Piece]
    private let fold: StreamFold

    var directory: LayoutDirectory { fold.directory }
    private var engine: LayoutEngine { directory.engine }

    /// The number of pieces that had to be folded.
    var foldedCount: Int { fold.foldedCount }

    /// Lays out an earlier revision of a stream.
    ///
    /// - Parameters:
    ///   - past: The stream at the earlier revision.
    ///   - now: The current layout.
    ///   - work: Counts the folded chunks.
    ///   - progress: Called after each piece with the fraction done, up to 1. An error ends the work.
    /// - Throws: The errors of reading, `work` and `progress`.
    /// - Complexity: O(chunks + photos of the chunks that are folded).
    init(
        _ past: PastStream, now: PlacedStream, work: ChunkWork? = nil,
        progress: (Double) throws -> Void = { _ in }
    ) throws {
        let engine = now.directory.engine
        var pieces = past.metrics.enumerated().flatMap { position, metrics in
            metrics.map(Self.pieces) ?? [Piece(chunk: position, count: now.directory.chunks[position].items.count)]
        }
        pieces.removeAll { $0.count == 0 }
        let placements = now.laidOut.placements
        let all = pieces
        fold = try StreamFold(
            engine,
            pieces: pieces.map { piece in
                StreamFold.Piece(
                    count: piece.count, known: piece.chunk.flatMap { engine.readsPositions ? nil : placements[$0] })
            },
            contents: StreamFold.Contents { position in
                try Self.metrics(of: all[position], now)
            } positions: { position in
                all[position].metrics?.positionSummary
                    ?? all[position].chunk.map { now.laidOut.chunks.chunks[$0].positions }
                    ?? PackedMetrics([]).positionSummary
            }, isTrusted: true, work: work, progress: progress)
        self.now = now
        self.pieces = pieces
    }

    func placedChunk(at position: Int) throws -> PlacedChunk {
        let metrics = try directory.metrics(of: directory.chunks[position].placed, chunkCount: pieces.count) { piece in
            try Self.metrics(of: pieces[piece], now)
        }
        if let (chunk, _) = engine.mapChunk(metrics) { return chunk }
        return PlacedChunk(metrics: metrics, frames: try frames(of: position))
    }

    private func frames(of position: Int) throws -> PackedFrames {
        guard pieces.indices.contains(position) else { return fold.endingFrames }
        let piece = pieces[position]
        if let chunk = piece.chunk, fold.isReused[position] { return try now.placedChunk(at: chunk).frames }
        return try engine.place(
            try Self.metrics(of: piece, now), from: try engine.state(decoding: fold.placements[position].entryState),
            checking: { try Task.checkCancellation() }
        ).frames
    }

    private static func metrics(of piece: Piece, _ now: PlacedStream) throws -> PackedMetrics {
        if let metrics = piece.metrics { return metrics }
        guard let chunk = piece.chunk, now.directory.engine.readsMetrics else { return .unread(count: piece.count) }
        return try now.reader.metrics(
            of: now.laidOut.chunks.chunks[chunk], withPositions: now.directory.engine.readsPositions)
    }

    private static func pieces(_ metrics: PackedMetrics) -> [Piece] {
        let count = (metrics.count + pieceLength - 1) / pieceLength
        return (0..<count).map { part in
            let range = part * metrics.count / count..<(part + 1) * metrics.count / count
            return Piece(chunk: nil, metrics: metrics[range], count: range.count)
        }
    }
}
