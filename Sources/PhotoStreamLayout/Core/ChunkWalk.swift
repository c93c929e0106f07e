/// The walk over the chunks of a stream that makes or repairs a layout with as little folding as possible.
///
/// A chunk's placement is remembered with the layout's state that it was folded from. It holds while the chunk has the same
/// photos and the very same state arrives; then nothing is computed and its exit state goes on. Otherwise the chunk is
/// folded:
///
///     state ──▶ chunk 0 ──▶ state ──▶ chunk 1 ──▶ state' ──▶ chunk 2 ──▶ state ──▶ chunk 3 ──▶ …
///               holds                 edited                 folded               holds: the old state is met again
///
/// So after an edit, folding begins at the first touched chunk and ends where the old state is met again. All layouts are
/// made by this walk: those of a file, those of the past, and those in memory. They differ in what they remember and in
/// how they read chunks, which the closures of ``run(_:stateBefore:reuse:fold:)`` say.
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

    /// The position in stream order of the chunk that is folded at a turn, counted from 0; and the turn of a position.
    package func position(ofTurn turn: Int) -> Int { isBackward ? count - 1 - turn : turn }

    /// The turns of positions that ascend in stream order.
    package func turns(ofPositions positions: [Int]) -> [Int] {
        isBackward ? positions.reversed().map(position(ofTurn:)) : positions
    }

    /// Walks from each touched chunk to the next one whose placement holds.
    ///
    /// - Parameters:
    ///   - touched: The turns of all chunks that may not hold of themselves, ascending; a turn may occur twice. Chunks
    ///     between them are visited only where the state that arrives differs from the one that they were folded from.
    ///   - stateBefore: Returns the state that arrives at a turn, when all turns before it hold.
    ///   - reuse: Called with the position of a chunk and the state that arrives there. Returns the chunk's exit state and
    ///     keeps its placement if that holds, else returns `nil`.
    ///   - fold: Called with the position of a chunk and the state that arrives there, if its placement does not hold. Folds
    ///     it and returns its exit state.
    /// - Returns: The turns whose chunks were folded, as ascending runs.
    /// - Throws: The error of a closure, which ends the walk.
    /// - Complexity: O(touched chunks + chunks that are folded).
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
            // The chunk that holds is done, too.
            turn += 1
        }
        return folded
    }
}
