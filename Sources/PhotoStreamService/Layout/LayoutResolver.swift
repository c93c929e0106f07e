import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamStorage

/// Lays out a stream within one read transaction, with as little folding as the stored placements allow.
struct LayoutResolver {
    let engine: LayoutEngine
    let reader: PhotoReader

    /// The stream, laid out as of this transaction, whose chunks these are.
    ///
    /// Walks the chunks with the layout's state. A stored placement holds when it was made from the chunk's version and
    /// from the very state that arrives there; then its exit state goes on and nothing is computed. So after an edit
    /// folding begins at the first touched chunk and ends as soon as the old state is met again. A layout that folds
    /// backward walks from the last chunk to the first.
    ///
    /// - Complexity: O(chunks + photos of the chunks that are folded).
    func resolve(_ chunks: StreamChunks) throws -> LaidOutStream {
        if engine.readsPositions { return map(chunks) }
        let stored = try reader.layout(streamID: chunks.streamID, layoutKey: engine.key.description)
        let known = try stored.map { try reader.placements(layoutID: $0.id) } ?? [:]
        var directory = LayoutDirectory(engine)
        var placements: [StoredPlacement] = []
        placements.reserveCapacity(chunks.chunks.count)
        var folded: [Int: PackedFrames] = [:]
        var state = engine.initialState.encoded
        for position in engine.foldOrder(ofChunks: chunks.chunks.count) {
            let chunk = chunks.chunks[position]
            let placement: StoredPlacement
            if let found = chunk.id.flatMap({ known[$0] }), found.version == chunk.version, found.entryState == state,
                let sections = sections(of: found, chunk)
            {
                placement = found
                directory.append(count: chunk.count, ChunkExtents(found), sections)
            } else {
                let result = try fold(chunk, from: state)
                placement = StoredPlacement(chunk, entryState: state, result)
                folded[position] = result.frames
                directory.append(count: chunk.count, result.extents, result.sections)
            }
            state = placement.exitState
            placements.append(placement)
        }
        if engine.foldsBackward { placements.reverse() }
        let ending = engine.close(try engine.state(decoding: state))
        directory.finish(ending)
        return LaidOutStream(
            chunks: chunks, directory: directory, placements: placements, folded: folded, endingFrames: ending.frames,
            stored: stored)
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
            chunks: chunks, directory: directory, placements: [], folded: [:], endingFrames: ending.frames, stored: nil)
    }

    /// The sections that begin in a chunk, if all that a stored placement says can be read: the file may be damaged.
    private func sections(of placement: StoredPlacement, _ chunk: StreamChunk) -> [SectionStart]? {
        guard let entry = try? engine.state(decoding: placement.entryState),
            let exit = try? engine.state(decoding: placement.exitState),
            entry.pendingCount + chunk.count - exit.pendingCount == placement.placedCount
        else { return nil }
        return [SectionStart](decoding: placement.sections, count: chunk.count)
    }

    private func fold(_ chunk: StreamChunk, from state: [UInt8]) throws -> ChunkPlacement {
        let metrics = engine.readsMetrics ? try reader.metrics(of: chunk) : .unread(count: chunk.count)
        return engine.place(metrics, from: try engine.state(decoding: state))
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
