import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamStorage

/// A layout of a stream, made by a walk over its chunks that folds only those whose remembered placements do not hold.
///
/// Lays out the stream as it is and as it was: the pieces are the chunks of the file, or, of the past, the same chunks with
/// photos in place of those that a change lies in. See `ChunkWalk` for the walk.
struct StreamFold {
    /// Consecutive photos that are placed together: a chunk, or photos as they were.
    struct Piece {
        let count: Int
        /// The placement of these very photos that is remembered, if any.
        let known: StoredPlacement?
        /// The chunk's id and version for the placement; 0 for photos that are not a chunk of the file.
        var chunkID: Int64 = 0
        var version: Int64 = 0
    }

    /// The source of what the walk reads of the pieces, by their positions.
    struct Contents {
        let metrics: (Int) throws -> PackedMetrics
        let positions: (Int) throws -> PositionSummary
    }

    let directory: LayoutDirectory
    /// One for each piece; empty for a map, which is not a fold.
    let placements: [StoredPlacement]
    /// Whether the remembered placement was reused, one for each piece.
    let isReused: [Bool]
    /// The frames of the items that were still open after the last piece.
    let endingFrames: PackedFrames

    /// The number of pieces that were folded; those whose places are computed do not count.
    var foldedCount: Int { directory.engine.placesByFunction ? 0 : isReused.count { !$0 } }

    /// Lays out pieces.
    ///
    /// - Parameters:
    ///   - engine: The layout.
    ///   - pieces: The photos in stream order.
    ///   - contents: The metrics of pieces that are folded, and the positions of those of a map.
    ///   - isTrusted: Whether the remembered placements are known to be sound. Those of a file may be damaged.
    ///   - work: Accounts for the chunks that are folded.
    ///   - progress: Called after each piece with the part that is done, up to 1. An error that it throws ends the work.
    /// - Throws: The errors of reading, `work` and `progress`.
    /// - Complexity: O(pieces + photos of the pieces that are folded).
    init(
        _ engine: LayoutEngine, pieces: [Piece], contents: Contents, isTrusted: Bool, work: ChunkWork?,
        progress: (Double) throws -> Void
    ) throws {
        var directory = LayoutDirectory(engine)
        guard !engine.readsPositions else {
            // The directory of the chunks holds all that there is to know of a map.
            for (position, piece) in pieces.enumerated() {
                let extents = ChunkExtents(mapOf: try contents.positions(position), count: piece.count)
                directory.append(count: piece.count, extents: extents, sections: [])
            }
            let ending = engine.close(engine.initialState)
            directory.finish(ending)
            self.init(directory: directory, placements: [], isReused: [], endingFrames: ending.frames)
            return
        }
        var placements: [StoredPlacement] = []
        var isReused: [Bool] = []
        placements.reserveCapacity(pieces.count)
        isReused.reserveCapacity(pieces.count)
        func didPlace() throws {
            try work?.check()
            try progress(Double(placements.count) / Double(pieces.count))
        }
        let initialState = engine.initialState.encoded
        let walk = ChunkWalk(count: pieces.count, isBackward: engine.foldsBackward)
        // Each is visited, since the directory is made of all.
        _ = try walk.run(0..<pieces.count) { turn in
            turn == 0 ? initialState : placements[turn - 1].exitState
        } reuse: { position, state in
            let piece = pieces[position]
            guard let placement = piece.known, placement.entryState == state,
                isTrusted || Self.isSound(placement, count: piece.count, engine: engine),
                let sections = [SectionStart](decoding: placement.sections, count: piece.count)
            else { return nil }
            directory.append(count: piece.count, extents: ChunkExtents(placement), sections: sections)
            placements.append(placement)
            isReused.append(true)
            try didPlace()
            return placement.exitState
        } fold: { position, state in
            let piece = pieces[position]
            if !engine.placesByFunction { try work?.beginFold() }
            let result = try engine.place(
                try contents.metrics(position), from: try engine.state(decoding: state),
                checking: { try work?.check() })
            directory.append(count: piece.count, extents: result.extents, sections: result.sections)
            let placement = StoredPlacement(piece, entryState: state, placement: result)
            placements.append(placement)
            isReused.append(false)
            try didPlace()
            return placement.exitState
        }
        let ending = engine.close(try engine.state(decoding: placements.last?.exitState ?? initialState))
        directory.finish(ending)
        if engine.foldsBackward {
            placements.reverse()
            isReused.reverse()
        }
        self.init(directory: directory, placements: placements, isReused: isReused, endingFrames: ending.frames)
    }

    private init(
        directory: LayoutDirectory, placements: [StoredPlacement], isReused: [Bool], endingFrames: PackedFrames
    ) {
        self.directory = directory
        self.placements = placements
        self.isReused = isReused
        self.endingFrames = endingFrames
    }

