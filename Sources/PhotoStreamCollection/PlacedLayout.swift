public import PhotoStreamLayout
import PhotoStreamModel

/// An immutable snapshot of a ``CollectionLayout`` that answers every query.
///
///     let before = layout.current
///     try layout.invalidate(with: .edits([.delete(0..<100)]))
///     let shrunk = before.contentSize.height - layout.contentSize.height
///
/// Snapshots share the chunks in which they do not differ, so keeping the one before an edit costs little.
public struct PlacedLayout: LayoutSource, Sendable {
    /// The index of chunks and sections.
    public internal(set) var directory: LayoutDirectory
    let sizes: ChunkSizes
    var engine: LayoutEngine
    var chunks: [StreamChunk]
    /// The position of each chunk's first photo, and the number of all photos.
    var starts: [Int]
    /// The sections if they are a list.
    var list: SectionList?
    var ending: StreamEnding

    /// The end of a stream, and the input from which it was computed.
    struct StreamEnding: Sendable {
        var entry: LayoutState
        var pending: PackedMetrics
        var result: LayoutEnding
    }

    /// Creates a layout whose photos are not placed yet.
    init(_ engine: LayoutEngine, source: InvalidationContext.Source, sizes: ChunkSizes) {
        let metrics = source.metrics
        self.sizes = sizes
        self.engine = engine
        list = source.sectionLengths.map { SectionList($0, itemCount: metrics.count) }
        let borders =
            list?.firsts ?? SectionBorders(metrics, sectioning: engine.key.sections.sectioning, open: nil).positions
        let parts = sizes.parts(of: metrics.count, cuttingAt: borders)
        // Each chunk owns its photos, so that an edit frees those it replaces.
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
    /// The positions at which sections begin in the run.
    var positions: [Int] { starts.map(\.position) }
}

/// The number of photos in a chunk in memory.
package struct ChunkSizes: Hashable, Sendable {
    /// The approximate number of photos in a new chunk.
    package let new: Int
    /// The number of photos below which a chunk is united with a neighbour.
    package let least: Int
    /// The number of photos above which a chunk is split.
    package let greatest: Int

    /// The sizes of a stream of any length.
    ///
    /// Half of the size in a file, where each chunk costs a row: an edit places at least one chunk.
    package static let standard = ChunkSizes(new: 1_024, least: 512, greatest: 2_048)

    /// Creates sizes.
    ///
    /// - Precondition: The halves of a split chunk do not have to be united again.
    package init(new: Int, least: Int, greatest: Int) {
        precondition(0 < least && least <= new && 2 * new <= greatest, "chunks would be split and united in turn")
        (self.new, self.least, self.greatest) = (new, least, greatest)
    }

    /// Splits a run of photos into chunks, preferably at the start of a section, so that an edit in a section stays in
    /// its chunks.
    ///
    /// - Parameters:
    ///   - count: The number of photos.
    ///   - borders: The positions at which sections begin, ascending.
    /// - Returns: The parts in order, none of them empty.
    func parts(of count: Int, cuttingAt borders: [Int]) -> [Range<Int>] {
        var parts: [Range<Int>] = []
        var start = 0
        while count - start > greatest {
            let wanted = start + new
            let next = borders.partitioningIndex { $0 >= wanted }
            let near = borders[max(0, next - 1)..<min(next + 1, borders.count)].filter { border in
                border >= start + least && border <= min(start + greatest, count - least)
            }
            let end = near.min { abs($0 - wanted) < abs($1 - wanted) } ?? wanted
            parts.append(start..<end)
            start = end
        }
        return start < count ? parts + [start..<count] : parts
    }
}
