import Synchronization

/// What a service has computed and stored since it was made: the price of the answers, in work rather than in time.
public struct DerivedWork: Hashable, Sendable {
    /// Chunks whose place in a layout was folded.
    public var foldedChunkCount = 0
    /// Chunks whose place in a layout still held when the layout was brought up to date.
    public var reusedChunkCount = 0
    /// Chunks whose frames were made from their checkpoint, for an answer that needed them.
    public var placedAgainCount = 0
    /// Chunks whose frames were written to the file.
    public var writtenFramesCount = 0
    /// Checkpoints of chunks that were written to the file.
    public var writtenPlacementCount = 0
    /// Questions about a layout that were answered without a fold.
    public var hitCount = 0
    /// How often a question waited for a fold that somebody else had begun, of the same layout or for a slot.
    public var awaitedFoldCount = 0
    /// Layouts that were brought up to date or computed.
    public var resolvedLayoutCount = 0
}

/// The counters of one service.
final class DerivedCounters: Sendable {
    private let state = Mutex(DerivedWork())

    /// What was counted so far.
    var work: DerivedWork { state.withLock { $0 } }

    /// Counts.
    func add(_ body: (inout DerivedWork) -> Void) {
        state.withLock { body(&$0) }
    }
}
