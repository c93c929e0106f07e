package import PhotoStreamModel

/// One pass of an algorithm over the photos of a chunk, section by section.
///
/// Lengths along the scroll axis are device pixels from the run's base, which lies one line spacing above the origin of
/// the state that it began from: nothing that it places can begin above it.
protocol PlacementRun {
    /// How many photos it places at once before cancellation is looked at; all of them where photos take nanoseconds.
    static var stepLength: Int { get }
    /// Begins a section whose items begin at `origin`.
    mutating func openSection(at origin: Int64)
    /// Places consecutive photos of the open section.
    mutating func place(_ items: Range<Int>)
    /// Ends the open section.
    ///
    /// - Returns: Where its items end; where they begin if it has none.
    mutating func closeSection() -> Int64
    /// What the run has come to, at its end.
    mutating func result() -> PlacementResult
}

extension PlacementRun {
    static var stepLength: Int { .max }
}

/// What a run has come to.
struct PlacementResult {
    /// What the algorithm remembers.
    var state: AlgorithmState
    /// Whether the open section has an item.
    var hasItems: Bool
    /// The origin of the state, from the base.
    var origin: Int64
    /// How many photos were placed, those that were pending before included.
    var placedCount: Int
    /// Where they stand.
    var frames: PackedFrames
    /// Nothing placed begins above this, from the base.
    var leastTop: Int64
    /// Nothing placed ends below this, from the base.
    var greatestEnd: Int64
    /// No item that was placed is longer.
    var longestItem: Int64
}

/// A run of consecutive photos as a fold placed it, relative to its base.
///
/// Where the layout folds backward, all but the frames is as the fold sees it: lengths are counted from the end of the
/// content, and a section begins with its last photo.
public struct ChunkPlacement: Hashable, Sendable {
    /// The state behind the last photo that was folded, relative to its own origin.
    public let exitState: LayoutState
    /// Where the run stands and what it covers.
    public let extents: ChunkExtents
    /// Where the items stand, in stream order.
    public let frames: PackedFrames
    /// The sections that begin in the run.
    public let sections: [SectionStart]
}

/// How far a placed run reaches, in device pixels along the scroll axis.
///
/// The base lies one line spacing above the origin of the state before the run.
public struct ChunkExtents: Hashable, Sendable {
    /// From the origin of the state before the run to that of the state behind it; negative at most by a line spacing.
    public var advance: Int64
    /// How many items were placed; those that wait for their line to be full are placed by a later run.
    public var placedCount: Int
    /// Nothing placed begins above this, from the base.
    public var leastTop: Int64
    /// Nothing placed ends below this, from the base.
    public var greatestEnd: Int64
    /// No item that was placed is longer.
    public var longestItem: Int64
    /// Of a map, how many photos of the run have a position, and where; `nil` for all other layouts.
    package internal(set) var positions: PositionSummary?

    /// Creates extents.
    public init(advance: Int64, placedCount: Int, leastTop: Int64, greatestEnd: Int64, longestItem: Int64) {
        self.advance = advance
        self.placedCount = placedCount
        self.leastTop = leastTop
        self.greatestEnd = greatestEnd
        self.longestItem = longestItem
    }
}

/// Where a section begins within a run.
public struct SectionStart: Hashable, Sendable {
    /// The position of its first photo among those of the run.
    public let position: Int
    /// What its photos have in common.
    public let mark: SectionMark
    /// Where its header begins, from the run's base, in device pixels.
    public let origin: Int64

    /// Creates a start.
    public init(position: Int, mark: SectionMark, origin: Int64) {
        self.position = position
        self.mark = mark
        self.origin = origin
    }
}
