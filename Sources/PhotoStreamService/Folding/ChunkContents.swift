import PhotoStreamModel
import PhotoStreamStorage

/// A cache of the contents of stored chunks, which all layouts of a stream share.
///
/// Ids of chunks are never reused, and the content of a chunk stays the same as long as its stream's stored chunks have
/// the same generation. The generation is read in the transaction of the query.
final class ChunkContents: Sendable {
    private struct Entry {
        let generation: Int64
        let content: ChunkContent
    }

    /// The contents by the ids of chunks, counted in photos: 16 bytes each, or 24 MB.
    private let entries = BoundedCache<Int64, Entry>(limit: 3 << 19)

    /// Returns the content of a chunk, without positions.
    ///
    /// - Parameters:
    ///   - chunk: A chunk of a layout's stream.
    ///   - chunks: The stream's chunks as of the transaction.
    ///   - reader: The transaction.
    /// - Returns: The content.
    /// - Throws: The errors of reading.
    func content(of chunk: PhotoChunk, in chunks: StreamChunks, _ reader: PhotoReader) throws -> ChunkContent {
        if let content = chunk.unsavedContent ?? known(chunk, generation: chunks.generation) { return content }
        guard let id = chunk.id, let generation = chunks.generation else { return try reader.content(of: chunk) }
        let content = try reader.content(of: chunk, withPositions: false)
        entries.keep(Entry(generation: generation, content: content), costing: content.rowIDs.count, for: id)
        return content
    }

    /// Returns a stored chunk's content if it is cached.
    ///
    /// - Parameters:
    ///   - chunk: The chunk.
    ///   - generation: The generation of its stream's stored chunks in the transaction of the query.
    /// - Returns: The content, without positions.
    func known(_ chunk: PhotoChunk, generation: Int64?) -> ChunkContent? {
        guard let id = chunk.id, let entry = entries[id], entry.generation == generation else { return nil }
        return entry.content
    }

    func forgetAll() { entries.removeAll() }
}
