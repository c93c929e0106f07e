package import PhotoStreamModel
import Synchronization

/// The content of a chunk: one set of metrics and one row id per photo, in stream order.
package struct ChunkContent: Hashable, Sendable {
    /// The metrics of the photos.
    package var metrics: PackedMetrics
    /// The row ids of the photos.
    package var rowIDs: PackedRowIDs

    /// Creates content from the metrics and row ids of the same photos.
    package init(metrics: PackedMetrics, rowIDs: PackedRowIDs) {
        self.metrics = metrics
        self.rowIDs = rowIDs
    }

    /// The number of photos.
    package var count: Int { rowIDs.count }
}

/// A mark of a state of the photos of a chunk, in this process.
///
/// Chunks with the same mark have the same photos, with the same values in all columns. The mark stays when the chunk is
/// stored, and there is a new one whenever the log names a photo of the chunk.
package struct ChunkMark: Hashable, Sendable {
    private static let last = Atomic(0)
    private let number: Int

    /// Creates a mark that no chunk has.
    init() {
        number = Self.last.wrappingAdd(1, ordering: .relaxed).newValue
    }
}

/// An earlier state of the photos of a chunk.
package struct FormerChunk: Sendable {
    /// The mark of the state.
    package let mark: ChunkMark
    /// The row ids that the log has named since: the chunk's other rows are the same.
    package fileprivate(set) var rowIDs: Set<Int64>

    /// The number of states that a chunk remembers, and of row ids that one remembers.
    fileprivate static let (maximumCount, maximumRowIDCount) = (4, 64)
}

/// A chunk in the directory of its stream.
package struct PhotoChunk: Sendable {
    /// Its id in the file; `nil` if it is not stored.
    package var id: Int64?
    /// The place of its first photo, the greatest key in the chunk.
    package var firstKey: OrderKey
    /// The number of photos, never 0.
    package var count: Int
    /// The revision of the last change of its geometry.
    ///
    /// Positions do not count, since no stored layout depends on them.
    package var version: Int64
    /// The number of photos with a position, and their bounding box.
    package var positions: PositionSummary
    /// Its content, if it is not in the file.
    package var unsavedContent: ChunkContent?
    /// The state of its photos.
    package private(set) var mark = ChunkMark()
    /// Whether the log has named a photo of it since it was stored: then the attributes that the file has of it are out of
    /// date, even if its content is still the same.
    private(set) var isTouched = false

    /// Earlier states of its photos from which few have changed, the newest last.
    package private(set) var formers: [FormerChunk] = []

    /// Records that the log has named photos of the chunk, or of the one that it replaces.
    ///
    /// - Parameters:
    ///   - chunk: The chunk before.
    ///   - rowIDs: The row ids in the log; `nil` if they are not known.
    mutating func follow(_ chunk: PhotoChunk, naming rowIDs: [Int64]?) {
        (mark, isTouched, formers) = (ChunkMark(), true, [])
        guard let rowIDs, rowIDs.count <= FormerChunk.maximumRowIDCount else { return }
        formers = (chunk.formers + [FormerChunk(mark: chunk.mark, rowIDs: [])]).suffix(FormerChunk.maximumCount)
        for position in formers.indices { formers[position].rowIDs.formUnion(rowIDs) }
        formers.removeAll { $0.rowIDs.count > FormerChunk.maximumRowIDCount }
    }

    /// Records that the chunk was stored under an id, and that the file has no attributes of an earlier state.
    mutating func didStore(as id: Int64) { (self.id, unsavedContent, isTouched) = (id, nil, false) }

    /// Whether its content is in memory, and not in the file.
    package var isInMemory: Bool {
        if case .some = unsavedContent { true } else { false }
    }

    /// The id under which the file may have attributes of the chunk, or may get them.
    package var attributesID: Int64? { isInMemory || isTouched ? nil : id }
}

extension PhotoChunk: Equatable {
    /// Whether both describe the same chunk in the same way, regardless of when it was read.
    package static func == (left: PhotoChunk, right: PhotoChunk) -> Bool {
        left.id == right.id && left.firstKey == right.firstKey && left.count == right.count
            && left.version == right.version && left.positions == right.positions
            && left.unsavedContent == right.unsavedContent
    }
}

