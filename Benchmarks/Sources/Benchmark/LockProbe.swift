import CLimits
import Dispatch
import Synchronization

/// Another writer of a file, which only waits for its turn.
final class LockProbe: Sendable {
    private struct State {
        var isDone = false
        var longest = -1.0
    }

    private let file: String
    private let state = Mutex(State())

    init(_ file: String) {
        self.file = file
    }

    /// Runs `body` while the other writer asks for the file's lock all the time.
    ///
    /// - Parameter body: The work.
    /// - Returns: The longest wait, in nanoseconds.
    /// - Throws: The errors of `body`, and ``Tool/Failure`` if SQLite reports an error.
    func longestWait(during body: () throws -> Void) throws -> Double {
        let end = DispatchGroup()
        DispatchQueue.global().async(group: end) { self.ask() }
        do {
            defer {
                state.withLock { $0.isDone = true }
                end.wait()
            }
            try body()
        }
        let longest = state.withLock { $0.longest }
        guard longest >= 0 else { throw Tool.Failure(description: "the write lock of \(file) cannot be taken") }
        return longest
    }

    private func ask() {
        let longest = limit_longest_write_wait(
            file,
            { context in
                guard let context else { return false }
                return Unmanaged<LockProbe>.fromOpaque(context).takeUnretainedValue().state.withLock { !$0.isDone }
            }, Unmanaged.passUnretained(self).toOpaque())
        state.withLock { $0.longest = longest }
    }
}
