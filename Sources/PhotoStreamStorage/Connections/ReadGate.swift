import Foundation
import Synchronization

/// The error that ends a read which must start again, so that the write-ahead log can be emptied.
package struct ReadMustRestart: Error {}

/// Counts active reads, and can hold new ones back.
final class ReadGate: Sendable {
    private struct State {
        /// The number of active reads, by the period in which they began.
        var readCounts: [Int: Int] = [:]
        var period = 0
        var closingCount = 0
        var isClosed = false
        var endsFolds = false
    }

    private let state = Mutex(State())

    /// Begins a read; waits while the gate is closed.
    ///
    /// - Returns: The period in which the read began, for ``leave(period:)``.
    /// - Throws: `CancellationError` if the caller's task is cancelled while it waits.
    func enter() throws -> Int {
        while true {
            if let period = enterNow() { return period }
            try Task.checkCancellation()
            usleep(1_000)
        }
    }

    /// Ends a read.
    func leave(period: Int) {
        state.withLock { state in
            let count = state.readCounts[period, default: 1] - 1
            state.readCounts[period] = count == 0 ? nil : count
        }
    }

    /// Begins a period, to tell the reads that are active now from later ones.
    ///
    /// - Returns: The period.
    func beginPeriod() -> Int {
        state.withLock { state in
            state.period += 1
            return state.period
        }
    }

    /// Whether a read is active that began before a period.
    func hasReads(begunBefore period: Int) -> Bool {
        state.withLock { $0.readCounts.keys.contains { $0 < period } }
    }

    /// The number of times that the gate was closed.
    var closingCount: Int { state.withLock { $0.closingCount } }

    /// Whether folds are to be given up and started again.
    var endsFolds: Bool { state.withLock { $0.endsFolds } }

    /// Closes the gate, runs `body` once no read is active, and opens the gate again.
    ///
    /// - Parameters:
    ///   - patience: The time that active reads may take; then folds are given up, with the same time to end.
    ///   - body: Receives whether all reads have ended.
    /// - Returns: The result of `body`.
    /// - Throws: Errors of `body`.
    func closed<T>(patience: Duration, _ body: (_ isFree: Bool) throws -> T) rethrows -> T {
        state.withLock { state in
            state.isClosed = true
            state.closingCount += 1
        }
        defer { state.withLock { ($0.isClosed, $0.endsFolds) = (false, false) } }
        var isFree = waitUntilFree(for: patience)
        if !isFree {
            state.withLock { $0.endsFolds = true }
            isFree = waitUntilFree(for: patience)
        }
        return try body(isFree)
    }

    private func enterNow() -> Int? {
        state.withLock { state in
            if state.isClosed { return nil }
            state.readCounts[state.period, default: 0] += 1
            return state.period
        }
    }

    private func waitUntilFree(for patience: Duration) -> Bool {
        let deadline = ContinuousClock.now.advanced(by: patience)
        while state.withLock({ !$0.readCounts.isEmpty }) {
            guard ContinuousClock.now < deadline else { return false }
            usleep(1_000)
        }
        return true
    }
}
