import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamStorage

/// A layout of a stream at one revision: the places of its chunks, and the data to get their frames.
///
/// It caches only the latest frames. The frames of a chunk are read from the file, or computed again from the chunk's
/// checkpoint, when they are first requested.
struct LaidOutStream: Sendable {
    let chunks: StreamChunks
    let directory: LayoutDirectory
    /// The placements, one for each chunk; the chunk id is 0 until the chunk is stored.
    ///
    /// Empty for a map.
    let placements: [StoredPlacement]
    /// For each chunk, whether the file has its placement.
    let isStored: [Bool]
    /// The frames of the items that are still open after the last chunk.
    let endingFrames: PackedFrames
    /// The id of the layout's row in the file, if it has one.
    let storedID: Int64?
    /// Computed frames that have to be stored, by the chunk's position, and counted in bytes.
    let served = BoundedCache<Int, PackedFrames>(limit: 1 << 20)
    /// Frames that are not stored, because the file has them or computing them is faster than reading them.
    let passing = BoundedCache<Int, PackedFrames>(limit: 1 << 20)

    var engine: LayoutEngine { directory.engine }

    /// Whether the layout has data to store: places that a function computes are never stored.
    var isStorable: Bool { !engine.placesByFunction }

    /// The number of placements that the file lacks.
    var unsavedPlacementCount: Int { isStorable ? isStored.count { !$0 } : 0 }

    /// Whether frames are stored: only if reading them saves at least 20 µs over placing the chunk again.
    ///
    /// `Benchmark stored-frames` measured 55 µs for spans over two columns, 69 µs for optimal breaks, and 8 to 18 µs for
    /// all others.
    var storesFrames: Bool {
        switch engine.key.algorithm {
        case .masonry(let masonry): masonry.spanRatio != 0
        case .justified(let justified): justified.breaks == .optimal
        case .flow, .grid, .map, .placed: false
        }
    }

    /// The number of bytes of its checkpoints in the file, as the budget counts them.
    var checkpointByteCount: Int64 { placements.reduce(0) { $0 + $1.byteCount } }

    /// The positions of the stream's photos, if the layout has clusters; layouts of one stream share them.
    var positions: StreamPositions? { directory.positions.map { StreamPositions(chunks: chunks, index: $0) } }

    /// The approximate memory use of the contents of chunks that are not in the file.
    ///
    /// Layouts of one stream or view share them, so a sum over layouts is an upper bound.
    ///
    /// - Complexity: O(chunks).
    var contentByteCount: Int {
        chunks.chunks.indices.reduce(0) { sum, position in
            chunks.chunks[position].isInMemory ? sum + 16 * chunks.chunks[position].count : sum
        }
    }

    /// The approximate memory use, without contents and ``positions``.
    var ownByteCount: Int { 512 * placements.count + 32 * directory.sections.count + served.cost + passing.cost }
}

/// A laid-out stream in a transaction of the same revision, which answers queries about places.
struct PlacedStream: LayoutSource {
    let stream: StreamRow
    let view: ViewCondition
    let laidOut: LaidOutStream
    let reader: PhotoReader
    let service: PhotoStreamService

    var directory: LayoutDirectory { laidOut.directory }

    /// The stream, condition, revision, key and content size for answers.
    var context: LayoutContext {
        LayoutContext(
            stream: stream.name, streamID: stream.id, condition: view.asked, revision: laidOut.chunks.revision,
            layoutKey: laidOut.engine.key, contentSize: directory.contentSize)
    }

    func placedChunk(at position: Int) throws -> PlacedChunk {
        let metrics = try metrics(of: directory.chunks[position].placed)
        // A map computes frames from the photos' positions, which must match the positions that the chunk records.
        if let (chunk, positions) = laidOut.engine.mapChunk(metrics) {
            let stored = laidOut.chunks.chunks
            guard position == stored.count || stored[position].positions == positions else {
                throw ReadInterruption.damage(ofChunk: stored[position].id)
            }
            return chunk
        }
        return PlacedChunk(metrics: metrics, frames: try frames(of: position, count: metrics.count))
    }

    /// Returns the position of a photo in stream order; `nil` if the stream or the view does not have it.
    func index(of photo: StoredPhoto) throws -> Int? {
        guard let chunk = laidOut.chunks.position(covering: photo.key) else { return nil }
        let rowIDs = try content(of: chunk).rowIDs
        return rowIDs.position(of: photo.rowID).map { directory.chunks[chunk].items.lowerBound + $0 }
    }

