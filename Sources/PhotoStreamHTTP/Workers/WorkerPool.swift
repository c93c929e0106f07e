import Dispatch
import Foundation
import Synchronization

/// Threads for the calls of the service, which block: neither event loops nor Swift's cooperative threads wait for the
/// file.
///
/// Unlike the work of `NIOThreadPool`, a call here is a task, so a fold of the service notices that it was cancelled.
final class WorkerPool: TaskExecutor {
    private struct State {
        var jobs: [UnownedJob] = []
        /// The position of the first job that was not taken.
        var next = 0
        /// The number of requests that wait or run.
        var requestCount = 0
        var isStopped = false
    }

    /// The number of taken jobs that may stay in the queue.
    private static let compactionCount = 1_024

    /// The niceness of threads for long work.
    private static let longPriority: Int32 = 10

    private let state = Mutex(State())
    private let available = DispatchSemaphore(value: 0)
    private let threadCount: Int
    /// The prefix of the threads' names.
    let name: String
    /// The most requests that may wait or run.
    let limit: Int
    private let refusal: ProblemKind

    /// Starts the threads.
    ///
    /// - Parameters:
    ///   - name: The prefix of the threads' names.
    ///   - threadCount: The number of threads.
    ///   - limit: The most requests that may wait or run; more are refused.
    ///   - refusal: The problem of refused requests.
    ///   - isLong: Whether the threads have a lower priority, because no scrolling client waits for them.
    init(name: String, threadCount: Int, limit: Int, refusal: ProblemKind = .overloaded, isLong: Bool = false) {
        self.name = name
        self.refusal = refusal
        self.threadCount = threadCount
        self.limit = limit
        for number in 0..<threadCount {
            let thread = Thread { [weak self] in
                // On Linux this applies to the thread alone.
                if isLong { setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, Self.longPriority) }
                while let job = self?.nextJob() { self?.run(job) }
            }
            thread.name = "\(name)-\(number)"
            thread.stackSize = 4 << 20
            thread.start()
        }
    }

    /// The number of requests that wait or run.
    var requestCount: Int { state.withLock { $0.requestCount } }

    /// Runs a call on a thread of the pool.
    ///
    /// - Parameters:
    ///   - watch: The watch that cancels the call when the client leaves.
    ///   - body: The call; it may block.
    /// - Returns: The result of the call.
    /// - Throws: ``Problem`` if too many requests wait already, and the errors of `body`.
    func run<Result: Sendable>(
        watch: ClientWatch?, _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        try await withAdmission { try await runAdmitted(watch: watch, body) }
    }

    /// Admits a request while it is read and answered, with calls of `runAdmitted`.
    ///
    /// - Parameter body: Reads and answers the request; it must not block.
    /// - Returns: The result of `body`.
    /// - Throws: ``Problem`` if too many requests wait already, and the errors of `body`.
    func withAdmission<Result: Sendable>(_ body: () async throws -> Result) async throws -> Result {
        try admit()
        defer { state.withLock { $0.requestCount -= 1 } }
        return try await body()
    }

    /// Runs the call of a request that was admitted before.
    ///
    /// - Parameters:
    ///   - watch: The watch that cancels the call when the client leaves.
    ///   - body: The call; it may block.
    /// - Returns: The result of the call.
    /// - Throws: The errors of the call.
    func runAdmitted<Result: Sendable>(
        watch: ClientWatch?, _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        let task = Task(executorPreference: self) {
            // The client may have left while the call waited for a thread.
            try Task.checkCancellation()
            return try await body()
        }
        watch?.begin { task.cancel() }
        defer { watch?.end() }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// Runs a step of a request that was admitted before; each connection has at most one at a time.
    ///
    /// - Parameter body: The step; it may block.
    /// - Returns: The result of the step.
    /// - Throws: The errors of the step.
    func runAdmitted<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await Task(executorPreference: self) { try body() }.value
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        state.withLock { $0.jobs.append(job) }
        available.signal()
    }

    /// Ends the threads as soon as no job is left.
    func stop() {
        state.withLock { $0.isStopped = true }
        for _ in 0..<threadCount { available.signal() }
    }

    private func admit() throws(Problem) {
        let isAdmitted = state.withLock { state in
            guard state.requestCount < limit, !state.isStopped else { return false }
            state.requestCount += 1
            return true
        }
        guard isAdmitted else {
            throw Problem(refusal, detail: "\(limit) such requests are running or waiting; ask again later")
        }
    }

    /// Waits for a job; `nil` if the pool was stopped and no job is left.
    private func nextJob() -> UnownedJob? {
        available.wait()
        return state.withLock { state in
            guard state.next < state.jobs.count else { return nil }
            defer {
                state.next += 1
                if state.next == state.jobs.count || state.next == Self.compactionCount {
                    state.jobs.removeFirst(state.next)
                    state.next = 0
                }
            }
            return state.jobs[state.next]
        }
    }

    private func run(_ job: UnownedJob) {
        unsafe job.runSynchronously(on: asUnownedTaskExecutor())
    }
}
