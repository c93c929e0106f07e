import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamStorage
import Synchronization

/// A stream laid out as of one revision: the places of its chunks, and the means to get their contents.
///
/// It holds few frames. Those of a chunk are read from the file, or made again from the chunk's checkpoint, when they are
/// first served; the latest ones are kept.
struct LaidOutStream: Sendable {
    let chunks: StreamChunks
    let directory: LayoutDirectory
    /// One for each chunk; the chunk id is 0 while the chunk is not stored.
    ///
    /// Empty for a map.
    let placements: [StoredPlacement]
    /// Whether the file has the placement, one for each chunk.
    let isStored: [Bool]
    /// The frames of the items that were still open after the last chunk.
    let endingFrames: PackedFrames
    /// The layout's row in the file, if it has one.
    let storedID: Int64?
    /// Frames that were made for an answer and are to be stored.
    let served = ServedFrames()
    /// Frames of an answer that are not to be stored: the file has them, or they are made faster than they are read.
    let passing = ServedFrames()

    var engine: LayoutEngine { directory.engine }

    /// Whether the layout stores anything of its own: places that are computed are never stored.
    var isStorable: Bool { !engine.placesByFunction }

    /// The number of placements that the file lacks.
    var unsavedPlacementCount: Int { isStorable ? isStored.count { !$0 } : 0 }

    /// Whether frames are stored: if reading them saves at least 20 µs over placing the chunk again.
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

    /// The bytes of its checkpoints in the file, as the budget counts them.
    var checkpointByteCount: Int64 { placements.reduce(0) { $0 + $1.byteCount } }

    /// The approximate memory that it takes: for each chunk and section, and for what is not in the file yet.
    ///
    /// Layouts of one stream share chunks that are not stored, so a sum over layouts is an upper bound.
    var byteCount: Int {
        let contents = chunks.chunks.reduce(0) { $0 + ($1.unsavedContent == nil ? 0 : 16 * $1.count) }
        return 512 * placements.count + 32 * directory.sections.count + contents + served.byteCount + passing.byteCount
    }
}

/// Frames in memory, by the chunk's position.
final class ServedFrames: Sendable {
    private struct State {
        var frames: [Int: PackedFrames] = [:]
        var byteCount = 0
    }

    /// The maximum number of bytes; beyond it all frames are dropped, since they can be read or made again.
    private static let byteLimit = 1 << 20
    private let state = Mutex(State())

    var byteCount: Int { state.withLock { $0.byteCount } }

    subscript(position: Int) -> PackedFrames? { state.withLock { $0.frames[position] } }

    /// Remembers the frames of a chunk for later questions, and for storing.
    func keep(_ frames: PackedFrames, at position: Int) {
        state.withLock { state in
            if state.byteCount + frames.byteCount > Self.byteLimit { (state.frames, state.byteCount) = ([:], 0) }
            if state.frames.updateValue(frames, forKey: position) == nil { state.byteCount += frames.byteCount }
        }
    }

    /// All of them.
    var all: [Int: PackedFrames] { state.withLock { $0.frames } }
}

/// A laid-out stream in a transaction of the same revision, which answers questions about places.
struct PlacedStream: LayoutSource {
    let stream: StreamRow
    let laidOut: LaidOutStream
    let reader: PhotoReader
    let counters: DerivedCounters
    /// The contents of chunks in memory.
    let contents: ChunkContents
    /// Signs the addresses of thumbnails; `nil` if answers show none.
    let signer: ImageSigner?

    var directory: LayoutDirectory { laidOut.directory }

    /// The stream, revision, key and content size for answers.
    var context: LayoutContext {
        LayoutContext(
            stream: stream.name, streamID: stream.id, revision: laidOut.chunks.revision,
            layoutKey: laidOut.engine.key, contentSize: directory.contentSize)
    }

    func placedChunk(at position: Int) throws -> PlacedChunk {
        let metrics = try metrics(of: directory.chunks[position].placed)
        // A map computes frames, too, but from the photos; they have to agree with what the directory says of them.
        if let (chunk, positions) = laidOut.engine.mapChunk(metrics) {
            let stored = laidOut.chunks.chunks
            guard position == stored.count || stored[position].positions == positions else {
                throw DerivedDamage(chunkID: stored[position].id)
            }
            return chunk
        }
        return PlacedChunk(metrics: metrics, frames: try frames(of: position, count: metrics.count))
    }

    /// The position of a photo in stream order.
    func index(of photo: StoredPhoto) throws -> Int? {
        guard let chunk = laidOut.chunks.position(covering: photo.key) else { return nil }
        let rowIDs = try content(of: chunk).rowIDs
        return rowIDs.position(of: photo.rowID).map { directory.chunks[chunk].items.lowerBound + $0 }
    }

    /// The position in stream order of the first photo after a place; the photo count if there is none.
    func index(after key: OrderKey) throws -> Int {
        guard let next = try reader.photos(streamID: stream.id, after: key, limit: 1).first else {
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

    /// The stored photo at a position in stream order; `nil` outside the stream.
    func photo(at index: Int) throws -> StoredPhoto? {
        try reader.photos(rowIDs: try rowIDs(of: [index])).first
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
        if let frames = laidOut.served[position] ?? laidOut.passing[position] { return frames }
        let placement = laidOut.placements[position]
        if laidOut.storesFrames, laidOut.isStored[position], let layoutID = laidOut.storedID,
            let bytes = try reader.frames(layoutID: layoutID, placement),
            let frames = laidOut.engine.frames(decoding: bytes, count: count)
        {
            laidOut.passing.keep(frames, at: position)
            return frames
        }
        // A checkpoint is enough to make a chunk's frames.
        let state = try laidOut.engine.state(decoding: placement.entryState)
        let frames = try laidOut.engine.place(
            try content(of: position).metrics, from: state, checking: { try Task.checkCancellation() }
        ).frames
        counters.add { $0.placedAgainCount += 1 }
        (laidOut.storesFrames ? laidOut.served : laidOut.passing).keep(frames, at: position)
        return frames
    }
}

extension PackedMetrics {
    /// A number of photos whose metrics are not read.
    static func unread(count: Int) -> PackedMetrics {
        PackedMetrics(words: [UInt64](repeating: 0, count: count))
    }
}

/// A laid-out stream that is asked item by item: keeps the chunk that answered last for the next item.
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
