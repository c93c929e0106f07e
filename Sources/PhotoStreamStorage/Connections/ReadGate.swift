import Foundation
import Synchronization

/// The error that ends a read which must start again, so that the write-ahead log can be emptied.
package struct ReadMustRestart: Error {}

/// Counts active reads, and can hold new ones back.
final class ReadGate: Sendable {
    private struct State {
        var readCount = 0
        var isClosed = false
        var endsFolds = false
    }

    private let state = Mutex(State())

    /// Begins a read; waits while the gate is closed.
    ///
    /// - Throws: `CancellationError` if the caller's task is cancelled while it waits.
    func enter() throws {
        while !entersNow() {
            try Task.checkCancellation()
            usleep(1_000)
        }
    }

    /// Ends a read.
    func leave() { state.withLock { $0.readCount -= 1 } }

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
        state.withLock { $0.isClosed = true }
        defer { state.withLock { ($0.isClosed, $0.endsFolds) = (false, false) } }
        var isFree = waitUntilFree(for: patience)
        if !isFree {
            state.withLock { $0.endsFolds = true }
            isFree = waitUntilFree(for: patience)
        }
        return try body(isFree)
    }

    private func entersNow() -> Bool {
        state.withLock { state in
            if state.isClosed { return false }
            state.readCount += 1
            return true
        }
    }

    private func waitUntilFree(for patience: Duration) -> Bool {
        let deadline = ContinuousClock.now.advanced(by: patience)
        while state.withLock({ $0.readCount > 0 }) {
            guard ContinuousClock.now < deadline else { return false }
            usleep(1_000)
        }
        return true
    }
}
