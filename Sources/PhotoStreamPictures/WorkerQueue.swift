import PhotoStreamPictureMessages
import Synchronization

/// The requests that wait for a worker, and the workers that wait for a request.
///
/// Each request is answered exactly once.
final class WorkerQueue: Sendable {
    /// A request.
    struct Job: Sendable {
        let id: UInt64
        let request: PictureRequest
        /// Whether a worker crashed while it had this request and others.
        var isSuspect = false

        /// Whether the next request may be sent before this one is answered.
        var isQuick: Bool {
            if case .decode = request { false } else { true }
        }
    }

    private struct State {
        var nextID: UInt64 = 0
        var callers: [UInt64: CheckedContinuation<PictureAnswer, Never>] = [:]
        var foreground: [Job] = []
        var background: ArraySlice<Job> = []
        var idleWorkers: [UInt64: CheckedContinuation<Job?, Never>] = [:]
        var isClosed = false

        mutating func makeID() -> UInt64 {
            nextID += 1
            return nextID
        }

        /// Takes the next request of a kind whose caller still waits.
        mutating func next(where isWanted: (Job) -> Bool) -> Job? {
            while let job = foreground.last ?? background.first {
                let isAwaited = callers[job.id] != nil
                if isAwaited, !isWanted(job) { return nil }
                if foreground.popLast() == nil { background.removeFirst() }
                if isAwaited { return job }
            }
            return nil
        }
    }

    private let state = Mutex(State())

    /// The answer to requests if there are no workers.
    static let noWorker = PictureAnswer.failed(PictureFailure(.noWorker, reason: "there is no decode worker"))

    /// Sends a request and waits for the answer; if the caller is cancelled, the request is dropped and answered with
    /// ``noWorker``.
    func answer(to request: PictureRequest, urgency: Urgency) async -> PictureAnswer {
        let id = state.withLock { $0.makeID() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { caller in
                enqueue(Job(id: id, request: request), urgency: urgency, caller: caller)
            }
        } onCancel: {
            finish(id, with: Self.noWorker)
        }
    }

    private func enqueue(_ job: Job, urgency: Urgency, caller: CheckedContinuation<PictureAnswer, Never>) {
        let (isRefused, worker) = state.withLock { state -> (Bool, CheckedContinuation<Job?, Never>?) in
            if state.isClosed || Task.isCancelled { return (true, nil) }
            state.callers[job.id] = caller
            if let worker = state.idleWorkers.popFirst()?.value { return (false, worker) }
            if urgency == .foreground { state.foreground.append(job) } else { state.background.append(job) }
            return (false, nil)
        }
        if isRefused { caller.resume(returning: Self.noWorker) }
        worker?.resume(returning: job)
    }

    /// Takes the next request if it may be sent before others are answered.
    func nextQuick() -> Job? {
        state.withLock { $0.next(where: \.isQuick) }
    }

    /// Waits for the next request.
    ///
    /// - Parameter limit: The maximum wait; `nil` for none.
    /// - Returns: `nil` after the maximum wait, if the queue is closed, and if the task is cancelled.
    func next(within limit: Duration? = nil) async -> Job? {
        let id = state.withLock { $0.makeID() }
        let timer = limit.map { limit in
            Task {
                try await Task.sleep(for: limit)
                wake(id)
            }
        }
        defer { timer?.cancel() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { worker in
                let job = state.withLock { state -> Job?? in
                    if state.isClosed || Task.isCancelled { return .some(nil) }
                    if let job = state.next(where: { _ in true }) { return job }
                    state.idleWorkers[id] = worker
                    return .none
                }
                if let job { worker.resume(returning: job) }
            }
        } onCancel: {
            wake(id)
        }
    }

    private func wake(_ id: UInt64) {
        state.withLock { $0.idleWorkers.removeValue(forKey: id) }?.resume(returning: nil)
    }

    /// The number of requests that wait for a worker.
    var waitingCount: Int {
        state.withLock { $0.foreground.count + $0.background.count }
    }

    /// Whether a request's caller still waits.
    func isAwaited(_ job: Job) -> Bool {
        state.withLock { $0.callers[job.id] != nil }
    }

    /// Returns an answer to the caller, unless it already has one.
    func finish(_ id: UInt64, with answer: PictureAnswer) {
        state.withLock { $0.callers.removeValue(forKey: id) }?.resume(returning: answer)
    }

    /// Answers every waiting request with ``noWorker``, ends the waits of workers, and refuses new requests.
    func close() {
        let (callers, workers) = state.withLock { state in
            state.isClosed = true
            defer {
                (state.callers, state.foreground, state.background) = ([:], [], [])
                state.idleWorkers = [:]
            }
            return (Array(state.callers.values), Array(state.idleWorkers.values))
        }
        for caller in callers { caller.resume(returning: Self.noWorker) }
        for worker in workers { worker.resume(returning: nil) }
    }
}
