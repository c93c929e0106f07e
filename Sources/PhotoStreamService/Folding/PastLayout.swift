import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamStorage

/// A layout as it was at a revision, made from the layout as it is.
///
/// Only the chunks that a change lies in differ from those of now, so all other placements are remembered. Of the chunks
/// that are folded only the states are kept; their frames are made again when they are asked for.
struct PastLayout: LayoutSource {
    /// Consecutive photos as they were.
    private struct Piece {
        /// The chunk that they still are; `nil` where a change lies.
        var chunk: Int?
        /// The values that a layout read of them; `nil` if the chunk holds them.
        var metrics: PackedMetrics?
        var count: Int
    }

    // Placing takes memory by the photo, so chunks that many photos were deleted from are placed in parts.
    private static let pieceLength = 2_048

    private let now: PlacedStream
    private let pieces: [Piece]
    private let fold: StreamFold

    var directory: LayoutDirectory { fold.directory }
    private var engine: LayoutEngine { directory.engine }

    /// The number of pieces that had to be folded.
    var foldedCount: Int { fold.foldedCount }

    /// Lays out a stream as it was.
    ///
    /// - Parameters:
    ///   - past: The stream.
    ///   - now: The layout as it is.
    ///   - work: Accounts for the chunks that are folded.
    ///   - progress: Called after each piece with the part that is done, up to 1. An error that it throws ends the work.
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
        let metrics = try metrics(of: directory.chunks[position].placed)
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

    /// The metrics of what a run placed, some of which may belong to pieces before it.
    private func metrics(of range: Range<Int>) throws -> PackedMetrics {
        guard engine.readsMetrics else { return .unread(count: range.count) }
        var parts: [PackedMetrics] = []
        var position = directory.chunk(containing: range.lowerBound) ?? pieces.count
        while position < pieces.count, directory.chunks[position].items.lowerBound < range.upperBound {
            let items = directory.chunks[position].items
            let part = range.clamped(to: items)
            parts.append(
                try Self.metrics(of: pieces[position], now)[
                    part.lowerBound - items.lowerBound..<part.upperBound - items.lowerBound])
            position += 1
        }
        return parts.count == 1 ? parts[0] : PackedMetrics(joining: parts)
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
