package import PhotoStreamModel

/// What a chunk holds: as many metrics as row ids, in stream order.
package struct ChunkContent: Hashable, Sendable {
    /// What layouts read.
    package var metrics: PackedMetrics
    /// Which photos they are.
    package var rowIDs: PackedRowIDs

    /// Joins metrics and row ids of the same photos.
    package init(metrics: PackedMetrics, rowIDs: PackedRowIDs) {
        self.metrics = metrics
        self.rowIDs = rowIDs
    }

    var count: Int { rowIDs.count }
}

/// A chunk in the directory of its stream.
package struct PhotoChunk: Hashable, Sendable {
    /// Its id in the file, or `nil` while it is not stored.
    package var id: Int64?
    /// The place of its first photo, the greatest in it.
    package var firstKey: OrderKey
    /// How many photos it has, never 0.
    package var count: Int
    /// The revision that last changed its geometry; a position is none, since no layout stores what follows from it.
    package var version: Int64
    /// How many of its photos have a position, and where.
    package var positions: PositionSummary
    /// What it holds, where that is not in the file.
    package var unsavedContent: ChunkContent?
}

/// The chunks of a stream as of one revision: what the file holds, brought up to date in memory.
package struct StreamChunks: Sendable {
    /// The stream.
    package let streamID: Int64
    /// The stream's revision: the key of its last change-log row, 0 before the first.
    package let revision: Int64
    /// The chunks in stream order.
    package internal(set) var chunks: [PhotoChunk]
    /// The log was read up to here.
    let consumedRevision: Int64
    /// The generation of the chunks that the file had, or `nil` where it had none that hold: ids mean something only
    /// together with it, and a store is refused when it has changed in the meantime.
    package internal(set) var generation: Int64?
    /// Up to where the log was read for the chunks of that generation, or `nil` where the file had none.
    var storedRevision: Int64?
    /// Whether storing would tell the file anything.
    package internal(set) var isUnsaved: Bool

    /// Whether these are the chunks of a stream in that state.
    package func fits(_ mark: StreamMark) -> Bool {
        revision == mark.revision.rawValue && generation == mark.generation
    }

    /// Whether both are of one state of the stream.
    package func isSameState(as other: StreamChunks) -> Bool {
        revision == other.revision && generation == other.generation
    }

    /// How many photos the stream has.
    package var photoCount: Int { chunks.reduce(0) { $0 + $1.count } }

    /// The chunk that covers a place, see ``Swift/Array/position(covering:)``.
    package func position(covering key: OrderKey) -> Int? { chunks.position(covering: key) }
}

extension Array<PhotoChunk> {
    /// The chunk that covers a place: the last whose first photo stands at it or before it, else the first.
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

/// How many photos a chunk has: settled by measurement, see decision 0018.
///
/// The bounds leave room between a split's result and the next split or merge.
/// It is no property of the file: whoever brings chunks up to date makes them of its own size and takes any other.
package struct ChunkSize: Hashable, Sendable {
    /// What a stored chunk may have.
    static let range = 1...standard.maximum
    /// What every program uses; tests see splits and merges with fewer photos.
    package static let standard = ChunkSize(minimum: 512, target: 1_024, maximum: 2_048)

    /// Fewer are merged with a neighbour's.
    let minimum: Int
    /// What a chunk is made with.
    let target: Int
    /// More are split.
    let maximum: Int

    /// Creates bounds.
    ///
    /// - Precondition: Twice the minimum is at most the target, twice the target at most the maximum, and that at most
    ///   the standard's.
    package init(minimum: Int, target: Int, maximum: Int) {
        precondition(minimum >= 1 && 2 * minimum <= target && 2 * target <= maximum && maximum <= 2_048)
        self.minimum = minimum
        self.target = target
        self.maximum = maximum
    }
}
