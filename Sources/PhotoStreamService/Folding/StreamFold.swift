import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamStorage

/// A layout of a stream, computed by a walk over its chunks that folds only those without a valid known placement.
///
/// The fold lays out the current stream or an earlier revision. The pieces are the chunks of the file; in an earlier
/// revision, photos replace each chunk that contains a change. See `ChunkWalk` for the walk.
struct StreamFold {
    /// Consecutive photos that are placed together: a chunk, or photos of an earlier revision.
    struct Piece {
        let count: Int
        /// The known placement of exactly these photos, if any.
        let known: StoredPlacement?
        /// The chunk's id and version for the placement; 0 for photos that are not a chunk of the file.
        var chunkID: Int64 = 0
        var version: Int64 = 0
    }

    /// The data of pieces that the walk reads, by their positions.
    struct Contents {
        let metrics: (Int) throws -> PackedMetrics
        let positions: (Int) throws -> PositionSummary
        /// The positions of all photos, for a map with clusters.
        var index: PositionIndex?
    }

    let directory: LayoutDirectory
    /// The placements, one for each piece; empty for a map, which is not a fold.
    let placements: [StoredPlacement]
    /// For each piece, whether its known placement was reused.
    let isReused: [Bool]
    /// The frames of the items that are still open after the last piece.
    let endingFrames: PackedFrames

    /// The number of folded pieces, without those whose places a function computes.
    var foldedCount: Int { directory.engine.placesByFunction ? 0 : isReused.count { !$0 } }

    /// Lays out pieces.
    ///
    /// - Parameters:
    ///   - engine: The layout.
    ///   - pieces: The photos in stream order.
    ///   - contents: The metrics of folded pieces, and the positions of the pieces of a map.
    ///   - isTrusted: Whether the known placements are sound. Those of a file may be damaged.
    ///   - work: Counts the folded chunks.
    ///   - progress: Called after each piece with the fraction done, up to 1. An error ends the work.
    /// - Throws: The errors of reading, `work` and `progress`.
    /// - Complexity: O(pieces + photos of folded pieces).
    init(
        _ engine: LayoutEngine, pieces: [Piece], contents: Contents, isTrusted: Bool, work: ChunkWork?,
        progress: (Double) throws -> Void
    ) throws {
        var directory = LayoutDirectory(engine)
        guard !engine.readsPositions else {
            // The directory of the chunks describes a map completely.
            for (position, piece) in pieces.enumerated() {
                let extents = ChunkExtents(mapOf: try contents.positions(position), count: piece.count)
                directory.append(count: piece.count, extents: extents, sections: [])
            }
            let ending = engine.close(engine.initialState)
            directory.finish(ending, positions: contents.index)
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
        // The walk visits each piece, because the directory lists all.
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

    /// Returns whether the states of a stored placement can be read and agree with its counts.
    private static func isSound(_ placement: StoredPlacement, count: Int, engine: LayoutEngine) -> Bool {
        guard let entry = try? engine.state(decoding: placement.entryState),
            let exit = try? engine.state(decoding: placement.exitState)
        else { return false }
        return entry.pendingCount + count - exit.pendingCount == placement.placedCount
    }
}

extension LaidOutStream {
    /// Lays out a stream as of the reader's transaction, and folds only chunks without a valid known placement.
    ///
    /// - Parameters:
    ///   - chunks: The stream's chunks as of the transaction.
    ///   - engine: The layout.
    ///   - earlier: The layout at an earlier revision, if it is cached.
    ///   - stored: The layout's row in the file, if it has one.
    ///   - positions: The positions of the stream's photos, for a map with clusters.
    ///   - reader: The transaction.
    ///   - contents: The cache of chunk contents.
    ///   - work: Counts the folded chunks.
    ///   - progress: Called after each chunk with the fraction done, up to 1. An error ends the work.
    /// - Returns: The layout, and the number of chunks that were folded.
    /// - Throws: The errors of reading, `work` and `progress`.
    /// - Complexity: O(chunks + photos of folded chunks).
    static func folding(
        _ chunks: StreamChunks, with engine: LayoutEngine, earlier: LaidOutStream?, stored: StoredLayout?,
        positions: StreamPositions?, reader: PhotoReader, contents: ChunkContents, work: ChunkWork,
        progress: (Double) throws -> Void
    ) throws -> (laidOut: LaidOutStream, foldedCount: Int) {
        let known = engine.readsPositions ? [:] : try placements(earlier: earlier, stored: stored, reader)
        let unsaved = engine.readsPositions ? [:] : earlier?.unsavedPlacements ?? [:]
        let pieces = chunks.chunks.map { chunk in
            guard let id = chunk.id else {
                return StreamFold.Piece(count: chunk.count, known: unsaved[chunk.mark], version: chunk.version)
            }
            // Ids of chunks are never reused and versions only grow, so a placement of this version belongs to these
            // photos.
            let placement = known[id]?.placement
            return StreamFold.Piece(
                count: chunk.count, known: placement?.version == chunk.version ? placement : nil,
                chunkID: id, version: chunk.version)
        }
        var source = StreamFold.Contents { position in
            let chunk = chunks.chunks[position]
            guard engine.readsMetrics else { return .unread(count: chunk.count) }
            // The content of a chunk that was changed in memory differs from the stored one.
            guard chunk.unsavedContent == nil, let content = contents.known(chunk, generation: chunks.generation) else {
                return try reader.metrics(of: chunk)
            }
            return content.metrics
        } positions: { position in
            chunks.chunks[position].positions
        }
        source.index = positions?.index
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

    /// Returns the known placements by chunk id, and whether the file has them.
    private static func placements(
        earlier: LaidOutStream?, stored: StoredLayout?, _ reader: PhotoReader
    ) throws -> [Int64: (placement: StoredPlacement, isStored: Bool)] {
        guard let earlier else {
            guard let stored else { return [:] }
            return try reader.placements(layoutID: stored.id).mapValues { ($0, true) }
        }
        var known: [Int64: (placement: StoredPlacement, isStored: Bool)] = [:]
        known.reserveCapacity(earlier.placements.count)
        // A row that was deleted in the meantime has no placements any more.
        let isSameRow = earlier.storedID != nil && earlier.storedID == stored?.id
        for (placement, isStored) in zip(earlier.placements, earlier.isStored) where placement.chunkID != 0 {
            known[placement.chunkID] = (placement, isStored && isSameRow)
        }
        return known
    }
}

extension LaidOutStream {
    /// The placements of the chunks that are not in the file, by the marks of the chunks.
    fileprivate var unsavedPlacements: [ChunkMark: StoredPlacement] {
        zip(chunks.chunks, placements).reduce(into: [:]) { known, pair in
            if pair.0.id == nil { known[pair.0.mark] = pair.1 }
        }
    }
}

extension StoredPlacement {
    /// Creates the placement of a piece.
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
