import Dispatch

/// A thread for blocking work, so that Swift's cooperative threads never wait for a file.
struct BlockingQueue: Sendable {
    private let queue: DispatchQueue

    /// Creates a queue that runs one piece of work after the other.
    init(_ name: String) {
        queue = DispatchQueue(label: name, qos: .utility)
    }

    /// Starts work after all earlier work.
    func start(_ body: @escaping @Sendable () -> Void) { queue.async(execute: body) }

    /// Runs work after all earlier work.
    ///
    /// - Parameter body: The work, which runs to its end even if the caller is cancelled.
    /// - Returns: The result of `body`.
    /// - Throws: The errors of `body`.
    func run<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Swift.Result { try body() }) }
        }
    }
}
