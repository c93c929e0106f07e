import Dispatch
import Foundation
import Synchronization

/// A lane: threads for calls of the service, which block.
///
/// Neither event loops nor Swift's cooperative threads wait for the file.
///
/// Unlike the work of `NIOThreadPool`, a call here is a task, so a fold of the service notices its cancellation.
final class WorkerPool: TaskExecutor {
    typealias Waiter = CheckedContinuation<Void, any Error>

    private struct State {
        var jobs: [UnownedJob] = []
        var isStopped = false
        var turns: Turns<Waiter>
    }

    private let state: Mutex<State>
    private let available = DispatchSemaphore(value: 0)
    private let threadCount: Int
    /// The name of the lane, and the prefix of the threads' names.
    let name: String
    /// The maximum number of requests that may wait or run.
    let limit: Int
    private let places: SharedBudget

    /// Starts the threads.
    ///
    /// - Parameters:
    ///   - name: The name of the lane.
    ///   - threadCount: The number of threads.
    ///   - turnCount: The number of requests that run at once, without those that only need admission; `nil` for one per
    ///     thread.
    ///   - limit: The maximum number of requests that may wait or run; more are refused. One address, and guests, have only
    ///     a part of it.
    init(name: String, threadCount: Int, turnCount: Int? = nil, limit: Int) {
        (self.name, self.threadCount, self.limit) = (name, threadCount, limit)
        places = SharedBudget(limit: limit, of: .requests)
        state = Mutex(State(turns: Turns(limit: turnCount ?? threadCount, scanLimit: max(1, threadCount / 2))))
        for number in 0..<threadCount {
            let thread = Thread { [weak self] in
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
    var waitingCount: Int { state.withLock { $0.turns.waitingCount } }

    /// Runs a call on a thread of the lane, when it is its client's turn.
    ///
    /// - Parameters:
    ///   - watch: The watch that cancels the call when the client leaves.
    ///   - client: The client.
    ///   - cost: The cost of the call, in any unit.
    ///   - isScan: Whether the call reads much of a stream; such calls leave half of the threads to others.
    ///   - body: The call; it may block.
    /// - Returns: The result of the call.
    /// - Throws: ``Problem`` if too many requests are waiting, and the errors of `body`.
    func run<Result: Sendable>(
        watch: ClientWatch?, for client: BoundedClient = .server, cost: Double = 1, isScan: Bool = false,
        _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        let request = Turns<Waiter>.Request(connection: client.connection, cost: cost, isScan: isScan)
        return try await withAdmission(of: client) {
            // It must not wait for its turn on a thread of the lane, whose jobs run in the order in which they arrive.
            let task = Task {
                try await self.awaitTurn(of: request)
                defer { self.state.withLock { $0.turns.end(request) }?.resume() }
                return try await self.runAdmitted(body)
            }
            return try await task.awaitedValue(cancelledBy: watch)
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
        of client: BoundedClient, _ body: () async throws -> Result
    ) async throws -> Result {
        guard !state.withLock({ $0.isStopped }) else {
            throw Problem(.overloaded, detail: "the server is ending; ask again later")
        }
        let place = try places.place(for: client)
        defer { withExtendedLifetime(place) {} }
        return try await body()
    }

    /// Runs a call that waits for no turn: a step of a request that was admitted, or a look-up that decides about one.
    ///
    /// Each connection has at most one at a time.
    ///
    /// - Parameters:
    ///   - watch: The watch that cancels the call when the client leaves.
    ///   - body: The call; it may block.
    /// - Returns: The result of the call.
    /// - Throws: The errors of the call.
    func runAdmitted<Result: Sendable>(
        watch: ClientWatch? = nil, _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        let task = Task(executorPreference: self) {
            // The client may have left while the call waited for a thread.
            try Task.checkCancellation()
            return try await body()
        }
        return try await task.awaitedValue(cancelledBy: watch)
    }

    private func awaitTurn(of request: Turns<Waiter>.Request) async throws {
        let arrival = state.withLock { $0.turns.arrival() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiter in
                let isNext = state.withLock { $0.turns.begin(request, as: arrival, waiter: waiter) }
                if isNext { waiter.resume() } else if Task.isCancelled { leave(arrival) }
            }
        } onCancel: {
            leave(arrival)
        }
    }

    private func leave(_ arrival: Int) {
        state.withLock { $0.turns.leave(arrival) }?.resume(throwing: CancellationError())
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

    /// Waits for a job; `nil` if the lane was stopped and no jobs are left.
    private func nextJob() -> UnownedJob? {
        available.wait()
        return state.withLock { $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() }
    }

    private func run(_ job: UnownedJob) {
        unsafe job.runSynchronously(on: asUnownedTaskExecutor())
    }
}
