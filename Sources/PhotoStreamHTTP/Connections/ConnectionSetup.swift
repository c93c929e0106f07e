import HummingbirdCore
import Logging
import NIOCore
import NIOHTTPTypesHTTP1

/// Sets up connections with the handlers of this server and Hummingbird's HTTP/1.1.
struct ConnectionSetup: ServerChildChannel {
    private let http1: HTTP1Channel
    private let refusal: ProtocolHandler.Refusal
    private let limits: HeadLimits
    private let connections: SharedBudget
    private let access: AccessSettings
    /// The timeouts of clients.
    let timeouts: ClientTimeouts

    /// Creates the set-up of a server's connections.
    ///
    /// - Parameters:
    ///   - answer: Hummingbird's responder.
    ///   - refusal: Makes the answer to a request that is refused before Hummingbird sees it.
    ///   - watches: The watches of all connections.
    ///   - settings: The settings, for limits and timeouts.
    init(
        answering answer: @escaping HTTPChannelHandler.Responder, refusal: @escaping ProtocolHandler.Refusal,
        watches: ClientWatches, settings: ServerSettings
    ) {
        self.refusal = refusal
        (limits, connections, access) = (HeadLimits(settings), .connections(settings), settings.access)
        let timeouts = ClientTimeouts(settings)
        self.timeouts = timeouts
        http1 = HTTP1Channel(
            responder: answer,
            configuration: HTTP1Channel.Configuration(
                additionalChannelHandlers: [
                    IdleStateHandler(readTimeout: timeouts.idle), ConnectionClosingHandler(watches, of: .connection),
                ]))
    }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        let counting = countingHandler()
        return channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(counting)
        }.assumeIsolated().flatMap { setup(channel: channel, counting: counting, logger: logger) }.nonisolated()
    }

    /// Returns a handler that counts a connection.
    func countingHandler() -> ConnectionCountHandler { ConnectionCountHandler(connections, access: access) }

    /// Sets up a connection that is already counted.
    func setup(
        channel: any Channel, counting: ConnectionCountHandler, logger: Logger
    ) -> EventLoopFuture<HTTP1Channel.Value> {
        let counting = NIOLoopBound(counting, eventLoop: channel.eventLoop)
        return http1.setup(channel: channel, logger: logger).flatMapThrowing { [refusal, limits, timeouts] value in
            let pipeline = channel.pipeline.syncOperations
            let codec = try pipeline.handler(type: HTTP1ToHTTPServerCodec.self)
            let deadlines = DeadlineHandler(timeouts, of: .connection)
            try pipeline.addHandler(deadlines, position: .first)
            try pipeline.addHandler(
                ProtocolHandler(limits, counting: counting.value, deadlines: deadlines, refusal: refusal),
                position: .before(codec))
            return value
        }
    }

    func handle(value: HTTP1Channel.Value, logger: Logger) async {
        await http1.handle(value: value, logger: logger)
    }
}
