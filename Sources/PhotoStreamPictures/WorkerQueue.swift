import PhotoStreamPictureMessages
import Synchronization

/// The requests that wait for a worker.
///
/// Each is answered exactly once.
final class WorkerQueue: Sendable {
    /// A request with the caller that waits for its answer.
    struct Job: Sendable {
        var id: UInt64
        var request: PictureRequest
        var urgency: Urgency
    }

    private struct State {
        var nextID: UInt64 = 0
        var callers: [UInt64: CheckedContinuation<PictureAnswer, Never>] = [:]
        var foreground: [Job] = []
        var background = ArraySlice<Job>()
        var isClosed = false
    }

    private let state = Mutex(State())

    /// Waits for the answer to a request; a cancelled caller's request is dropped.
    func answer(to request: PictureRequest, urgency: Urgency) async -> PictureAnswer {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { caller in
                let isRefused = state.withLock { state in
                    if state.isClosed || Task.isCancelled { return true }
                    state.callers[id] = caller
                    let job = Job(id: id, request: request, urgency: urgency)
                    if urgency == .foreground { state.foreground.append(job) } else { state.background.append(job) }
                    return false
                }
                if isRefused { caller.resume(returning: Self.noWorker) }
            }
        } onCancel: {
            finish(id, with: Self.noWorker)
        }
    }

    /// Takes the next request whose caller still waits.
    func next() -> Job? {
        state.withLock { state in
            while let job = state.foreground.popLast() ?? state.background.popFirst() {
                if state.callers[job.id] != nil { return job }
            }
            return nil
        }
    }

    /// Gives an answer to the caller, unless it has one.
    func finish(_ id: UInt64, with answer: PictureAnswer) {
        state.withLock { $0.callers.removeValue(forKey: id) }?.resume(returning: answer)
    }

    /// Answers every waiting request with a failure, and refuses new ones.
    func close() {
        let callers = state.withLock { state in
            state.isClosed = true
            defer { (state.callers, state.foreground, state.background) = ([:], [], []) }
            return state.callers.values
        }
        for caller in callers { caller.resume(returning: Self.noWorker) }
    }

    static let noWorker = PictureAnswer.failed(PictureFailure(.noWorker, reason: "there is no decode worker"))
}
