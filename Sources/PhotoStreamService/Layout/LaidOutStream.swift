import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamStorage

/// A stream laid out as of one revision: where its chunks stand, and how to get at what they hold.
///
/// Chunks whose stored frames hold were not touched; those that had to be folded have their frames here until they are
/// stored.
struct LaidOutStream: Sendable {
    let chunks: StreamChunks
    let directory: LayoutDirectory
    /// One for each chunk; the chunk id is 0 while the chunk is not stored.
    let placements: [StoredPlacement]
    /// The frames of the chunks that were folded, by position.
    let folded: [Int: PackedFrames]
    /// The frames of what was still open behind the last chunk.
    let endingFrames: PackedFrames
    /// The layout as it is stored, if it is.
    let stored: StoredLayout?

    var engine: LayoutEngine { directory.engine }

    /// Whether storing would tell the file anything.
    var isUnsaved: Bool { chunks.isUnsaved || !engine.placesByFunction && (!folded.isEmpty || stored == nil) }

    /// Bytes in memory that are nowhere else: frames and, of chunks that are not stored, metrics and row ids.
    ///
    /// Layouts of one stream share the latter, so a sum over layouts is an upper bound.
    var unsavedByteCount: Int {
        let contents = chunks.chunks.reduce(0) { $0 + ($1.unsavedContent == nil ? 0 : 16 * $1.count) }
        return contents + folded.values.reduce(0) { $0 + $1.byteCount }
    }
}

/// A laid-out stream beside a reader of the same revision.
struct PlacedStream: LayoutSource {
    let laidOut: LaidOutStream
    let reader: PhotoReader

    var directory: LayoutDirectory { laidOut.directory }

    func placedChunk(at position: Int) throws -> PlacedChunk {
        let metrics = try metrics(of: directory.chunks[position].placed)
        // A map computes frames as well, but of the photos; what the directory says of those has to be true.
        if let (chunk, positions) = laidOut.engine.mapChunk(metrics) {
            let stored = laidOut.chunks.chunks
            guard position == stored.count || stored[position].positions == positions else {
                throw StorageError(
                    .corrupt, "chunk \(stored[position].id ?? 0) is damaged; `photostream cache clear` repairs it")
            }
            return chunk
        }
        return PlacedChunk(metrics: metrics, frames: try frames(of: position, count: metrics.count))
    }

    /// Where a photo stands in stream order.
    func index(of photo: StoredPhoto) throws -> Int? {
        guard let chunk = laidOut.chunks.position(covering: photo.key) else { return nil }
        let rowIDs = try reader.content(of: laidOut.chunks.chunks[chunk], withPositions: false).rowIDs
        return rowIDs.position(of: photo.rowID).map { directory.chunks[chunk].items.lowerBound + $0 }
    }

    /// The position in stream order of the first photo behind a place, or the photo count where none is.
    func index(behind key: OrderKey) throws -> Int {
        guard let next = try reader.photos(streamID: laidOut.chunks.streamID, after: key, limit: 1).first else {
            return directory.itemCount
        }
        return try index(of: next) ?? directory.itemCount
    }

    /// The row ids of photos, given by their positions in ascending order.
    func rowIDs(of indices: [Int]) throws -> [Int64] {
        var result: [Int64] = []
        var open: (items: Range<Int>, ids: [Int64]) = (0..<0, [])
        for index in indices {
            if !open.items.contains(index) {
                guard let chunk = directory.chunk(containing: index) else { continue }
                let ids = try reader.content(of: laidOut.chunks.chunks[chunk], withPositions: false).rowIDs.ids
                open = (directory.chunks[chunk].items, ids)
            }
            result.append(open.ids[index - open.items.lowerBound])
        }
        return result
    }

    /// The metrics of consecutive photos, nearly always of one chunk.
    private func metrics(of range: Range<Int>) throws -> PackedMetrics {
        guard laidOut.engine.readsMetrics else { return .unread(count: range.count) }
        guard let first = directory.chunk(containing: range.lowerBound), !range.isEmpty else {
            return .unread(count: 0)
        }
        var parts: [PackedMetrics] = []
        for chunk in first..<laidOut.chunks.chunks.count {
            let items = directory.chunks[chunk].items
            let part = range.clamped(to: items)
            parts.append(
                try reader.metrics(
                    of: laidOut.chunks.chunks[chunk], withPositions: laidOut.engine.readsPositions)[
                        part.lowerBound - items.lowerBound..<part.upperBound - items.lowerBound])
            if items.upperBound >= range.upperBound { break }
        }
        return parts.count == 1 ? parts[0] : PackedMetrics(joining: parts)
    }

    private func frames(of position: Int, count: Int) throws -> PackedFrames {
        guard position < laidOut.placements.count else { return laidOut.endingFrames }
        if let frames = laidOut.folded[position] { return frames }
        if let layoutID = laidOut.stored?.id, let chunkID = laidOut.chunks.chunks[position].id,
            let bytes = try reader.frames(layoutID: layoutID, chunkID: chunkID),
            let frames = laidOut.engine.frames(decoding: bytes, count: count)
        {
            return frames
        }
        // The placement holds but the frames are gone: its checkpoint is all that it takes to make them again.
        let state = try laidOut.engine.state(decoding: laidOut.placements[position].entryState)
        return laidOut.engine.place(try reader.metrics(of: laidOut.chunks.chunks[position]), from: state).frames
    }
}

extension PackedMetrics {
    /// So many photos of which nobody reads anything.
    static func unread(count: Int) -> PackedMetrics {
        PackedMetrics(words: [UInt64](repeating: 0, count: count))
    }
}
