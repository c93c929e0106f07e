import Foundation

/// Runs something that blocks on a thread of its own, as a task that can be cancelled.
func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) -> Task<Value, any Error> {
    Task.detached(executorPreference: ThreadExecutor.shared) { try body() }
}

/// Gives every job a thread of its own: the few that tests share must not block.
private final class ThreadExecutor: TaskExecutor {
    static let shared = ThreadExecutor()

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = asUnownedTaskExecutor()
        Thread.detachNewThread { job.runSynchronously(on: executor) }
    }
}
