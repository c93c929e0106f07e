import Dispatch
import Foundation
import Synchronization

/// Threads of our own for the calls of the service, which block: an event loop never waits for the file.
///
/// What runs here is a task like any other, so a fold of the service sees that its client has gone away.
final class WorkerPool: TaskExecutor {
    private struct State {
        var jobs: [UnownedJob] = []
        /// The first of ``jobs`` that was not taken.
        var next = 0
        /// Requests that wait or run.
        var requestCount = 0
        var isStopped = false
    }

    /// How many jobs that were taken may stay in the queue.
    private static let compactionCount = 1_024

    /// The niceness of threads for long work.
    private static let longPriority: Int32 = 10

    private let state = Mutex(State())
    private let available = DispatchSemaphore(value: 0)
    private let threadCount: Int
    private let limit: Int
    private let refusal: ProblemKind

    /// Starts the threads.
    ///
    /// - Parameters:
    ///   - name: What the threads are called.
    ///   - threadCount: How many run at once.
    ///   - limit: How many requests may wait or run; more are refused.
    ///   - refusal: As what they are refused.
    ///   - isLong: Whether the threads make way for others, since nobody waits for them who scrolls.
    init(name: String, threadCount: Int, limit: Int, refusal: ProblemKind = .overloaded, isLong: Bool = false) {
        self.refusal = refusal
        self.threadCount = threadCount
        self.limit = limit
        for number in 0..<threadCount {
            let thread = Thread { [weak self] in
                // On Linux this is the thread's alone.
                if isLong { setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, Self.longPriority) }
                while let job = self?.nextJob() { self?.run(job) }
            }
            thread.name = "\(name)-\(number)"
            thread.stackSize = 4 << 20
            thread.start()
        }
    }

    /// Runs a call on a thread of the pool.
    ///
    /// - Parameters:
    ///   - watch: Told how the call is given up, for as long as it runs.
    ///   - body: The call; it may block.
    /// - Returns: What it returns.
    /// - Throws: ``Problem`` where too many wait already, and what `body` throws.
    func run<Result: Sendable>(
        watch: ClientWatch?, _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        try await holdingPlace { try await goOn(watch: watch, body) }
    }

    /// Admits a request for as long as it is taken in and answered, which is done with `goOn`.
    ///
    /// - Parameter body: Takes it in and answers it; it must not block.
    /// - Returns: What it returns.
    /// - Throws: ``Problem`` where too many wait already, and what `body` throws.
    func holdingPlace<Result: Sendable>(_ body: () async throws -> Result) async throws -> Result {
        try admit()
        defer { state.withLock { $0.requestCount -= 1 } }
        return try await body()
    }

    /// Runs the call of a request that was admitted before.
    ///
    /// - Parameters:
    ///   - watch: Told how the call is given up, for as long as it runs.
    ///   - body: The call; it may block.
    /// - Returns: What it returns.
    /// - Throws: What it throws.
    func goOn<Result: Sendable>(
        watch: ClientWatch?, _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        let task = Task(executorPreference: self) {
            // Its client may have gone while it waited for a thread.
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

    /// Runs a step of a request that was admitted before and is half answered: there is one at most for each connection.
    ///
    /// - Parameter body: The step; it may block.
    /// - Returns: What it returns.
    /// - Throws: What it throws.
    func goOn<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await Task(executorPreference: self) { try body() }.value
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        state.withLock { $0.jobs.append(job) }
        available.signal()
    }

    /// Ends the threads once nothing is left to run.
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
            throw Problem(refusal, "\(limit) requests of the kind run or wait already; ask again later")
        }
    }

    /// Waits for a job; `nil` when the pool was stopped and nothing is left.
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
        job.runSynchronously(on: asUnownedTaskExecutor())
    }
}
