import Synchronization

/// Cancels requests that take too long to answer.
///
/// One task watches all of them, because a timer for each would wake an event loop twice per request.
final class RequestTimes: Sendable {
    /// The interval of the checks, by which a request may exceed its time.
    private static let step = Duration.milliseconds(250)

    private let seconds: Int
    /// The running requests by their watches; a watch has one request at a time.
    private let running = Mutex<[ObjectIdentifier: (watch: ClientWatch, end: ContinuousClock.Instant)]>([:])

    /// Creates the times of a server's requests.
    init(_ settings: ServerSettings) {
        seconds = settings.requestSeconds
    }

    /// Answers a request within its time.
    ///
    /// - Parameters:
    ///   - watch: The watch of the request's channel, which cancels `body`; `nil` if the client has left.
    ///   - body: Answers the request.
    /// - Returns: The answer.
    /// - Throws: ``Problem`` if the time was over before `body` returned, `CancellationError` if the client has left, and the
    ///   errors of `body`.
    func answer(watch: ClientWatch?, _ body: () async throws -> APIResponse) async throws -> APIResponse {
        guard let watch else { throw CancellationError() }
        let key = ObjectIdentifier(watch)
        watch.beginTime()
        running.withLock { $0[key] = (watch, .now + .seconds(seconds)) }
        defer { _ = running.withLock { $0.removeValue(forKey: key) } }
        do {
            return try await body()
        } catch {
            guard watch.isOutOfTime, !(error is Problem) else { throw error }
            throw Problem(.overloaded, detail: "the request took longer than \(seconds) seconds; ask again later")
        }
    }

    /// Cancels requests that exceed their time, until the task is cancelled.
    func watch() async {
        while (try? await Task.sleep(for: Self.step)) != nil {
            running.withLock { running in
                let now = ContinuousClock.now
                // Under the lock, so that it cannot hit a later request of the channel.
                for request in running.values where request.end < now { request.watch.endTime() }
            }
        }
    }
}