/// The chunks of a stream at one revision: the stored chunks, brought up to date in memory.
package struct StreamChunks: Sendable {
    /// The stream.
    package let streamID: Int64
    /// The stream's revision.
    package let revision: Revision
    /// The chunks in stream order.
    package internal(set) var chunks: [PhotoChunk]
    /// The last row of the log up to which it was read.
    let consumedRevision: Revision
    /// The generation of the stored chunks; `nil` if the file had no valid ones.
    ///
    /// Ids are meaningful only within a generation, and a store is refused if the generation has changed.
    package internal(set) var generation: Int64?
    /// The revision up to which the stored chunks had consumed the log; `nil` if the file had none.
    var storedRevision: Int64?
    /// Whether a store would change the file.
    package internal(set) var isUnsaved: Bool

    /// Whether these are the chunks of a stream in some version.
    package func matches(_ version: StreamVersion) -> Bool {
        revision == version.revision && generation == version.generation
    }

    /// Whether both are from the same state of the stream.
    package func isSameState(as other: StreamChunks) -> Bool {
        revision == other.revision && generation == other.generation
    }

    /// The number of photos in the stream.
    package var photoCount: Int { chunks.reduce(0) { $0 + $1.count } }

    /// Returns the chunk that covers a place: see ``Swift/Array/position(covering:)``.
    package func position(covering key: OrderKey) -> Int? { chunks.position(covering: key) }
}

extension Array<PhotoChunk> {
    /// Returns the chunk that covers a place: the last whose first photo is at or before it, or else the first.
    ///
    /// - Returns: `nil` for an empty stream.
    /// - Complexity: O(log chunks).
    func position(covering key: OrderKey) -> Int? {
        guard !isEmpty else { return nil }
        var (low, high) = (0, count)
        while low < high {
            let middle = low + (high - low) / 2
            if self[middle].firstKey < key { high = middle } else { low = middle + 1 }
        }
        return Swift.max(0, low - 1)
    }
}

/// The number of photos in a chunk, chosen by measurement in decision 0023.
///
/// The bounds leave room between the result of a split and the next split or merge. The size is not stored in the file:
/// each process builds chunks of its own size and accepts any other.
package struct ChunkSize: Hashable, Sendable {
    /// The accepted number of photos in a stored chunk.
    static let range = 1...standard.maximum
    /// The size that every program uses; tests use smaller ones to exercise splits and merges.
    package static let standard = ChunkSize(minimum: 512, target: 1_024, maximum: 2_048)

    /// Smaller chunks are merged with a neighbour.
    let minimum: Int
    /// The size of new chunks.
    let target: Int
    /// Larger chunks are split.
    let maximum: Int

    /// Creates bounds.
    ///
    /// - Precondition: Twice the minimum is at most the target, twice the target is at most the maximum, and the
    ///   maximum is at most the standard one.
    package init(minimum: Int, target: Int, maximum: Int) {
        precondition(minimum >= 1 && 2 * minimum <= target && 2 * target <= maximum && maximum <= 2_048)
        self.minimum = minimum
        self.target = target
        self.maximum = maximum
    }
}

/// A version of a stream's state, to tell whether earlier results are still valid.
package struct StreamVersion: Hashable, Sendable {
    /// The stream's revision.
    package let revision: Revision
    /// The generation of the stored chunks; `nil` if none are in use.
    package let generation: Int64?
    /// The last row of the log up to which it was read.
    let logEnd: Revision

    /// Whether it was read from a later state of the file.
    package func isLater(than other: StreamVersion) -> Bool { logEnd > other.logEnd }

    /// Whether the stream was in the same state, regardless of other streams.
    package func isSameState(as other: StreamVersion) -> Bool {
        revision == other.revision && generation == other.generation
    }
}

/// The state of a stream's stored chunks.
struct StreamIndexRow {
    let consumedRevision: Int64
    let streamRevision: Int64
    let photoCount: Int
    let generation: Int64

    /// The checksum of the row.
    func checksum(streamID: Int64) -> Int64 {
        var sum = RowChecksum(.streamIndex)
        for number in [streamID, consumedRevision, streamRevision, Int64(photoCount), generation] { sum.add(number) }
        return sum.value
    }
}
