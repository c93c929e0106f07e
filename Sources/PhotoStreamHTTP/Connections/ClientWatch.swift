import NIOCore
import Synchronization

/// Watches whether the client of a connection is still there, and cancels its request when it leaves.
final class ClientWatch: Sendable {
    private struct State {
        var isGone = false
        /// The end of the current request's time; `nil` if it has no limit.
        var end: ContinuousClock.Instant?
        /// Whether that time is over.
        var isOutOfTime = false
        var cancel: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    /// Sets the closure that cancels the current request, which is called immediately if the client has left or the
    /// request's time is over.
    func begin(_ cancel: @escaping @Sendable () -> Void) {
        let isOver = state.withLock { state in
            state.cancel = cancel
            return state.isGone || state.isOutOfTime
        }
        if isOver { cancel() }
    }

    /// Answers a request within a time.
    ///
    /// - Parameters:
    ///   - seconds: The time.
    ///   - body: Answers the request.
    /// - Returns: The answer.
    /// - Throws: ``Problem`` if the time was over before `body` returned, and the errors of `body`.
    func limit(toSeconds seconds: Int, _ body: () async throws -> APIResponse) async throws -> APIResponse {
        state.withLock { $0.end = .now + .seconds(seconds) }
        defer { state.withLock { ($0.end, $0.isOutOfTime) = (nil, false) } }
        do {
            return try await body()
        } catch {
            guard state.withLock({ $0.isOutOfTime }), !(error is Problem) else { throw error }
            throw Problem(.overloaded, detail: "the request took longer than \(seconds) seconds; ask again later")
        }
    }

    /// Cancels the current request if its time is over.
    fileprivate func endTime(at now: ContinuousClock.Instant) {
        let cancel = state.withLock { state -> (@Sendable () -> Void)? in
            guard let end = state.end, end < now else { return nil }
            (state.end, state.isOutOfTime) = (nil, true)
            defer { state.cancel = nil }
            return state.cancel
        }
        cancel?()
    }

    /// Records that the request is answered.
    func end() {
        state.withLock { $0.cancel = nil }
    }

    /// Records that the client has left, and cancels its request.
    func leave() {
        let cancel = state.withLock { state in
            state.isGone = true
            defer { state.cancel = nil }
            return state.cancel
        }
        cancel?()
    }
}

extension Task where Failure == any Error {
    /// Waits for the task, which the watch or the calling task may cancel.
    func awaitedValue(cancelledBy watch: ClientWatch?) async throws -> Success {
        watch?.begin { cancel() }
        defer { watch?.end() }
        return try await withTaskCancellationHandler {
            try await value
        } onCancel: {
            cancel()
        }
    }
}

/// The watches of all open connections, and of HTTP/2 requests, which have their own channels.
final class ClientWatches: Sendable {
    /// The kind of a channel.
    enum Kind {
        /// A connection of either protocol.
        case connection
        /// One request of an HTTP/2 connection.
        case request
    }

    private struct Entry {
        let watch: ClientWatch
        let kind: Kind
        let close: @Sendable () -> Void
    }

    private let channels = Mutex<[ObjectIdentifier: Entry]>([:])

    /// The number of open connections.
    var count: Int { channels.withLock { $0.values.count { $0.kind == .connection } } }

    /// Returns the watch of a channel; `nil` if the channel is closed.
    func watch(of channel: any Channel) -> ClientWatch? {
        channels.withLock { $0[ObjectIdentifier(channel)]?.watch }
    }

    /// Returns the kind of a channel.
    func kind(of channel: any Channel) -> Kind {
        channels.withLock { $0[ObjectIdentifier(channel)]?.kind ?? .connection }
    }

    /// Cancels requests that exceed their time, until the task is cancelled.
    ///
    /// One task watches all of them, because a timer for each would wake an event loop twice per request.
    func endTimes() async {
        // A request may exceed its time by as much.
        while (try? await Task.sleep(for: .milliseconds(250))) != nil {
            let (watches, now) = (channels.withLock { $0.values.map(\.watch) }, ContinuousClock.now)
            for watch in watches { watch.endTime(at: now) }
        }
    }

    /// Closes all connections, which cancels their requests.
    ///
    /// - Returns: The number of connections.
    func closeAll() -> Int {
        let open = channels.withLock { $0.values.filter { $0.kind == .connection } }
        for connection in open { connection.close() }
        return open.count
    }

    /// Closes a channel without waiting until its answers are sent.
    func close(_ channel: any Channel) {
        channels.withLock { $0[ObjectIdentifier(channel)]?.close }?()
    }

    /// Adds a channel, or replaces its watch.
    func add(_ watch: ClientWatch, of channel: any Channel, as kind: Kind, close: @escaping @Sendable () -> Void) {
        channels.withLock { $0[ObjectIdentifier(channel)] = Entry(watch: watch, kind: kind, close: close) }
    }

    /// Removes a channel that is closed.
    func remove(_ channel: any Channel) {
        _ = channels.withLock { $0.removeValue(forKey: ObjectIdentifier(channel)) }
    }
}
