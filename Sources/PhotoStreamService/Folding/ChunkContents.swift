import PhotoStreamModel
import PhotoStreamStorage
import Synchronization

/// The contents of stored chunks in memory, for all layouts of their streams.
///
/// A chunk's id is never used again, and its content is the same while its stream's stored chunks have the same generation,
/// which is read in the transaction of the question.
final class ChunkContents: Sendable {
    private struct Entry {
        let generation: Int64
        let content: ChunkContent
    }

    private struct State {
        var entries: [Int64: Entry] = [:]
        var photoCount = 0
    }

    /// At 16 bytes a photo these are 24 MB.
    private static let photoLimit = 3 << 19
    private let state = Mutex(State())

    /// The content of a chunk, without positions.
    ///
    /// - Parameters:
    ///   - chunk: A chunk of a layout's stream.
    ///   - chunks: The stream's chunks, in the state of the reader's transaction.
    ///   - reader: The transaction.
    /// - Returns: The content.
    /// - Throws: The errors of reading it.
    func content(of chunk: PhotoChunk, in chunks: StreamChunks, _ reader: PhotoReader) throws -> ChunkContent {
        if let content = chunk.unsavedContent ?? known(chunk, generation: chunks.generation) { return content }
        guard let id = chunk.id, let generation = chunks.generation else { return try reader.content(of: chunk) }
        let content = try reader.content(of: chunk, withPositions: false)
        state.withLock { state in
            let earlier = state.entries.updateValue(Entry(generation: generation, content: content), forKey: id)
            state.photoCount += content.rowIDs.count - (earlier?.content.rowIDs.count ?? 0)
            // Any of them will do: it can be read again.
            while state.photoCount > Self.photoLimit, state.entries.count > 1 {
                state.photoCount -= state.entries.remove(at: state.entries.startIndex).value.content.rowIDs.count
            }
        }
        return content
    }

    /// A stored chunk's content, if it is in memory.
    ///
    /// - Parameters:
    ///   - chunk: The chunk.
    ///   - generation: The generation of its stream's stored chunks in the asking transaction.
    /// - Returns: The content, without positions.
    func known(_ chunk: PhotoChunk, generation: Int64?) -> ChunkContent? {
        guard let id = chunk.id, let entry = state.withLock({ $0.entries[id] }), entry.generation == generation else {
            return nil
        }
        return entry.content
    }

    func forgetAll() {
        state.withLock { $0 = State() }
    }
}