    /// Whether the states of a stored placement can be read and agree with its counts.
    private static func isSound(_ placement: StoredPlacement, count: Int, engine: LayoutEngine) -> Bool {
        guard let entry = try? engine.state(decoding: placement.entryState),
            let exit = try? engine.state(decoding: placement.exitState)
        else { return false }
        return entry.pendingCount + count - exit.pendingCount == placement.placedCount
    }
}

extension LaidOutStream {
    /// Lays out a stream as of the reader's transaction, with as little folding as the remembered placements allow.
    ///
    /// - Parameters:
    ///   - chunks: The stream's chunks as of the transaction.
    ///   - engine: The layout.
    ///   - earlier: The layout at an earlier revision, if it is in memory.
    ///   - stored: The layout's row in the file, if it has one.
    ///   - reader: The transaction.
    ///   - contents: The contents of chunks in memory.
    ///   - work: Accounts for the chunks that are folded.
    ///   - progress: Called after each chunk with the part that is done, up to 1. An error that it throws ends the work.
    /// - Returns: The layout, and the number of chunks that were folded for it.
    /// - Throws: The errors of reading, `work` and `progress`.
    /// - Complexity: O(chunks + photos of the chunks that are folded).
    static func folding(
        _ chunks: StreamChunks, with engine: LayoutEngine, earlier: LaidOutStream?, stored: StoredLayout?,
        reader: PhotoReader, contents: ChunkContents, work: ChunkWork, progress: (Double) throws -> Void
    ) throws -> (laidOut: LaidOutStream, foldedCount: Int) {
        let known = engine.readsPositions ? [:] : try placements(earlier: earlier, stored: stored, reader)
        let pieces = chunks.chunks.map { chunk in
            // Chunk ids are never used again and versions only grow, so a placement of this version is of these photos.
            let placement = chunk.id.flatMap { known[$0]?.placement }
            return StreamFold.Piece(
                count: chunk.count, known: placement?.version == chunk.version ? placement : nil,
                chunkID: chunk.id ?? 0, version: chunk.version)
        }
        let source = StreamFold.Contents { position in
            let chunk = chunks.chunks[position]
            guard engine.readsMetrics else { return .unread(count: chunk.count) }
            // The content of a chunk that was changed in memory is not the stored one.
            guard chunk.unsavedContent == nil, let content = contents.known(chunk, generation: chunks.generation) else {
                return try reader.metrics(of: chunk)
            }
            return content.metrics
        } positions: { position in
            chunks.chunks[position].positions
        }
        let fold = try StreamFold(
            engine, pieces: pieces, contents: source, isTrusted: earlier != nil, work: work, progress: progress)
        let isStored = zip(fold.isReused, pieces).map { isReused, piece in
            isReused && known[piece.chunkID]?.isStored == true
        }
        let laidOut = LaidOutStream(
            chunks: chunks, directory: fold.directory, placements: fold.placements, isStored: isStored,
            endingFrames: fold.endingFrames, storedID: engine.readsPositions ? nil : stored?.id)
        return (laidOut, fold.foldedCount)
    }

    /// The placements that are remembered, by chunk id, and whether the file has them.
    private static func placements(
        earlier: LaidOutStream?, stored: StoredLayout?, _ reader: PhotoReader
    ) throws -> [Int64: (placement: StoredPlacement, isStored: Bool)] {
        guard let earlier else {
            guard let stored else { return [:] }
            return try reader.placements(layoutID: stored.id).mapValues { ($0, true) }
        }
        var known: [Int64: (placement: StoredPlacement, isStored: Bool)] = [:]
        known.reserveCapacity(earlier.placements.count)
        // A row that was dropped in the meantime has no placements any more.
        let isSameRow = earlier.storedID != nil && earlier.storedID == stored?.id
        for (placement, isStored) in zip(earlier.placements, earlier.isStored) where placement.chunkID != 0 {
            known[placement.chunkID] = (placement, isStored && isSameRow)
        }
        return known
    }
}

extension StoredPlacement {
    /// The placement of a piece, to be remembered.
    init(_ piece: StreamFold.Piece, entryState: [UInt8], placement: ChunkPlacement) {
        let extents = placement.extents
        self.init(
            chunkID: piece.chunkID, version: piece.version, entryState: entryState,
            exitState: placement.exitState.encoded, sections: placement.sections.encoded, advance: extents.advance,
            leastTop: extents.leastTop, greatestEnd: extents.greatestEnd, longestItem: extents.longestItem,
            placedCount: extents.placedCount)
    }
}

extension ChunkExtents {
    init(_ placement: StoredPlacement) {
        self.init(
            advance: placement.advance, placedCount: placement.placedCount, leastTop: placement.leastTop,
            greatestEnd: placement.greatestEnd, longestItem: placement.longestItem)
    }
}
