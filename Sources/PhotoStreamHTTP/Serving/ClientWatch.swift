import NIOCore
import Synchronization

/// Whether the client of a connection is still there, and what to do when it is not.
final class ClientWatch: Sendable {
    private struct State {
        var isGone = false
        var giveUp: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    /// Has a request given up when the client goes away; at once, where it has gone already.
    func begin(_ giveUp: @escaping @Sendable () -> Void) {
        let isGone = state.withLock { state in
            state.giveUp = giveUp
            return state.isGone
        }
        if isGone { giveUp() }
    }

    /// The request is answered.
    func end() {
        state.withLock { $0.giveUp = nil }
    }

    /// The client has gone.
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
    private let connections = Mutex<[ObjectIdentifier: (channel: any Channel, watch: ClientWatch)]>([:])

    /// The watch of a connection.
    func watch(of channel: any Channel) -> ClientWatch? {
        connections.withLock { $0[ObjectIdentifier(channel)]?.watch }
    }

    /// Closes all connections, which gives up what is asked on them.
    ///
    /// - Returns: How many there were.
    func closeAll() -> Int {
        let channels = connections.withLock { $0.values.map(\.channel) }
        for channel in channels { channel.close(promise: nil) }
        return channels.count
    }

    fileprivate func add(_ watch: ClientWatch, of channel: any Channel) {
        connections.withLock { $0[ObjectIdentifier(channel)] = (channel, watch) }
    }

    fileprivate func remove(_ channel: any Channel) {
        _ = connections.withLock { $0.removeValue(forKey: ObjectIdentifier(channel)) }
    }
}

/// Notices in a connection's pipeline that the client has closed its side.
final class ClientWatchHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = Any

    private let watches: ClientWatches
    private let watch = ClientWatch()

    /// Creates the handler of one connection.
    init(_ watches: ClientWatches) {
        self.watches = watches
    }

    func handlerAdded(context: ChannelHandlerContext) {
        watches.add(watch, of: context.channel)
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
