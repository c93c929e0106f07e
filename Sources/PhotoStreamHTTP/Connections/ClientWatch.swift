import NIOCore
import Synchronization

/// Watches whether the client of a connection is still there, and cancels its request when it leaves.
final class ClientWatch: Sendable {
    private struct State {
        var isGone = false
        /// Whether the time of the current request is over.
        var isOutOfTime = false
        var giveUp: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    /// Sets the closure that cancels the current request; it is called immediately if the client has left already, or
    /// the request's time is over.
    func begin(_ giveUp: @escaping @Sendable () -> Void) {
        let isOver = state.withLock { state in
            state.giveUp = giveUp
            return state.isGone || state.isOutOfTime
        }
        if isOver { giveUp() }
    }

    /// Whether the time of the current request is over.
    var isOutOfTime: Bool { state.withLock { $0.isOutOfTime } }

    /// Records that the time of a request begins.
    func beginTime() {
        state.withLock { $0.isOutOfTime = false }
    }

    /// Records that the time of the current request is over, and cancels it.
    func endTime() {
        let giveUp = state.withLock { state in
            state.isOutOfTime = true
            defer { state.giveUp = nil }
            return state.giveUp
        }
        giveUp?()
    }

    /// Records that the request is answered.
    func end() {
        state.withLock { $0.giveUp = nil }
    }

    /// Records that the client has left, and cancels its request.
    func leave() {
        let giveUp = state.withLock { state in
            state.isGone = true
            defer { state.giveUp = nil }
            return state.giveUp
        }
        giveUp?()
    }
}

/// The watches of all open connections, and of the requests of HTTP/2, which have channels of their own.
final class ClientWatches: Sendable {
    /// The part of HTTP that a channel stands for.
    enum Kind {
        case connection
        /// One request of a connection of HTTP/2.
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

    /// Returns the watch of a channel.
    func watch(of channel: any Channel) -> ClientWatch? {
        channels.withLock { $0[ObjectIdentifier(channel)]?.watch }
    }

    /// Returns the part of HTTP that a channel stands for.
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

    /// Closes a channel without waiting for answers that have not left.
    func close(_ channel: any Channel) {
        channels.withLock { $0[ObjectIdentifier(channel)]?.close }?()
    }

    /// Adds a channel, or takes the place of an earlier watch of it.
    func add(_ watch: ClientWatch, of channel: any Channel, as kind: Kind, close: @escaping @Sendable () -> Void) {
        channels.withLock { $0[ObjectIdentifier(channel)] = Entry(watch: watch, kind: kind, close: close) }
    }

    /// Removes a channel that is closed.
    func remove(_ channel: any Channel) {
        _ = channels.withLock { $0.removeValue(forKey: ObjectIdentifier(channel)) }
    }
}
