import NIOCore
import Synchronization

/// Watches whether the client of a connection is still there, and cancels its request when it leaves.
final class ClientWatch: Sendable {
    private struct State {
        var isGone = false
        /// Whether the time of the current request is over.
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

    /// Whether the time of the current request is over.
    var isOutOfTime: Bool { state.withLock { $0.isOutOfTime } }

    /// Starts the time of a request.
    func beginTime() {
        state.withLock { $0.isOutOfTime = false }
    }

    /// Records that the time of the current request is over, and cancels it.
    func endTime() {
        let cancel = state.withLock { state in
            state.isOutOfTime = true
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
