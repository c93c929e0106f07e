import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamStorage

/// Lays out a stream within one read transaction, with as little folding as the placements that are known allow.
struct LayoutResolver {
    let engine: LayoutEngine
    let reader: PhotoReader
    /// The contents of chunks that are in memory.
    let contents: ChunkContents
    /// The layout as it was at an earlier revision, if it is at hand.
    let earlier: LaidOutStream?
    /// The layout's row in the file, if it has one.
    let stored: StoredLayout?

    /// The stream, laid out as of this transaction, whose chunks these are.
    ///
    /// Walks the chunks with the layout's state. A known placement holds when it was made from the chunk's version and
    /// from the very state that arrives there; then its exit state goes on and nothing is computed. So after an edit
    /// folding begins at the first touched chunk and ends as soon as the old state is met again. A layout that folds
    /// backward walks from the last chunk to the first.
    ///
    /// - Parameters:
    ///   - chunks: The stream's chunks as of the reader's transaction.
    ///   - willFold: Called before each chunk that is folded; what it throws ends the work.
    ///   - check: Called within a chunk whose fold may take long; what it throws ends the work.
    ///   - progress: Called after each chunk with the part that is done, up to 1; what it throws ends the work.
    /// - Returns: The layout, and how many chunks were folded for it.
    /// - Throws: What reading, `willFold`, `check` and `progress` throw.
    /// - Complexity: O(chunks + photos of the chunks that are folded).
    func resolve(
        _ chunks: StreamChunks, willFold: () throws -> Void, check: () throws -> Void,
        progress: (Double) throws -> Void
    ) throws -> (laidOut: LaidOutStream, foldedCount: Int) {
        if engine.readsPositions { return (map(chunks), 0) }
        var foldedCount = 0
        let known = try knownPlacements()
        var directory = LayoutDirectory(engine)
        var placements: [StoredPlacement] = []
        var isStored: [Bool] = []
        placements.reserveCapacity(chunks.chunks.count)
        isStored.reserveCapacity(chunks.chunks.count)
        var state = engine.initialState.encoded
        for position in engine.foldOrder(ofChunks: chunks.chunks.count) {
            let chunk = chunks.chunks[position]
            if let found = chunk.id.flatMap({ known[$0] }), found.placement.version == chunk.version,
                found.placement.entryState == state, let sections = sections(of: found.placement, chunk)
            {
                placements.append(found.placement)
                isStored.append(found.isStored)
                directory.append(count: chunk.count, ChunkExtents(found.placement), sections)
            } else {
                if !engine.placesByFunction {
                    try willFold()
                    foldedCount += 1
                }
                let result = try fold(chunk, chunks.generation, from: state, check)
                placements.append(StoredPlacement(chunk, entryState: state, result))
                isStored.append(false)
                directory.append(count: chunk.count, result.extents, result.sections)
            }
            state = placements[placements.count - 1].exitState
            try progress(Double(placements.count) / Double(chunks.chunks.count))
        }
        if engine.foldsBackward {
            placements.reverse()
            isStored.reverse()
        }
        let ending = engine.close(try engine.state(decoding: state))
        directory.finish(ending)
        let laidOut = LaidOutStream(
            chunks: chunks, directory: directory, placements: placements, isStored: isStored,
            endingFrames: ending.frames, storedID: stored?.id)
        return (laidOut, foldedCount)
    }

    /// Placements by chunk id, and whether the file has them.
    ///
    /// Chunk ids are never used again and versions only grow, so a placement that was known once is never wrong, only
    /// useless.
    private func knownPlacements() throws -> [Int64: (placement: StoredPlacement, isStored: Bool)] {
        guard let earlier else {
            guard let stored, stored.isKept else { return [:] }
            return try reader.placements(layoutID: stored.id).mapValues { ($0, true) }
        }
        var known: [Int64: (placement: StoredPlacement, isStored: Bool)] = [:]
        known.reserveCapacity(earlier.placements.count)
        // Of a row that was dropped meanwhile nothing is stored any more.
        let isSameRow = earlier.storedID != nil && earlier.storedID == stored?.id
        for (placement, isStored) in zip(earlier.placements, earlier.isStored) where placement.chunkID != 0 {
            known[placement.chunkID] = (placement, isStored && isSameRow)
        }
        return known
    }

    /// A map, which folds and stores nothing: the directory of the chunks says where all of it is.
    private func map(_ chunks: StreamChunks) -> LaidOutStream {
        var directory = LayoutDirectory(engine)
        for chunk in chunks.chunks {
            directory.append(count: chunk.count, ChunkExtents(mapOf: chunk.positions, count: chunk.count), [])
        }
        let ending = engine.close(engine.initialState)
        directory.finish(ending)
        return LaidOutStream(
            chunks: chunks, directory: directory, placements: [], isStored: [], endingFrames: ending.frames,
            storedID: nil)
    }

    /// The sections that begin in a chunk, if all that a stored placement says can be read: the file may be damaged.
    private func sections(of placement: StoredPlacement, _ chunk: StreamChunk) -> [SectionStart]? {
        guard let entry = try? engine.state(decoding: placement.entryState),
            let exit = try? engine.state(decoding: placement.exitState),
            entry.pendingCount + chunk.count - exit.pendingCount == placement.placedCount
        else { return nil }
        return [SectionStart](decoding: placement.sections, count: chunk.count)
    }

    private func fold(
        _ chunk: StreamChunk, _ generation: Int64?, from state: [UInt8], _ check: () throws -> Void
    ) throws -> ChunkPlacement {
        try engine.place(
            try metrics(of: chunk, generation), from: try engine.state(decoding: state), checking: check)
    }

    private func metrics(of chunk: StreamChunk, _ generation: Int64?) throws -> PackedMetrics {
        guard engine.readsMetrics else { return .unread(count: chunk.count) }
        // The content of a chunk that was changed in memory is not the stored one.
        guard chunk.unsavedContent == nil, let known = contents.known(chunk, generation) else {
            return try reader.metrics(of: chunk)
        }
        return known.metrics
    }
}

extension StoredPlacement {
    /// What is to be stored of a placement.
    init(_ chunk: StreamChunk, entryState: [UInt8], _ placement: ChunkPlacement) {
        let extents = placement.extents
        self.init(
            chunkID: chunk.id ?? 0, version: chunk.version, entryState: entryState,
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
