import Foundation
import Synchronization

/// Separate threads for tasks that must make progress regardless of other tests.
///
///     let running = Task(executorPreference: ThreadExecutor.servers) { try await group.run() }
///
/// Tests share as many threads as there are cores, and a test that computes uses one for minutes: if the connections of
/// a server waited for them, its clients would time out.
package final class ThreadExecutor: TaskExecutor {
    /// The threads of all servers of a test process.
    package static let servers = ThreadExecutor()

    private let jobs = Mutex<[UnownedJob]>([])
    private let jobCount = DispatchSemaphore(value: 0)

    /// Starts four threads, which run until the process ends.
    private init() {
        for _ in 0..<4 {
            let thread = Thread { [self] in
                while true {
                    jobCount.wait()
                    let job = jobs.withLock { $0.removeFirst() }
                    job.runSynchronously(on: asUnownedTaskExecutor())
                }
            }
            thread.name = "test-servers"
            thread.start()
        }
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
        jobCount.signal()
    }
}

/// Runs blocking work on its own thread, as a task that can be cancelled.
///
///     let reading = onThread { try service.read { try $0.layout(key, of: stream).page() } }
///     reading.cancel()
package func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) -> Task<Value, any Error> {
    Task.detached(executorPreference: ThreadPerJobExecutor.shared) { try body() }
}

/// Runs every job on its own thread, since the few threads that tests share must not block.
private final class ThreadPerJobExecutor: TaskExecutor {
    static let shared = ThreadPerJobExecutor()

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = asUnownedTaskExecutor()
        Thread.detachNewThread { job.runSynchronously(on: executor) }
    }
}
