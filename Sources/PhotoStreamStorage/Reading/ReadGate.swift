import Foundation
import Synchronization

/// The error that ends a read that is to begin again, so that the write-ahead log can be emptied.
package struct ReadGivenUp: Error {}

/// Counts the reads that are under way, and holds new ones back for a moment.
final class ReadGate: Sendable {
    private struct State {
        var readCount = 0
        var isClosed = false
        var endsFolds = false
    }

    private let state = Mutex(State())

    /// Begins a read; waits while the gate is closed.
    ///
    /// - Throws: `CancellationError` when the caller's task is cancelled meanwhile.
    func enter() throws {
        while !entersNow() {
            try Task.checkCancellation()
            usleep(1_000)
        }
    }

    /// Ends a read.
    func leave() { state.withLock { $0.readCount -= 1 } }

    /// Whether folds are to be given up and begun again.
    var endsFolds: Bool { state.withLock { $0.endsFolds } }

    /// Closes the gate, runs `body` when no read is under way, and opens the gate.
    ///
    /// - Parameters:
    ///   - patience: How long reads that are under way may take; then folds are given up, for which there is as much time
    ///     again.
    ///   - body: Told whether all reads have ended.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws.
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
