import PhotoStreamModel

extension ChunkContent {
    /// The content with a part of its photos.
    ///
    /// - Parameter positions: The positions of these photos in the chunk, ascending.
    /// - Returns: The rest.
    package func selecting(_ positions: [Int]) -> ChunkContent {
        guard positions.count < count else { return self }
        let (words, places) = (Array(metrics.words), Array(metrics.positions))
        return ChunkContent(
            metrics: PackedMetrics(
                words: positions.map { words[$0] }, positions: places.isEmpty ? [] : positions.map { places[$0] }),
            rowIDs: PackedRowIDs(positions.map { rowIDs[$0] }))
    }
}

extension StreamChunks {
    /// The chunks with a part of their photos, whose contents are in memory.
    ///
    /// - Parameter contents: The rest of each chunk; a chunk without any photo is left out.
    /// - Returns: The chunks of that part.
    /// - Complexity: O(photos that are left).
    package func selecting(_ contents: [ChunkContent]) -> StreamChunks {
        var result = self
        result.chunks = zip(chunks, contents).compactMap { chunk, content in
            guard content.count > 0 else { return nil }
            return PhotoChunk(
                id: nil, firstKey: chunk.firstKey, count: content.count, version: chunk.version,
                positions: content.metrics.positionSummary, unsavedContent: content)
        }
        return result
    }
}
