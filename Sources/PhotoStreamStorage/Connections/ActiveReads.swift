import Dispatch
import Synchronization

/// The error that ends a read which must start again, so that the write-ahead log can be emptied.
package struct ReadMustRestart: Error {}

/// Counts the active reads of this process by the number of attempts to empty the write-ahead log that came before them,
/// and can hold new ones back.
final class ActiveReads: Sendable {
    private struct State {
        var counts: [Int: Int] = [:]
        /// The number of attempts so far.
        var attempt = 0
        /// Folds that began before this attempt must end and begin again; 0 if none ever had to.
        var restartedAttempt = 0
        /// Signalled when no read that began before the current attempt is active.
        var end: DispatchSemaphore?
        /// Left when reads may begin again.
        var hold: DispatchGroup?

        var hasEarlier: Bool { counts.keys.contains { $0 < attempt } }
    }

    private let state = Mutex(State())

    /// Begins a read; waits while reads are held back.
    ///
    /// - Returns: The number of attempts so far, for ``end(_:)`` and ``mustRestart(_:)``.
    /// - Throws: `CancellationError` if the caller's task was cancelled while it waited.
    func begin() throws -> Int {
        while true {
            let (attempt, hold) = state.withLock { state in
                if state.hold == nil { state.counts[state.attempt, default: 0] += 1 }
                return (state.attempt, state.hold)
            }
            guard let hold else { return attempt }
            hold.wait()
            try Task.checkCancellation()
        }
    }

    /// Ends a read that began after a number of attempts.
    func end(_ attempt: Int) {
        state.withLock { state in
            let count = state.counts[attempt, default: 1] - 1
            state.counts[attempt] = count == 0 ? nil : count
            if !state.hasEarlier { state.end.take()?.signal() }
        }
    }

    /// Whether a fold that began after a number of attempts must end and begin again.
    func mustRestart(_ attempt: Int) -> Bool { state.withLock { attempt < $0.restartedAttempt } }

    /// Begins an attempt.
    func beginAttempt() { state.withLock { $0.attempt += 1 } }

    /// Whether a read is active that began before the last attempt.
    var hasEarlier: Bool { state.withLock { $0.hasEarlier } }

    /// Whether reads were ever held back.
    var wereHeld: Bool { state.withLock { $0.restartedAttempt > 0 } }

    /// Holds new reads back, ends folds, and runs `body` once no read is active.
    ///
    /// - Parameters:
    ///   - timeout: The maximum wait; then `body` runs nevertheless.
    ///   - body: The rest of the attempt.
    /// - Returns: The result of `body`.
    /// - Throws: Errors of `body`.
    func holding<T>(timeout: DispatchTimeInterval, _ body: () throws -> T) rethrows -> T {
        let (end, hold) = (DispatchSemaphore(value: 0), DispatchGroup())
        hold.enter()
        defer {
            state.withLock { $0.hold = nil }
            hold.leave()
        }
        let mustWait = state.withLock { state in
            state.attempt += 1
            (state.restartedAttempt, state.hold) = (state.attempt, hold)
            if state.hasEarlier { state.end = end }
            return state.hasEarlier
        }
        if mustWait {
            _ = end.wait(timeout: .now() + timeout)
            state.withLock { $0.end = nil }
        }
        return try body()
    }
}
