import NIOCore
import Synchronization

/// Watches whether the client of a connection is still there, and cancels its request when it leaves.
final class ClientWatch: Sendable {
    private struct State {
        var isGone = false
        var giveUp: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    /// Sets the closure that cancels the current request; it is called immediately if the client has left already.
    func begin(_ giveUp: @escaping @Sendable () -> Void) {
        let isGone = state.withLock { state in
            state.giveUp = giveUp
            return state.isGone
        }
        if isGone { giveUp() }
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

/// The watches of all open connections.
final class ClientWatches: Sendable {
    private let connections = Mutex<[ObjectIdentifier: (watch: ClientWatch, close: @Sendable () -> Void)]>([:])

    /// The number of open connections.
    var count: Int { connections.withLock { $0.count } }

    /// Returns the watch of a connection.
    func watch(of channel: any Channel) -> ClientWatch? {
        connections.withLock { $0[ObjectIdentifier(channel)]?.watch }
    }

    /// Closes all connections, which cancels their requests.
    ///
    /// - Returns: The number of connections.
    func closeAll() -> Int {
        let open = connections.withLock { Array($0.values) }
        for connection in open { connection.close() }
        return open.count
    }

    /// Closes a connection without waiting for answers that have not left.
    func close(_ channel: any Channel) {
        connections.withLock { $0[ObjectIdentifier(channel)]?.close }?()
    }

    fileprivate func add(_ watch: ClientWatch, of channel: any Channel, close: @escaping @Sendable () -> Void) {
        connections.withLock { $0[ObjectIdentifier(channel)] = (watch, close) }
    }

    fileprivate func remove(_ channel: any Channel) {
        _ = connections.withLock { $0.removeValue(forKey: ObjectIdentifier(channel)) }
    }
}

/// Notices, in a connection's pipeline, that the client has closed its side.
final class ClientWatchHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = Any

    private let watches: ClientWatches
    private let watch = ClientWatch()

    /// Creates the handler of one connection.
    init(_ watches: ClientWatches) {
        self.watches = watches
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let loop = context.eventLoop
        let place = NIOLoopBound(context, eventLoop: loop)
        // Closes from here on, not through handlers that would first have answers sent.
        watches.add(watch, of: context.channel) { loop.execute { place.value.close(promise: nil) } }
    }

    func channelInactive(context: ChannelHandlerContext) {
        watch.leave()
        watches.remove(context.channel)
        context.fireChannelInactive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .inputClosed? = event as? ChannelEvent { watch.leave() }
        context.fireUserInboundEventTriggered(event)
    }
}
