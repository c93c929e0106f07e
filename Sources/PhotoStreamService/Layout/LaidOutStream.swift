import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamStorage

/// A stream laid out as of one revision: where its chunks stand, and how to get at what they hold.
///
/// Chunks whose stored frames hold were not touched; those that had to be folded have their frames here until they are
/// stored.
struct LaidOutStream: Sendable {
    let layout: MasonryLayout
    let chunks: StreamChunks
    let directory: ChunkDirectory
    /// One for each chunk; the chunk id is 0 while the chunk is not stored.
    let placements: [StoredPlacement]
    /// The frames of the chunks that were folded, by position.
    let folded: [Int: PackedFrames]
    /// The layout as it is stored, if it is.
    let stored: StoredLayout?

    /// Whether storing would tell the file anything.
    var isUnsaved: Bool { chunks.isUnsaved || !folded.isEmpty || stored == nil }

    /// Bytes in memory that are nowhere else: frames and, of chunks that are not stored, metrics and row ids.
    ///
    /// Layouts of one stream share the latter, so a sum over layouts is an upper bound.
    var unsavedByteCount: Int {
        let contents = chunks.chunks.reduce(0) { $0 + ($1.unsavedContent == nil ? 0 : 16 * $1.count) }
        return contents + folded.values.reduce(0) { $0 + $1.byteCount }
    }

    /// The content of one chunk.
    ///
    /// - Parameters:
    ///   - position: Its position in the directory.
    ///   - reader: A reader of the same revision.
    /// - Returns: Its metrics and frames.
    /// - Throws: `StorageError` when the chunk is damaged.
    func placedChunk(_ position: Int, _ reader: PhotoReader) throws -> PlacedChunk {
        let chunk = chunks.chunks[position]
        let metrics = try reader.metrics(of: chunk)
        if let frames = folded[position] { return PlacedChunk(metrics: metrics, frames: frames) }
        if let layoutID = stored?.id, let chunkID = chunk.id,
            let bytes = try reader.frames(layoutID: layoutID, chunkID: chunkID),
            let frames = PackedFrames(decoding: bytes, count: chunk.count)
        {
            return PlacedChunk(metrics: metrics, frames: frames)
        }
        // The placement holds but the frames are gone: its checkpoint is all that it takes to make them again.
        let state = try MasonryState(decoding: placements[position].entryState, columnCount: layout.columns.count)
        return PlacedChunk(metrics: metrics, frames: layout.place(metrics, from: state).frames)
    }

    /// Where a photo stands: its chunk, and its position within it.
    func position(of photo: StoredPhoto, _ reader: PhotoReader) throws -> (chunk: Int, position: Int)? {
        guard let chunk = chunks.position(covering: photo.key) else { return nil }
        let rowIDs = try reader.content(of: chunks.chunks[chunk]).rowIDs
        return rowIDs.position(of: photo.rowID).map { (chunk, $0) }
    }

    /// The position in stream order of the first photo behind a place, or the photo count where none is.
    func index(behind key: OrderKey, _ reader: PhotoReader) throws -> Int {
        guard let next = try reader.photos(streamID: chunks.streamID, after: key, limit: 1).first,
            let place = try position(of: next, reader)
        else { return directory.itemCount }
        return directory.entries[place.chunk].firstIndex + place.position
    }
}
