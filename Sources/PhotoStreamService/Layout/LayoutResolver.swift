import PhotoStreamLayout
import PhotoStreamStorage

/// Lays out a stream within one read transaction, with as little folding as the stored placements allow.
struct LayoutResolver {
    let layout: MasonryLayout
    let reader: PhotoReader

    /// The stream, laid out as of this transaction, whose chunks these are.
    ///
    /// Walks the chunks with the layout's state. A stored placement holds when it was made from the chunk's version and
    /// from the very state that arrives there; then its exit state goes on and nothing is computed. So after an edit
    /// folding begins at the first touched chunk and ends as soon as the old state is met again.
    ///
    /// - Complexity: O(chunks + photos of the chunks that are folded).
    func resolve(_ chunks: StreamChunks) throws -> LaidOutStream {
        let stored = try reader.layout(streamID: chunks.streamID, layoutKey: layout.key.description)
        let known = try stored.map { try reader.placements(layoutID: $0.id) } ?? [:]
        var directory = ChunkDirectory(layout)
        var placements: [StoredPlacement] = []
        placements.reserveCapacity(chunks.chunks.count)
        var folded: [Int: PackedFrames] = [:]
        var state = layout.initialState.encoded
        for (position, chunk) in chunks.chunks.enumerated() {
            let placement: StoredPlacement
            if let found = chunk.id.flatMap({ known[$0] }), found.version == chunk.version, found.entryState == state,
                isWhole(found)
            {
                placement = found
            } else {
                let result = try fold(chunk, from: state)
                (placement, folded[position]) = (result.placement, result.frames)
            }
            directory.append(
                count: chunk.count, advance: placement.advance, extent: placement.extent,
                longestItem: placement.longestItem)
            state = placement.exitState
            placements.append(placement)
        }
        return LaidOutStream(
            layout: layout, chunks: chunks, directory: directory, placements: placements, folded: folded,
            stored: stored)
    }

    /// Whether the state that a stored placement leaves can be read: the file may be damaged.
    private func isWhole(_ placement: StoredPlacement) -> Bool {
        (try? MasonryState(decoding: placement.exitState, columnCount: layout.columns.count)) != nil
    }

    private func fold(
        _ chunk: StreamChunk, from state: [UInt8]
    ) throws -> (placement: StoredPlacement, frames: PackedFrames) {
        let entry = try MasonryState(decoding: state, columnCount: layout.columns.count)
        let result = layout.place(try reader.metrics(of: chunk), from: entry)
        let placement = StoredPlacement(
            chunkID: chunk.id ?? 0, version: chunk.version, entryState: state, exitState: result.exitState.encoded,
            advance: result.advance, extent: result.extent, longestItem: result.longestItem)
        return (placement, result.frames)
    }
}
