import Dispatch
import PhotoStreamStorage
import Synchronization

/// A fold that is running.
///
/// Questions about the same layout wait for it instead of folding, too.
///
/// No connection is held during the wait. When the fold is over, the question is asked again in another transaction.
final class InFlightFold: Sendable {
    private struct State {
        /// The number of questions that wait for this result, rather than for a slot to fold something else.
        var waiting = 0
        var isOver = false
    }

    private let state = Mutex(State())
    private let end = DispatchGroup()

    init() {
        end.enter()
    }

    /// The longest time between two looks at cancellation.
    private static let patience = DispatchTimeInterval.milliseconds(20)

    /// Waits until the fold is over.
    ///
    /// - Parameters:
    ///   - forResult: Whether the fold must go on for the caller's sake.
    ///   - waiting: Called when the wait begins.
    /// - Throws: `CancellationError` when the caller's task is cancelled meanwhile.
    func wait(forResult: Bool, waiting: () -> Void) throws {
        guard
            state.withLock({ state in
                if forResult, !state.isOver { state.waiting += 1 }
                return !state.isOver
            })
        else { return }
        waiting()
        defer { if forResult { state.withLock { $0.waiting -= 1 } } }
        while end.wait(timeout: .now() + Self.patience) == .timedOut { try Task.checkCancellation() }
    }

    /// Ends the wait of all questions.
    func finish() {
        let wasRunning = state.withLock { state in
            defer { state.isOver = true }
            return !state.isOver
        }
        if wasRunning { end.leave() }
    }

    /// Throws `CancellationError` when the task that folds was cancelled and no question waits for the result.
    func checkAbandoned() throws {
        guard Task.isCancelled, state.withLock({ $0.waiting == 0 }) else { return }
        throw CancellationError()
    }
}

/// The error that makes a question wait for another question's fold, outside its transaction.
struct FoldInProgress: Error {
    let fold: InFlightFold
    /// Whether the fold is of the very layout that was asked for; otherwise the question waits for a slot.
    let isOfResult: Bool
}

/// Accounts for the chunks that one question rebuilds, folds or reverts, and takes a slot when there are many.
///
/// One chunk is done at once. For more, a question that must not block ends, and any other takes one of the slots for
/// long folds.
final class ChunkWork {
    /// The number of chunks that are made, and of those that are folded, before a slot is asked for.
    static let freeChunkCount = 1

    private let layouts: LayoutCache
    private let fold: InFlightFold
    private let mayBlock: Bool
    private let reader: PhotoReader?
    private var madeCount = 0
    private var foldedCount = 0

    /// Begins the work of one question.
    ///
    /// - Parameters:
    ///   - service: The service, which gives slots.
    ///   - fold: The fold.
    ///   - reader: The transaction of the work; `nil` if it takes several.
    ///   - mayBlock: Whether the question may take a slot.
    init(_ service: PhotoStreamService, for fold: InFlightFold, in reader: PhotoReader?, mayBlock: Bool = true) {
        layouts = service.layouts
        self.mayBlock = mayBlock
        self.reader = reader
        self.fold = fold
        reader?.ignoreCancellation()
    }

    /// Must be called before each chunk that is made of rows or reverted.
    ///
    /// - Throws: ``FoldInProgress`` if there is no slot, ``WouldBlock``, `CancellationError` if no question wants the result
    ///   any more.
    func begin() throws { try begin(atOnce: 1) }

    /// Must be called before each chunk that is folded.
    ///
    /// - Throws: As ``begin()``.
    func beginFold() throws { try begin(&foldedCount, more: 1) }

    /// Must be called before a number of chunks that are made together.
    ///
    /// - Throws: As ``begin()``.
    func begin(atOnce chunkCount: Int) throws { try begin(&madeCount, more: chunkCount) }

    private func begin(_ count: inout Int, more: Int) throws {
        if count + more > Self.freeChunkCount {
            guard mayBlock else { throw WouldBlock() }
            try layouts.takeSlot(fold)
        }
        count += more
        try check()
    }

    /// Throws `CancellationError` if no question wants the result any more, and `ReadMustRestart` if the transaction has
    /// to begin again.
    func check() throws {
        try fold.checkAbandoned()
        try reader?.throwIfMustRestart()
    }
}
