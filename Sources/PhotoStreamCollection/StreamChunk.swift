import PhotoStreamLayout
import PhotoStreamModel

/// A chunk of a stream in memory: its photos, and the result of their fold.
///
/// It is immutable; an edit creates another.
///
/// A layout in lines leaves the photos of an open line to the run that closes it. A chunk contains those photos as
/// well, before its own, so that everything that its run placed is contiguous:
///
///     words  | lent | own ........................... |
///            |<-- placed by its run -->|<-- pending ->|
final class StreamChunk: Sendable {
    private let words: PackedMetrics
    private let ownStart: Int
    /// The dates of its first and its last photo; `nil` in an empty chunk.
    let firstDate: OrderDate?
    let lastDate: OrderDate?
    /// The result of the fold; `nil` until it is folded.
    let fold: Fold?

    /// A placement with its other inputs, in addition to the chunk's photos.
    final class Fold: Sendable {
        /// The state before the chunk.
        let entry: LayoutState
        /// The sections that begin right after the chunk, which end its open section.
        let borders: [SectionMark]
        let placement: ChunkPlacement

        init(entry: LayoutState, borders: [SectionMark], placement: ChunkPlacement) {
            (self.entry, self.borders, self.placement) = (entry, borders, placement)
        }

        /// The number of photos of earlier chunks that it placed.
        var lentCount: Int { placement.extents.placedCount > 0 ? entry.pendingCount : 0 }
    }

    /// Creates a chunk that is not folded.
    convenience init(_ own: PackedMetrics) {
        self.init(own, ownStart: 0, fold: nil)
    }

    private init(_ words: PackedMetrics, ownStart: Int, fold: Fold?) {
        (self.words, self.ownStart, self.fold) = (words, ownStart, fold)
        let own = words[ownStart..<words.count]
        (firstDate, lastDate) = (own.firstDate, own.lastDate)
    }

    /// The number of its own photos.
    var count: Int { words.count - ownStart }

    /// Its own photos.
    var own: PackedMetrics { words[ownStart..<words.count] }

    /// The result of the fold of a folded chunk.
    var result: Fold {
        guard let fold else { preconditionFailure("a chunk that was never placed") }
        return fold
    }

    /// The photos and frames that its run placed.
    var placed: PlacedChunk {
        let start = ownStart - result.lentCount
        return PlacedChunk(
            metrics: words[start..<start + result.placement.extents.placedCount], frames: result.placement.frames)
    }

    /// Whether these are the photos before its own.
    func holds(_ lent: PackedMetrics) -> Bool {
        lent.count <= ownStart && words[ownStart - lent.count..<ownStart] == lent
    }

    /// The same photos, without the fold.
    var unfolded: StreamChunk { StreamChunk(words, ownStart: ownStart, fold: nil) }

    /// Returns the same photos with the result of a fold.
    ///
    /// - Parameters:
    ///   - fold: The result.
    ///   - lent: The photos that were pending before it.
    /// - Returns: The chunk.
    func folded(_ fold: Fold, lent: PackedMetrics) -> StreamChunk {
        guard fold.lentCount > 0, !holds(lent) else { return StreamChunk(words, ownStart: ownStart, fold: fold) }
        return StreamChunk(PackedMetrics(joining: [lent, own]), ownStart: lent.count, fold: fold)
    }

    /// Returns the chunk with photos replaced by others, without the fold.
    func replacing(_ range: Range<Int>, with items: PackedMetrics) -> StreamChunk {
        StreamChunk(PackedMetrics(joining: [own[0..<range.lowerBound], items, own[range.upperBound..<count]]))
    }
}

extension PackedMetrics {
    /// The date of the first photo.
    var firstDate: OrderDate? { words.first.map { OrderDate(packed: UInt32($0 >> UInt64(Self.dateShift))) } }

    /// The date of the last photo.
    var lastDate: OrderDate? { words.last.map { OrderDate(packed: UInt32($0 >> UInt64(Self.dateShift))) } }
}