    /// Returns the photos after a place, up to a limit on their number and on their size.
    ///
    /// - Parameters:
    ///   - place: The place; `nil` for the beginning.
    ///   - limit: The maximum number of photos.
    ///   - byteLimit: The maximum size of their texts in bytes.
    /// - Returns: The photos, and whether the size has cut them.
    /// - Throws: The errors of reading.
    func photos(
        after place: OrderKey?, limit: Int, within byteLimit: Int
    ) throws -> ([StoredPhoto], isCut: Bool) {
        let first = try place.map { try index(after: $0) } ?? 0
        let ids = try rowIDs(of: first..<min(first + limit, directory.itemCount))
        let count = try reader.packedRows(ids, within: byteLimit).count
        return (try reader.photos(rowIDs: Array(ids.prefix(count))), isCut: count < ids.count)
    }

    /// Returns the position in stream order of the first photo after a place; the photo count if there is none.
    func index(after key: OrderKey) throws -> Int {
        guard let chunk = laidOut.chunks.position(covering: key) else { return 0 }
        let ids = try content(of: chunk).rowIDs
        var (low, high) = (0, ids.count)
        while low < high {
            let middle = low + (high - low) / 2
            let isAfter = try reader.photos(rowIDs: [ids[middle]]).contains { $0.key < key }
            if isAfter { high = middle } else { low = middle + 1 }
        }
        return directory.chunks[chunk].items.lowerBound + low
    }

    /// Returns the row ids of photos by their positions, which must be ascending.
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

    /// Returns the photo at a position in stream order; `nil` outside the stream.
    func photo(at index: Int) throws -> StoredPhoto? {
        try reader.photos(rowIDs: try rowIDs(of: [index])).first
    }

    /// Returns the metrics of consecutive photos, nearly always of one chunk.
    func metrics(of range: Range<Int>) throws -> PackedMetrics {
        try directory.metrics(of: range, chunkCount: laidOut.chunks.chunks.count) { chunk in
            laidOut.engine.readsPositions
                ? try reader.metrics(of: laidOut.chunks.chunks[chunk], withPositions: true)
                : try content(of: chunk).metrics
        }
    }

    private func content(of chunk: Int) throws -> ChunkContent {
        try service.contents.content(of: laidOut.chunks.chunks[chunk], in: laidOut.chunks, reader)
    }

    private func frames(of position: Int, count: Int) throws -> PackedFrames {
        guard position < laidOut.placements.count else { return laidOut.endingFrames }
        guard laidOut.isStorable else { return .computed(count: count) }
        if let frames = laidOut.served[position] ?? laidOut.passing[position] { return frames }
        let placement = laidOut.placements[position]
        if laidOut.storesFrames, laidOut.isStored[position], let layoutID = laidOut.storedID,
            let bytes = try reader.frames(layoutID: layoutID, placement),
            let frames = laidOut.engine.frames(decoding: bytes, count: count)
        {
            laidOut.passing.keep(frames, costing: frames.byteCount, for: position)
            return frames
        }
        // A checkpoint is enough to compute a chunk's frames.
        let state = try laidOut.engine.state(decoding: placement.entryState)
        let frames = try laidOut.engine.place(
            try content(of: position).metrics, from: state, checking: { try Task.checkCancellation() }
        ).frames
        service.countWork { $0.placedAgainCount += 1 }
        let cache = laidOut.storesFrames ? laidOut.served : laidOut.passing
        cache.keep(frames, costing: frames.byteCount, for: position)
        return frames
    }
}

extension LayoutDirectory {
    /// Returns the metrics of consecutive photos, which may belong to several chunks.
    func metrics(
        of range: Range<Int>, chunkCount: Int, ofChunk: (Int) throws -> PackedMetrics
    ) rethrows -> PackedMetrics {
        guard engine.readsMetrics else { return .unread(count: range.count) }
        var parts: [PackedMetrics] = []
        var position = chunk(containing: range.lowerBound) ?? chunkCount
        while position < chunkCount, chunks[position].items.lowerBound < range.upperBound {
            let items = chunks[position].items
            let part = range.clamped(to: items)
            parts.append(
                try ofChunk(position)[part.lowerBound - items.lowerBound..<part.upperBound - items.lowerBound])
            position += 1
        }
        return parts.count == 1 ? parts[0] : PackedMetrics(joining: parts)
    }
}

extension PackedMetrics {
    /// Returns metrics of photos for layouts that do not read them.
    static func unread(count: Int) -> PackedMetrics {
        PackedMetrics(words: [UInt64](repeating: 0, count: count))
    }
}

/// A laid-out stream for queries item by item: keeps the last chunk for the next item.
final class SteppingSource: LayoutSource {
    private let placed: PlacedStream
    private var last: (position: Int, chunk: PlacedChunk)?

    init(_ placed: PlacedStream) {
        self.placed = placed
    }

    var directory: LayoutDirectory { placed.directory }

    func placedChunk(at position: Int) throws -> PlacedChunk {
        if let last, last.position == position { return last.chunk }
        let chunk = try placed.placedChunk(at: position)
        last = (position, chunk)
        return chunk
    }
}
