import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamStorage

/// A laid-out stream beside a reader of the same revision.
struct PlacedStream: LayoutSource {
    let laidOut: LaidOutStream
    let reader: PhotoReader
    /// Where it is counted what had to be made.
    let counters: DerivedCounters
    /// What chunks hold.
    let contents: ChunkContents

    var directory: LayoutDirectory { laidOut.directory }

    func placedChunk(at position: Int) throws -> PlacedChunk {
        let metrics = try metrics(of: directory.chunks[position].placed)
        // A map computes frames as well, but of the photos; what the directory says of those has to be true.
        if let (chunk, positions) = laidOut.engine.mapChunk(metrics) {
            let stored = laidOut.chunks.chunks
            guard position == stored.count || stored[position].positions == positions else {
                throw DerivedDamage(chunkID: stored[position].id)
            }
            return chunk
        }
        return PlacedChunk(metrics: metrics, frames: try frames(of: position, count: metrics.count))
    }

    /// Where a photo stands in stream order.
    func index(of photo: StoredPhoto) throws -> Int? {
        guard let chunk = laidOut.chunks.position(covering: photo.key) else { return nil }
        let rowIDs = try content(of: chunk).rowIDs
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
    func rowIDs(of indices: some Collection<Int>) throws -> [Int64] {
        var result: [Int64] = []
        result.reserveCapacity(indices.count)
        var open: (items: Range<Int>, ids: PackedRowIDs) = (0..<0, PackedRowIDs())
        for index in indices {
            if !open.items.contains(index) {
                guard let chunk = directory.chunk(containing: index) else { continue }
                open = (directory.chunks[chunk].items, try content(of: chunk).rowIDs)
            }
            result.append(open.ids[index - open.items.lowerBound])
        }
        return result
    }

    /// The metrics of consecutive photos, nearly always of one chunk.
    func metrics(of range: Range<Int>) throws -> PackedMetrics {
        guard laidOut.engine.readsMetrics else { return .unread(count: range.count) }
        guard let first = directory.chunk(containing: range.lowerBound), !range.isEmpty else {
            return .unread(count: 0)
        }
        var parts: [PackedMetrics] = []
        for chunk in first..<laidOut.chunks.chunks.count {
            let items = directory.chunks[chunk].items
            let part = range.clamped(to: items)
            let all =
                laidOut.engine.readsPositions
                ? try reader.metrics(of: laidOut.chunks.chunks[chunk], withPositions: true)
                : try content(of: chunk).metrics
            parts.append(all[part.lowerBound - items.lowerBound..<part.upperBound - items.lowerBound])
            if items.upperBound >= range.upperBound { break }
        }
        return parts.count == 1 ? parts[0] : PackedMetrics(joining: parts)
    }

    private func content(of chunk: Int) throws -> ChunkContent {
        try contents.content(of: laidOut.chunks.chunks[chunk], in: laidOut.chunks, reader)
    }

    private func frames(of position: Int, count: Int) throws -> PackedFrames {
        guard position < laidOut.placements.count else { return laidOut.endingFrames }
        guard laidOut.isStorable else { return .computed(count: count) }
        if let frames = laidOut.served[position] ?? laidOut.read[position] { return frames }
        let placement = laidOut.placements[position]
        if laidOut.isStored[position], let layoutID = laidOut.storedID,
            let bytes = try reader.frames(layoutID: layoutID, placement),
            let frames = laidOut.engine.frames(decoding: bytes, count: count)
        {
            laidOut.read.keep(frames, at: position)
            return frames
        }
        // A checkpoint is all that it takes to make a chunk's frames.
        let state = try laidOut.engine.state(decoding: placement.entryState)
        let frames = try laidOut.engine.place(
            try content(of: position).metrics, from: state, checking: { try Task.checkCancellation() }
        ).frames
        counters.add { $0.placedAgainCount += 1 }
        laidOut.served.keep(frames, at: position)
        return frames
    }
}

extension PackedMetrics {
    /// So many photos of which nobody reads anything.
    static func unread(count: Int) -> PackedMetrics {
        PackedMetrics(words: [UInt64](repeating: 0, count: count))
    }
}
