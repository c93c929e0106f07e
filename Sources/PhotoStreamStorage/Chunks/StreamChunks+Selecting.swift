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

extension PhotoChunk {
    /// Returns the chunk with a part of its photos.
    ///
    /// - Parameter content: The rest of its content.
    /// - Returns: The chunk, whose content is in memory; `nil` without any photo.
    package func selecting(_ content: ChunkContent) -> PhotoChunk? {
        guard content.count > 0 else { return nil }
        return PhotoChunk(
            id: nil, firstKey: firstKey, count: content.count, version: version,
            positions: content.metrics.positionSummary, unsavedContent: content)
    }
}

extension StreamChunks {
    /// The chunks with a part of their photos.
    ///
    /// - Parameter parts: The rest of each chunk, which an earlier state of the stream may have made; `nil` for one without any
    ///   photo.
    /// - Returns: The chunks of that part.
    /// - Complexity: O(chunks).
    package func selecting(_ parts: [PhotoChunk?]) -> StreamChunks {
        var result = self
        result.chunks = zip(chunks, parts).compactMap { chunk, part in
            guard var part else { return nil }
            (part.firstKey, part.version) = (chunk.firstKey, chunk.version)
            return part
        }
        return result
    }
}
