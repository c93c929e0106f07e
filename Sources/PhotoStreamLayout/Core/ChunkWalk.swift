/// The walk over the chunks of a stream that creates or repairs a layout with as little folding as possible.
///
/// A chunk's placement is stored with the layout's state before it. The placement is valid as long as the chunk has the
/// same photos and the walk arrives with the same state; then nothing is computed, and the walk continues with its exit
/// state. Otherwise the chunk is folded:
///
///     state ──▶ chunk 0 ──▶ state ──▶ chunk 1 ──▶ state' ──▶ chunk 2 ──▶ state ──▶ chunk 3 ──▶ …
///               valid                 edited                 folded               valid: the same state as before
///
/// So after an edit, folding begins at the first touched chunk and ends as soon as a state equals the stored one. All
/// layouts use this walk: those of a file, past ones, and those in memory. The closures of
/// ``run(_:stateBefore:reuse:fold:)`` define how each stores placements and reads chunks.
package struct ChunkWalk: Sendable {
    /// The number of chunks.
    package let count: Int
    /// Whether the fold begins with the last chunk.
    package let isBackward: Bool

    /// Creates a walk.
    package init(count: Int, isBackward: Bool) {
        self.count = count
        self.isBackward = isBackward
    }

    /// Returns the position in stream order of the chunk that a step folds, counted from 0; the same maps a position to
    /// its step.
    package func position(ofTurn turn: Int) -> Int { isBackward ? count - 1 - turn : turn }

    /// The steps of positions that ascend in stream order.
    package func turns(ofPositions positions: [Int]) -> [Int] {
        isBackward ? positions.reversed().map(position(ofTurn:)) : positions
    }

    /// Walks from each touched chunk to the next one with a valid placement.
    ///
    /// - Parameters:
    ///   - touched: The steps of all chunks whose own photos may have changed, ascending; a step may occur twice. Chunks
    ///     between them are visited only if the arriving state differs from the one before their placement.
    ///   - stateBefore: Returns the state that arrives at a step if all steps before it are valid.
    ///   - reuse: Receives the position of a chunk and the arriving state. Returns the chunk's exit state and keeps its
    ///     placement if that is valid, else returns `nil`.
    ///   - fold: Receives the position of a chunk without a valid placement and the arriving state. Folds it and
    ///     returns its exit state.
    /// - Returns: The steps whose chunks were folded, as ascending runs.
    /// - Throws: The error of a closure, which ends the walk.
    /// - Complexity: O(touched chunks + folded chunks).
    package func run<State, Failure: Error>(
        _ touched: some Sequence<Int>, stateBefore: (_ turn: Int) -> State,
        reuse: (_ position: Int, _ state: State) throws(Failure) -> State?,
        fold: (_ position: Int, _ state: State) throws(Failure) -> State
    ) throws(Failure) -> [Range<Int>] {
        var folded: [Range<Int>] = []
        var turn = 0
        for first in touched where first >= turn {
            turn = first
            var state = stateBefore(turn)
            while turn < count {
                let position = position(ofTurn: turn)
                guard try reuse(position, state) == nil else { break }
                state = try fold(position, state)
                turn += 1
            }
            if first < turn { folded.append(first..<turn) }
            // The valid chunk is done, too.
            turn += 1
        }
        return folded
    }
}
