import PhotoStreamModel

/// A stream as a ``CollectionLayout`` has placed it: a value that answers every question and stays as it is.
///
/// Two of them share the chunks in which they do not differ, so keeping the one before an edit costs little.
public struct PlacedLayout: LayoutSource, Sendable {
    /// Photos to a new chunk.
    static let chunkCapacity = 2_048
    /// A chunk is split when it has come to so many photos.
    static let greatestChunk = 4_096
    /// A chunk with fewer photos is united with a neighbour.
    static let leastChunk = 1_024

    /// Where chunks and sections stand.
    public internal(set) var directory: LayoutDirectory
    var engine: LayoutEngine
    var chunks: [StreamChunk]
    var ending: StreamEnding
    /// The sections where they are a list.
    var list: SectionList?

    /// What ends a stream, and the state that it was made from.
    struct StreamEnding: Sendable {
        var entry: LayoutState
        var pending: PackedMetrics
        var result: LayoutEnding
    }

    /// Photos of which none is placed yet.
    init(_ engine: LayoutEngine, _ source: InvalidationContext.Source) {
        let metrics = source.metrics
        self.engine = engine
        chunks = stride(from: 0, to: metrics.count, by: Self.chunkCapacity).map { start in
            StreamChunk(start..<min(start + Self.chunkCapacity, metrics.count), of: metrics)
        }
        list = source.sectionLengths.map { SectionList($0, itemCount: metrics.count) }
        directory = LayoutDirectory(engine)
        ending = StreamEnding(
            entry: engine.initialState, pending: metrics[0..<0], result: engine.close(engine.initialState))
    }

    /// How many photos there are.
    public var itemCount: Int { directory.itemCount }

    /// The extent of the whole layout, insets included, in points.
    public var contentSize: Size { engine.key.displayScale.points(directory.contentSize) }

    /// What the run of a chunk placed.
    public func placedChunk(at position: Int) -> PlacedChunk {
        if position < chunks.count, let placed = chunks[position].placed { return placed }
        return PlacedChunk(metrics: ending.pending, frames: ending.result.frames)
    }
}
