import Synchronization

/// Carries the reports of work that blocks its thread to a closure that runs on the caller's actor.
final class WorkReports<Report: Sendable>: Sendable {
    private let waiting = Mutex<[Report]>([])
    private let wakeUps = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    private let deliveries = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

    /// Adds a report, without waiting.
    func add(_ report: Report) {
        waiting.withLock { $0.append(report) }
        wakeUps.continuation.yield()
    }

    /// Waits until reports have been observed, or the task is cancelled, so that few of them wait.
    func wait() async {
        wakeUps.continuation.yield()
        for await _ in deliveries.stream { break }
    }

    /// Runs work on another thread, and calls a closure with its reports in their order, on the caller's actor.
    ///
    /// - Parameters:
    ///   - work: The work.
    ///   - observe: Receives each report. If it throws, the work is cancelled, and its end is awaited.
    /// - Returns: The result of the work.
    /// - Throws: Errors of `work` and of `observe`.
    static func observing<Output: Sendable>(
        _ work: @escaping @Sendable (WorkReports<Report>) async throws -> Output, by observe: (Report) throws -> Void
    ) async throws -> Output {
        let reports = WorkReports()
        async let result = reports.result(of: work)
        for await _ in reports.wakeUps.stream { try reports.deliver(to: observe) }
        let output = await result
        // The loop also ends if the task is cancelled, before the work does.
        try reports.deliver(to: observe)
        return try output.get()
    }

    private func deliver(to observe: (Report) throws -> Void) throws {
        let reports = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        for report in reports { try observe(report) }
        deliveries.continuation.yield()
    }

    @concurrent
    private func result<Output: Sendable>(
        of work: @Sendable (WorkReports<Report>) async throws -> Output
    ) async -> Result<Output, any Error> {
        defer { wakeUps.continuation.finish() }
        do {
            return .success(try await work(self))
        } catch {
            return .failure(error)
        }
    }
}
