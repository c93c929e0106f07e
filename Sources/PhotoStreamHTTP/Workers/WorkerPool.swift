import Dispatch
import Foundation
import Synchronization

/// Threads for calls of the service, which block: neither event loops nor Swift's cooperative threads wait for the
/// file.
///
/// Unlike the work of `NIOThreadPool`, a call here is a task, so a fold of the service notices its cancellation.
final class WorkerPool: TaskExecutor {
    private struct State {
        var jobs: [UnownedJob] = []
        /// The position of the first job that is still in the queue.
        var next = 0
        var isStopped = false
    }

    /// The number of finished jobs that may stay in the queue.
    private static let compactionCount = 1_024

    /// The niceness of threads for long work.
    private static let longPriority: Int32 = 10

    private let state = Mutex(State())
    private let available = DispatchSemaphore(value: 0)
    private let threadCount: Int
    /// The prefix of the threads' names.
    let name: String
    /// The maximum number of requests that may wait or run.
    let limit: Int
    private let places: SharedBudget
    private let isDivided: Bool
    private let turns: Turns

    /// Starts the threads.
    ///
    /// - Parameters:
    ///   - name: The prefix of the threads' names.
    ///   - threadCount: The number of threads.
    ///   - limit: The maximum number of requests that may wait or run; more are refused.
    ///   - refusal: The problem of refused requests.
    ///   - isLong: Whether the threads have a lower priority, because no scrolling client waits for them.
    ///   - isDivided: Whether one address, and guests, get only a part of the limit.
    init(
        name: String, threadCount: Int, limit: Int, refusal: ProblemKind = .overloaded, isLong: Bool = false,
        isDivided: Bool = false
    ) {
        self.name = name
        self.isDivided = isDivided
        places = SharedBudget(limit: limit, of: .requests, refusal: refusal)
        turns = Turns(limit: threadCount)
        self.threadCount = threadCount
        self.limit = limit
        for number in 0..<threadCount {
            let thread = Thread { [weak self] in
                // On Linux, this applies to the thread alone.
                if isLong { setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, Self.longPriority) }
                while let job = self?.nextJob() { self?.run(job) }
            }
            thread.name = "\(name)-\(number)"
            thread.stackSize = 4 << 20
            thread.start()
        }
    }

    /// The number of requests that wait or run.
    var requestCount: Int { places.count }

    /// The number of requests that wait for their turns.
    var waitingCount: Int { turns.waitingCount }

    /// Runs a call on a thread of the pool, when it is its client's turn.
    ///
    /// - Parameters:
    ///   - watch: The watch that cancels the call when the client leaves.
    ///   - client: The client.
    ///   - cost: The cost of the call, in any unit.
    ///   - body: The call; it may block.
    /// - Returns: The result of the call.
    /// - Throws: ``Problem`` if too many requests are waiting, and the errors of `body`.
    func run<Result: Sendable>(
        watch: ClientWatch?, for client: BoundedClient = .server, cost: Double = 1,
        _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        try await withAdmission(of: client) {
            // It must not wait for its turn on a thread of the pool, whose jobs run in the order in which they arrive.
            let task = Task {
                try await turns.take(of: client.connection, cost: cost) {
                    try await self.runAdmitted(watch: nil, body)
                }
            }
            return try await Self.value(of: task, watch: watch)
        }
    }

    /// Admits a request while it is read and answered, with calls of `runAdmitted`.
    ///
    /// - Parameters:
    ///   - client: The client.
    ///   - body: Reads and answers the request; it must not block.
    /// - Returns: The result of `body`.
    /// - Throws: ``Problem`` if too many requests are waiting, and the errors of `body`.
    func withAdmission<Result: Sendable>(
        of client: BoundedClient = .server, _ body: () async throws -> Result
    ) async throws -> Result {
        let place = try admission(of: client)
        defer { withExtendedLifetime(place) {} }
        return try await body()
    }

    /// Runs the call of a request that was already admitted.
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
        return try await Self.value(of: task, watch: watch)
    }

    /// Waits for a task, which the watch or the calling task may cancel.
    private static func value<Result: Sendable>(
        of task: Task<Result, any Error>, watch: ClientWatch?
    ) async throws -> Result {
        watch?.begin { task.cancel() }
        defer { watch?.end() }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// Runs a step of a request that was already admitted; each connection has at most one at a time.
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

    /// Ends the threads as soon as no jobs are left.
    func stop() {
        state.withLock { $0.isStopped = true }
        for _ in 0..<threadCount { available.signal() }
    }

    private func admission(of client: BoundedClient) throws(Problem) -> SharedBudget.Share {
        guard !state.withLock({ $0.isStopped }) else {
            throw Problem(.overloaded, detail: "the server is ending; ask again later")
        }
        return try places.place(for: isDivided ? client : .server)
    }

    /// Waits for a job; `nil` if the pool was stopped and no jobs are left.
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
