import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamStorage

/// A layout as it was at a revision, made from the layout as it is.
///
/// Of the chunks of now only those that a change lies in are other than they were. The walk over them is that of
/// ``LayoutResolver``: where a chunk is as it was and the state that arrives there is the one that it was placed from, its
/// placement stands; else it is folded here, and of that nothing but the state is kept.
struct PastLayout: LayoutSource {
    /// Consecutive photos as they were.
    private struct Piece {
        /// The chunk that they still are; `nil` where a change lies.
        var chunk: Int?
        /// What a layout read of them; `nil` where that is what the chunk holds.
        var metrics: PackedMetrics?
        var count: Int
        /// The state that they are placed from; `nil` where the chunk's own placement stands.
        var state: LayoutState?
    }

    // Placing takes memory by the photo, so chunks that many photos were deleted from are placed in parts.
    private static let pieceLength = 2_048

    let directory: LayoutDirectory
    private let now: PlacedStream
    private let pieces: [Piece]
    private let endingFrames: PackedFrames

    private var engine: LayoutEngine { directory.engine }

    /// Lays out a stream as it was.
    ///
    /// - Parameters:
    ///   - past: The stream.
    ///   - now: The layout as it is.
    ///   - willFold: Called before each chunk that is folded; what it throws ends the work.
    ///   - check: Called within a chunk whose fold may take long; what it throws ends the work.
    ///   - progress: Called before each chunk with the part that is done; what it throws ends the work.
    /// - Throws: What reading, `willFold`, `check` and `progress` throw.
    /// - Complexity: O(chunks + photos of the chunks that are folded).
    init(
        _ past: PastStream, now: PlacedStream, willFold: () throws -> Void = {}, check: () throws -> Void = {},
        progress: (Double) throws -> Void = { _ in }
    ) throws {
        let engine = now.directory.engine
        var pieces = past.metrics.enumerated().flatMap { position, metrics in
            metrics.map(Self.pieces) ?? [Piece(chunk: position, count: now.directory.chunks[position].items.count)]
        }
        pieces.removeAll { $0.count == 0 }
        var directory = LayoutDirectory(engine)
        var state = engine.initialState.encoded
        for (step, position) in engine.foldOrder(ofChunks: pieces.count).enumerated() {
            try progress(Double(step) / Double(pieces.count))
            let piece = pieces[position]
            if engine.readsPositions {
                // A map is no fold: where all of it is follows from what each piece holds.
                let extents = ChunkExtents(mapOf: Self.positions(of: piece, now), count: piece.count)
                directory.append(count: piece.count, extents, [])
            } else if let chunk = piece.chunk, let sections = now.sections(ofChunk: chunk, from: state) {
                let placement = now.laidOut.placements[chunk]
                directory.append(count: piece.count, ChunkExtents(placement), sections)
                state = placement.exitState
            } else {
                if !engine.placesByFunction { try willFold() }
                let entry = try engine.state(decoding: state)
                let placement = try engine.place(try Self.metrics(of: piece, now), from: entry, checking: check)
                directory.append(count: piece.count, placement.extents, placement.sections)
                pieces[position].state = entry
                state = placement.exitState.encoded
            }
        }
        let ending = engine.close(try engine.state(decoding: state))
        directory.finish(ending)
        self.directory = directory
        self.now = now
        self.pieces = pieces
        endingFrames = ending.frames
    }

    /// How many pieces had to be folded.
    var foldedCount: Int { pieces.count { $0.state != nil } }

    func placedChunk(at position: Int) throws -> PlacedChunk {
        let metrics = try metrics(of: directory.chunks[position].placed)
        if let (chunk, _) = engine.mapChunk(metrics) { return chunk }
        return PlacedChunk(metrics: metrics, frames: try frames(of: position))
    }

    private func frames(of position: Int) throws -> PackedFrames {
        guard pieces.indices.contains(position) else { return endingFrames }
        let piece = pieces[position]
        if let chunk = piece.chunk, piece.state == nil { return try now.placedChunk(at: chunk).frames }
        return try engine.place(
            try Self.metrics(of: piece, now), from: piece.state ?? engine.initialState,
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

    private static func positions(of piece: Piece, _ now: PlacedStream) -> PositionSummary {
        if let metrics = piece.metrics { return metrics.positionSummary }
        return piece.chunk.map { now.laidOut.chunks.chunks[$0].positions } ?? PackedMetrics([]).positionSummary
    }

    private static func pieces(_ metrics: PackedMetrics) -> [Piece] {
        let count = (metrics.count + pieceLength - 1) / pieceLength
        return (0..<count).map { part in
            let range = part * metrics.count / count..<(part + 1) * metrics.count / count
            return Piece(chunk: nil, metrics: metrics[range], count: range.count)
        }
    }
}

extension PlacedStream {
    /// The sections that begin in a chunk, where it was placed from a state; `nil` where it was placed from another.
    fileprivate func sections(ofChunk position: Int, from state: [UInt8]) -> [SectionStart]? {
        let placement = laidOut.placements[position]
        guard placement.entryState == state else { return nil }
        return [SectionStart](decoding: placement.sections, count: laidOut.chunks.chunks[position].count)
    }
}
