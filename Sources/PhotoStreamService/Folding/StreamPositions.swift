import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamStorage

/// The positions of a stream's photos at one revision, which all its maps with clusters share.
struct StreamPositions: Sendable {
    let chunks: StreamChunks
    let index: PositionIndex

    /// Returns the positions of a stream as of the reader's transaction.
    ///
    /// - Parameters:
    ///   - chunks: The stream's chunks as of the transaction.
    ///   - earlier: The positions at an earlier revision, if they are in memory: only chunks that differ are read.
    ///   - reader: The transaction.
    ///   - work: Counts the chunks that are read.
    /// - Returns: The positions.
    /// - Throws: The errors of reading and of `work`.
    /// - Complexity: O(1) if the stream has not changed, otherwise O(photos).
    static func of(
        _ chunks: StreamChunks, earlier: StreamPositions?, reader: PhotoReader, work: ChunkWork
    ) throws -> StreamPositions {
        if let earlier, earlier.chunks.isSameState(as: chunks) { return earlier }
        let known = earlier.map { KnownChunks($0.chunks, generation: chunks.generation) }
        var builder = PositionIndexBuilder(
            locatedCount: chunks.chunks.reduce(0) { $0 + $1.positions.count }, updating: earlier?.index)
        for chunk in chunks.chunks {
            if let photos = known?.photos(of: chunk) {
                builder.keep(photos)
                continue
            }
            try work.begin()
            builder.append(try positions(of: chunk, reader))
        }
        try work.check()
        return StreamPositions(chunks: chunks, index: builder.index())
    }

    private static func positions(of chunk: PhotoChunk, _ reader: PhotoReader) throws -> PackedMetrics {
        if let content = chunk.unsavedContent { return content.metrics }
        let metrics = try reader.metrics(of: chunk, withPositions: true)
        // As for any other map: the photos must match the box that the chunk records.
        guard metrics.positionSummary == chunk.positions else { throw ReadInterruption.damage(ofChunk: chunk.id) }
        return metrics
    }
}

/// The chunks of an earlier revision, to find those that have the same photos now.
private struct KnownChunks {
    private var places: [Int64: (photos: Range<Int>, chunk: PhotoChunk)] = [:]
    private var unsaved: [OrderKey: (photos: Range<Int>, chunk: PhotoChunk)] = [:]

    /// Lists chunks.
    ///
    /// - Parameters:
    ///   - chunks: The chunks.
    ///   - generation: The present generation of the stored chunks, within which the content of a stored chunk is the same.
    init(_ chunks: StreamChunks, generation: Int64?) {
        var first = 0
        for chunk in chunks.chunks {
            let photos = first..<first + chunk.count
            first = photos.upperBound
            if chunk.unsavedContent != nil {
                unsaved[chunk.firstKey] = (photos, chunk)
            } else if let id = chunk.id, chunks.generation == generation {
                places[id] = (photos, chunk)
            }
        }
    }

    /// The positions in stream order that the photos of a chunk had; `nil` if they are not known to be the same.
    func photos(of chunk: PhotoChunk) -> Range<Int>? {
        guard let content = chunk.unsavedContent else { return chunk.id.flatMap { places[$0]?.photos } }
        // Contents that were not read again share their memory, so this comparison is fast.
        guard let known = unsaved[chunk.firstKey], known.chunk.unsavedContent?.metrics == content.metrics else {
            return nil
        }
        return known.photos
    }
}
