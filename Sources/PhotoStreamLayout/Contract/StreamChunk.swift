import PhotoStreamModel

/// A chunk of a stream in memory: its photos, and what the fold made of them. It never changes; an edit makes another.
///
/// A layout in lines leaves the photos of an open line to the run that closes it. So that what a run placed lies in one
/// piece too, a chunk holds those as well, before its own:
///
///     words  | looked back | lent | own ........................... |
///                          |<-- placed by its run -->|<-- pending ->|
final class StreamChunk: Sendable {
    private let words: PackedMetrics
    private let ownStart: Int
    private let state: State

    private enum State {
        case folded(Fold)
        case edited(Draft)
        case unfolded
    }

    /// A placement and the state that it began from.
    struct Fold: Sendable {
        let entry: LayoutState
        let placement: ChunkPlacement

        /// How many photos of earlier chunks lie before its own for its run.
        var lentCount: Int { placement.extents.placedCount > 0 ? entry.pendingCount : 0 }
    }

    /// What the fold made of other photos, of which the first and the last are still there.
    struct Draft: Sendable {
        let fold: Fold
        /// How many photos it placed or left pending, without those that were pending before.
        let count: Int
        /// How many of its first and of its last photos are still there.
        var prefix: Int
        var suffix: Int
    }

    /// How far a chunk of many looks back, so that photos lent to it need no copy.
    private static let lookback = 1_024

    /// A chunk that is to be folded.
    init(_ own: PackedMetrics) {
        (words, ownStart, state) = (own, 0, .unfolded)
    }

    /// A part of a stream that is to be folded.
    init(_ range: Range<Int>, of stream: PackedMetrics) {
        let start = max(0, range.lowerBound - Self.lookback)
        (words, ownStart, state) = (stream[start..<range.upperBound], range.lowerBound - start, .unfolded)
    }

    private init(_ words: PackedMetrics, ownStart: Int, _ state: State) {
        (self.words, self.ownStart, self.state) = (words, ownStart, state)
    }

    /// How many photos it holds.
    var count: Int { words.count - ownStart }

    /// The photos that it holds.
    var own: PackedMetrics { words[ownStart..<words.count] }

    /// What the fold made of it; `nil` while it has to be folded.
    var fold: Fold? {
        if case .folded(let fold) = state { fold } else { nil }
    }

    /// What the fold made of it or of what it was before its edits.
    var draft: Draft? {
        switch state {
        case .folded(let fold): Draft(fold: fold, count: count, prefix: count, suffix: count)
        case .edited(let draft): draft
        case .unfolded: nil
        }
    }

    /// What its run placed.
    var placed: PlacedChunk? {
        guard let fold else { return nil }
        let start = ownStart - fold.lentCount
        return PlacedChunk(
            metrics: words[start..<start + fold.placement.extents.placedCount], frames: fold.placement.frames)
    }

    /// Whether these are the photos before its own.
    func holds(_ lent: PackedMetrics) -> Bool {
        lent.count <= ownStart && words[ownStart - lent.count..<ownStart].words.elementsEqual(lent.words)
    }
}

extension StreamChunk {
    /// The same photos, to be folded.
    var unfolded: StreamChunk { StreamChunk(words, ownStart: ownStart, .unfolded) }

    /// The same photos, folded.
    ///
    /// - Parameters:
    ///   - fold: What the fold made of them.
    ///   - lent: The photos that were pending before it.
    func folded(_ fold: Fold, lent: PackedMetrics) -> StreamChunk {
        guard fold.lentCount > 0, !holds(lent) else { return StreamChunk(words, ownStart: ownStart, .folded(fold)) }
        return StreamChunk(PackedMetrics(words: lent.words + own.words), ownStart: lent.count, .folded(fold))
    }

    /// Some photos replaced by others; to be folded.
    func replacing(_ range: Range<Int>, with items: PackedMetrics) -> StreamChunk {
        var draft = draft
        draft?.prefix = min(draft?.prefix ?? 0, range.lowerBound)
        draft?.suffix = min(draft?.suffix ?? 0, count - range.upperBound)
        // What was lent still lies before; more is of no use.
        let lent = draft?.fold.lentCount ?? 0
        let kept = words[ownStart - lent..<words.count].words
        let (first, last) = (kept.startIndex + lent + range.lowerBound, kept.startIndex + lent + range.upperBound)
        let joined = [UInt64](unsafeUninitializedCapacity: kept.count - range.count + items.count) { buffer, count in
            for part in [kept[..<first], items.words, kept[last...]] {
                count = buffer[count...].initialize(fromContentsOf: part)
            }
        }
        return StreamChunk(
            PackedMetrics(words: joined), ownStart: lent, draft.map { .edited($0) } ?? .unfolded)
    }
}
