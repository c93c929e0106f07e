import Dispatch
import Synchronization

/// A fold that is running: whoever asks for the same layout meanwhile waits for it instead of folding, too.
///
/// It hands nothing over but its end: who has waited asks again, in a transaction of its own, and finds the layout at
/// hand or repairs it with what the fold has left. So nobody holds a connection while waiting.
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

    /// How long a look at cancellation may wait.
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

    /// Ends it for everybody.
    func finish() {
        let wasOpen = state.withLock { state in
            defer { state.isOver = true }
            return !state.isOver
        }
        if wasOpen { end.leave() }
    }

    /// Throws `CancellationError` when whoever folds was cancelled and nobody waits for the result.
    func checkAbandoned() throws {
        guard Task.isCancelled, state.withLock({ $0.waiting == 0 }) else { return }
        throw CancellationError()
    }
}

/// What a question throws that has to wait for somebody else's fold, outside of its transaction.
struct FlightInProgress: Error {
    let flight: LayoutFlight
    /// Whether it is the very layout that was asked for.
    let isSameLayout: Bool
}
