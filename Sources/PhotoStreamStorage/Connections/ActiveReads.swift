import Dispatch
import Synchronization

/// The active reads of this process, counted by the number of attempts to empty the write-ahead log that came before
/// them.
struct ActiveReads {
    fileprivate var counts: [Int: Int] = [:]
    /// The number of attempts so far.
    fileprivate var attempt = 0
    /// Folds that began before this attempt must end and begin again; 0 if none ever had to.
    fileprivate var restartedAttempt = 0
    /// Signalled when no read that began before the current attempt is active.
    fileprivate var end: DispatchSemaphore?
    /// Left when reads may begin again.
    fileprivate var hold: DispatchGroup?

    /// Whether a read is active that began before the last attempt.
    var hasEarlier: Bool { counts.keys.contains { $0 < attempt } }

    /// Begins an attempt.
    mutating func beginAttempt() { attempt += 1 }
}

// Reads, which an attempt can hold back.
extension LogKeeper {
    /// Begins a read; waits while reads are held back.
    ///
    /// - Returns: The number of attempts so far, for ``endRead(_:)`` and ``mustRestart(_:)``.
    /// - Throws: `CancellationError` if the caller's task was cancelled while it waited.
    func beginRead() throws -> Int {
        while true {
            let (attempt, hold) = state.withLock { state in
                if state.reads.hold == nil { state.reads.counts[state.reads.attempt, default: 0] += 1 }
                return (state.reads.attempt, state.reads.hold)
            }
            guard let hold else { return attempt }
            hold.wait()
            try Task.checkCancellation()
        }
    }

    /// Ends a read that began after a number of attempts.
    func endRead(_ attempt: Int) {
        state.withLock { state in
            let count = state.reads.counts[attempt, default: 1] - 1
            state.reads.counts[attempt] = count == 0 ? nil : count
            if !state.reads.hasEarlier { state.reads.end.take()?.signal() }
        }
    }

    /// Whether a fold that began after a number of attempts must end and begin again.
    func mustRestart(_ attempt: Int) -> Bool { state.withLock { attempt < $0.reads.restartedAttempt } }

    /// Holds new reads back, ends folds, and runs `body` once no read is active.
    ///
    /// - Parameters:
    ///   - timeout: The maximum wait; then `body` runs nevertheless.
    ///   - body: The rest of the attempt.
    /// - Returns: The result of `body`.
    /// - Throws: Errors of `body`.
    func holdingReads<T>(timeout: DispatchTimeInterval, _ body: () throws -> T) rethrows -> T {
        let (end, hold) = (DispatchSemaphore(value: 0), DispatchGroup())
        hold.enter()
        defer {
            state.withLock { $0.reads.hold = nil }
            hold.leave()
        }
        let mustWait = state.withLock { state in
            state.reads.attempt += 1
            (state.reads.restartedAttempt, state.reads.hold) = (state.reads.attempt, hold)
            if state.reads.hasEarlier { state.reads.end = end }
            return state.reads.hasEarlier
        }
        if mustWait {
            _ = end.wait(timeout: .now() + timeout)
            state.withLock { $0.reads.end = nil }
        }
        return try body()
    }
}
