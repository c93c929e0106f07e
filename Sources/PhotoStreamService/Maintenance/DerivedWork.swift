/// The work of a service since it was opened: the cost of its answers, in work rather than in time.
public struct DerivedWork: Hashable, Sendable {
    /// Chunks whose placement was folded.
    public var foldedChunkCount = 0
    /// Chunks whose placement was still valid when a layout was brought up to date.
    public var reusedChunkCount = 0
    /// Chunks whose frames were computed from their checkpoint, for an answer that needed them.
    public var placedAgainCount = 0
    /// Chunks whose frames were written to the file.
    public var writtenFramesCount = 0
    /// Checkpoints of chunks that were written to the file.
    public var writtenPlacementCount = 0
    /// Queries about a layout that were answered without a fold.
    public var hitCount = 0
    /// The number of times that a query waited for another query's fold, of the same layout or for a slot.
    public var awaitedFoldCount = 0
    /// Chunks whose attributes were made from the rows of all their photos, for a condition.
    public var packedChunkCount = 0
    /// Layouts that were brought up to date or computed.
    public var resolvedLayoutCount = 0
}
