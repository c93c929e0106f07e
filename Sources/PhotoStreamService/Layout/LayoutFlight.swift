import Dispatch
import Synchronization

/// A fold that is running: questions about the same layout wait for it instead of folding, too.
///
/// No connection is held while waiting. When the fold is over the question is asked again, in a transaction of its own.
final class LayoutFlight: Sendable {
    private struct State {
        /// How many wait for what is folded here, rather than for a place to fold something else.
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
    ///   - forResult: Whether the fold is to go on for the caller's sake.
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

/// The error that a question throws to wait for another question's fold, outside of its transaction.
struct FlightInProgress: Error {
    let flight: LayoutFlight
    /// Whether the fold is of the very layout that was asked for; otherwise the question waits for a slot.
    let isOfResult: Bool
}
