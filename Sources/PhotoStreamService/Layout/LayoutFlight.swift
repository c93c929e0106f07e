import Dispatch
import PhotoStreamStorage
import Synchronization

/// A fold that is running: whoever asks for the same layout meanwhile waits for it instead of folding, too.
///
/// Nobody holds a connection while waiting. Who may be answered from the state that is folded here becomes a guest: the
/// one that folds answers it, too, in its own transaction. Everybody else asks again when the fold is over, in a
/// transaction of its own.
final class LayoutFlight: Sendable {
    private struct State {
        /// How many wait for what is folded here, rather than for a place to fold something else.
        var waiting = 0
        /// Who is to be answered here.
        var guests: [LayoutGuest] = []
        /// Whether it takes no more guests.
        var isClosed = false
        var isOver = false
    }

    /// The state of the stream that is folded; `nil` of what is no layout.
    let mark: StreamMark?
    private let state = Mutex(State())
    private let end = DispatchGroup()

    init(_ mark: StreamMark? = nil) {
        self.mark = mark
        end.enter()
    }

    /// How long a look at cancellation may wait.
    static let patience = DispatchTimeInterval.milliseconds(20)

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

    /// Waits until the one that folds has answered a question.
    ///
    /// - Parameters:
    ///   - body: The question; runs in the transaction and on the thread of the one that folds.
    ///   - waiting: Called when the wait begins.
    /// - Returns: The answer, or `nil` where the fold has come to nothing or takes no more guests.
    /// - Throws: What `body` throws, and `CancellationError` when the caller's task is cancelled meanwhile.
    func answer<T>(_ body: (PhotoReader) throws -> T, waiting: () -> Void) throws -> T? {
        var result: Result<T, any Error>?
        try withoutActuallyEscaping(body) { body in
            let box = AnswerBox<T>()
            let guest = LayoutGuest { reader in box.result = Result { try body(reader) } }
            defer { guest.forget() }
            guard
                state.withLock({ state in
                    guard !state.isClosed else { return false }
                    state.waiting += 1
                    state.guests.append(guest)
                    return true
                })
            else { return }
            waiting()
            defer { state.withLock { $0.waiting -= 1 } }
            try guest.wait()
            result = box.result
        }
        return try result?.get()
    }

    /// Answers the guests, one after the other, and takes no more of them.
    ///
    /// Call when the layout is at hand, in the transaction that it was folded in.
    func answerGuests(_ reader: PhotoReader) {
        while let guest = nextGuest() { guest.run(reader) }
    }

    private func nextGuest() -> LayoutGuest? {
        state.withLock { state in
            guard state.guests.isEmpty else { return state.guests.removeFirst() }
            state.isClosed = true
            return nil
        }
    }

    /// Ends it for everybody.
    func finish() {
        let (wasOpen, guests) = state.withLock { state in
            defer { (state.isOver, state.isClosed, state.guests) = (true, true, []) }
            return (!state.isOver, state.guests)
        }
        for guest in guests { guest.dismiss() }
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
    /// The stream's state in the transaction that asked, where it is the very layout that was asked for; `nil` where it
    /// is a slot that is waited for.
    let mark: StreamMark?
}

/// Where an answer is put.
private final class AnswerBox<T> {
    var result: Result<T, any Error>?
}
