import NIOCore

/// Runs the tasks of a connection on the connection's event loop.
///
/// Otherwise they would run on Swift's cooperative threads, and each request would change threads twice more: from the
/// event loop to read it, and back to send its answer. What blocks runs on the threads of a ``WorkerPool``.
final class EventLoopExecutor: TaskExecutor {
    private let loop: any EventLoop

    /// Creates the executor of an event loop.
    init(_ loop: any EventLoop) {
        self.loop = loop
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        loop.execute { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
