import Synchronization

/// A task whose result several callers await, and which is cancelled if all of them have left.
final class SharedTask<Value: Sendable>: Sendable {
    private struct State {
        /// The callers that have joined and not left.
        var callerCount = 0
        var nextID = 0
        var waiting: [Int: CheckedContinuation<Value, any Error>] = [:]
        /// The callers that were cancelled before they began to wait.
        var cancelled: Set<Int> = []
        var result: Result<Value, any Error>?
        var task: Task<Void, Never>?
        var isAbandoned = false
    }

    private let state = Mutex(State())

    /// Starts the task.
    ///
    /// - Parameter body: The work; it is cancelled once every caller that joined has left.
    func start(_ body: @escaping @Sendable () async throws -> Value) {
        let task = Task {
            let result: Result<Value, any Error>
            do {
                result = .success(try await body())
            } catch {
                result = .failure(error)
            }
            self.end(with: result)
        }
        let isAbandoned = state.withLock { state in
            state.task = task
            return state.isAbandoned
        }
        if isAbandoned { task.cancel() }
    }

    /// Joins the task; every caller that joins must call ``value()``.
    ///
    /// - Returns: `false` if the task was cancelled, because all other callers have left.
    func join() -> Bool {
        state.withLock { state in
            guard !state.isAbandoned else { return false }
            state.callerCount += 1
            return true
        }
    }

    /// Returns the result to a caller that has joined.
    ///
    /// - Throws: The error of the task, and `CancellationError` as soon as the caller is cancelled.
    func value() async throws -> Value {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        defer { leave() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result: Result<Value, any Error>? = state.withLock { state in
                    if let result = state.result { return result }
                    if state.cancelled.contains(id) { return .failure(CancellationError()) }
                    state.waiting[id] = continuation
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            let continuation = state.withLock { state in
                state.cancelled.insert(id)
                return state.waiting.removeValue(forKey: id)
            }
            continuation?.resume(throwing: CancellationError())
        }
    }

    private func leave() {
        let task: Task<Void, Never>? = state.withLock { state in
            state.callerCount -= 1
            guard state.callerCount == 0, state.result == nil else { return nil }
            state.isAbandoned = true
            return state.task
        }
        task?.cancel()
    }

    private func end(with result: Result<Value, any Error>) {
        let waiting = state.withLock { state in
            state.result = result
            defer { state.waiting = [:] }
            return state.waiting.values
        }
        for continuation in waiting { continuation.resume(with: result) }
    }
}
