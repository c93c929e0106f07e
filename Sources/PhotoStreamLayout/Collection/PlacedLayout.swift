import PhotoStreamModel

/// A stream as a ``CollectionLayout`` has placed it: a value that answers every question and stays as it is.
///
/// Two of them share the chunks in which they do not differ, so keeping the one before an edit costs little.
public struct PlacedLayout: LayoutSource, Sendable {
    /// The index of chunks and sections.
    public internal(set) var directory: LayoutDirectory
    let sizes: ChunkSizes
    var engine: LayoutEngine
    var chunks: [StreamChunk]
    /// The position of each chunk's first photo, and after all.
    var starts: [Int]
    /// The sections where they are a list.
    var list: SectionList?
    var ending: StreamEnding

    /// The end of a stream, and the input that it was made from.
    struct StreamEnding: Sendable {
        var entry: LayoutState
        var pending: PackedMetrics
        var result: LayoutEnding
    }

    /// Photos of which none is placed yet.
    init(_ engine: LayoutEngine, _ source: InvalidationContext.Source, _ sizes: ChunkSizes) {
        let metrics = source.metrics
        self.sizes = sizes
        self.engine = engine
        list = source.sectionLengths.map { SectionList($0, itemCount: metrics.count) }
        let borders = list?.firsts ?? SectionBorders(metrics, engine.key.sections.sectioning, open: nil).positions
        let parts = sizes.parts(of: metrics.count, cuttingAt: borders)
        // Each with photos of its own, so that an edit frees what it puts something in place of.
        chunks = parts.map { StreamChunk(PackedMetrics(joining: [metrics[$0]])) }
        starts = parts.map(\.lowerBound) + [metrics.count]
        directory = LayoutDirectory(engine)
        ending = StreamEnding(
            entry: engine.initialState, pending: .none, result: engine.close(engine.initialState))
    }

    /// The number of photos.
    public var itemCount: Int { directory.itemCount }

    /// The extent of the whole layout, insets included, in points.
    public var contentSize: Size { engine.key.displayScale.points(directory.contentSize) }

    /// The photos and frames that the run of a chunk placed.
    public func placedChunk(at position: Int) -> PlacedChunk {
        guard position < chunks.count else {
            return PlacedChunk(metrics: ending.pending, frames: ending.result.frames)
        }
        return chunks[position].placed
    }
}

extension SectionBorders {
    /// The place where sections begin in the run.
    var positions: [Int] { starts.map(\.position) }
}
