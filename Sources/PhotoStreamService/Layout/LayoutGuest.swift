import Dispatch
import PhotoStreamStorage
import Synchronization

/// A question that somebody else answers, while the one that asks stands still.
///
/// The question is a closure of the asking thread. It is sound to run it on another, and so to send this: the asking
/// thread stands in ``wait()`` from before the question can be taken until it was answered or can be taken no more, so
/// never both touch what it captures; lock and semaphore order what each of them writes.
final class LayoutGuest: @unchecked Sendable {
    private enum State {
        case waiting, taken, over
    }

    private let state = Mutex(State.waiting)
    private let end = DispatchSemaphore(value: 0)
    private var question: ((PhotoReader) -> Void)?

    init(_ question: @escaping (PhotoReader) -> Void) {
        self.question = question
    }

    /// Waits until the question was answered, or nobody answers it.
    ///
    /// - Throws: `CancellationError` when the caller's task is cancelled before somebody begins with it.
    func wait() throws {
        while end.wait(timeout: .now() + LayoutFlight.patience) == .timedOut {
            guard Task.isCancelled, leaves(.waiting, for: .over) else { continue }
            throw CancellationError()
        }
    }

    /// Answers the question, unless it was withdrawn.
    func run(_ reader: PhotoReader) {
        guard leaves(.waiting, for: .taken) else { return }
        ask(reader)
        end.signal()
    }

    /// Sends it away without an answer.
    func dismiss() {
        if leaves(.waiting, for: .over) { end.signal() }
    }

    /// Lets go of the question, which is not to outlive the asking call: for the asking thread, at the end.
    func forget() { question = nil }

    // Apart, so that nothing of the question is held here any more when the asking thread goes on.
    @inline(never)
    private func ask(_ reader: PhotoReader) { question?(reader) }

    private func leaves(_ old: State, for new: State) -> Bool {
        state.withLock { state in
            guard state == old else { return false }
            state = new
            return true
        }
    }
}
